"""Other matters, other words: honest lines pass, bad ones are held out; units, titles, denials."""

from __future__ import annotations

from datetime import date

import pytest

from dreamd.domain.evidence import PersonSaid, Sources, sources
from dreamd.domain.finding import Finding
from dreamd.text.values import grounds, meant
from tests.memory import edits_elsewhere as elsewhere
from tests.memory.edits import MEMORY
from tests.memory.trusted import judge, values

SOURCES = sources(elsewhere.turns(), today=elsewhere.TODAY)


def findings_of(line: str) -> list[Finding]:
    row = line if line.startswith("#") else f"- {line}"
    change = {"house.md": f"{elsewhere.MEMORY['house.md']}{row}\n"}
    return judge(change, before=elsewhere.MEMORY, given=SOURCES)[1]


@pytest.mark.parametrize("line", elsewhere.HONEST)
def test_what_people_said_elsewhere_passes_in_other_words(line: str) -> None:
    assert findings_of(line) == []


@pytest.mark.parametrize(("line", "rule"), elsewhere.BAD)
def test_what_nobody_said_elsewhere_is_held_out(line: str, rule: str) -> None:
    assert [each.rule for each in findings_of(line)] == [rule]


@pytest.mark.xfail(strict=True, reason="the value was said, of another matter")
@pytest.mark.parametrize("line", elsewhere.BEYOND)
def test_a_value_said_of_another_matter_is_held_out(line: str) -> None:
    assert findings_of(line) != []


def said(*texts: str) -> Sources:
    return sources([PersonSaid(text, "s", str(n)) for n, text in enumerate(texts)])


def rules(line: str, given: Sources) -> list[str]:
    change = {"habits.md": f"{MEMORY['habits.md']}- {line}\n"}
    return [each.rule for each in judge(change, given=given)[1]]


@pytest.mark.parametrize(
    ("told", "line", "passes"),
    [
        ("use 12", "It is 12 years old", False),
        ("use 12 for the years", "It is 12 years old", True),
        ("the years went by", "It is 12 years old", False),
        ("12 months, and years ago", "It is 12 years old", False),
        ("12 replicas, and years ago", "It is 12 years old", False),
        ("some years, twelve or so", "It is 12 years old", True),
        ("every second week", "It runs every 2 weeks", True),
        ("it has 80, 2 gb are free", "It has 80 GB", True),
        ("the limit is 30 now", "The limit is 30 seconds", True),  # as notes say `95 seconds`
        ("the limit is 1,200, in km", "The limit is 1200 km", True),
        ("the price is 18.50 or in € more", "The price is 18.5 €", True),
        ("half an hour at most", "It takes 30 minutes at most", True),
        ("a quarter of an hour", "It takes 15 min", True),
        ("half an hour at most", "It takes 45 minutes at most", False),
    ],
)
def test_a_bare_number_takes_a_unit_only_where_it_may_be_meant(
    told: str, line: str, passes: bool
) -> None:
    assert rules(line, said(told)) == ([] if passes else ["grounded"])


def test_a_unit_in_the_next_message_is_not_said_beside_a_number() -> None:
    assert rules("It is 12 years old", said("use 12", "years ago")) == ["grounded"]


def test_the_day_of_the_dream_may_be_written() -> None:
    told, day = [PersonSaid("the boiler works", "s", "1")], date(2026, 11, 22)
    line = "The boiler works as of 2026-11-22"
    assert rules(line, sources(told, today=day)) == []
    assert rules(line, sources(told)) == ["grounded"]
    assert meant(day, "") <= sources(told, today=day).days


def test_a_deed_that_was_only_forbidden_is_no_order_to_do_it() -> None:
    line = "Delete old drafts on the server"
    assert rules(line, said("never delete the old drafts on the server")) == ["tainted"]
    assert rules(line, said("please delete old drafts on the server")) == []
    assert rules(f"Never {line.lower()}", said("never delete the old drafts on the server")) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The vet is Dr. Haraldsen", "haraldsen"),
        ("Ask Mrs. Ek", "ek"),
        ("Zoe codes", "zoe"),
        ("from 5 to 12 October", "--10-05"),
        ("between March 3 and 5", "--03-05"),
    ],
)
def test_a_value_is_seen(text: str, wanted: str) -> None:
    assert wanted in values(text)
    assert wanted in grounds([text])
