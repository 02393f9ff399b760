"""One thing said twice is found in most ways of saying it, and what only looks so never."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.near.same import says_the_same
from tests.engine.near.same_pairs import found
from tests.planted import near_more


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD", "TRAPS"])
def test_no_look_alike_is_taken_for_the_same(name: str) -> None:
    assert found(getattr(near_more, name)) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 59), ("HELD", 54), ("RETOLD", 135)])
def test_most_of_what_is_said_twice_is_found(name: str, least: int) -> None:
    assert len(found(getattr(near_more, name))) >= least


def test_the_sets_are_of_one_size_and_say_what_they_differ_in() -> None:
    halves = (near_more.SEEN, near_more.HELD, near_more.OTHERS_SEEN, near_more.OTHERS_HELD)
    assert [len(half) for half in halves] == [60] * 4
    assert all(pair.why for half in halves[2:] for pair in half)
    assert all(sum(pair.language != "en" for pair in half) == 12 for half in halves)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The admin port is 9443", "Heron is 9443"),
        ("Errors go to **Sentry**:", "Errors go to Sentry, see the runbook"),
    ],
)
def test_a_line_that_opens_others_or_names_another_stays(one: str, other: str) -> None:
    assert not says_the_same(one, other)
