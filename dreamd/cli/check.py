"""`check`: lint memory directories, and fix what is mechanical."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import app as wiring
from dreamd.app import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.ending import Kind, Trigger
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Tree
from dreamd.domain.words import plural
from dreamd.errors import BusyError, UsageError
from dreamd.stores import choice, identity
from dreamd.text.names import INDEX


class _Asked(Struct):
    """One memory directory with the notes asked about; none means all."""

    memory: Path
    notes: set[PurePosixPath] = field(default_factory=set)


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `check`."""
    del name
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="memory directories, or notes in them"
    )
    parser.add_argument(
        "--fix", action="store_true", help="fix what is mechanical; `dreamd undo` takes it back"
    )
    parser.add_argument(
        "--staged",
        action="store_true",
        help="for pre-commit: ignore files that are in no memory directory",
    )
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every fault; exit 1 if any stands that is more than a warning."""
    app = wiring.start()
    from dreamd.memory import check  # noqa: PLC0415 - only where notes are read
    from dreamd.memory.scan import scan  # noqa: PLC0415

    settings = app.loaded.settings
    told: list[tuple[Path, Finding]] = []
    trees: list[Tree] = []
    for asked in _asked(app, arguments):
        if arguments.fix:
            _fix(app, asked, only=arguments.staged)
        tree = scan(asked.memory)
        trees.append(tree)
        told += [
            (asked.memory, finding)
            for finding in (*check.lint(tree, settings), *_unread(tree, settings.budget))
            if not asked.notes or finding.path in asked.notes or finding.path == INDEX
        ]
    faults = sum(finding.severity is Severity.FAULT for _, finding in told)
    if arguments.json:
        common.answer({"faults": faults, "findings": [_json(place, each) for place, each in told]})
        return 1 if faults else 0
    for memory, finding in told:
        mark = "" if finding.severity is Severity.FAULT else f"{finding.severity}: "
        place = on_one_line(f"{memory / finding.path}") + (
            f":{finding.line}" if finding.line else ""
        )
        print(on_one_line(f"{place}: {mark}{finding.message} ({finding.rule})"))
    if faults:
        mendable = sum(len(check.mend(tree, settings)[1]) for tree in trees)
        said = f"; `dreamd check --fix` fixes {mendable}" if mendable else ""
        print(f"{plural(faults, 'fault')}{said}.", file=sys.stderr)
    return 1 if faults else 0


def _asked(app: App, arguments: argparse.Namespace) -> list[_Asked]:
    if arguments.staged:
        return _staged(app, arguments)
    if not arguments.paths:
        return [_Asked(app.store(arguments.memory).memory)]
    if arguments.memory is not None:
        raise UsageError("name paths or --memory, not both")
    asked: dict[Path, _Asked] = {}
    for named in arguments.paths:
        path = choice.path_of(named, app.here)
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"there is no {path}")
        folder = path if path.is_dir() else _memory_around(path)
        if folder is None:
            raise UsageError(
                f"{path} is in no memory directory: there is no {INDEX} beside or above it"
            )
        memory = app.store(str(folder)).memory
        one = asked.setdefault(memory, _Asked(memory))
        if not path.is_dir():
            inside = identity.real(path.parent) / path.name
            if not inside.is_relative_to(memory):
                raise UsageError(f"{path} leads out of the memory directory {memory}")
            one.notes.add(PurePosixPath(inside.relative_to(memory)))
    return list(asked.values())


def _staged(app: App, arguments: argparse.Namespace) -> list[_Asked]:
    """Return the memory directories of the files of a commit, by their paths alone.

    No memory directory is looked for above the work tree, in whose top folder one stands, nor
    behind a link, which is what git has of it. What was removed meanwhile is passed over.
    """
    if arguments.memory is not None:
        raise UsageError("--staged takes the paths of a commit, and no --memory")
    asked: dict[Path, _Asked] = {}
    here = identity.real(app.here)
    for named in arguments.paths:
        path = Path(os.path.normpath(here / named))
        if not path.is_file() and not path.is_symlink():
            continue
        top = here if path.is_relative_to(here) else None
        memory = _memory_around(path, top)
        if memory is not None and identity.real(path.parent) == path.parent:
            one = asked.setdefault(memory, _Asked(memory))
            one.notes.add(PurePosixPath(path.relative_to(memory)))
    return list(asked.values())


def _memory_around(path: Path, top: Path | None = None) -> Path | None:
    """Return the nearest folder above a file that has an index, none above `top`."""
    for folder in path.parents:
        if (folder / INDEX).exists():
            return folder
        if folder == top:
            return None
    return None


def _fix(app: App, asked: _Asked, *, only: bool) -> None:
    """Mend a memory; with `only`, for a commit: those asked about, and the index."""
    from dreamd.memory import check  # noqa: PLC0415
    from dreamd.memory.scan import scan  # noqa: PLC0415

    settings = app.loaded.settings

    def mended(tree: Tree) -> Tree:
        whole = check.mend(tree, settings)[0]
        if not only:
            return whole
        wanted = {INDEX, *asked.notes}
        kept = {path: entry for path, entry in whole.files.items() if path in wanted}
        return replace(whole, files=dict(sorted({**tree.files, **kept}.items())))

    before = scan(asked.memory)
    if mended(before).files == before.files:
        return
    from dreamd.transaction.edit import edit  # noqa: PLC0415 - git and locks, only for --fix

    store = app.store(str(asked.memory))
    left = len(check.mend(mended(before), settings)[1])
    count = len(check.mend(before, settings)[1]) - left
    try:
        began = Trigger.PRECOMMIT if only else Trigger.HAND
        said = f"fixed {plural(count, 'fault')}"
        receipt = edit(store, Kind.FIX, mended, reason=said, trigger=began)
    except BusyError as error:
        print(f"dreamd: {error}; linted only", file=sys.stderr)
        return
    print(
        f"{common.sentence(receipt.reason)} in {on_one_line(str(store.memory))} "
        f"(`dreamd undo {receipt.dream}` takes it back)",
        file=sys.stderr,
    )


def _json(memory: Path, finding: Finding) -> dict[str, object]:
    return {
        "memory": str(memory),
        "path": str(finding.path),
        "line": finding.line,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
    }


def _unread(tree: Tree, limits: Budget) -> Iterator[Finding]:
    """Name the notes that a reader of `memory_bytes` does not come to, index and links in order."""
    from dreamd.domain.reading import seen_notes  # noqa: PLC0415 - where notes are read

    unseen = seen_notes(tree, limits).unseen
    if unseen:
        few = ", ".join(map(str, unseen[:3])) + (", …" if len(unseen) > 3 else "")
        said = f"{plural(len(unseen), 'note')} beyond what a reader comes to: {few}"
        yield Finding("reading", PurePosixPath(), 0, said, Severity.WARNING)
