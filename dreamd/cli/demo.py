"""`demo`: a real dream on a private copy of the sample memory, shown in at most 60 lines."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from dreamd import views
from dreamd.app import engines
from dreamd.app.wiring import App, FoundDream
from dreamd.cli import common, past
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain import budget
from dreamd.domain.settings import EngineChoice
from dreamd.domain.tree import Tree
from dreamd.dream import attempt, story
from dreamd.errors import UsageError
from dreamd.install import resources
from dreamd.ledger import receipts
from dreamd.memory.scan import scan
from dreamd.stores import choice, identity
from dreamd.text.words import plural
from dreamd.views import show

_WIDTH = 96  # columns of a line that is shown; a longer one is cut, with a mark
_MOST = 6  # lines of each part
_ASKED = ("explicit save", "standing order", "correction", "preference", "plain statement")
_REPAIRS = ("dangling pointer", "unreachable note", "pointer")


def run(arguments: argparse.Namespace) -> int:
    """Copy the sample, dream, and show what changed, what it cost, and how to go on.

    Without --keep the copy and its history are gone when this ends.
    """
    app = common.start(arguments)
    if arguments.keep is None:
        with tempfile.TemporaryDirectory(prefix="dreamd-demo-", ignore_cleanup_errors=True) as name:
            return _demo(app, Path(name), Path(name) / "state", is_kept=False)
    folder = choice.path_of(arguments.keep, app.here)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--keep: {folder} is not an empty folder: name a new one")
    return _demo(app, folder, app.loaded.paths.state, is_kept=True)


def _demo(app: App, folder: Path, state: Path, *, is_kept: bool) -> int:
    memory = resources.copy_sample(folder / "home")
    store = identity.store_at(memory, state)
    before = scan(memory)
    engine = engines.engine(app, EngineChoice.RULES)
    job = attempt.DreamRun(engine, app.loaded.settings, sessions=[memory.parent])
    receipt = story.dream(store, job)
    found = FoundDream(store, receipt, receipts.past(receipts.read(store.database))[-1])
    print(bold("A dream over the notes of two potters and their web shop"))
    print(f"{plural(len(budget.notes(before)), 'note')} and the sessions of ten days.\n")
    for row in _page(app, found, before, scan(memory)):
        print(row)
    typed = sys.argv[0] if "/" in sys.argv[0] and sys.argv[0].endswith("dreamd") else "dreamd"
    rows = [
        "demo --keep dreamd-demo   keep the copy, see every line, take it back",
        "dream --dry-run           what it would do to the notes of your project",
    ]
    if is_kept:
        rows = [
            f"diff {receipt.dream}    every line that changed",
            f"show {receipt.dream}    why each line changed",
            f"undo {receipt.dream}    take it all back, byte for byte",
            f"status --memory {shlex.quote(str(memory))}",
        ]
    for row in ("", bold("Go on"), *(f"  {shlex.quote(typed)} {row}" for row in rows)):
        print(row)
    return common.EXIT.get(receipt.outcome, 0)


def _page(app: App, found: FoundDream, before: Tree, after: Tree) -> Iterator[str]:
    """Yield what the dream did, what matters to a reader first."""
    receipt, whys, limits = found.receipt, past.reasons(found), app.loaded.settings.budget
    lines = [(why, why.line.strip(" -")) for why in whys]
    yield from _part("Changed values", list(show.changed_values(whys)), 2 * _MOST)
    written = [line for why, line in lines if why.sign == "+" and why.rule in _ASKED]
    yield from _part("Written, because you asked for it", written)
    merged = [f"- {line}" for why, line in lines if (why.sign, why.rule) == ("-", "duplicate")]
    yield from _part("Merged", list(dict.fromkeys(merged)))
    repaired = [f"{why.sign} {line}" for why, line in lines if why.rule in _REPAIRS]
    yield from _part("Repaired", repaired)
    places = [why.moved_to for why in whys if why.sign == "-" and why.moved_to != why.path]
    moved = [str(path) for path in places if path is not None]
    if moved:
        names = ", ".join(sorted(set(moved)))
        yield f"{bold('Moved')}: {plural(len(moved), 'line')} of the index to {names}, unchanged\n"
    sizes = budget.measure(before, limits), budget.measure(after, limits)
    rows = [f"{each.index_lines} lines, {views.size(each.index_bytes)}" for each in sizes]
    limit = f"(limit {limits.index_lines} lines)"
    yield f"{bold('The index')}: {rows[0]} before, {rows[1]} after {limit}"
    free = "no tokens, $0.00; the rules engine needs no key and no network"
    yield f"{bold('Cost')}: {receipt.seconds:.1f} s, {free}"
    for finding in receipt.noticed[:2]:
        yield f"{bold('Noticed')}: {views.clip(on_one_line(finding), _WIDTH)}"


def _part(title: str, rows: Sequence[str], most: int = _MOST) -> Iterator[str]:
    if not rows:
        return
    yield bold(title)
    yield from (past.painted(f"  {views.clip(row, _WIDTH)}") for row in rows[:most])
    if len(rows) > most:
        yield dim(f"  and {len(rows) - most} more")
    yield ""
