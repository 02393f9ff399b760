"""Candidates: what people state is scored, and waits until every gate is open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.settings import Evidence
from dreamd.evidence.light import Query, Sighting, light
from dreamd.evidence.weigh import weigh

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)


def message(text: str, number: int, session: int, day: int) -> PersonSaid:
    at = BEGAN + timedelta(days=day, minutes=number)
    return PersonSaid(text, f"s{session}", f"m{number}", at, at.date())


def candidates(*said: tuple[str, int, int]) -> tuple[Candidate, ...]:
    """Score messages: text, session, day."""
    every = [message(text, n, session, day) for n, (text, session, day) in enumerate(said)]
    return weigh(light(every), Evidence())


FACT = "Our warehouse in Lyon ships 40 pallets every Friday."


@pytest.mark.parametrize(
    ("when", "reason"),
    [
        ([(1, 0)], "waits for another session"),
        ([(1, 0), (1, 1), (1, 2)], "waits for another session"),
        ([(1, 0), (2, 0), (3, 0)], "waits for another day"),
        ([(1, 0), (2, 1)], "waits for another signal"),
        ([(1, 0), (2, 1), (3, 4)], "would be written"),
    ],
)
def test_a_statement_waits_for_what_is_missing(when: list[tuple[int, int]], reason: str) -> None:
    (found,) = candidates(*((FACT, session, day) for session, day in when))
    assert found.reason == reason
    assert found.passes == (reason == "would be written")


@pytest.mark.parametrize(
    "text",
    [
        "Please move the blue button below the order table now.",
        "I am going to rewrite the invoice parser tomorrow.",
        "Sounds great, Melanie!",
        "The invoice export crashes with an empty customer list.",
        "Right now the cache server is down for maintenance.",
        "The header still looks wrong on small screens.",
        "We need a table with three columns for the invoice totals.",
    ],
)
def test_what_is_no_lasting_statement_never_passes(text: str) -> None:
    found = candidates(*((text, session, session) for session in range(5)))
    assert not any(each.passes for each in found)


def test_other_figures_are_another_claim() -> None:
    one, two = FACT, FACT.replace("40", "60")
    assert [each.sightings for each in candidates((one, 1, 0), (two, 2, 1))] == [1, 1]


def test_what_is_quoted_or_code_is_no_statement_and_a_question_is_a_query() -> None:
    text = f"> {FACT}\n\n```\n{FACT}\n```\n\nHow many pallets does the warehouse ship on Fridays?"
    (found,) = light([message(text, 1, 1, 0)])
    assert isinstance(found, Query)


def test_a_statement_keeps_session_message_and_day() -> None:
    (found,) = light([message(FACT, 7, 3, 2)])
    assert isinstance(found, Sighting)
    where = found.session, found.message, str(found.day), found.speaker
    assert where == ("s3", "m7", "2026-03-04", "person")
