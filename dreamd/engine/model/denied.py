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

_OURS = Path(__file__).parents[2]
_LIBRARIES = "/usr/lib"


def denied(model: Model, environ: Mapping[str, str], brief: Brief) -> tuple[str, ...]:
    """Return the usual credential stores, the denied paths of the settings, and the keys' places.

    All are absolute, with `~` and `~user` expanded: a relative one is meant from the current
    directory, as the key file is when the key is read. The reader stands elsewhere.

    Raises:
        ConfigError: `model.denied` takes away what the session itself needs, or some of the notes.
    """
    for each in filter(str.strip, model.denied.split(":")):
        asked = os.path.realpath(os.path.expanduser(each))  # noqa: PTH111
        for place, what, also_below in _needed(brief):
            is_around = _is_below(place, asked)
            if is_around or (also_below and _is_below(asked, place)):
                raise ConfigError(
                    f"model.denied must leave a dream what it works with: {each} "
                    f"{'holds' if is_around else 'is part of'} {what} ({place}); name other "
                    "places, or folders below it"
                )
    named = [*model.denied.split(":"), model.key_file, environ.get("CREDENTIALS_DIRECTORY", "")]
    usual = default(Path(environ.get("HOME") or Path.home()))
    asked_for = (os.path.abspath(os.path.expanduser(each)) for each in named if each.strip())  # noqa: PTH100, PTH111
    return tuple(dict.fromkeys((*map(str, usual), *asked_for)))


def _needed(brief: Brief) -> Iterator[tuple[str, str, bool]]:
    """Yield places, what they are, and whether all that is below them is needed as well."""
    yield os.path.realpath(brief.memory), "the notes", True
    if brief.stage != Path():  # there is none for an engine that works in memory
        yield os.path.realpath(brief.stage), "the private copy of the notes", True
    yield os.path.realpath(_OURS), "dreamd itself", True
    yield os.path.dirname(os.path.realpath(os.__file__)), "the Python that runs it", True  # noqa: PTH120
    yield os.path.realpath(sys.executable), "the Python that runs it", True
    if os.path.isdir(_LIBRARIES):  # noqa: PTH112
        yield os.path.realpath(_LIBRARIES), "the system's libraries", False


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place.rstrip(os.sep) + os.sep)
