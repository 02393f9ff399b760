"""Updates that people mention by the way in long talk, and what only looks like one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from pathlib import PurePosixPath

import pytest

from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import INDEX, changes, updated
from tests.planted import long_talk
from tests.planted.long_talk import Talk
from tests.planted.updates import Told

_OTHER = "of another line"


def rows_after(talk: Talk) -> list[str]:
    """Return the notes as they read once all messages were heard."""
    day = date.fromisoformat(talk.told.said_day)
    first = datetime.combine(day, time(9), UTC)
    said = [
        PersonSaid(text, "5e55", f"m{number}", first + timedelta(minutes=number), day)
        for number, text in enumerate(talk.said)
    ]
    rows = "".join(f"- {line}\n" for line in talk.lines)
    texts = {INDEX: f"# Memory\n\n## Notes {talk.told.line_day}\n{rows}"}
    return updated(texts, said).memory.notes[PurePosixPath(INDEX)].text.splitlines()


def became(talk: Talk) -> set[str]:
    """Return what the older line is called now, and `_OTHER` where another was marked as well."""
    found = set()
    for row in rows_after(talk):
        if word := next(
            (word for word in (PAST, OPEN) if f"{word}: " in row or f"{word} " in row), ""
        ):
            is_it = talk.told.line.rstrip(".") in row
            found.add(word if is_it and talk.told.new in row.split(word)[0] else _OTHER)
    return found


def counted(talks: Iterable[Talk]) -> Counter[str]:
    return Counter(word for talk in talks for word in became(talk))


def test_the_halves_are_what_they_claim_to_be() -> None:
    updates = (*long_talk.SEEN, *long_talk.HELD)
    others = (*long_talk.OTHERS_SEEN, *long_talk.OTHERS_HELD)
    assert len(long_talk.SEEN) == len(long_talk.HELD) == 50
    assert len(long_talk.OTHERS_SEEN) == len(long_talk.OTHERS_HELD) == 50
    assert all(len(talk.lines) == 7 and 2 <= len(talk.said) <= 4 for talk in (*updates, *others))
    assert all(
        talk.told.new in talk.told.said and talk.told.old in talk.told.line for talk in updates
    )
    assert all(talk.told.new and talk.told.new not in talk.told.line for talk in updates)
    assert not any(talk.told.new for talk in others)


def test_of_100_updates_in_long_talk_four_in_five_are_seen_and_no_other_line_is_marked() -> None:
    seen, held = counted(long_talk.SEEN), counted(long_talk.HELD)
    assert seen[PAST] >= 42
    assert held[PAST] >= 32
    assert seen[PAST] + seen[OPEN] + held[PAST] + held[OPEN] >= 87
    assert seen[_OTHER] + held[_OTHER] == 0


def test_of_100_look_alikes_in_long_talk_two_at_most_are_called_past() -> None:
    found = counted(chain(long_talk.OTHERS_SEEN, long_talk.OTHERS_HELD))
    assert found[PAST] <= 2
    assert found[OPEN] <= 7
    assert found[_OTHER] == 0


@pytest.mark.parametrize("told", long_talk.AGAIN, ids=lambda told: told.line)
def test_the_same_said_again_with_another_value_replaces_it(told: Told) -> None:
    (row,) = changes(told.line.rstrip("."), told.said)
    assert f" {PAST}" in row
    assert told.line.rstrip(".") in row


@pytest.mark.parametrize("told", long_talk.APART, ids=lambda told: told.said[:60])
def test_what_is_told_of_another_thing_calls_nothing_past(told: Told) -> None:
    assert not any(PAST in row for row in changes(told.line.rstrip("."), told.said))
