"""`check`: lint memory directories, and mend what is mechanical."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from dreamd import app as wiring
from dreamd import stores
from dreamd.app import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.ending import Kind
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.names import INDEX
from dreamd.domain.settings import Budget
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.domain.words import plural
from dreamd.errors import BusyError, UsageError


@dataclass(slots=True)
class _Asked:
    """One memory directory with the notes asked about; none means all."""

    store: Store
    notes: set[PurePosixPath] = field(default_factory=set)


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `check`."""
    del name
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="memory directories, or notes in them"
    )
    parser.add_argument("--fix", action="store_true", help="mend pointers, in a commit of its own")
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every fault; exit 1 if any stands that is more than a warning."""
    app = wiring.start()
    from dreamd.memory import check  # noqa: PLC0415 - only where notes are read
    from dreamd.memory.scan import scan  # noqa: PLC0415

    settings = app.loaded.settings
    told: list[tuple[Store, Finding]] = []
    trees: list[Tree] = []
    for asked in _asked(app, arguments):
        if arguments.fix:
            _fix(app, asked.store)
        tree = scan(asked.store.memory)
        trees.append(tree)
        told += [
            (asked.store, finding)
            for finding in (*check.lint(tree, settings), *_unread(tree, settings.budget))
            if not asked.notes or finding.path in asked.notes or finding.path == INDEX
        ]
    faults = sum(finding.severity is Severity.FAULT for _, finding in told)
    if arguments.json:
        common.answer({"faults": faults, "findings": [_json(store, each) for store, each in told]})
        return 1 if faults else 0
    for store, finding in told:
        mark = "" if finding.severity is Severity.FAULT else f"{finding.severity}: "
        place = on_one_line(f"{store.memory / finding.path}") + (
            f":{finding.line}" if finding.line else ""
        )
        print(on_one_line(f"{place}: {mark}{finding.message} ({finding.rule})"))
    if faults:
        mendable = sum(len(check.mend(tree, settings)[1]) for tree in trees)
        said = f"; `dreamd check --fix` mends {mendable}" if mendable else ""
        print(f"{plural(faults, 'fault')}{said}.", file=sys.stderr)
    return 1 if faults else 0


def _asked(app: App, arguments: argparse.Namespace) -> list[_Asked]:
    if not arguments.paths:
        return [_Asked(app.store(arguments.memory))]
    if arguments.memory is not None:
        raise UsageError("name paths or --memory, not both")
    asked: dict[Path, _Asked] = {}
    for named in arguments.paths:
        path = stores.path_of(named, app.here)
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"there is no {path}")
        folder = path if path.is_dir() else _memory_around(path)
        store = app.store(str(folder))
        one = asked.setdefault(store.memory, _Asked(store))
        if not path.is_dir():
            inside = stores.real(path.parent) / path.name
            if not inside.is_relative_to(store.memory):
                raise UsageError(f"{path} leads out of the memory directory {store.memory}")
            one.notes.add(PurePosixPath(inside.relative_to(store.memory)))
    return list(asked.values())


def _memory_around(path: Path) -> Path:
    for folder in path.parents:
        if (folder / INDEX).exists():
            return folder
    raise UsageError(f"{path} is in no memory directory: there is no MEMORY.md beside or above it")


def _fix(app: App, store: Store) -> None:
    from dreamd.memory import check  # noqa: PLC0415
    from dreamd.memory.scan import scan  # noqa: PLC0415
    from dreamd.transaction.edit import edit  # noqa: PLC0415 - git and locks, only for --fix

    settings = app.loaded.settings
    mended, findings = check.mend(scan(store.memory), settings)
    if mended.files == scan(store.memory).files:
        return
    try:
        receipt = edit(
            store,
            Kind.FIX,
            lambda tree: check.mend(tree, settings)[0],
            reason=f"mended {plural(len(findings), 'fault')}",
        )
    except BusyError as error:
        print(f"dreamd: {error}; linted only", file=sys.stderr)
        return
    print(
        f"{common.sentence(receipt.reason)} in {on_one_line(str(store.memory))} "
        f"(`dreamd undo {receipt.dream}` takes it back)",
        file=sys.stderr,
    )


def _json(store: Store, finding: Finding) -> dict[str, object]:
    return {
        "memory": str(store.memory),
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
