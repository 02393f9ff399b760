"""One fact in other words is found by a hand-written table, and one word of another sense never."""

from __future__ import annotations

from itertools import combinations

import pytest

from dreamd.engine.rules.near.alike import Alike
from dreamd.engine.rules.near.idioms import in_one_word
from dreamd.engine.rules.near.same import says_the_same
from dreamd.engine.rules.near.tables import sets
from dreamd.engine.rules.near.things import JOINING, SHORT, THINGS
from dreamd.engine.rules.near.verbs import DEEDS, VERBS
from tests.engine.near.same_pairs import found
from tests.planted import near_reworded

EVERY = [words for table in (VERBS, THINGS, DEEDS, SHORT, JOINING) for words in sets(table)]
APART = (  # words of two senses, an order or a side, whatever else may be one
    *("buy sell", "import export", "open close", "enable disable", "start stop", "begin end"),
    *("before after", "maximum minimum", "increase reduce", "accept reject", "lend borrow"),
    *("staging production", "client server", "frontend backend", "error warning", "read write"),
    *("basement attic", "doctor dentist", "daily weekly", "monthly yearly", "cancel postpone"),
    *("hire dismiss", "upload download", "request response", "teach learn", "bug fix"),
    *("like dislike", "public private", "first last", "always often", "rarely often"),
    *("repair replace", "invoice receipt", "job task", "log record", "rent lease", "to from"),
)


SENSES = (  # of one word, in notes that are both likely
    ("Fire the alert at 90%.", "Dismiss the alert at 90%."),
    ("Ana took back the bike.", "Ana returned the bike."),
    ("Flush the queue on exit.", "Clear the queue on exit."),
    ("Take cash in case the card fails.", "Take cash when the card fails."),
    ("We order the parts by name.", "We sort the parts by name."),
    ("Join the tables on Friday.", "Merge the tables on Friday."),
    ("The tablet is in the drawer.", "The pill is in the drawer."),
    ("The list is full.", "The list is complete."),
    ("Ana works on holidays.", "Ana works on vacations."),
    ("Ana's application was rejected.", "Ana's app was rejected."),
    ("Die Sicherung liegt im Keller.", "Das Backup liegt im Keller."),
)


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD", "TRAPS"])
def test_what_differs_in_one_word_is_never_the_same(name: str) -> None:
    assert found(getattr(near_reworded, name)) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 25), ("HELD", 27), ("RETOLD", 174)])
def test_most_facts_told_in_other_words_are_found(name: str, least: int) -> None:
    assert len(found(getattr(near_reworded, name))) >= least


@pytest.mark.parametrize(("one", "other"), SENSES, ids=[one for one, _ in SENSES])
def test_a_word_of_another_sense_is_never_the_same(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


def test_the_sets_are_of_one_size_and_say_what_they_differ_in() -> None:
    assert [len(near_reworded.SEEN), len(near_reworded.HELD)] == [30, 30]
    others = (near_reworded.OTHERS_SEEN, near_reworded.OTHERS_HELD)
    assert [len(half) for half in others] == [60, 60]
    assert all(pair.why for half in others for pair in half)


@pytest.mark.parametrize("pair", APART)
def test_no_set_holds_two_words_of_which_one_denies_or_follows_the_other(pair: str) -> None:
    assert [words for words in EVERY if set(pair.split()) <= set(words)] == []


def test_every_set_has_each_word_once_and_no_two_sets_are_one() -> None:
    assert [words for words in EVERY if len(words) < 2 or len(set(words)) < len(words)] == []
    assert [one for one, other in combinations(map(set, EVERY), 2) if one <= other] == []


def test_what_is_said_in_several_words_has_one_reading() -> None:
    turns = [each for words in EVERY for each in words if " " in each]
    assert len(turns) == len(set(turns))
    heads = [words[0] for table in (VERBS, THINGS, SHORT) for words in sets(table)]
    assert [head for head in heads if " " in head] == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("She looks after the cat", "She handles the cat"),
        ("Turn the hall light off", "disable the hall light"),
        ("It was put off", "It was postponed"),
        ("They took part in it", "They attended it"),
        ("They are fond of jazz", "They enjoy jazz"),
        ("We ran out of milk", "We ran out of milk"),
        ("Let Ines know", "inform Ines"),
        ("3 virtual machines", "3 VMs"),
        ("Prior to the merge", "before the merge"),
    ],
)
def test_a_turn_is_read_as_one_word_in_its_form(text: str, read: str) -> None:
    assert in_one_word(text) == read


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Wim fixed the old boiler", "Wim repaired the old boiler", True),
        ("Wim fixed the old boiler", "Wim repairs the old boiler", False),
        ("Rose raised the rent", "Increase raised the rent", False),
        ("The watch is in the red box", "The monitor is in the red box", False),
        ("The call is at noon on Friday", "The phone is at noon on Friday", False),
        ("Ines is responsible for billing", "Ines is responsible to billing", False),
        ("Ines looks after the atlas", "Ines looks for the atlas", False),
        ("The screening is done in May", "The screening is in May", False),
        ("Ana keeps a shop in Leith", "Ana keeps a store in Leith", True),
        ("Ana saves a shop in Leith", "Ana keeps a save in Leith", False),
        ("Jo prefers tea to coffee", "Jo likes tea better than coffee", True),
        ("Jo prefers tea to coffee", "Jo likes coffee better than tea", False),
        ("The hall was painted by Ben on 2025-03-02", "Hall painting by Ben on 2025-03-02", True),
        ("The hall is painted by Ben on 2 March", "The hall was painted by Ben on 2 March", False),
    ],
)
def test_a_word_stands_for_another_of_its_kind_and_time(
    one: str, other: str, *, is_same: bool
) -> None:
    assert (says_the_same(one, other) or says_the_same(other, one)) == is_same


def test_a_line_in_other_words_is_found_among_many() -> None:
    rows = [f"The boat number {n} lies in the harbour of Leith" for n in range(300)]
    told = "In November Nikolai left his position at the bakery"
    again = "Nikolai quit his job at the bakery in November"
    assert Alike([*rows, told]).saying(again) == told
