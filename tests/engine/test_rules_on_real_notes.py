"""Real memories, where they are at hand: DREAMD_CORPUS and DREAMD_EVAL name their folders."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.text.markdown.pointers import unreachable
from tests.engine.night import dream


def memories(variable: str, pattern: str) -> list[object]:
    folder = os.environ.get(variable)
    if not folder or not Path(folder).is_dir():
        skip = pytest.mark.skip(reason=f"{variable} does not name a folder")
        return [pytest.param(None, marks=skip, id="absent")]
    return [pytest.param(path, id=path.parent.name) for path in sorted(Path(folder).glob(pattern))]


REAL = memories("DREAMD_CORPUS", "home/projects/*/memory")
LONG = memories("DREAMD_EVAL", "dev/input/locomo-prune-*/projects/*/memory")


def read(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.md"))
    }


def undated(texts: dict[str, str]) -> dict[str, str]:
    """Return texts without days in brackets: a dream puts them beside relative dates."""
    day = r" \(\d{4}(?:-\d\d){0,2}(?: to \d{4}-\d\d-\d\d)?\)"
    return {name: re.sub(day, "", text) for name, text in texts.items()}


def said(texts: dict[str, str]) -> Counter[str]:
    return Counter(row for text in texts.values() for row in text.split("\n") if row.strip())


def facts(texts: dict[str, str]) -> Counter[str]:
    """Each item without its bullet, and each other row: short items may come to share a line."""
    return Counter({re.sub(r"^\s*- ", "", row): count for row, count in said(texts).items()})


def stands(fact: str, rows: set[str]) -> bool:
    """Whether a row holds a fact whole, as its own or beside others."""
    return fact in rows or any(f" {fact} " in f" {row} " for row in rows)


@pytest.mark.parametrize("folder", [*REAL, *LONG])
def test_a_real_memory_comes_within_its_limits_and_loses_no_line(folder: Path) -> None:
    before = read(folder)
    after = dream(before)
    assert not is_over(index_sizes(after["MEMORY.md"], Budget()), Budget())
    assert unreachable({PurePosixPath(name): text for name, text in after.items()}) == ()
    assert dream(after) == after
    before, after = undated(before), undated(after)
    rows = set(facts(after))
    assert [fact for fact in facts(before) if not stands(fact, rows)] == []
    joined = Counter(fact for fact in facts(before) if fact not in rows)
    copies = sum((facts(before) - facts(after) - joined).values())
    assert copies <= 0.02 * sum(said(before).values())


@pytest.mark.parametrize("folder", [*REAL, *LONG])
def test_every_moved_line_stands_below_its_own_heading(folder: Path) -> None:
    before = read(folder)
    before, after = undated(before), undated(dream(before))
    index = before["MEMORY.md"].split("\n")
    above: dict[str, set[str]] = {}
    heading = ""
    for row in index:
        heading = row if re.match("#+ ", row) else heading
        above.setdefault(row, set()).add(heading)
    for name in set(after) - set(before):
        heading = ""
        for row in after[name].split("\n---\n", 1)[1].split("\n"):
            heading = row if re.match("#+ ", row) else heading
            if len(row) > 30 and not re.match("#+ ", row):
                assert heading in headings(row, above)


def headings(row: str, above: dict[str, set[str]]) -> set[str]:
    """The headings below which a row stood, or all the items that share it now."""
    if row in above:
        return above[row]
    fact = re.sub(r"^\s*- ", "", row)
    parts = [found for each, found in above.items() if (re.sub(r"^\s*- ", "", each) or " ") in fact]
    return set.intersection(*parts) if parts else set()
