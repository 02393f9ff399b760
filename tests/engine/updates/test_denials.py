"""What somebody says they never did stands beside the line that says they did: both, with days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import DENIED, OPEN, current, is_open
from dreamd.engine.rules.updates.denials import denials
from dreamd.engine.rules.updates.growing import UNDECIDED
from dreamd.engine.rules.updates.likely import MOST
from tests.engine.updates.told import BESIDE, INDEX, changes, memory_of, say, updated, went
from tests.planted import denials as planted
from tests.planted.denials import Denied

CLAIM = "I use Redis for caching the sessions."
DENIAL = "I've never used Redis before."
BOTH = f"- {CLAIM} (2026-04-02) {DENIED}: {DENIAL} (2026-05-11)"


def row_after(each: Denied) -> str:
    """Return the line with the claim, as it reads once the message was heard."""
    day = datetime.fromisoformat(each.said_day).date()
    at = datetime.combine(day, time(9), UTC)
    rows = "".join(f"- {row}\n" for row in BESIDE)
    texts = {INDEX: f"# Memory\n\n## Notes\n{rows}- {each.line} ({each.line_day})\n"}
    result = updated(texts, [PersonSaid(each.said, "5e55", "m1", at, day)])
    (after,) = result.memory.texts.values()
    (row,) = (row for row in after.split("\n") if each.line in row)
    return row


def count(half: Iterable[Denied]) -> int:
    return sum(is_open(row_after(each)) for each in half)


def test_of_20_denials_two_in_three_are_seen_and_of_30_look_alikes_two_at_most() -> None:
    assert count(planted.SEEN) >= 9
    assert count(planted.SEEN) + count(planted.HELD) >= 13
    assert count(planted.OTHERS_SEEN) + count(planted.OTHERS_HELD) <= 2


@pytest.mark.parametrize("each", planted.SEEN, ids=lambda each: each.said[:40])
def test_a_claim_keeps_its_place_and_what_denies_it_is_as_it_was_said(each: Denied) -> None:
    row = row_after(each)
    assert row.startswith(f"- {each.line} ({each.line_day})")
    if is_open(row):
        claim, denial = row.split(f" {DENIED}: ")
        assert denial.endswith(f" ({each.said_day})")
        words = denial.removesuffix(f" ({each.said_day})").rstrip(".")
        assert words.casefold() in each.said.casefold()
        assert current(row).rstrip() == claim


@pytest.mark.parametrize(
    ("claim", "denial"),
    [
        (
            "I wrote unit tests for the parser",
            "I haven't written a single unit test for the parser",
        ),
        ("We have a backup of the photos", "There is no backup of the photos"),
        ("Our API uses rate limiting", "Our API doesn't use any rate limiting"),
        ("Marta has visited the Lisbon office", "Marta has never been to the Lisbon office"),
        ("I'm using Bazel for the firmware", "I have never used Bazel for the firmware"),
        ("I built the chicken coop from pallets", "I didn't build the chicken coop"),
    ],
)
def test_the_same_deed_and_the_same_things_are_one_claim(claim: str, denial: str) -> None:
    (row,) = changes(f"{claim}.", f"{denial}, so what now?")
    assert row == f"- {claim}. (2026-04-02) {DENIED}: {denial}. (2026-05-11)"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("I want to use Redis for caching.", DENIAL),
        ("You can use Redis for caching.", DENIAL),
        ("My brother uses Redis for caching.", DENIAL),
        ("The team in Oslo uses Redis for caching.", DENIAL),
        ("If I use Redis for caching, the pages are faster.", DENIAL),
        ("Perhaps I use Redis for caching.", DENIAL),
        ("I added a flag called --use-redis for caching.", DENIAL),
        ("We do not use Redis for caching.", DENIAL),
        ("Redis is fast.", DENIAL),
        (CLAIM, "If I had never used Redis, I would be slower."),
        (CLAIM, "Do you think I've never used Redis?"),
        (CLAIM, "He said I have never used Redis."),
        (CLAIM, "The answer reads “I have never used Redis”."),
        (CLAIM, "I've never used Redis for queues."),
        (CLAIM, "I haven't used Redis today."),
        (CLAIM, "I've never used such a fast Redis."),
        (CLAIM, "I don't just use Redis."),
        (CLAIM, "Never use Redis for caching the sessions."),
        (CLAIM, "My sister has never used Redis."),
        ("We used Redis for caching until 2024.", "We don't use Redis for caching."),
    ],
)
def test_what_only_sounds_like_a_denial_changes_no_line(claim: str, said: str) -> None:
    assert [row for row in changes(claim, said) if DENIED in row] == []


def test_what_was_denied_before_it_was_done_is_no_contradiction() -> None:
    texts = memory_of(CLAIM, day="2026-06-01")
    assert updated(texts, [say(DENIAL)]).whys == ()


def test_both_stand_with_the_words_and_the_message_that_deny_it() -> None:
    said = say(f"Where do I start? {DENIAL} Please be brief.")
    result = updated(memory_of(CLAIM), [said])
    (why,) = (why for why in result.whys if why.sign == "+")
    assert (why.line, why.quote, why.message) == (BOTH, DENIAL, said.message)
    assert [why.line for why in went(result)] == [f"- {CLAIM}"]
    assert [(step.text, step.count) for step in result.steps] == [(UNDECIDED, 1)]


def test_a_denial_that_stood_on_a_line_of_its_own_moves_to_the_claim() -> None:
    said = [say(DENIAL)]
    texts = memory_of(f"{CLAIM} (2026-04-02)", f"{DENIAL} (2026-05-11)")
    placed = {f"- {CLAIM} (2026-04-02)": say(CLAIM, day=10), f"- {DENIAL} (2026-05-11)": said[0]}
    result = updated(texts, [say(CLAIM, day=10), *said], placed=placed)
    text = result.memory.texts[PurePosixPath(INDEX)]
    assert BOTH in text.split("\n")
    assert text.count(DENIAL) == 1


def test_a_newer_value_is_still_found_and_takes_the_denied_one_for_past() -> None:
    denial = f"{DENIED}: We have no looms. (2026-04-20)"
    old = f"We have 12 looms in the weaving mill. (2026-04-02) {denial}"
    (row,) = changes(old, "We now have 15 looms in the weaving mill.")
    assert row.startswith("- We now have 15 looms in the weaving mill. (2026-05-11) Previously: ")
    assert "12 looms" in row
    assert "We have no looms. (2026-04-20)" in row
    assert not is_open(row)


def test_denials_and_doubtful_values_share_one_limit_of_open_lines() -> None:
    names = ("Redis", "Kafka", "Bazel", "Sentry", "Grafana")
    rows = [f"I use {name} for the tide tables." for name in names]
    said = [f"I've never used {name} for the tide tables." for name in names]
    assert len(changes(rows, *said)) == MOST
    opened = [f"The {name} is red (2026-04-02) {OPEN}: it is blue (2026-03-02)" for name in "AB"]
    assert len(changes((*opened, *rows), *said)) == MOST - 2


def test_a_line_that_leaves_something_open_is_asked_one_question_only() -> None:
    past = "I use Redis for 12 tide tables (2026-03-02)"
    row = f"I use Redis for 40 tide tables. (2026-04-02) {OPEN}: {past}"
    assert changes(row, "I've never used Redis for tide tables.") == []


def test_what_the_user_took_back_is_not_said_again() -> None:
    texts, said = memory_of(CLAIM), say(DENIAL)
    assert updated(texts, [said], heeded=Heeded(taken={said.message: "d1"})).whys == ()
    declined = Declined(added={(PurePosixPath(INDEX), BOTH): "d1"})
    assert updated(texts, [said], declined=declined).whys == ()


def test_a_message_may_deny_several_things() -> None:
    said = say(
        "I've never used Kafka. Nothing else is new. There is no backup of the photos, sorry."
    )
    assert [(each.text, each.quote) for each in denials([said])] == [
        ("I've never used Kafka.", "I've never used Kafka."),
        ("There is no backup of the photos.", "There is no backup of the photos, sorry."),
    ]
