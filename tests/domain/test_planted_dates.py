"""Planted sentences get beside a relative date what it means, or nothing: never a wrong day."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import PurePosixPath

import pytest

from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.orient import orient
from tests.engine.gather.place_night import tree
from tests.planted.relative_dates import HELD, SEEN, TRAPS_HELD, TRAPS_SEEN, Days, Spoken, days

MEMORY = orient(tree({"MEMORY.md": "# M\n"}))
NOTE = PurePosixPath("facts.md")
GIVEN = re.compile(r"(?:['’]s)? \((said )?(\d{4}[\d-]*(?: to [\d-]+)?)\)")  # noqa: RUF001
WEEKDAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")


def line(spoken: Spoken) -> str:
    """The line of a note, without the day of the message at its end."""
    found = written(spoken.said, spoken.day, NOTE, MEMORY)
    assert found is not None
    return found.removesuffix(f" ({spoken.day.isoformat()})")


def verdicts(spoken: Spoken) -> list[str]:
    """What became of each phrase: right, beside (the day it was said), alone; wrong if any is."""
    found, rest = [], line(spoken)
    for phrase, meanings in spoken.means:
        head, matched, rest = rest.partition(phrase)
        if not matched or GIVEN.search(head):  # a part of a phrase was taken for the whole
            return ["wrong"]
        given = GIVEN.match(rest)
        rest = rest[given.end() :] if given else rest
        found.append(judged(given, spoken.day, meanings))
    return ["wrong"] if GIVEN.search(rest) else found


def judged(given: re.Match[str] | None, said: date, meanings: tuple[Days, ...]) -> str:
    """Of two meanings without a day in common neither is right: the words leave it open."""
    if given is None:
        return "alone"
    told = days(given[2])
    if given[1]:
        return "beside" if told == Days(said, said) else "wrong"
    is_sure = all(told.meets(each) for each in meanings)
    return "right" if told in meanings and is_sure else "wrong"


@pytest.mark.parametrize(("half", "least"), [(SEEN, 36), (HELD, 37)])
def test_no_relative_date_is_wrong_and_most_english_ones_are_right(
    half: list[Spoken], least: int
) -> None:
    found = [(each.language, verdict) for each in half for verdict in verdicts(each)]
    assert [verdict for _, verdict in found].count("wrong") == 0
    english = Counter(verdict for language, verdict in found if language == "en")
    assert english["right"] >= least
    assert english.total() == 43


@pytest.mark.parametrize("half", [TRAPS_SEEN, TRAPS_HELD])
def test_what_only_has_the_words_gets_no_day(half: list[Spoken]) -> None:
    wrong = 0
    for trap in half:
        allowed = {meaning for _, meanings in trap.means for meaning in meanings}
        wrong += sum(days(day) not in allowed for _, day in GIVEN.findall(line(trap)))
    assert wrong == 0


def test_both_halves_are_equally_large_and_alike() -> None:
    assert [len(half) for half in (SEEN, HELD, TRAPS_SEEN, TRAPS_HELD)] == [52, 52, 30, 30]
    for one, other in ((SEEN, HELD), (TRAPS_SEEN, TRAPS_HELD)):
        assert not {each.said for each in one} & {each.said for each in other}
        assert [sum(each.language != "en" for each in half) for half in (one, other)] == (
            [10, 10] if one is SEEN else [5, 5]
        )
        assert len({each.language for each in one}) == len({each.language for each in other}) == 4


def test_each_meaning_is_one_that_its_phrase_can_have() -> None:
    for spoken in (*SEEN, *HELD):
        assert spoken.means, spoken
        for phrase, meanings in spoken.means:
            assert phrase in spoken.said, spoken
            named = WEEKDAY.search(phrase)
            for each in meanings:
                assert each.first <= each.last, spoken
                assert not named or f"{each.first:%A}" == named[0], spoken
