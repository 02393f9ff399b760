"""Sets scored by the project itself: planted ones, its sample, memories that must not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tests.planted import sets
from tests.planted.sets import Change, Dated, Pair
from tests.scoring import homes
from tests.scoring.figures import ALIKE, BESIDE, MADE, Row, Run, failed, share, tables
from tests.scoring.homes import Home, Left

SAMPLE = Path(__file__).resolve().parents[2] / "sample_memory" / "projects" / "-home-dev-tidepool"
SAMPLE_UPDATES = (  # what the person of the sample changes: the newer value, and the older line
    ("120 requests", "60 requests a minute for each account"),
    ("95 EUR", "85 EUR in DK and SE"),
    ("09:30", "call at 10:00 on Mondays"),
    ("make smoke", "2026-05-12 and is optional."),
)
SAMPLE_CORRECTION = "integer cents"
WRONG = {  # of each kind, what is shown
    "change": ("conflict", "altered"),
    "keep": ("made", "altered", "conflict"),
    "denial": ("made", "altered", "conflict"),
    "apart": ("merged",),
    "means": ("wrong",),
    "trap": ("wrong",),
}
T = TypeVar("T")


def judged(
    run: Run,
    dealt: Sequence[Sequence[T]],
    build: Callable[[Sequence[T]], Home],
    judge: Callable[[T, Left], str],
) -> tuple[list[tuple[T, str]], int]:
    """Each row with what became of it, and how many runs failed."""
    left = homes.over(run.command, [build(part) for part in dealt], run.jobs)
    found = [(row, judge(row, at)) for part, at in zip(dealt, left, strict=True) for row in part]
    return found, sum(each.failed for each in left)


def planted(run: Run) -> Iterator[Row]:
    """Changes, look-alikes and denials in homes of 24; pairs of 25; relative dates of 42."""
    changes = homes.kept_apart(run.some(sets.changes(), 120), 24)
    pairs = homes.dealt(run.some(sets.pairs(), 200), 25)
    dates = homes.dealt(run.some(sets.dated(), 42), 42)
    told, broken = judged(run, changes, homes.home_of_changes, homes.judge_change)
    twins, more = judged(run, pairs, homes.home_of_pairs, homes.judge_pair)
    days, most = judged(run, dates, homes.home_of_dates, homes.judge_date)
    every: list[tuple[Change | Pair | Dated, str]] = [*told, *twins, *days]
    got = Counter((row.kind, state) for row, state in every)
    all_of = Counter(row.kind for row, _ in every)
    for row, state in every:
        if state in WRONG.get(row.kind, ()):
            run.show(f"planted: {state}", row)
    lookalikes = got["keep", "made"] + got["keep", "altered"]
    beside = got["keep", "conflict"] + got["denial", "conflict"]
    wrong = got["means", "wrong"] + got["trap", "wrong"]
    for figure, count, kinds, must, what in (
        ("made %", got["change", "made"], "change", "", MADE),
        ("conflict %", got["change", "conflict"], "change", "<= 3", BESIDE),
        ("untouched %", got["change", "untouched"], "change", "", "told changes left alone"),
        ("look-alikes changed %", lookalikes, "keep", "<= 1", ALIKE),
        ("written beside %", beside, "keep denial", "<= 5", "look-alikes, denials: written"),
        ("apart merged %", got["apart", "merged"], "apart", "<= 0", "unlike lines merged"),
        ("same merged %", got["same", "merged"], "same", "", "lines of equal words merged"),
        ("dates right %", got["means", "right"], "means", "", "given the day they mean"),
        ("dates wrong %", wrong, "means trap", "<= 0", "given a day they do not mean"),
    ):
        n = sum(all_of[kind] for kind in kinds.split())
        yield Row("planted", figure, share(count, n), n, must, what)
    yield failed("planted", broken + more + most, len(changes) + len(pairs) + len(dates))


def sample(run: Run) -> Iterator[Row]:
    """The four updates and the correction of the sample's person."""
    left = homes.left_by(run.command, Home({}, [], SAMPLE, saved="2026-05-31"))
    made = 0
    for new, old in SAMPLE_UPDATES:
        newer = [line for line in left.fresh if new in line]
        older = [line for line in left.current if old in line]
        made += bool(newer) and not older
        if not newer or older:
            run.show("sample: not made", f"{new}: {newer or 'not written'}, {older}")
    written = any(SAMPLE_CORRECTION in line for line in left.fresh)
    yield Row("sample", "updates made", made, len(SAMPLE_UPDATES), ">= 4", MADE)
    yield Row("sample", "correction written", int(written), 1, ">= 1", "what the person corrects")
    yield failed("sample", left.failed, 1)


def unrelated(run: Run) -> Iterator[Row]:
    """Real messages against memories that know nothing of them, beside a dream without them.

    The planted messages against the sample, too: four of them speak of a rate limit, as it does.
    """
    rows = run.some(tables(run.file("real", "messages.jsonl")), 50)
    said = [("2026-11-03", row["before"], row["text"]) for row in rows]
    memories = {"sample": SAMPLE / "memory"}
    for index in run.corpus.rglob("memory/MEMORY.md") if run.corpus else ():
        memories[f"corpus {len(memories)}"] = index.parent
    if run.corpus is None:
        yield Row("unrelated", "corpus changed", None, 0, "<= 0", "DREAMD_CORPUS names no folder")
    imagined = [("2026-11-03", "", each.said) for each in run.some(sets.changes(), 50)]
    played = [(name, memory, said, "<= 0") for name, memory in memories.items()]
    for name, memory, talk, must in [*played, ("planted", SAMPLE / "memory", imagined, "<= 6")]:
        alone = Home({}, [homes.IDLE], folder=memory)
        parts = [Home({}, part, folder=memory) for part in homes.dealt(talk, 25)]
        control, *left = homes.over(run.command, [alone, *parts], run.jobs)
        lost = [line for each in left for line in Counter(control.lines) - Counter(each.lines)]
        for line in lost:
            came = [x for each in left for x in each.lines if line.strip("- ")[:40] in x]
            run.show(f"unrelated {name}: changed", f"{line} -> {came}")
        what = "lines of the memory"
        yield Row("unrelated", f"{name} changed", len(lost), len(talk), must, what)
        yield failed("unrelated", sum(each.failed for each in [control, *left]), 1 + len(left))
