"""What one line says whole is not said again, and what was only asked is no line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.prose.concepts import tags
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.gather.place_pointer import description
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.fates import Fate, fates
from tests.engine.promote.test_promote import INDEX, candidate, night, texts_of

LONG = "I'm on Django 4.2 and Redis 7, and our shop runs in Ghent."


def said(statement: str, *, firmness: float = 0.5, day: int = 0) -> Candidate:
    """A candidate with the concepts that evidence gives it."""
    each = candidate(statement, firmness=firmness, day=day)
    return replace(each, snippet=replace(each.snippet, tags=tags(statement)))


ROOM = 10_000


@pytest.mark.parametrize(
    "shorter",
    [
        "I'm on Django 4.2.",
        "I'm using Redis 7.",
        "Our shop runs in Ghent.",
        "We're using Django 4.2 with Redis 7 now.",
    ],
)
@pytest.mark.parametrize("score", [0.1, 0.9])
def test_what_another_line_says_whole_is_not_said_again(shorter: str, score: float) -> None:
    short = replace(said(shorter), score=score)
    assert chosen([said(LONG), short], ROOM, 9) == (said(LONG),)


@pytest.mark.parametrize(
    "other",
    [
        "I'm on Django 4.1.",  # another figure
        "I'm on Django 7 and Redis 4.2.",  # of another thing
        "I've never had a shop in Ghent.",  # denied
        "Our shop in Ghent runs at night.",  # says more
    ],
)
def test_what_no_line_says_whole_is_said(other: str) -> None:
    assert said(other) in chosen([said(LONG), said(other)], ROOM, 9)


def test_what_is_firm_is_not_covered_by_what_is_not() -> None:
    weak = said("I'm considering Sass 1.56 for our shop in Ghent.", firmness=0.3)
    firm = said("Our shop is using Sass 1.56.", firmness=0.6)
    assert len(chosen([weak, firm], ROOM, 9)) == 2


def test_the_day_told_from_the_own_day_tells_apart() -> None:
    first = said("I swam in Ghent with Ada and Bea yesterday.", day=1)
    again = said("I swam in Ghent with Ada yesterday.", day=9)
    assert len(chosen([first, again], ROOM, 9)) == 2


def test_room_of_a_line_that_is_covered_later_is_given_to_others() -> None:
    long, short = said(LONG), replace(said("I'm on Django 4.2."), score=0.99)
    other = said("Our dentist is Ilse Maes.")
    found = chosen([short, long, other], size(long) + size(other), 9)
    assert len(found) == 2
    assert long in found
    assert other in found


def test_what_stands_in_the_notes_covers_in_the_next_night_too() -> None:
    first = [said(LONG), said("I'm on Django 4.2."), said("Our dentist is Ilse Maes.")]
    after = texts_of(night({INDEX: "# M\n"}, first))
    whole = "".join(after.values())
    assert whole.count("Redis 7, and") >= 1
    assert "I'm on Django 4.2. (" not in whole
    assert texts_of(night(after, first)) == after


def test_what_was_only_asked_is_evidence_and_no_line() -> None:
    question = said("How do I keep our 14 hens in Ghent warm?")
    fact = said("We rent 3 vans in Turku.")
    assert chosen([question, fact], ROOM, 9) == (fact,)
    notes = Tree({PurePosixPath(INDEX): Entry(b"# M\n")})
    became = fates(orient(notes), [question, fact], [], Heeded(), Budget())
    assert [each.fate for each in became] == [Fate.ASIDE, Fate.NEXT]


def test_a_hook_tells_first_what_counts_or_names_something() -> None:
    rows = ["- Ros: Love the colours!", "- Ros: I keep 14 bees.", "- Ros: My aunt lives in Bruges."]
    told = description(rows, "Project facts")
    assert told == "Ros: I keep 14 bees; Ros: My aunt lives in Bruges; Ros: Love the colours!"
    plain = ["- We like short meetings.", "- We dislike noise."]
    assert description(plain, "Project facts") == "We like short meetings; We dislike noise"
