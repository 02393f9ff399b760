"""One dream by the user's own `claude` program: for people with a login and no key."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.evidence import sources
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Model
from dreamd.engine.claude.login import Login
from dreamd.engine.claude.session import Errand, hold
from dreamd.engine.claude.told import Told
from dreamd.engine.model.denied import denied
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.fork import served
from dreamd.engine.model.outcome import heard, taken_up
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.reasons import Origins, whys
from dreamd.engine.protocol import Progress
from dreamd.errors import HostError, RefusedError, SessionError
from dreamd.host import clock, files
from dreamd.ledger.spending import Purse
from dreamd.sandbox.choose import with_network
from dreamd.text.secrets.secrets import redact

_TOOLS = ("Read", "Grep", "Glob", "Edit", "Write")
_EDITING = ("Edit", "Write")
_REMARK = 300  # characters of a session's last word that a receipt keeps


class ClaudeEngine:
    """A session of `claude -p` over the stage, which may read what a model may, and no more.

    Making one raises WallsError where the walls are not to be had.
    """

    name = "claude-cli"
    repeatable = False
    in_memory = False

    def __init__(
        self, model: Model, login: Login, environ: Mapping[str, str], purse: Purse
    ) -> None:
        self._model, self._login, self._environ = model, login, environ
        self._purse = purse
        self._walls = with_network()
        self._told = Told()

    @property
    def level(self) -> str:
        """Behind which walls it works."""
        return self._walls.words

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last session, as far as it came."""
        return self._told.messages

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Hold one session over the stage.

        One that failed is reported as such, with all that it said, did and spent until then.

        Raises:
            ConfigError: a setting takes away what a session needs.
            RefusedError: nothing is left of the day's budget.
            WallsError: the walls cannot be had here.
            HostError: the stage cannot be read.
        """
        progress(Phase.ORIENT, "putting together what claude is told")
        self._told = told = Told()
        token, capped, failed, is_dropped = os.urandom(5).hex(), "", "", False
        tokens, dollars = self._purse.reserve(token, self._model.tokens, self._model.dollars)
        try:
            if dollars <= 0:
                raise RefusedError("claude was not asked: model.dollars leaves it nothing")
            capped = hold(
                self._errand(brief, tokens, dollars),
                self._login,
                self._environ,
                told,
                lambda said: progress(said.phase, said.words),
            )
        except SessionError as error:
            failed, is_dropped = redact(str(error)), told.result is None  # else its own word
            if is_dropped and any(told.counts[each] for each in _EDITING):
                failed += "; what it had begun in the notes is dropped"
        finally:
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, told.usage.tokens, told.usage.dollars)
        kept = Report(usage=told.usage, failed=failed, is_dropped=is_dropped)
        if is_dropped:
            return kept
        return replace(
            kept,
            whys=tuple(
                whys(
                    brief.base,
                    dict(_notes(brief.stage)),
                    [],
                    Origins([*taken_up(brief), *brief.said]),
                )
            ),
            grounds=sources(heard(brief), today=clock.local_day(clock.now())),
            capped=capped,
            remark=redact(" ".join((told.remark or capped).split()))[:_REMARK],
        )

    def estimate(self, brief: Brief) -> Estimate:
        """Return the limits; what the program's own requests will hold nobody knows before.

        Raises:
            HostError: the day's ledger cannot be read.
        """
        del brief
        tokens, dollars = self._purse.left(self._model.tokens, self._model.dollars)
        return Estimate(model=self._model.name, most_tokens=tokens, most_dollars=dollars)

    def _errand(self, brief: Brief, tokens: int, dollars: float) -> Errand:
        model = self._model
        first = first_message(
            brief, memory=brief.stage, tokens=model.digest_tokens, since=brief.since
        )
        known = served({"tools": [{"name": name} for name in _TOOLS]})
        return Errand(
            arguments=_arguments(model, dollars),
            prompt=f"{known}\n\n{first}",
            stage=brief.stage,
            denied=tuple(map(Path, denied(model, self._environ, brief))),
            seconds=min(model.seconds, self._login.seconds),
            tokens=tokens,
        )


def _arguments(model: Model, dollars: float) -> tuple[str, ...]:
    """Return the arguments of print mode (https://code.claude.com/docs/en/cli-reference).

    A program too old to know one of them ends with an error, and does nothing without it.
    """
    tools = ",".join(_TOOLS)
    return (
        *("--print", "--output-format", "stream-json", "--verbose"),
        *("--model", model.name, "--system-prompt", SYSTEM),
        *("--tools", tools, "--allowedTools", tools),
        *("--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"),
        "--no-session-persistence",
        *("--max-turns", str(model.turns), "--max-budget-usd", f"{dollars:.4f}"),
    )


def _notes(stage: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the text of every note of the stage; links and odd files are none."""
    with files.faults("read", stage):
        for folder, names, found in os.walk(stage):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(found):
                path = Path(folder) / name
                if name.endswith(".md") and modes.S_ISREG(path.lstat().st_mode):
                    text = path.read_bytes().decode("utf-8", "replace")
                    yield PurePosixPath(path.relative_to(stage)), text
