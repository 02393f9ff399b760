"""What a session may not read: credential stores, its own key, and what the settings deny."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from dreamd.domain.dream import Brief
from dreamd.domain.settings import Model
from dreamd.errors import ConfigError
from dreamd.sandbox.denied import default


def denied(model: Model, environ: Mapping[str, str], brief: Brief) -> tuple[str, ...]:
    """Return the usual credential stores, the denied paths of the settings, and the keys' places.

    All are absolute, with `~` and `~user` expanded: a relative one is meant from the current
    directory, as the key file is when the key is read. The reader stands elsewhere.

    Raises:
        ConfigError: `model.denied` takes away what the session itself needs, or some of the notes.
    """
    for each in filter(str.strip, model.denied.split(":")):
        asked = Path(os.path.realpath(os.path.expanduser(each)))  # noqa: PTH111
        for place, what in _needed(brief):
            is_around = place.is_relative_to(asked)
            if is_around or asked.is_relative_to(place):
                raise ConfigError(
                    f"model.denied must leave a dream what it works with: {each} "
                    f"{'holds' if is_around else 'is part of'} {what} ({place}); name other "
                    "places, or folders below it"
                )
    named = [*model.denied.split(":"), model.key_file, environ.get("CREDENTIALS_DIRECTORY", "")]
    usual = default(Path(environ.get("HOME") or Path.home()))
    asked_for = (os.path.abspath(os.path.expanduser(each)) for each in named if each.strip())  # noqa: PTH100, PTH111
    return tuple(dict.fromkeys((*map(str, usual), *asked_for)))


def _needed(brief: Brief) -> Iterator[tuple[Path, str]]:
    """Yield places that a session needs, with all that is below them, and what they are."""
    yield brief.memory.resolve(), "the notes"
    if brief.stage != Path():  # there is none for an engine that works in memory
        yield brief.stage.resolve(), "the private copy of the notes"
    yield Path(__file__).resolve().parents[2], "dreamd itself"
    yield Path(os.__file__).resolve().parent, "the Python that runs it"
    yield Path(sys.executable).resolve(), "the Python that runs it"
