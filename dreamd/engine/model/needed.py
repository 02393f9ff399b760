"""What no session can do without: a setting that denies it is a slip, and is said to be one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from dreamd.domain.dream import Brief
from dreamd.domain.settings import Model
from dreamd.engine.model.denied import denied
from dreamd.errors import ConfigError

_OURS = Path(__file__).parents[2]
_LIBRARIES = "/usr/lib"


def walled_off(model: Model, environ: Mapping[str, str], brief: Brief) -> tuple[str, ...]:
    """Return what a session over these notes may not read.

    Raises:
        ConfigError: `model.denied` takes away what the session itself needs, or some of the notes.
    """
    for each in filter(str.strip, model.denied.split(":")):
        asked = os.path.realpath(os.path.expanduser(each))  # noqa: PTH111
        for place, what, also_below in _needed(brief):
            within, around = _is_below(asked, place), _is_below(place, asked)
            if around or (within and also_below):
                raise ConfigError(
                    f"model.denied must leave a dream what it works with: {each} "
                    f"{'holds' if around else 'is part of'} {what} ({place}); name other places, "
                    "or folders below it"
                )
    return denied(model, environ)


def _needed(brief: Brief) -> Iterator[tuple[str, str, bool]]:
    """Yield places, what they are, and whether all that is below them is needed as well."""
    yield os.path.realpath(brief.memory), "the notes", True
    if brief.stage != Path():  # there is none where a dream is only estimated
        yield os.path.realpath(brief.stage), "the private copy of the notes", True
    yield os.path.realpath(_OURS), "dreamd itself", True
    yield os.path.dirname(os.path.realpath(os.__file__)), "the Python that runs it", True  # noqa: PTH120
    yield os.path.realpath(sys.executable), "the Python that runs it", True
    if os.path.isdir(_LIBRARIES):  # noqa: PTH112
        yield os.path.realpath(_LIBRARIES), "the system's libraries", False


def _is_below(path: str, place: str) -> bool:
    return path == place or path.startswith(place.rstrip(os.sep) + os.sep)
