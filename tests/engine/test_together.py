"""Short facts of one subject share a line where the index has too many lines."""

from __future__ import annotations

from dreamd.domain.settings import Budget
from tests.engine.said import dreamt, texts

FACTS = [
    f"- {name} keeps {thing}."
    for name in ("Bertha", "Ludwig", "Ottilie")
    for thing in ("bees", "a diary", "goats", "the keys", "two boats", "maps", "old radios")
]


def test_facts_of_one_subject_share_a_line_and_no_word_is_lost() -> None:
    notes = {"MEMORY.md": "".join(f"{line}\n" for line in ("# Memory", "", *FACTS))}
    after = texts(dreamt(notes, budget=Budget(index_lines=12)))
    index = after["MEMORY.md"].splitlines()
    assert list(after) == ["MEMORY.md"]  # no line left the index
    assert len(index) <= 12
    for fact in FACTS:
        assert any(fact.removeprefix("- ") in line for line in index)
    for line in index[2:]:  # nobody's line tells of somebody else
        assert len({name for name in ("Bertha", "Ludwig", "Ottilie") if name in line}) == 1


def test_an_index_within_its_lines_stays_as_it_is() -> None:
    notes = {"MEMORY.md": "".join(f"{line}\n" for line in ("# Memory", "", *FACTS))}
    assert texts(dreamt(notes)) == notes
