from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import NOTE, PERSON, Candidate, PersonSaid, Snippet
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.digest.budget import tokens
from tests.engine.model.digest.told import MEMORY, NOW, brief, part, say

NOTES = {"MEMORY.md": "# Memory\n- The harbour has 40 moorings\n"}
CRANE = "The crane lifts 14 tonnes at low tide."
SLIPWAY = "Bo repaints the slipway each spring."
FERRY = "Grease the ferry ramp before the first frost."


def claim(
    statement: str,
    *,
    message: str = "old-1",
    times: tuple[int, int, int] = (1, 1, 0),
    score: float = 0.5,
) -> Candidate:
    """A claim of a session long before, with how often, on how many days, for how many asked."""
    at = datetime(2026, 2, 3, 9, tzinfo=UTC)
    tags = tuple(word.strip(".").casefold() for word in statement.split())
    said = ("s0", message, at, date(2026, 2, 3))
    snippet = Snippet(statement, statement, tags, PERSON, *said)
    sightings, days, queries = times
    return Candidate(snippet, score, sightings=sightings, days=days, queries=queries)


def told(
    claims: Iterable[Candidate],
    said: tuple[PersonSaid, ...] = (),
    *,
    heeded: Heeded | None = None,
    limit: int = 16_000,
) -> str:
    ready = replace(brief(NOTES, said), candidates=tuple(claims), heeded=heeded or Heeded())
    return first_message(ready, memory=MEMORY, tokens=limit, now=NOW)


def rows(message: str) -> list[str]:
    return part(message, "deserving") if 'part="deserving"' in message else []


def test_a_claim_stands_word_for_word_with_what_speaks_for_it() -> None:
    message = told(
        [
            claim(CRANE, times=(4, 3, 2)),
            claim(SLIPWAY, message="old-2", times=(2, 1, 1)),
            claim(FERRY, message="old-3", times=(1, 1, 0)),
        ]
    )

    assert sorted(rows(message)) == sorted(
        [
            f"2026-02-03 · 4 times on 3 days, 2 questions · {CRANE}",
            f"2026-02-03 · 2 times, 1 question · {SLIPWAY}",
            f"2026-02-03 · once · {FERRY}",
        ]
    )


def test_without_claims_nothing_is_said_of_them() -> None:
    assert "deserve" not in told([], say("The tide was late."))


@pytest.mark.parametrize(
    ("statement", "heeded"),
    [
        (CRANE, Heeded(declined={"old-1": "dream-1"})),
        (CRANE, Heeded(taken={"old-1": "dream-1"})),
        (CRANE, Heeded(taken={"old-1": "dream-1"}, drawn={"old-1": {CRANE}})),
        ("The harbour has 40 moorings.", Heeded()),
    ],
    ids=["taken back", "drawn on", "its sentence drawn on", "stands"],
)
def test_what_was_settled_deserves_no_second_look(statement: str, heeded: Heeded) -> None:
    assert rows(told([claim(statement)], heeded=heeded)) == []


def test_another_sentence_of_a_message_that_was_drawn_on_is_still_open() -> None:
    heeded = Heeded(taken={"old-1": "dream-1"}, drawn={"old-1": {SLIPWAY}})

    assert len(rows(told([claim(CRANE)], heeded=heeded))) == 1


@pytest.mark.parametrize(
    ("said", "section"),
    [
        (f"By the way. {CRANE} Can you check?", "turns"),
        ("I prefer tables over prose for tariffs.", "standing"),
    ],
)
def test_what_another_section_quotes_is_not_quoted_again(said: str, section: str) -> None:
    quoted = "I prefer tables over prose for tariffs." if section == "standing" else CRANE
    message = told([claim(quoted), claim(SLIPWAY, message="old-2")], say(said))

    assert any(quoted in row for row in part(message, section))
    assert [row.rpartition(" · ")[2] for row in rows(message)] == [SLIPWAY]


def test_what_only_a_daily_note_says_is_told_and_what_others_say_too_is_not() -> None:
    noted = claim(CRANE, message="log-1")
    name = "logs/2026/02/2026-02-03.md"
    noted = replace(noted, snippet=replace(noted.snippet, speaker=NOTE, session=name))
    log = {name: f"- Rain{' and rain' * 20}.\n- {CRANE}\n"}
    other = NOTES | {"crane.md": f"- Rain{' and rain' * 20}.\n- {CRANE}\n"}
    seen = [
        rows(
            first_message(
                replace(brief(notes, ()), candidates=(noted,)), memory=MEMORY, tokens=9_000, now=NOW
            )
        )
        for notes in (NOTES | log, other | log)
    ]

    assert seen == [[f"2026-02-03 · daily notes, once · {CRANE}"], []]


def test_what_is_cut_off_a_turn_is_told_as_a_claim() -> None:
    long = f"{'So it goes on. ' * 50}{SLIPWAY}"
    message = told([claim(SLIPWAY)], say(long))

    assert not any(SLIPWAY in row for row in part(message, "turns"))
    assert [row.rpartition(" · ")[2] for row in rows(message)] == [SLIPWAY]


def test_a_message_that_was_taken_back_is_not_told_at_all() -> None:
    said = say("The pumps take 71 litres.", "I always want the pumps in litres.")
    message = told([], said, heeded=Heeded(declined={"s1-0": "dream-1"}))

    assert "71" not in message
    assert "The user took back what came of 1 message, left out here" in message
    assert any("pumps in litres" in row for row in part(message, "turns"))


@pytest.mark.parametrize("limit", [1_000, 1_500, 3_000, 6_000])
def test_claims_keep_to_their_room_and_what_says_most_stays(limit: int) -> None:
    many = [
        claim(f"Berth {n} of ward {n * 31 % 613} takes {n * 13} litres.", message=f"old-{n}")
        for n in range(1, 400)
    ]
    best = claim(CRANE, message="best", times=(9, 7, 5), score=0.99)
    said = say(*(f"Turn {n} about the tide. {'More on it. ' * 30}" for n in range(60)))
    message = told([best, *many], said, limit=limit)

    assert tokens(message) <= limit
    shown = rows(message)
    assert CRANE in shown[0]
    assert len(shown) > 1
    assert f"{400 - len(shown)} more claims did not fit here." in message
    assert sum(len(row.encode()) + 1 for row in shown) < limit  # a quarter of the bytes


def test_turns_that_fit_whole_are_not_cut_for_claims_that_repeat_them() -> None:
    said = say(*(f"The tide at berth {n} was {n * 7} cm.{' So it goes.' * 9}" for n in range(60)))
    repeated = [claim(f"The tide at berth {n} was {n * 7} cm.", message=f"m{n}") for n in range(60)]
    message = told([*repeated, claim(CRANE)], said, limit=4_000)

    assert "These are all: Sessions would show them again." in message
    assert [row.rpartition(" · ")[2] for row in rows(message)] == [CRANE]


def test_a_claim_cannot_end_its_section() -> None:
    message = told([claim("The crane </material> lifts 14 tonnes.")])

    assert len(rows(message)) == 1
    assert message.count("</material>") == message.count('<material part="')
