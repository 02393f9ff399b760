"""Which walls there can be here, the strongest first; never none."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from dreamd.errors import WallsError
from dreamd.sandbox import bubblewrap, landlock, seccomp
from dreamd.sandbox.policy import Level


@dataclass(frozen=True, slots=True)
class Walls:
    """A level that can be reached here; `words` say it to a person, with what it lacks."""

    level: Level
    words: str


def best(wanted: Level | None = None) -> Walls:
    """Return the strongest walls that this machine has, or exactly the level that is wanted.

    Raises:
        WallsError: the wanted level is not to be had here.
    """
    if wanted in {None, Level.LANDLOCK} and (walls := _landlock()) is not None:
        return walls
    if wanted in {None, Level.BUBBLEWRAP} and (walls := _bubblewrap()) is not None:
        return walls
    if wanted in {None, Level.PATHS}:
        return Walls(Level.PATHS, "paths (no Bash)")
    raise WallsError(
        f"the walls ({wanted}) are not to be had on this machine; it has {best().words}"
    )


def with_network() -> Walls:
    """Return the walls around another program that needs the network.

    Landlock alone can allow the one and keep the rest: ports, signals, abstract sockets.

    Raises:
        WallsError: this kernel has none, or too old a one.
    """
    walls, abi = _landlock(), landlock.abi()
    if walls is None or abi < landlock.SCOPED_SINCE:
        raise WallsError(
            f"a program with the network is walled in by Landlock of ABI {landlock.SCOPED_SINCE} "
            f"or later (Linux 6.12); this machine has {f'ABI {abi}' if abi else 'none'}"
        )
    return Walls(Level.LANDLOCK, f"{walls.words}, with the network")


def _landlock() -> Walls | None:
    if sys.platform != "linux" or not seccomp.is_available():
        return None
    abi = landlock.abi()
    return Walls(Level.LANDLOCK, f"landlock (ABI {abi})") if abi else None


def _bubblewrap() -> Walls | None:
    if sys.platform != "linux" or not seccomp.is_available() or not bubblewrap.is_available():
        return None
    return Walls(Level.BUBBLEWRAP, "bubblewrap")
