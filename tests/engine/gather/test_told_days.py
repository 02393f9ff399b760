"""Days told from the day of a message stand beside the words: the right day, or none."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

import pytest

from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.orient import orient
from tests.engine.gather.place_night import tree
from tests.engine.gather.told_days import DAYS, SAID, TRAPS

MEMORY = orient(tree({"MEMORY.md": "# M\n"}))
HERE = PurePosixPath("facts.md")
LEAST = 0.9  # share of the phrases that are understood
BESIDE = re.compile(r" \((?!said )([^()]*)\)")


def line(said: str, text: str) -> str:
    found = written(text, date.fromisoformat(SAID[said]), HERE, MEMORY)
    assert found is not None
    return found


def expected(said: str, text: str, means: str) -> str:
    """Return how a line reads that has what its phrase means right behind it."""
    own = f"({SAID[said]})"
    beside = f"({means})" if means else f"(said {SAID[said]})"
    dated = re.sub(r"\{([^}]*)\}", rf"\1 {beside}", text)
    return dated if not means or beside == own else f"{dated} {own}"


@pytest.mark.parametrize("half", [0, 1])
def test_no_day_is_wrong_and_most_are_understood(half: int) -> None:
    understood = 0
    for said, text, means in DAYS[half]:
        found = line(said, text.replace("{", "").replace("}", ""))
        days = set(BESIDE.findall(found)) - {SAID[said]}
        assert days <= {means}, (text, found)
        understood += found == expected(said, text, means)
    assert understood >= LEAST * len(DAYS[half])


@pytest.mark.parametrize("half", [0, 1])
def test_what_only_looks_like_a_day_is_left_as_it_is(half: int) -> None:
    for text in TRAPS[half]:
        assert line("fri", text) == f"{text} ({SAID['fri']})"


def test_there_are_as_many_as_promised() -> None:
    assert [len(half) for half in DAYS] == [40, 40]
    assert [len(half) for half in TRAPS] == [20, 20]
    for _, text, _ in (row for half in DAYS for row in half):
        assert text.count("{") == text.count("}") == 1
