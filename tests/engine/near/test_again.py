"""How many facts told again by others are found; amounts and days in words."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.near.same import says_the_same
from tests.engine.near.same_pairs import found
from tests.planted import near_again


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_no_look_alike_is_taken_for_the_same(name: str) -> None:
    pairs = getattr(near_again, name)
    assert len(pairs) == 40
    assert found(pairs) == []


@pytest.mark.parametrize(
    ("name", "count", "least"),
    [("SEEN", 80, 30), ("HELD", 80, 10), ("FAR_SEEN", 40, 1), ("FAR_HELD", 40, 1)],
)
def test_some_facts_told_again_are_found(name: str, count: int, least: int) -> None:
    pairs = getattr(near_again, name)
    assert len(pairs) == count
    assert len(found(pairs)) >= least


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rehearsal takes half an hour", "The rehearsal takes 30 minutes"),
        ("The tank is checked once every 20 days", "The tank is checked every 20 days"),
        ("The mill was built in the spring of 1904", "The mill was built in spring 1904"),
        ("The press prints 12 sheets/min", "The press prints 12 sheets per minute"),
        ("Kindly keep the shed locked", "Keep the shed locked"),
        ("Nobody but Edda may sail the red boat", "Only Edda may sail the red boat"),
        ("If the pump stops, call Ivo", "Should the pump stop, call Ivo"),
        ("The cert of the mill shop ends in May", "The certificate of the mill shop ends in May"),
        ("Die Probe ist am 14. März 2025", "Die Probe ist am 14.03.2025"),
        ("Le bail finit le 31 mars 2028", "Le bail finit le 31/03/2028"),
        ("La obra acaba el 5 de mayo de 2027", "La obra acaba el 5/5/2027"),
    ],
)
def test_amounts_and_days_are_read_as_words_say_them(one: str, other: str) -> None:
    assert says_the_same(one, other) or says_the_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rehearsal takes half an hour", "The rehearsal takes half a day"),
        ("A guest may borrow 4 books at a time", "A guest may borrow 4 books at once, right away"),
        ("The tyres were replaced by Ivo", "The tyres were replaced with Ivo"),
        ("The old badge is required for entry", "The old entry is required for a badge"),
        ("Edda has permission to sail", "Edda might sail"),
        ("Edda works half a day on Fridays", "Edda works 12 hours on Fridays"),
        ("Use half the flour and all the milk", "Use all the flour and half the milk"),
        ("As many as 300 guests came", "At most 300 guests came"),
        ("Once every test passes, deploy", "Every test passes, deploy"),
        ("The copies are in backup/d", "The copies are in backup daily"),
        ("The bar is not open every day", "The bar is closed every day"),
        ("Kindly neighbours water the plants", "Neighbours water the plants"),
        ("Nobody but Edda may sail the boat", "Nobody may sail the boat but Edda's"),
        ("Die Probe ist am 14. März", "Die Probe ist am 14. Mai"),
        ("Le bail finit le 31 mars 2028", "Le bail finit le 31 mars 2029"),
    ],
)
def test_other_amounts_and_days_are_others(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)
