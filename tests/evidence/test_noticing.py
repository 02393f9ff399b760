"""What rules notice in a message is kept: each message is read by them once, and none is missed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dreamd.domain.attention import Attention
from dreamd.engine.rules import RulesEngine
from dreamd.evidence import noticing, schema
from dreamd.evidence.forgetting import forget
from dreamd.evidence.gathered import gathered
from tests.evidence.lights import read, reader
from tests.laptop import Laptop
from tests.spoken import say
from tests.transcripts.made import line, user, write

SECRET = "correct-horse-battery-9"
LOOMS, SHED = "Ada runs 3 looms.", "The shed is dry."


class Ears:
    """Notices each message in capitals, nothing in a shed, and remembers what it was given."""

    def __init__(self, version: bytes = b"1") -> None:
        self.heard: list[str] = []
        self.attention = Attention(version, self._notice)

    def _notice(self, text: str) -> str:
        self.heard.append(text)
        return "" if "shed" in text else text.upper()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "sessions" / "a.jsonl", user(LOOMS, 1), user(SHED, 2))
    return tmp_path / "sessions"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "home" / "evidence.db"


def noticed(db: Path, folder: Path, ears: Ears, *, writes: bool = True) -> Mapping[str, str]:
    """By the last figure of a message's id what was noticed in it."""
    spoken = reader(db.parent / "state", attention=ears.attention)
    found = gathered(db, [folder], spoken, writes=writes)
    assert found.remarks == ()
    return {message[-1]: each for message, each in found.noticed.items()}


def test_only_what_is_new_is_read_again(db: Path, folder: Path) -> None:
    ears = Ears()
    first = {"1": LOOMS.upper(), "2": ""}
    assert noticed(db, folder, ears) == first
    assert ears.heard == [LOOMS, SHED]
    assert noticed(db, folder, ears) == first
    with (folder / "a.jsonl").open("ab") as stream:
        stream.write(line(user("It has a door.", 3)))
    assert noticed(db, folder, ears) == first | {"3": "IT HAS A DOOR."}
    assert ears.heard == [LOOMS, SHED, "It has a door."]


def test_other_rules_read_all_again_and_nothing_of_the_former_stays(db: Path, folder: Path) -> None:
    noticed(db, folder, Ears())
    ears = Ears(b"2")
    assert noticed(db, folder, ears) == {"1": LOOMS.upper(), "2": ""}
    assert ears.heard == [LOOMS, SHED]
    connection = sqlite3.connect(db)
    assert connection.execute("SELECT version FROM noticed").fetchall() == [(b"2",), (b"2",)]
    connection.close()


def test_a_message_that_reads_otherwise_by_now_is_read_again(db: Path, folder: Path) -> None:
    noticed(db, folder, Ears())
    write(folder / "a.jsonl", user("Ada runs 4 looms.", 1), user(SHED, 2))
    ears = Ears()
    assert noticed(db, folder, ears)["1"] == "ADA RUNS 4 LOOMS."
    assert ears.heard == ["Ada runs 4 looms."]


def test_a_dry_run_notices_the_same_and_writes_nothing(db: Path, folder: Path) -> None:
    noticed(db, folder, Ears())
    with (folder / "a.jsonl").open("ab") as stream:
        stream.write(line(user("It has a door.", 3)))
    before = db.read_bytes()
    ears = Ears()
    assert noticed(db, folder, ears, writes=False)["3"] == "IT HAS A DOOR."
    assert ears.heard == ["It has a door."]
    assert db.read_bytes() == before


def test_evidence_of_the_first_form_is_read_without_its_transcripts(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.parent.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        read(db, folder)
    (folder / "a.jsonl").unlink()
    assert noticed(db, folder, Ears()) == {"1": LOOMS.upper(), "2": ""}


def test_who_breaks_off_in_the_middle_reads_the_rest_later(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticing, "_AT_ONCE", 2)
    write(folder / "b.jsonl", *(user(f"Loom {n} is red.", n) for n in range(3, 8)))
    ears = Ears()

    def notice(text: str) -> str:
        if len(ears.heard) == 3:
            raise InterruptedError
        return ears.attention.notice(text)

    spoken = reader(db.parent / "state", attention=Attention(b"1", notice))
    with pytest.raises(InterruptedError):
        gathered(db, [folder], spoken, writes=True)
    first, ears.heard = ears.heard, []
    found = noticed(db, folder, ears)
    assert len(found) == 7
    assert found["7"] == "LOOM 7 IS RED."
    assert len(first) == 3  # of which two were written down
    assert sorted({*first, *ears.heard}) == sorted([LOOMS, SHED, *(_reds())])
    assert len(ears.heard) == 5


def _reds() -> Iterator[str]:
    return (f"Loom {n} is red." for n in range(3, 8))


def test_forgetting_takes_out_what_was_noticed(db: Path, folder: Path) -> None:
    write(folder / "b.jsonl", user(f"The gate opens with {SECRET}.", 3))
    assert SECRET.upper() in noticed(db, folder, Ears())["3"]
    assert forget(db, [SECRET]) == 1
    beside = b"".join(each.read_bytes() for each in db.parent.glob("evidence.db*"))
    assert SECRET.upper().encode() not in beside
    assert noticed(db, folder, Ears()) == {"1": LOOMS.upper(), "2": ""}


def test_a_dream_by_rules_keeps_what_they_noticed_and_the_next_one_knows_it(
    tmp_path: Path,
) -> None:
    project = tmp_path / "home" / ".claude" / "projects" / "-home-dev-tidepool"
    laptop = Laptop(tmp_path / "home", project / "memory")
    say(project, "monday", "Remember that the staging port is 5433.", "Which test is flaky?")
    laptop.ok("dream", str(laptop.memory))
    (kept,) = (laptop.home / ".local/state/dreamd/stores").glob("*/evidence.db")
    connection = sqlite3.connect(kept)
    ((one, found), (two, nothing)) = connection.execute(
        "SELECT version, found FROM noticed ORDER BY message"
    ).fetchall()
    assert one == two == RulesEngine().attention.version
    assert ("5433" in found, nothing) == (True, "")
    # What the rules would find now is not asked: what was noticed stands.
    say(project, "tuesday", "Remember that the canary port is 6544.")
    connection.execute("UPDATE noticed SET found = replace(found, '5433', '7788')")
    connection.execute("UPDATE messages SET id = id || '-b'")  # no dream has drawn on it
    connection.commit()
    connection.close()
    laptop.ok("dream", str(laptop.memory))
    notes = "".join(each.read_text() for each in laptop.memory.glob("**/*.md"))
    assert [port in notes for port in ("5433", "6544", "7788")] == [True, True, True]
