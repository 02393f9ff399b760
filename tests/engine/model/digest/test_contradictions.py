from __future__ import annotations

import pytest

from dreamd.engine.model.digest.contradictions import suspicions
from dreamd.engine.model.digest.oldlines import old_lines
from dreamd.engine.model.digest.prose import utterances
from dreamd.engine.model.digest.values import is_same, values
from dreamd.engine.model.digest.worded import worded
from tests.engine.model.digest.told import say, tree

NOTES = {
    "MEMORY.md": "# Memory\n- [Harbour](harbour.md) — moorings and tariffs\n",
    "harbour.md": """---
name: harbour
description: 12 moorings
---
# Harbour
- The harbour has 40 moorings, 12 of them for visitors.
- The nightly tariff for visitors is $35, showers included.
- The crane inspection is due on April 14, 2026.
- The booking page answers in 320ms with 50 visitors at once.
- The booking page runs on Django 4.2.1.
- Occupancy was 71% in the first season.
- The slipway opens at 7:30 am.
- Backups go to a Synology in the harbour office.
- Ann attended the tidal modelling workshop in Bergen.
```
port 40 is for 40 moorings
```
""",
}


@pytest.mark.parametrize(
    ("said", "new", "old", "line"),
    [
        ("Ok so the harbour has 46 moorings now, can you plan the labels?", "46", "40", 6),
        ("We raised the nightly tariff for visitors to $42.", "$42", "$35", 7),
        (
            "The crane inspection got moved to April 21, 2026.",
            "April 21, 2026",
            "April 14, 2026",
            8,
        ),
        ("After caching, the booking page answers in 180ms.", "180ms", "320ms", 9),
        ("I upgraded the booking page to Django 5.0.3 today.", "5.0.3", "4.2.1", 10),
        ("Occupancy in the first season turns out to be 74%.", "74%", "71%", 11),
        ("From June the slipway opens at 6:45 am.", "6:45 am", "7:30 am", 12),
    ],
)
def test_a_new_value_is_set_beside_the_old_line(said: str, new: str, old: str, line: int) -> None:
    chatter = say(
        "We need 3 tests for the parser, the fixture has 250 rows.",
        "Lunch at 12:30 with Bo, it cost $19.",
        "The train on May 7 was 40 minutes late.",
        said,
    )

    found = suspicions(utterances(chatter), old_lines(tree(NOTES)), 10)

    assert found
    assert (found[0].said, found[0].new, found[0].old) == (said, new, old)
    assert (str(found[0].line.path), found[0].line.number) == ("harbour.md", line)


@pytest.mark.parametrize(
    "said",
    [
        "The harbour has 40 moorings, 12 of them for visitors.",  # known
        "The nightly tariff for visitors rose by 8% in Bergen.",  # another kind
        "We paid $46 for new moorings at the harbour.",
        "The booking page answers in 320ms, with 4% of visitors refused.",
        "Thanks, that works.",
        "```\nmoorings = 46\n```",
        "",
    ],
)
def test_what_gives_no_other_value_is_no_contradiction(said: str) -> None:
    assert suspicions(utterances(say(said)), old_lines(tree(NOTES)), 10) == ()


def test_code_and_frontmatter_of_notes_are_not_held_against_people() -> None:
    numbers = {line.number for line in old_lines(tree({"harbour.md": NOTES["harbour.md"]}))}

    assert 3 not in numbers
    assert 16 not in numbers
    assert {6, 14} <= numbers


@pytest.mark.parametrize(
    ("said", "new", "old", "line"),
    [
        (
            "We moved the backups from the Synology to Backblaze last week.",
            "Backblaze",
            "Synology",
            13,
        ),
        ("We switched the backups from Synology to Backblaze.", "Backblaze", "Synology", 13),
        ("Please replace Django with Starlette on the booking page.", "Starlette", "Django", 10),
        ("I have never attended a tidal modelling workshop.", "", "", 14),
    ],
)
def test_names_that_were_replaced_and_denials_are_found(
    said: str, new: str, old: str, line: int
) -> None:
    found = worded(utterances(say(said)), old_lines(tree(NOTES)), 3)

    assert [each.line.number for each in found] == [line]
    assert found[0].old == old
    assert found[0].new == (new or "attended a tidal modelling workshop")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1,200", "1200", True),
        ("April 5", "5 April 2026", True),
        ("2026-04-05", "April 5th, 2026", True),
        ("April 5, 2025", "April 5, 2026", False),
        ("$40", "40 dollars", True),
        ("40%", "40 percent", True),
        ("$40", "40", False),
        ("250ms", "250", False),
        ("v2.1", "2.1.0", False),
        ("three", "3", True),
        ("5 pm", "5 am", False),
        ("12:30", "12.30", False),
    ],
)
def test_values_are_told_apart_by_kind_and_figure(one: str, other: str, same: bool) -> None:
    (first,), (second,) = values(one), values(other)

    assert is_same(first, second) is same
