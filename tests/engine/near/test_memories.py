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


@pytest.mark.parametrize("half", ["seen", "held"])
def test_no_look_alike_goes_and_of_twins_one_at_most(half: str) -> None:
    for marked in memories(half):
        gone = _gone(marked)
        for mark, lines in marked.lines.items():
            went = sum(min(gone[line], lines.count(line)) for line in set(lines))
            assert went <= mark.startswith("D"), (marked.name, mark)


def test_of_some_facts_told_in_two_places_one_line_stays() -> None:
    """In the held half all stay: there each is told of something, or in other words."""
    twins = [
        lines for each in memories("seen") for mark, lines in each.lines.items() if mark[0] == "D"
    ]
    assert len(twins) == 81
    assert sum(sum(_gone(each).values()) for each in memories("seen")) >= 7


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
