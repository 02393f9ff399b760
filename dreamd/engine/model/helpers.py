"""Starts the two walled processes that serve the tools, and ends them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from dreamd.engine.model.line import Line
from dreamd.engine.model.order import Order
from dreamd.engine.model.tools import Home
from dreamd.engine.model.tools.place import described
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, spawn
from dreamd.text.secrets.secrets import redact

_WORDS = 300  # characters of what a helper says when it fails
_MODULE = "dreamd.engine.model.helper"


class Helpers:
    """The reader and the writer of one session."""

    def __init__(self) -> None:
        self._started: dict[Home, Helper] = {}

    def start(self, order: Order) -> None:
        """Start both; they get ready while the caller goes on.

        Raises:
            WallsError: the walls that the order asks for cannot be had.
            OSError: a process cannot be started.
        """
        place = described(order.memory, order.sessions)
        for home in (Role.READER, Role.WRITER):
            policy = Policy(
                role=home,
                stage=Path(order.stage),
                denied=tuple(Path(each) for each in order.denied),
                level=Level(order.level),
            )
            argv = [sys.executable, "-m", _MODULE, place]
            self._started["reader" if home is Role.READER else "writer"] = spawn(argv, policy)

    def ended(self) -> str:
        """Return which of them does not run any more, nothing where both do."""
        started = list(self._started.items())
        return next((home for home, helper in started if helper.poll() is not None), "")

    def last_words(self) -> str:
        """Return the last line that either wrote to stderr; empty where both were silent."""
        said = [helper.last_words() for helper in list(self._started.values())]
        lines = [text.splitlines()[-1] for text in said if text]
        return redact(lines[-1])[:_WORDS] if lines else ""

    @property
    def lines(self) -> Mapping[Home, Line]:
        """The lines to both."""
        return {
            home: Line(home, helper.stdin.fileno(), helper.stdout.fileno())
            for home, helper in self._started.items()
        }

    def stop(self) -> None:
        """End both, whatever they are doing; of any thread, also while the other still starts them.

        One that is started meanwhile ends with the thread that starts it.
        """
        for helper in list(self._started.values()):
            with contextlib.suppress(OSError):
                helper.stop()


@contextlib.contextmanager
def helping(helpers: Helpers) -> Iterator[Helpers]:
    """End the helpers however this ends."""
    try:
        yield helpers
    finally:
        helpers.stop()
