"""Two lines are one only where no value, name, denial or bound of the one that goes is missing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.engine.rules.near.alike import Alike
from dreamd.engine.rules.near.same import says_the_same
from tests.engine.near.pairs import OTHERS, SAME
from tests.planted.near_duplicates import HELD, OTHERS_HELD, OTHERS_SEEN, SEEN, Pair
from tests.sample import examples


def either(one: str, other: str) -> bool:
    return says_the_same(one, other) or says_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_words_is_one(one: str, other: str) -> None:
    assert either(one, other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_one_value_name_bound_or_direction_makes_two(one: str, other: str) -> None:
    assert not either(one, other)


@pytest.mark.parametrize("pairs", [OTHERS_SEEN, OTHERS_HELD], ids=["seen", "held"])
def test_no_planted_look_alike_is_taken_for_the_same(pairs: list[Pair]) -> None:
    assert sum(either(pair.one, pair.other) for pair in pairs) == 0


def test_most_planted_near_duplicates_are_found() -> None:
    found = [sum(either(pair.one, pair.other) for pair in half) for half in (SEEN, HELD)]
    assert found[0] >= 28
    assert found[1] >= 17


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_the_same_is_nominated_among_others(one: str, other: str) -> None:
    lines = [line for pair in SAME for line in pair if line != one]
    alike = Alike(lines)
    assert alike.saying(one) or Alike([one]).saying(other)


def test_the_fuller_line_says_the_other_and_not_the_reverse() -> None:
    short = "Logs go to /var/log/heron.log"
    full = "Logs go to /var/log/heron.log, one file a day."
    assert says_the_same(short, full)
    assert not says_the_same(full, short)


@pytest.mark.parametrize(
    "more",
    [
        *(", except on Sundays", " in staging", " if the disk is free", ", but not this year"),
        *(
            " (until March)",
            ". That is no longer so",
            " or weekly",
            ", probably",
            ", only on heron",
        ),
    ],
)
def test_what_narrows_or_turns_a_line_is_no_addition(more: str) -> None:
    assert not says_the_same("Backups go to the vault", f"Backups go to the vault{more}")


def test_a_sentence_of_a_longer_line_is_said_by_it_unless_called_off() -> None:
    short = "Backups go to the vault"
    assert says_the_same(short, f"I never wrote a script for it. {short}.")
    assert not says_the_same(short, f"This is outdated. {short}.")
    assert not says_the_same(short, f"I never said that {short}.")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Henrike starts the run on heron", "On heron the run is started by Henrike", True),
        ("Henrike calls Otto on Fridays", "On Fridays Henrike is called by Otto", False),
        ("The size of the red boat is 9 m", "The red boat's size is 9 m", True),
        ("The sail of the red boat is blue", "The blue boat's sail is red", False),
        ("Rutger, our lead, likes tea", "Our lead Rutger likes tea", True),
        ("Rutger, our lead, likes Mia", "Our lead likes Rutger, Mia", False),
        ("When the fan stops, tell Mia", "Tell Mia when the fan stops", True),
        ("When the fan stops, tell Mia", "When Mia tells, the fan stops", False),
        ("The fan stops at noon", "When the fan stops at noon, tell Mia", False),
        ("Rutger is the head of sales", "The head of sales is Rutger", True),
        ("Rutger is Mia's boss", "Mia is Rutger's boss", False),
    ],
)
def test_what_is_moved_stays_the_same_and_what_is_exchanged_does_not(
    one: str, other: str, *, is_same: bool
) -> None:
    assert either(one, other) == is_same


WORDS = st.sampled_from(
    [
        *("port", "8080", "81", "not", "never", "only", "if", "Ana", "Ben", "heron", "staging"),
        *("must", "runs", "uses", "before", "after", "from", "to", "5 ms", "5 s", "v1.2", "/a/b"),
    ]
)


@given(st.lists(WORDS, min_size=2, max_size=7), st.lists(WORDS, min_size=2, max_size=7))
@settings(max_examples=examples(150), deadline=None, derandomize=True)
def test_no_number_name_or_denial_is_ever_lost(one: list[str], other: list[str]) -> None:
    if says_the_same(f"The {' '.join(one)}", f"The {' '.join(other)}"):
        hard = [word for word in one if re.search(r"\d|[A-Z]|not|never|only|if|before|after", word)]
        denials = sum(word in {"not", "never"} for word in hard)
        assert {word for word in hard if word not in {"not", "never"}} <= set(other)
        assert bool(denials) == any(word in {"not", "never"} for word in other)
