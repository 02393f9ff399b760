"""How many facts told twice below different headings become one, and that nothing else goes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.engine.night import dream
from tests.planted.memories import Marked, memories


def _gone(marked: Marked) -> Counter[tuple[str, str]]:
    before, after = (
        Counter((name, line) for name, text in texts.items() for line in text.splitlines() if line)
        for texts in (marked.texts, dream(marked.texts))
    )
    return before - after


@pytest.mark.parametrize(("half", "twins", "least"), [("seen", 81, 13), ("held", 77, 7)])
def test_of_a_fact_told_in_two_places_one_line_stays(half: str, twins: int, least: int) -> None:
    found = told = 0
    for marked in memories(half):
        gone = _gone(marked)
        for mark, lines in marked.lines.items():
            went = sum(min(gone[line], lines.count(line)) for line in set(lines))
            if mark.startswith("D"):
                told += 1
                found += went
                assert went <= 1, (marked.name, mark)
            else:
                assert not went, (marked.name, mark)
    assert told == twins
    assert found >= least


@pytest.mark.parametrize("half", ["seen", "held"])
def test_only_marked_lines_and_headings_above_them_go(half: str) -> None:
    for marked in memories(half):
        twins = {each for mark, lines in marked.lines.items() for each in lines if mark[0] == "D"}
        assert all(
            line.startswith("#") for each in _gone(marked) - Counter(twins) for line in each[1:]
        )


@pytest.mark.parametrize("half", ["seen", "held"])
def test_a_second_dream_finds_no_more_of_them(half: str) -> None:
    for marked in memories(half):
        once = dream(marked.texts)
        assert dream(once) == once
