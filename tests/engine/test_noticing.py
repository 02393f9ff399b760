"""What the rules wrote down of a message is read back as what they would find in it again."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

import pytest

import dreamd
from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules import RulesEngine, noticing
from dreamd.engine.rules.gather.claim import claims
from dreamd.engine.rules.noticing import Noticing
from dreamd.engine.rules.plain import maker, plain
from dreamd.engine.rules.updates.denials import Denial, denials
from dreamd.engine.rules.updates.statements import Statement, statements
from dreamd.engine.rules.updates.switches import Switch, switches

TALK = (
    "Remember that the staging database listens on port 5433. Also, I prefer tabs over spaces.",
    "The budget for the kiln was raised from $300 to $450, and we now have 12 looms.",
    "We switched from Figma to Penpot for the mockups. The deadline moved to March 14, 2026.",
    "Our cache limit is now 40%. Mira's review takes 3 hours these days, naïve, but “fine”.",
    "How do I sort a list?",
    "Always squash commits before merging. No, not the old port, the new port is 8443.",
    "We stopped using npm. I increased the timeout from 20 to 35 seconds!",
    "The cat sleeps.",
    "I've never used Kafka for the tide tables, and there are no tests for the harbour map.",
)
DAY = date(2026, 3, 4)
SAID = tuple(
    PersonSaid(text, "5e55", f"m{n}", datetime(2026, 3, 4, 9, n, tzinfo=UTC), DAY)
    for n, text in enumerate(TALK)
)


def written() -> dict[str, str]:
    """What is kept of each message: it passes through nothing but text."""
    attention = RulesEngine().attention
    return {each.message: attention.notice(each.text) for each in SAID}


def told(said: Sequence[PersonSaid]) -> list[Statement | Switch | Denial]:
    """What the rules find by themselves, in the order in which it was said."""
    found: list[Statement | Switch | Denial] = [
        *statements(said),
        *switches(said),
        *denials(said),
    ]
    return sorted(found, key=lambda each: each.number)


def test_what_was_written_down_says_what_the_rules_find(monkeypatch: pytest.MonkeyPatch) -> None:
    news = told(SAID)
    asked = list(claims(SAID))
    assert len(asked) >= 3
    assert len(news) >= 6
    kept = written()
    assert kept["m4"] == kept["m7"] == ""
    assert all(each.isascii() for each in kept.values())
    for known in ({}, {"m1": kept["m1"]}):
        assert Noticing(known).news(SAID) == news
    monkeypatch.setattr(noticing, "_notice", pytest.fail)  # from here on nothing is read anew
    noticed = Noticing(kept)
    assert list(noticed.claims(SAID)) == asked
    assert noticed.news(SAID) == news
    assert noticed.news(SAID[3:]) == told(SAID[3:])


def test_other_rules_have_another_version(tmp_path: Path) -> None:
    shutil.copytree(Path(dreamd.__path__[0]), tmp_path / "dreamd")

    def version() -> str:
        code = "from dreamd.engine.rules.noticing import attention as a; print(a().version.hex())"
        words = [sys.executable, "-c", code]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    first = version()
    assert first == RulesEngine().attention.version.hex()
    with (tmp_path / "dreamd/domain/prose/speech.py").open("a") as stream:
        stream.write("# another word\n")
    assert version() != first


class Tone(StrEnum):
    LOUD = "loud"


@dataclass(frozen=True, slots=True)
class Leaf:
    tone: Tone
    said: PersonSaid


@dataclass(frozen=True, slots=True)
class Note:
    words: frozenset[str]
    parts: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    size: int | None
    length: int | None
    leaf: Leaf | None
    none: Leaf | None


def test_values_are_plain_and_come_back() -> None:
    leaf = Leaf(Tone.LOUD, SAID[0])
    note = Note(frozenset({"ü", "a"}), ("x", "y"), (leaf, leaf), 3, None, leaf, None)
    make = maker(Note)
    assert make is not None
    back = make(json.loads(json.dumps(plain(note))), SAID[0])
    assert back == note
    assert isinstance(back.leaf.tone, Tone)
    with pytest.raises(TypeError, match="cannot be written down"):
        plain(DAY)
    with pytest.raises(TypeError, match="cannot be written down"):
        maker(date)
