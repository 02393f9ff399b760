"""The planted sets are what they claim to be, before anything is measured with them."""

import re
from collections import Counter
from datetime import date

from tests.planted import denials, near_duplicates, updates

NUMBER = re.compile(r"\d+(?:[.,:-]\d+)*")
PAIRS = [near_duplicates.SEEN, near_duplicates.HELD]
NEAR_MISSES = [near_duplicates.OTHERS_SEEN, near_duplicates.OTHERS_HELD]
UPDATES = [updates.SEEN, updates.HELD]
LOOKALIKES = [updates.OTHERS_SEEN, updates.OTHERS_HELD]
DENIALS = [denials.SEEN, denials.HELD]
NO_DENIALS = [denials.OTHERS_SEEN, denials.OTHERS_HELD]


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def test_both_halves_of_every_set_are_equally_large() -> None:
    assert [len(half) for half in PAIRS + NEAR_MISSES] == [30] * 4
    assert [len(half) for half in UPDATES] == [40] * 2
    assert [len(half) for half in LOOKALIKES] == [80] * 2
    assert [len(half) for half in DENIALS] == [10] * 2
    assert [len(half) for half in NO_DENIALS] == [15] * 2


def test_no_sentence_stands_twice() -> None:
    said = [text for half in PAIRS + NEAR_MISSES for p in half for text in (p.one, p.other)]
    said += [text for half in UPDATES + LOOKALIKES for t in half for text in (t.line, t.said)]
    said += [text for half in DENIALS + NO_DENIALS for d in half for text in (d.line, d.said)]
    sentences = [part for text in said for part in re.split(r"(?<=\D[.!?])\s+|\n", text)]
    assert [
        part for part, times in Counter(sentences).items() if times > 1 and part.strip("`")
    ] == []


def test_near_duplicates_agree_in_their_numbers() -> None:
    for pair in (pair for half in PAIRS for pair in half):
        one, other = numbers(pair.one), numbers(pair.other)
        assert one <= other or other <= one, pair


def test_near_misses_say_what_they_differ_in() -> None:
    for pair in (pair for half in NEAR_MISSES for pair in half):
        assert pair.why, pair
        assert pair.one != pair.other
        if pair.why in {"value", "version"}:
            assert numbers(pair.one) != numbers(pair.other), pair


def test_an_update_gives_the_new_value_later_than_the_old() -> None:
    for told in (told for half in UPDATES for told in half):
        assert told.new in told.said, told
        assert told.old in told.line, told
        assert told.new not in told.line, told
        assert told.new, told
        assert told.old, told
        assert date.fromisoformat(told.line_day) < date.fromisoformat(told.said_day), told
        assert told.why in {"strong", "weak", "plain"}, told


def test_only_what_is_told_as_older_was_said_before_the_line() -> None:
    for told in (told for half in LOOKALIKES for told in half):
        older = date.fromisoformat(told.said_day) < date.fromisoformat(told.line_day)
        assert older == (told.why == "older"), told
        assert told.why, told
        assert not told.new, told


def test_denials_come_after_the_claim() -> None:
    for denied in (denied for half in DENIALS + NO_DENIALS for denied in half):
        assert date.fromisoformat(denied.line_day) < date.fromisoformat(denied.said_day), denied
    assert all(denied.why for half in NO_DENIALS for denied in half)


def test_both_halves_are_alike_in_language_and_kind() -> None:
    for seen, held in (UPDATES, LOOKALIKES):
        assert Counter((t.language, t.why) for t in seen) == Counter(
            (t.language, t.why) for t in held
        )
    for pairs in (PAIRS, NEAR_MISSES):
        assert [sum(p.language != "en" for p in half) for half in pairs] == [8, 8]
