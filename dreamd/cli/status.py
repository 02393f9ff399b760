"""`status`: where a memory directory stands."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd import receipts
from dreamd.cli import common
from dreamd.cli.log import when
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain import budget
from dreamd.domain.receipt import to_json
from dreamd.domain.tree import Tree
from dreamd.domain.words import plural


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `status`."""
    del name
    common.memory_option(parser, positional=True)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print sizes, the last dream, what waits, and who holds the lock."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments))
    from dreamd import lock  # noqa: PLC0415 - only where the lock and the notes are read
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.memory.scan import scan  # noqa: PLC0415
    from dreamd.transaction.wreck import wreck  # noqa: PLC0415

    limits = app.loaded.settings.budget
    is_there = store.memory.is_dir()
    sizes = budget.measure(scan(store.memory) if is_there else Tree(), limits)
    past = receipts.past(receipts.read(store.receipts))
    waiting = [dream.id for dream in past if dream.proposal == "waiting" and not dream.undone]
    standing = lock.standing(store, now=clock.now())
    wrecked = wreck(store)
    dreams_with = wiring.dreams_with(app)
    if arguments.json:
        common.answer(
            {
                "memory": str(store.memory),
                "state": str(store.home),
                "engine": app.loaded.settings.engine.value,
                "dreams_with": dreams_with,
                "index_lines": sizes.index_lines,
                "index_bytes": sizes.index_bytes,
                "index_seen": sizes.index_seen,
                "notes": sizes.files,
                "memory_bytes": sizes.memory_bytes,
                "lock": standing.verdict,
                "last": to_json(past[-1].receipt) if past else None,
                "proposals": waiting,
                "wreck": wrecked,
            }
        )
        return 0
    unseen = sizes.index_lines - sizes.index_seen
    rows = [
        (
            "memory",
            on_one_line(str(store.memory)) + ("" if is_there else " (the first dream makes it)"),
        ),
        (
            "index",
            (
                f"{sizes.index_lines} of {limits.index_lines} lines, "
                f"{common.size(sizes.index_bytes)} of {common.size(limits.index_bytes)}"
                + (f"; {plural(unseen, 'line')} no new conversation sees" if unseen else "")
            ),
        ),
        (
            "notes",
            (
                f"{plural(sizes.files, 'note')}, {common.size(sizes.memory_bytes)} "
                f"(a reader sees about {common.size(limits.memory_bytes)})"
            ),
        ),
        ("lock", standing.verdict),
        ("engine", dreams_with),
    ]
    if past:
        last = past[-1].receipt
        undone = " (undone)" if past[-1].undone else ""
        said = on_one_line(common.sentence(last.reason))
        rows.append(("last", f"{when(last.started)} {last.dream}: {said}{undone}"))
    else:
        rows.append(("last", "never dreamt here: `dreamd dream` has the first"))
    rows += [("proposal", f"{id_} waits: `dreamd diff {id_} --proposal`") for id_ in waiting]
    if wrecked:
        rows.append(("wreck", wrecked))
    for finding in budget.warnings(sizes, limits):
        rows.append(("warning", finding.message))
    for name, text in rows:
        print(f"{bold(f'{name:9}')} {text}")
    return 0
