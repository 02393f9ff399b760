"""Of a value told in long talk the grounds for and against say whether it may be the newer one."""

from __future__ import annotations

import pytest

from dreamd.domain.superseded import OPEN, PAST
from dreamd.engine.rules.updates import odds
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.given import given
from dreamd.engine.rules.updates.likely import likelihood
from dreamd.engine.rules.updates.odds import LEAST, Pair
from dreamd.engine.rules.updates.statements import statements
from tests.engine.updates.told import BESIDE, changes, memory_of, say, updated

MILL = "Our pottery evening in the old mill draws 14 people and costs 18 euros."
ON_TOUR = (
    "I'd like to know what to eat before the lighthouse tandem tour, considering that with the"
    " detour we're on the tandem for 7 hours and there is no shop?"
)
AT_SUPPER = (
    "I'm designing a label for the bottles, and with the second pressing the cider barrel has come"
    " to 75 litres, could it say that it's for the supper?"
)
CIDER = "The oak barrel in the shed holds 60 litres of cider for the harvest supper."
TOUR = "The lighthouse tandem tour takes us 5 hours with a break."


@pytest.mark.parametrize(
    ("old", "said", "value"),
    [
        (
            TOUR,
            ON_TOUR,
            "7 hours",
        ),
        (
            CIDER,
            AT_SUPPER,
            "75 litres",
        ),
    ],
)
def test_a_value_that_is_rather_the_newer_one_leaves_the_older_open(
    old: str, said: str, value: str
) -> None:
    (line,) = changes(old, said)
    newer, _, older = line.partition(f" {OPEN}")
    assert value in newer
    assert "(2026-05-11)" in newer
    assert older.endswith(f": {old} (2026-04-02)")


def pairs(old: str, *said: str) -> list[Pair]:
    """Return the last value of each message beside the first of its kind in a line."""
    weights = Weights([*BESIDE, old, *said])
    news = [list(statements([say(text)]))[-1] for text in said]
    return [
        Pair(new, value, old, likelihood(new, value, old, weights), weights)
        for new in news
        for value in [
            next(each for each in given(old) if each.quantity.kind == new.value.quantity.kind)
        ]
    ]


def every(pair: Pair) -> float:
    return odds._BEFORE + sum(weight * ground(pair) for weight, ground in odds._GROUNDS)


BARREL = "The barrel holds 60 litres."
GROUNDS = [
    (
        "_is_amount",
        "The inspection is on May 4.",
        "The inspection starts on May 7.",
        "The inspection was moved to May 7.",
    ),
    ("_is_called_new", BARREL, "The barrel holds 75 litres.", "The barrel now holds 75 litres."),
    (
        "_is_granted",
        BARREL,
        "The barrel holds 75 litres.",
        "How can I move my barrel of 75 litres?",
    ),
    ("_is_close", BARREL, "The barrel holds 7 litres.", "The barrel holds 75 litres."),
    ("_far", BARREL, "The barrel holds 7,500 litres.", "The barrel holds 75 litres."),
    ("_is_wanted", BARREL, "I want the barrel to hold 75 litres.", "The barrel holds 75 litres."),
    ("_known", BARREL, "The attic of my aunt is 75 litres.", "The barrel of my aunt is 75 litres."),
    ("_is_of_mine", BARREL, "An attic holds 75 litres.", "The barrel holds 75 litres."),
    (
        "_has_other_name",
        "The boat to Cork takes 60 minutes.",
        "The boat to Brest takes 75 minutes.",
        "The boat to Cork takes 75 minutes.",
    ),
    (
        "_has_new_name",
        BARREL,
        "The barrel from Cork holds 75 litres.",
        "The barrel holds 75 litres.",
    ),
    ("_shared", BARREL, "The attic is 75 litres.", "The barrel now holds 75 litres."),
    ("_is_deed", BARREL, "I bought 75 litres for the barrel.", "The barrel holds 75 litres."),
    (
        "_is_of_event",
        "The inspection is on May 4.",
        "We met the inspector on May 7.",
        "The inspection is on May 7.",
    ),
    (
        "_are_both_said",
        BARREL,
        "The tub holds 60 litres and the barrel holds 75 litres.",
        "The barrel holds 75 litres.",
    ),
    (
        "_is_other_sort",
        "The oak barrel holds 60 litres.",
        "The plum barrel holds 75 litres.",
        "The barrel holds 75 litres.",
    ),
    (
        "_is_of_row",
        "The first barrel holds 60 litres.",
        "The second barrel holds 75 litres.",
        "The barrel holds 75 litres.",
    ),
    (
        "_is_lesser_goal",
        "The goal for the stand is 60 euros.",
        "The stand takes 75 euros.",
        "The goal for the stand is 75 euros.",
    ),
    (
        "_is_bound",
        "The barrel should hold under 60 litres.",
        "The barrel holds 75 litres.",
        "The barrel holds under 75 litres.",
    ),
    ("_is_somebodys", BARREL, "Ana's barrel holds 75 litres.", "The barrel holds 75 litres."),
    (
        "_is_of_other_month",
        "In May the stand took 60 euros.",
        "In June the stand took 75 euros.",
        "The stand took 75 euros.",
    ),
    (
        "_is_of_other_owner",
        "My barrel holds 60 litres.",
        "My sister's barrel holds 75 litres.",
        "My barrel holds 75 litres.",
    ),
    (
        "_is_of_other_side",
        BARREL,
        "The barrel holds 75 litres per crate.",
        BARREL.replace("60", "75"),
    ),
]


@pytest.mark.parametrize(("name", "old", "less", "more"), GROUNDS, ids=[g[0] for g in GROUNDS])
def test_each_ground_speaks_for_it_or_against(name: str, old: str, less: str, more: str) -> None:
    ((weight, ground),) = (each for each in odds._GROUNDS if each[1].__name__ == name)
    unlikely, likely = pairs(old, less, more)
    assert weight * ground(unlikely) < weight * ground(likely)


def test_each_ground_is_told_by_a_pair() -> None:
    assert {ground.__name__ for _, ground in odds._GROUNDS} == {name for name, *_ in GROUNDS}


def test_of_a_short_sentence_only_the_words_count() -> None:
    assert changes(MILL, "17 people fit into the old mill.") == []


def test_what_names_nothing_is_not_written() -> None:
    said = (
        "How would you place the wheels so that 17 people fit, since the pottery evening in the"
        " old mill has become so popular?"
    )
    assert changes(MILL, said) == []


def test_what_is_past_by_now_opens_nothing() -> None:
    tank = "The rain tank by the gate holds 75 litres."
    dropped = "The rain tank by the gate has dropped from 75 litres to 50 litres."
    assert [OPEN in line for line in changes((CIDER, tank), AT_SUPPER)] == [True]
    assert [PAST in line for line in changes((CIDER, tank), AT_SUPPER, dropped)] == [True]


def test_what_holds_in_a_week_off_holds_then_only() -> None:
    old = "I sleep about 6 hours on work nights and feel it by Thursday."
    said = "On my week off I got up to 8 hours a night, so why did I still feel so tired?"
    assert changes(old, said) == []


def test_what_was_done_on_two_days_was_done_twice() -> None:
    old = "We paid the harbour fee for the winter berth of the cutter on June 10."
    said = "Why does the office ask, when we paid the harbour fee for the cutter on December 1?"
    assert changes(old, said) == []


def test_the_day_on_which_a_line_was_said_is_no_value_of_it() -> None:
    row = "- The inspection of the cutter by the harbour office is near (2026-05-11)"
    first = say("The inspection of the cutter by the harbour office is near.", message="m1")
    then = say(
        "The inspection of the cutter by the harbour office was moved to May 30, so can you check"
        " the list of the papers that I brought?",
        day=12,
        message="m2",
    )
    result = updated(memory_of(row[2:]), [first, then], placed={row: first})
    assert not any(mark in why.line for why in result.whys for mark in (PAST, OPEN))


def test_what_the_same_dream_noted_is_held_against_it_by_its_words_only() -> None:
    row = f"- {CIDER} (2026-05-11)"
    first, then = say(CIDER, message="m1"), say(AT_SUPPER, day=12, message="m2")
    older = updated(memory_of(row[2:]), [then])
    assert any(OPEN in why.line for why in older.whys)
    placed = updated(memory_of(row[2:]), [first, then], placed={row: first})
    assert not any(OPEN in why.line for why in placed.whys)


CHOIR = "Our choir has 24 singers."


@pytest.mark.parametrize(
    "said",
    [
        (
            "Our choir is singing together with the youth choir, so with their 31 singers on stage"
            " we need risers, where can I hire these for one evening?"
        ),
        (
            "We're a bit proud that our choir went up from 40 to 52 singers, so can you write a"
            " piece for the parish paper?"
        ),
        (
            "For this one project our choir is louder, since the choir grew by 31 singers from the"
            " school, so how do I place them in the nave?"
        ),
    ],
    ids=["theirs", "from another value", "by how many"],
)
def test_what_is_beyond_doubt_is_not_weighed(said: str) -> None:
    assert changes(CHOIR, said) == []


@pytest.mark.parametrize("size", [f"1{'0' * 309}", "0.000000001", "0"])
def test_amounts_of_any_size_can_be_weighed(size: str) -> None:
    said = (
        "What are some four-part pieces that would work for our choir of 31 singers, given that"
        " most of the tenors can't read music and we rehearse just once?"
    )
    assert len(changes(f"Our choir has {size} singers.", said)) <= 1


@pytest.mark.parametrize(
    ("old", "new", "is_seen"),
    [("$5k", "$5,600", True), ("$5,000", "$6k", True), ("$5k", "$5.6m", False)],
)
def test_thousands_and_millions_are_as_much_as_they_say(old: str, new: str, is_seen: bool) -> None:
    said = f"What are some gigs that would suit our choir of {new} a year, given that we sing?"
    lines = changes(f"Our choir earns {old} a year.", said)
    assert bool(lines) == is_seen


def test_because_of_something_is_told_whole() -> None:
    (line,) = changes(
        "The tandem tour begins at 3 pm.", "Because of the heat the tandem tour now begins at 5 pm."
    )
    assert line.startswith("- Because of the heat the tandem tour now begins at 5 pm.")


def test_the_odds_are_the_sum_of_all_grounds_or_a_bound_below_which_nobody_is_told() -> None:
    told = pairs(
        TOUR,
        "The lighthouse tandem tour now takes us 6 hours with a break.",
        "My brother's lighthouse tandem tour takes 9 hours.",
        "The tour takes 400 hours.",
        "I read for 4 hours.",
    )
    sums = [every(pair) for pair in told]
    assert [each >= LEAST for each in sums] == [True, False, False, False]
    for pair, whole in zip(told, sums, strict=True):
        found = odds.odds(pair)
        assert found == pytest.approx(whole) or whole <= found < LEAST
