"""What dreams know of the talk is kept, whatever becomes of the notes and the transcripts."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dreamd.evidence.store import copied
from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import say, session_id

PORT = "Remember that the staging database listens on port 5433."
SECRET = "Remember that the vault opens with marmalade-77-quartz."


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    home = tmp_path / "home"
    project = home / ".claude" / "projects" / "-home-dev-tidepool"
    say(project, "monday", PORT, "Which test is flaky?")
    return Laptop(home, project / "memory")


def evidence(laptop: Laptop) -> Path:
    (found,) = (laptop.home / ".local/state/dreamd/stores").glob("*/evidence.db")
    return found


def said(laptop: Laptop) -> list[str]:
    with copied(evidence(laptop)) as held:
        return [each.text for each in held.said()]


def notes(laptop: Laptop) -> str:
    return "\n".join(texts(laptop.memory).values())


def state(laptop: Laptop) -> dict[str, bytes]:
    folder = laptop.home / ".local/state/dreamd"
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def test_a_dream_keeps_what_was_said_and_a_dry_run_writes_nothing(laptop: Laptop) -> None:
    dry = laptop.json("dream", str(laptop.memory), "--dry-run")
    assert sum(each["added"] for each in dry["changes"]) > 0
    assert [name for name in state(laptop) if "evidence" in name] == []
    laptop.ok("dream", str(laptop.memory))
    assert said(laptop) == [PORT, "Which test is flaky?"]
    assert evidence(laptop).stat().st_mode & 0o777 == 0o600
    say(laptop.memory.parent, "tuesday", "Remember that Mira cuts the release.")
    before = state(laptop)
    dry = laptop.json("dream", str(laptop.memory), "--dry-run")
    assert sum(each["added"] for each in dry["changes"]) > 0
    assert state(laptop) == before


def test_what_was_said_outlives_its_transcript(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    laptop.ok("undo", "--memory", str(laptop.memory))
    kept = said(laptop)
    (laptop.memory.parent / f"{session_id('monday')}.jsonl").unlink()
    laptop.ok("dream", str(laptop.memory))
    assert said(laptop) == kept


def test_undo_moves_no_watermark_and_what_was_undone_does_not_come_back(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    assert "5433" in notes(laptop)
    with sqlite3.connect(evidence(laptop)) as connection:
        marks = connection.execute("SELECT * FROM watermarks").fetchall()
    laptop.ok("undo", "--memory", str(laptop.memory))
    laptop.ok("dream", str(laptop.memory))
    assert "5433" not in notes(laptop)
    with sqlite3.connect(evidence(laptop)) as connection:
        assert connection.execute("SELECT * FROM watermarks").fetchall() == marks
    connection.close()


def test_evidence_of_a_newer_dreamd_is_told_and_the_dream_goes_on(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    connection = sqlite3.connect(evidence(laptop))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = evidence(laptop).read_bytes()
    say(laptop.memory.parent, "tuesday", "Remember that Mira cuts the release.")
    laptop.ok("dream", str(laptop.memory))
    assert "Mira cuts the release" in notes(laptop)
    (last,) = laptop.json("log", "--memory", str(laptop.memory))["dreams"][:1]
    shown = laptop.ok("show", last["dream"])
    assert "written by a newer dreamd" in shown
    assert evidence(laptop).read_bytes() == before


def test_damaged_evidence_is_told_and_made_anew(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    kept = said(laptop)
    evidence(laptop).write_bytes(b"no database " * 999)
    dream = laptop.json("dream", str(laptop.memory))["dream"]
    assert "it was set aside as evidence.db.damaged-1" in laptop.ok("show", dream)
    assert said(laptop) == kept


def test_forget_reaches_the_evidence_and_what_was_set_aside(laptop: Laptop) -> None:
    say(laptop.memory.parent, "tuesday", SECRET, at="2026-05-12T09:00:00.000Z")
    laptop.ok("dream", str(laptop.memory))
    evidence(laptop).rename(evidence(laptop).with_name("evidence.db.damaged-1"))
    laptop.ok("dream", str(laptop.memory))
    assert b"marmalade" in b"".join(state(laptop).values())
    laptop.ok("forget", "marmalade-77-quartz", "--yes", "--memory", str(laptop.memory))
    laptop.ok("dream", str(laptop.memory))
    say(laptop.memory.parent, "copy", SECRET, at="2026-05-12T09:00:00.000Z")
    laptop.ok("dream", str(laptop.memory))
    assert [name for name, data in state(laptop).items() if b"marmalade" in data] == []
    assert said(laptop) == [PORT, "Which test is flaky?"]
    assert "marmalade" not in notes(laptop)


def test_what_stands_beside_a_preference_in_its_sentence_is_noted_too(tmp_path: Path) -> None:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    said = (
        "I've decided on Flask 2.3.1 for the shop in Ghent, and I prefer plain SQL over an ORM,"
        " and I'm targeting 250 ms for each of the 12 endpoints."
    )
    say(project, "one", said, "I'm building a shop for my sister, so I prefer few dependencies.")
    laptop = Laptop(tmp_path / "home", project / "memory")
    laptop.ok("dream", str(laptop.memory))
    whole = "\n".join(texts(laptop.memory).values())
    assert "- I prefer plain SQL over an ORM. (2026-05-11)" in whole
    assert "- I prefer few dependencies. (2026-05-11)" in whole
    for fact in ("Flask 2.3.1", "12 endpoints", "for my sister"):
        assert fact in whole
    before = texts(laptop.memory)
    laptop.ok("dream", str(laptop.memory))
    assert texts(laptop.memory) == before


def test_what_follows_a_preference_in_its_sentence_begins_with_who_does_it(tmp_path: Path) -> None:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    said = "I prefer bond funds for a steady yield, and I've put 1,500 into Ghent water bonds."
    say(project, "one", said)
    laptop = Laptop(tmp_path / "home", project / "memory")
    laptop.ok("dream", str(laptop.memory))
    rows = [row for text in texts(laptop.memory).values() for row in text.splitlines()]
    assert "- I prefer bond funds for a steady yield. (2026-05-11)" in rows
    assert "- I've put 1,500 into Ghent water bonds. (2026-05-11)" in rows


def test_what_stands_before_an_asked_sentence_is_noted_without_it(tmp_path: Path) -> None:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    habit = "I always prefer when you give me numbered lists."
    say(project, "one", f"We want to include patients aged 55-80 in our trial. {habit}")
    laptop = Laptop(tmp_path / "home", project / "memory")
    laptop.ok("dream", str(laptop.memory))
    rows = [row for text in texts(laptop.memory).values() for row in text.splitlines()]
    assert f"- {habit} (2026-05-11)" in rows
    assert "- We want to include patients aged 55-80 in our trial. (2026-05-11)" in rows
