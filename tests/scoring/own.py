"""Sets scored by the project itself: planted ones, its sample, memories that must not change."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.planted import sets
from tests.scoring import homes
from tests.scoring.figures import ALIKE, BESIDE, MADE, Row, Run, failed, share, tables
from tests.scoring.homes import Home

SAMPLE = Path(__file__).resolve().parents[2] / "sample_memory" / "projects" / "-home-dev-tidepool"
SAMPLE_UPDATES = (  # what the person of the sample changes: the newer value, and the older line
    ("120 requests", "60 requests a minute for each account"),
    ("95 EUR", "85 EUR in DK and SE"),
    ("09:30", "call at 10:00 on Mondays"),
    ("make smoke", "2026-05-12 and is optional."),
)
SAMPLE_CORRECTION = "integer cents"


def planted(run: Run) -> Iterator[Row]:
    """Changes, look-alikes and denials in homes of 24; pairs of 25; relative dates of 42."""
    rows = run.some(sets.changes(), 120)
    dealt = homes.dealt(rows, 24)
    left = homes.over(run.command, [homes.home_of_changes(each) for each in dealt], run.jobs)
    got = Counter(
        (row.kind, homes.judge_change(row, at))
        for part, at in zip(dealt, left, strict=True)
        for row in part
    )
    count = {kind: sum(n for (k, _), n in got.items() if k == kind) for kind in ("change", "keep")}
    changed = count["keep"] - got["keep", "untouched"] - got["keep", "conflict"]
    beside = sum(got[kind, "conflict"] for kind in ("keep", "denial"))
    n = count["change"]
    yield Row("planted", "made %", share(got["change", "made"], n), n, "", MADE)
    yield Row("planted", "conflict %", share(got["change", "conflict"], n), n, "<= 3", BESIDE)
    yield Row("planted", "untouched %", share(got["change", "untouched"], n), n, "", "left alone")
    n = count["keep"]
    yield Row("planted", "look-alikes changed %", share(changed, n), n, "<= 1", ALIKE)
    yield Row("planted", "written beside", beside, n, "", "look-alikes and denials written anyway")
    pairs = homes.dealt(run.some(sets.pairs(), 200), 25)
    left += (ends := homes.over(run.command, [homes.home_of_pairs(p) for p in pairs], run.jobs))
    both = Counter(
        (row.kind, homes.judge_pair(row, at))
        for part, at in zip(pairs, ends, strict=True)
        for row in part
    )
    n = both["apart", True] + both["apart", False]
    yield Row("planted", "apart merged", both["apart", False], n, "<= 0", "unlike lines merged")
    n = both["same", True] + both["same", False]
    yield Row(
        "planted", "same merged %", share(both["same", False], n), n, "", "equal words merged"
    )
    days = homes.dealt(run.some(sets.dated(), 42), 42)
    left += (ends := homes.over(run.command, [homes.home_of_dates(d) for d in days], run.jobs))
    dates = Counter(
        (row.kind, homes.judge_date(row, at))
        for part, at in zip(days, ends, strict=True)
        for row in part
    )
    n = sum(number for (kind, _), number in dates.items() if kind == "means")
    wrong = dates["means", "wrong"] + dates["trap", "wrong"]
    yield Row("planted", "dates right %", share(dates["means", "right"], n), n, "", "given a day")
    yield Row(
        "planted", "dates wrong", wrong, dates.total(), "<= 0", "given a day they do not mean"
    )
    yield failed("planted", sum(each.failed for each in left), len(left))


def sample(run: Run) -> Iterator[Row]:
    """The four updates and the correction of the sample's person."""
    left = homes.left_by(run.command, Home({}, [], SAMPLE))
    made = sum(
        any(new in line for line in left.fresh) and not any(old in line for line in left.current)
        for new, old in SAMPLE_UPDATES
    )
    written = any(SAMPLE_CORRECTION in line for line in left.fresh)
    yield Row("sample", "updates made", made, len(SAMPLE_UPDATES), ">= 4", MADE)
    yield Row("sample", "correction written", int(written), 1, ">= 1", "what the person corrects")
    yield failed("sample", left.failed, 1)


def unrelated(run: Run) -> Iterator[Row]:
    """Real messages against memories that know nothing of them, beside a dream without them."""
    rows = run.some(tables(run.file("real", "messages.jsonl")), 50)
    said = [("2026-11-03", row["before"], row["text"]) for row in rows]
    memories = {"sample": SAMPLE / "memory"}
    for index in run.corpus.rglob("memory/MEMORY.md") if run.corpus else ():
        memories[f"corpus {len(memories)}"] = index.parent
    if run.corpus is None:
        yield Row("unrelated", "corpus changed", None, 0, "<= 0", "DREAMD_CORPUS names no folder")
    for name, memory in memories.items():
        alone = Home({}, [homes.IDLE], folder=memory)
        played = [Home({}, part, folder=memory) for part in homes.dealt(said, 25)]
        control, *left = homes.over(run.command, [alone, *played], run.jobs)
        lost = [line for each in left for line in Counter(control.lines) - Counter(each.lines)]
        for line in lost:
            sys.stderr.write(f"unrelated {name}: {line[:160]}\n")
        yield Row(
            "unrelated", f"{name} changed", len(lost), len(said), "<= 0", "lines of the memory"
        )
        yield failed("unrelated", sum(each.failed for each in [control, *left]), 1 + len(left))
