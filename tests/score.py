"""Print one table of how good the notes are that an engine leaves: `python -m tests.score`.

The planted sets and the sample need nothing. The sets `real`, `unrelated`, `hearing`, `everyday`,
`memorycode` and `dev` are read where DREAMD_EVAL says, and scored by the scorers that lie there;
`unrelated` also plays real messages against the memory that DREAMD_CORPUS names.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import asdict

from tests.scoring.evaluation import dev, everyday, hearing, memorycode, real
from tests.scoring.figures import Missing, Row, Run
from tests.scoring.own import planted, sample, unrelated

ROOT = Path(__file__).resolve().parents[1]  # what is scored, whatever else is installed
COMMAND = (
    "env PYTHONPATH={root} {python} -m dreamd dream {{memory}} "
    "--sessions {{transcripts}} --engine rules"
)
SETS: dict[str, Callable[[Run], Iterator[Row]]] = {
    each.__name__: each
    for each in (planted, sample, real, unrelated, hearing, everyday, memorycode, dev)
}


def main(words: Sequence[str] | None = None) -> int:
    """Score the sets, print the table, and return 1 if a limit is missed or a named set is."""
    parser = argparse.ArgumentParser(prog="python -m tests.score", description=__doc__)
    parser.add_argument("--sets", help="of " + ", ".join(SETS))
    parser.add_argument("--quick", action="store_true", help="an evenly spread sample of each set")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--show", action="store_true", help="say what went wrong (own sets)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--command", default=COMMAND.format(root=ROOT, python=sys.executable))
    given = parser.parse_args(words)
    names = given.sets.split(",") if given.sets else list(SETS)
    if unknown := set(names) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    data, corpus = (os.environ.get(key) for key in ("DREAMD_EVAL", "DREAMD_CORPUS"))
    run = Run(
        given.command,
        given.jobs,
        given.quick,
        Path(data) if data else None,
        Path(corpus) if corpus else None,
        given.show,
    )
    rows: list[Row] = []
    missing: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for name in names:
        start = time.monotonic()
        try:
            rows += (found := list(SETS[name](run)))
        except Missing as reason:
            missing[name], found = str(reason), []
        seconds[name] = round(time.monotonic() - start, 1)
        if not given.json:
            print(*table(found), sep="\n", flush=True)
    if given.json:
        told = [asdict(row) | {"is_met": row.is_met} for row in rows]
        print(json.dumps({"rows": told, "missing": missing, "seconds": seconds, **vars(given)}))
    else:
        print(*(f"{name}: not scored: {reason}" for name, reason in missing.items()), sep="\n")
        print("seconds:", ", ".join(f"{name} {took}" for name, took in seconds.items()))
        print(f"command: {given.command}" + (" (a sample of each set)" if given.quick else ""))
    is_short = bool(given.sets and missing)  # asked for by name, and not scored
    return int(is_short or any(row.is_met is False for row in rows))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each figure, with its limit and whether it is met."""
    for row in rows:
        mark = {True: "✓", False: "✗", None: " "}[row.is_met]
        value = "-" if row.value is None else f"{row.value:g}"
        yield (
            f"{row.set:<10} {row.figure:<23} {value:>6} of {row.of:<5} "
            f"{row.must.replace(' ', '').rjust(6)} {mark}  {row.what}"
        )


if __name__ == "__main__":
    sys.exit(main())
