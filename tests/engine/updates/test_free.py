"""How many later values typed freely are seen, and that no other value makes a line past."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import changed
from tests.planted import in_passing, retold, talk_free


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_a_value_of_something_else_changes_nothing(name: str) -> None:
    laters = getattr(talk_free, name)
    assert len(laters) == 60
    assert changed(laters, (PAST, OPEN)) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 8), ("HELD", 5)])
def test_some_newer_values_are_seen(name: str, least: int) -> None:
    laters = getattr(talk_free, name)
    assert len(laters) == 60
    assert len(changed(laters, (PAST, OPEN))) >= least


@pytest.mark.parametrize(
    ("name", "most_past", "most"), [("OTHERS_SEEN", 0, 8), ("OTHERS_HELD", 1, 3)]
)
def test_few_values_of_something_else_in_long_messages_leave_a_line_open(
    name: str, most_past: int, most: int
) -> None:
    laters = getattr(in_passing, name)
    assert len(laters) == {"OTHERS_SEEN": 80, "OTHERS_HELD": 40}[name]
    assert len(changed(laters, (PAST,))) <= most_past
    assert len(changed(laters, (PAST, OPEN))) <= most


@pytest.mark.parametrize(("name", "past", "least"), [("SEEN", 33, 64), ("HELD", 20, 36)])
def test_more_than_half_of_the_newer_values_in_long_messages_are_seen(
    name: str, past: int, least: int
) -> None:
    laters = getattr(in_passing, name)
    assert len(laters) == {"SEEN": 120, "HELD": 60}[name]
    assert len(changed(laters, (PAST,))) >= past
    assert len(changed(laters, (PAST, OPEN))) >= least


@pytest.mark.parametrize(
    ("name", "past", "seen"),
    [("SEEN", 17, 27), ("HELD", 12, 23)],
)
def test_some_newer_values_that_are_told_in_other_words_are_seen(
    name: str, past: int, seen: int
) -> None:
    laters = getattr(retold, name)
    assert len(laters) == {"SEEN": 60, "HELD": 50}[name]
    assert len(changed(laters, (PAST,))) >= past
    assert len(changed(laters, (PAST, OPEN))) >= seen


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_one_value_of_something_else_in_as_many_words_is_marked(name: str) -> None:
    laters = getattr(retold, name)
    assert len(laters) == {"OTHERS_SEEN": 40, "OTHERS_HELD": 30}[name]
    assert len(changed(laters, (PAST, OPEN))) <= 1
