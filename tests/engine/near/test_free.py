"""How many of the pairs that somebody wrote freely are found, and that no other is."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.near.same import says_the_same
from tests.engine.near.same_pairs import found
from tests.planted import near_free


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_what_differs_in_what_matters_is_never_the_same(name: str) -> None:
    pairs = getattr(near_free, name)
    assert len(pairs) == 75
    assert found(pairs) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 31), ("HELD", 11)])
def test_some_facts_written_freely_are_found(name: str, least: int) -> None:
    pairs = getattr(near_free, name)
    assert len(pairs) == 75
    assert len(found(pairs)) >= least


@pytest.mark.parametrize(
    ("wrapped", "plain"),
    [
        ("Just so you know, the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("Okay so, as discussed, the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("Worth knowing: the ferry leaves at 7:40, by the way.", "The ferry leaves at 7:40."),
        ("It's good to know that the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("The user mentioned again that the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("Übrigens: Die Fähre fährt um 7:40.", "Die Fähre fährt um 7:40."),
        ("Por cierto, el ferry sale a las 7:40.", "El ferry sale a las 7:40."),
        ("Pour info, le ferry part à 7:40.", "Le ferry part à 7:40."),
    ],
)
def test_words_that_only_lead_to_what_is_said_say_nothing(wrapped: str, plain: str) -> None:
    assert says_the_same(wrapped, plain)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Well water is tested in May.", "Water is tested in May."),
        ("Right turns are forbidden at the mill.", "Turns are forbidden at the mill."),
        ("OK buttons are green.", "Buttons are green."),
        ("Important to Ana: the gate stays shut.", "The gate stays shut."),
        ("The user doubts that the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("The user said that she leaves at 7:40.", "She leaves at 7:40."),
        ("As agreed with Ana, the ferry leaves at 7:40.", "The ferry leaves at 7:40."),
        ("Good to know the ferry.", "The ferry."),
        ("Note the time of the ferry.", "The time of the ferry."),
    ],
)
def test_words_that_tell_something_are_no_lead(one: str, other: str) -> None:
    assert not says_the_same(one, other)
