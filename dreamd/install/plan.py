"""What an install or its undoing will do: said first, then done."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd.errors import DreamdError
from dreamd.install import laying
from dreamd.install.laying import FileState, Piece


class Plan(Struct, frozen=True):
    """Files that come, files that go, and what the system is told before and after."""

    lay: tuple[Piece, ...] = ()
    take: tuple[Piece, ...] = ()  # removed where they are dreamd's and unedited
    top: Path = Path("/")  # folders above it stay
    before: tuple[tuple[str, ...], ...] = ()
    after: tuple[tuple[str, ...], ...] = ()
    links: tuple[tuple[Path, Path], ...] = ()  # to remove, each with the file it leads to
    refusal: str = ""  # why the system cannot be told now; what it had to be told is said instead


def in_words(plan: Plan) -> Iterator[str]:
    """Yield what a plan does, a line each; nothing where all is as it is to be.

    Raises:
        HostError: a file cannot be looked at.
    """
    if not plan.refusal:
        yield from (f"run {shlex.join(each)}" for each in plan.before)
    for piece in plan.lay:
        if said := laying.in_words(piece, laying.standing(piece)):
            yield said
    for piece in plan.take:
        match laying.standing(piece):
            case FileState.ABSENT:
                pass
            case FileState.EDITED:
                yield f"leave {piece.path}: it was edited, or is not dreamd's"
            case FileState.SAME | FileState.OURS:
                yield f"remove {piece.path}"
    if not plan.refusal:
        yield from (f"run {shlex.join(each)}" for each in plan.after)


def carry_out(plan: Plan, tell: Callable[[Sequence[str]], None]) -> tuple[str, ...]:
    """Do what a plan says; return what the system refused to do, a sentence each.

    Raises:
        HostError: a file cannot be written or removed.
    """
    refused = [] if plan.refusal else list(_told(plan.before, tell))
    for piece in plan.lay:
        if laying.standing(piece) in {FileState.ABSENT, FileState.OURS}:
            laying.lay(piece)
    for piece in plan.take:
        if laying.standing(piece) in {FileState.SAME, FileState.OURS}:
            laying.take_up(piece.path, plan.top)
    for link, target in plan.links:
        laying.remove_link(link, target)
    if not plan.refusal:
        refused += _told(plan.after, tell)
    return tuple(refused)


def left_to_run(plan: Plan) -> tuple[str, ...]:
    """Return the commands that the system could not be given, as a person types them."""
    return tuple(shlex.join(each) for each in (*plan.before, *plan.after) if plan.refusal)


def _told(
    commands: Sequence[Sequence[str]], tell: Callable[[Sequence[str]], None]
) -> Iterator[str]:
    for each in commands:
        try:
            tell(each)
        except DreamdError as error:
            yield str(error)
