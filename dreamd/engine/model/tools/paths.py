"""What a path means that the model names: it knows the memory directory, we have a copy of it."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError

_ODD = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_LONGEST = 4_096  # bytes: PATH_MAX


class Spot(Struct, frozen=True):
    """A path to be read: below the memory directory (then `inside` is relative to it), or not."""

    absolute: Path
    inside: PurePosixPath | None


def spot(said: str, place: Place) -> Spot:
    """Return what a path means that may be absolute, begin with `~/`, or be relative to memory.

    A path that leads into the memory directory by a link is inside it too.

    Raises:
        RefusedError: it can be no path.
    """
    if not said.strip() or _ODD.search(said) or len(said.encode()) > _LONGEST:
        raise RefusedError(
            f"{said[:60]!r} is no path: give an absolute one, or one relative to {place.memory}."
        )
    whole = os.path.expanduser(said) if said.startswith("~") else said  # noqa: PTH111
    path = Path(os.path.normpath(place.memory / whole))
    for home in (place.memory, place.stage, _real(place.memory), _real(place.stage)):
        if path.is_relative_to(home):
            return Spot(path, PurePosixPath(path.relative_to(home)))
    real = Path(os.path.realpath(path))
    for home in (_real(place.memory), _real(place.stage)):
        if real.is_relative_to(home):
            return Spot(real, PurePosixPath(real.relative_to(home)))
    return Spot(path, None)


def disk(spot: Spot, place: Place) -> Path:
    """Return where on disk a spot lies: what is inside memory lies in the copy."""
    return spot.absolute if spot.inside is None else place.stage / spot.inside


def name(spot: Spot, place: Place) -> str:
    """Return a spot as the model knows it."""
    return str(spot.absolute if spot.inside is None else place.memory / spot.inside)


def known(text: str, place: Place) -> str:
    """Return a text in which every path of the copy is that of the memory directory."""
    for stage in (str(place.stage), str(_real(place.stage))):
        text = text.replace(stage, str(place.memory))
    return text


@lru_cache(maxsize=16)
def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
