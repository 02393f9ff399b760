"""`check`: lint memory directories, and fix what is mechanical."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd import views
from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.change import Finding, Severity
from dreamd.domain.receipt import Kind, Trigger
from dreamd.domain.tree import Tree
from dreamd.errors import BusyError, UsageError
from dreamd.memory import check
from dreamd.memory.scan import scan
from dreamd.stores import choice, identity
from dreamd.text.markdown import INDEX
from dreamd.text.words import plural

Notes = dict[Path, set[PurePosixPath]]  # by memory directory; no notes means all


def run(arguments: argparse.Namespace) -> int:
    """Print every fault; exit 1 if any stands that is more than a warning."""
    app = common.start(arguments)
    if app.named is not None and (arguments.PATH or arguments.staged):
        raise UsageError("name paths (those of a commit with --staged) or --memory, not both")
    settings, found, trees = app.loaded.settings, list[tuple[Path, Finding]](), []
    for memory, notes in _asked(app, arguments.PATH, is_staged=arguments.staged).items():
        if arguments.fix:
            _fix(app, memory, notes, only=arguments.staged)
        trees.append(tree := scan(memory))
        found += [
            (memory, each)
            for each in check.lint(tree, settings)
            if not notes or each.path in notes or each.path == INDEX
        ]
    faults = sum(each.severity is Severity.FAULT for _, each in found)
    if arguments.json:
        rows = [{"memory": memory, **common.plain(each)} for memory, each in found]
        common.answer({"faults": faults, "findings": rows})
        return 1 if faults else 0
    for memory, each in found:
        mark = "" if each.severity is Severity.FAULT else f"{each.severity}: "
        place = f"{memory / each.path}" + (f":{each.line}" if each.line else "")
        print(on_one_line(f"{place}: {mark}{each.message} ({each.rule})"))
    if faults:
        mendable = sum(len(check.mend(tree, settings)[1]) for tree in trees)
        said = f"; `dreamd check --fix` fixes {mendable}" if mendable else ""
        print(f"{plural(faults, 'fault')}{said}.", file=sys.stderr)
    return 1 if faults else 0


def _asked(app: App, paths: list[str], *, is_staged: bool) -> Notes:
    """Return the memory directories that are asked about, with the notes that are named.

    A file of a commit counts where its memory directory lies in the work tree, in whose top
    folder one stands, and behind no link, which is what git has of it.
    """
    if not paths and not is_staged:
        return {app.store().memory: set()}
    asked, top = Notes(), identity.real(app.here)
    for named in paths:
        path = Path(os.path.normpath(top / named)) if is_staged else choice.path_of(named, app.here)
        around = (each for each in path.parents if (each / INDEX).exists())
        folder = path if path.is_dir() and not is_staged else next(around, None)
        if is_staged:
            is_there = path.is_symlink() or path.is_file()  # else removed meanwhile
            is_inside = folder is not None and folder.is_relative_to(top)
            if folder and is_there and is_inside and identity.real(path.parent) == path.parent:
                asked.setdefault(folder, set()).add(PurePosixPath(path.relative_to(folder)))
            continue
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"there is no {path}: name a memory directory, or a note in one")
        if folder is None:
            none = f"there is no {INDEX} beside or above it"
            raise UsageError(f"{path} is in no memory directory: {none}")
        memory = app.store(str(folder)).memory
        notes = asked.setdefault(memory, set())
        if not path.is_dir():
            inside = identity.real(path.parent) / path.name
            if not inside.is_relative_to(memory):
                raise UsageError(f"{path} leads out of the memory directory {memory}")
            notes.add(PurePosixPath(inside.relative_to(memory)))
    return asked


def _fix(app: App, memory: Path, notes: set[PurePosixPath], *, only: bool) -> None:
    """Mend a memory; with `only`, for a commit: those asked about, and the index."""
    settings = app.loaded.settings

    def mended(tree: Tree) -> Tree:
        whole = check.mend(tree, settings)[0]
        if not only:
            return whole
        kept = {path: each for path, each in whole.files.items() if path in {INDEX, *notes}}
        return replace(whole, files=dict(sorted({**tree.files, **kept}.items())))

    before = scan(memory)
    if mended(before).files == before.files:
        return
    from dreamd.transaction.change import edit  # noqa: PLC0415 - git and locks, only for --fix

    count = len(check.mend(before, settings)[1]) - len(check.mend(mended(before), settings)[1])
    said, trigger = f"fixed {plural(count, 'fault')}", Trigger.PRECOMMIT if only else Trigger.HAND
    try:
        receipt = edit(app.store(str(memory)), Kind.FIX, mended, reason=said, trigger=trigger)
    except BusyError as error:
        print(f"dreamd: {error}; linted only", file=sys.stderr)
        return
    done, where = views.sentence(receipt.reason), on_one_line(str(memory))
    print(f"{done} in {where} (`dreamd undo {receipt.dream}` takes it back)", file=sys.stderr)
