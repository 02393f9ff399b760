"""A day that a statement tells from its own is worth what a written date is, and takes room."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from dreamd.domain.evidence import Candidate, ClaimKind, Snippet
from dreamd.domain.prose.concepts import tags
from dreamd.engine.rules.promote.chosen import chosen, size

DAY = date(2026, 5, 11)


def candidate(statement: str, *, day: date | None = DAY) -> Candidate:
    snippet = Snippet(
        statement,
        statement,
        ClaimKind.FACT,
        "",
        "",
        tags(statement),
        "person",
        "5e55",
        statement,
        day=day,
    )
    return Candidate(snippet, 0.5)


DATED = candidate("We launched the booking form yesterday.")
PLAIN = candidate("We painted southern boathouse walls green.")


def test_what_happened_on_a_known_day_comes_before_what_happened_some_day() -> None:
    room = max(size(DATED), size(PLAIN))
    assert chosen([PLAIN, DATED], room, 1) == (DATED,)


def test_without_the_day_of_the_message_the_word_is_worth_a_word() -> None:
    undated = replace(DATED, snippet=replace(DATED.snippet, day=None))
    assert chosen([undated, PLAIN], 10_000, 1) == (PLAIN,)


def test_the_room_for_the_day_beside_it_is_counted() -> None:
    row = "- We launched the booking form yesterday (2026-05-10). (2026-05-11)\n"
    assert size(DATED) >= len(row.encode())
    assert chosen([DATED], len(row.encode()) - 1, 1) == ()
