"""Whether there can be walls here, and what they are called."""

from __future__ import annotations

from typing import NamedTuple

from dreamd.errors import WallsError
from dreamd.sandbox import landlock, seccomp
from dreamd.sandbox.policy import Level


class Walls(NamedTuple):
    """A level that can be reached here; `words` say it to a person, with what it lacks."""

    level: Level
    words: str


def best() -> Walls:
    """Return the walls that this machine has; without Landlock and seccomp paths stand alone."""
    if (abi := landlock.abi()) and seccomp.is_available():
        return Walls(Level.LANDLOCK, f"landlock (ABI {abi})")
    return Walls(Level.PATHS, "paths (no Bash)")


def with_network() -> Walls:
    """Return the walls around another program that needs the network.

    Raises:
        WallsError: this kernel has none, or none that keeps signals and sockets inside.
    """
    walls, abi = best(), landlock.abi()
    if walls.level is Level.PATHS or abi < landlock.SCOPED_SINCE:
        raise WallsError(
            f"a program with the network is walled in by Landlock of ABI {landlock.SCOPED_SINCE} "
            f"or later (Linux 6.12); this machine has {f'ABI {abi}' if abi else 'none'}"
        )
    return Walls(Level.LANDLOCK, f"{walls.words}, with the network")
