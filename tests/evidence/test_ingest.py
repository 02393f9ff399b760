"""Each message enters the evidence once, whatever happens while it is read."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.evidence.forgetting import forget
from dreamd.evidence.ingest import gathered
from dreamd.evidence.store import opened
from dreamd.host.clock import CpuBudget
from tests.evidence.kept import kept, read, reader, texts
from tests.transcripts.made import assistant, line, said, user, write

ROOT = Path(__file__).parents[2]


def test_only_what_people_type_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1), assistant(said("Paint them."), 2))
    read(tmp_path / "evidence.db", folder)
    assert texts(tmp_path / "evidence.db") == ["Ada runs 3 looms."]


def test_reading_again_adds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    write(folder / "a.jsonl", user("The roof is new.", 1), user("It was dear.", 2))
    read(tmp_path / "evidence.db", folder)
    first = kept(tmp_path / "evidence.db")
    assert read(tmp_path / "evidence.db", folder).bytes == 0
    assert kept(tmp_path / "evidence.db") == first


@pytest.mark.parametrize("seed", range(8))
def test_growing_transcripts_agree_with_a_dict(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    oracle: dict[int, str] = {}
    for number in range(60):
        file = folder / f"{chance.randrange(4)}.jsonl"
        record = line(user(f"Loom {number} weaves cloth.", number))
        file.parent.mkdir(exist_ok=True)
        with file.open("ab") as stream:
            stream.write(record)
        oracle[number] = f"Loom {number} weaves cloth."
        if chance.random() < 0.3:
            read(path, folder, part=chance.choice([200, 1_500, 1 << 20]))
    read(path, folder)
    assert sorted(texts(path)) == sorted(oracle.values())


def test_killed_at_any_statement_nothing_is_lost_and_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    first = [user("Ada runs 3 looms.", 1), assistant(said("Paint the small one."), 2)]
    grown = write(folder / "a.jsonl", *first, mtime=1_700_000_000)
    write(folder / "b.jsonl", user("The shed is dry.", 3), mtime=1_700_000_001)
    read(tmp_path / "evidence.db", folder)
    with grown.open("ab") as stream:
        stream.write(b"".join(line(user(f"Loom {n} is red.", 50 + n)) for n in range(5)))
    write(folder / "b.jsonl", user("The shed is wet.", 3), mtime=1_700_000_002)
    write(folder / "c.jsonl", *first, user("It has a door.", 5), mtime=1_700_000_003)
    done = subprocess.run(
        [sys.executable, "-m", "tests.evidence.struck", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=ROOT,
    )
    *rows, last = done.stdout.split("\n")[:-1]
    assert int(last.removeprefix("all ")) == len(rows) > 20
    assert [row for row in rows if not row.endswith(" True")] == []
    found = sorted(texts(tmp_path / "evidence.db"))
    looms = [f"Loom {n} is red." for n in range(5)]
    assert found == sorted(["Ada runs 3 looms.", "The shed is wet.", "It has a door.", *looms])


def test_two_processes_at_once_take_nothing_twice(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    for session in range(4):
        rows = [user(f"Loom {session} {n} is red.", 1_000 * session + n) for n in range(200)]
        write(folder / f"{session}.jsonl", *rows)
    code = (
        "import sys; from pathlib import Path; from tests.evidence.kept import read; "
        "home = Path(sys.argv[1]); read(home / 'evidence.db', home / 'sessions', part=3000)"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    children = [subprocess.Popen(words, cwd=ROOT) for _ in range(2)]
    assert [each.wait(60) for each in children] == [0, 0]
    found = texts(tmp_path / "evidence.db")
    assert len(found) == len(set(found)) == 800


def test_without_cpu_time_left_reading_stops_and_goes_on_the_next_time(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    for session in range(3):
        write(folder / f"{session}.jsonl", user(f"Loom {session} is red.", session))
    first = read(path, folder, budget=CpuBudget(0))
    assert "the rest is read next time" in first.unread[-1].reason
    assert len(texts(path)) < 3
    assert read(path, folder).unread == ()
    assert len(texts(path)) == 3


def test_each_engine_knows_which_messages_it_has_not_read(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    write(folder / "a.jsonl", *(user(f"Loom {n} is red.", n) for n in range(4)))
    read(path, folder)
    with opened(path) as evidence:
        ids = evidence.unread("rules").messages
        assert len(ids) == 4
        evidence.read("model", [ids[3], ids[1]])  # the first and the third had no room
        assert evidence.unread("model") == ((ids[0], ids[2]), 2)
        assert evidence.unread("rules") == (ids, 0)
        evidence.read("rules", ids)
        assert evidence.unread("rules") == ((), 0)
    write(folder / "b.jsonl", user("Loom 5 is blue.", 9))
    read(path, folder)
    with opened(path) as evidence:
        new = evidence.unread("rules").messages
        assert evidence.unread("model") == ((ids[0], ids[2], *new), 2)
        evidence.read("model", [])  # a dream that showed nothing
        assert evidence.unread("model") == ((ids[0], ids[2], *new), 2)
        evidence.read("model", [*new, ids[0]])
        assert evidence.unread("model") == ((ids[2],), 1)
        tip, rows = evidence.tip(), "DELETE FROM messages"
        evidence.connection.execute(rows)  # as of a session that turns out to be a dream's own
    write(folder / "c.jsonl", user("Loom 6 is green.", 10))
    read(path, folder)
    with opened(path) as evidence:
        assert len(evidence.unread("model").messages) == 1, "no number is used twice"
        assert evidence.tip() != tip


def test_damaged_evidence_is_set_aside_and_made_anew(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    write(folder / "a.jsonl", user("The roof is new.", 1))
    path.write_bytes(b"no database" * 500)
    found = gathered(path, [folder], reader(tmp_path / "state"), writes=True)
    assert [each.text for each in found.said] == ["The roof is new."]
    assert "set aside" in found.remarks[0]
    assert texts(path) == ["The roof is new."]


def test_of_evidence_that_a_newer_dreamd_wrote_only_the_transcripts_are_read(
    tmp_path: Path,
) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    write(folder / "a.jsonl", user("The roof is new.", 1))
    read(path, folder)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for writes in (True, False):
        found = gathered(path, [folder], reader(tmp_path / "state"), writes=writes)
        assert [each.text for each in found.said] == ["The roof is new."]
        assert "written by a newer dreamd" in found.remarks[0]
        assert found.remarks[0].endswith("only the transcripts were read")


def test_without_writes_nothing_on_disk_changes(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    write(folder / "a.jsonl", user("The roof is new.", 1))
    found = gathered(path, [folder], reader(tmp_path / "state"), writes=False)
    assert len(found.said) == 1
    assert not path.exists()


def test_forgetting_leaves_no_byte_and_reading_again_brings_nothing_back(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    write(folder / "a.jsonl", user("The vault is behind the clock.", 1), user("It rains.", 2))
    read(path, folder)
    assert forget(path, ["behind the clock"]) == 1
    write(folder / "b.jsonl", user("The vault is behind the clock.", 1))
    read(path, folder)
    assert texts(path) == ["It rains."]
    for each in tmp_path.glob("evidence.db*"):
        assert b"behind the clock" not in each.read_bytes()


def test_a_copy_of_what_was_forgotten_brings_nothing_back(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    said = [user("The vault is behind the clock.", number) for number in (2, 1)]
    write(folder / "a.jsonl", *said)
    read(path, folder, forgotten=frozenset({said[1]["uuid"]}))
    assert texts(path) == []


@pytest.mark.parametrize("part", [1, 1 << 20])
def test_a_message_has_the_end_of_the_answer_before_it(tmp_path: Path, part: int) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    calls = [{"type": "tool_use", "id": "toolu_01", "name": "Read", "input": {}}]
    spoken = [
        user("Set the timeout.", 1),
        assistant(said("I read the notes. " * 40 + f"With {key} the timeout is 10 s."), 2),
        assistant(calls, 3),
        user("It is 25 s by now.", 4),
        user("And thanks.", 5),
    ]
    write(folder / "a.jsonl", *spoken[:3])
    read(path, folder, part=part)
    write(folder / "a.jsonl", *spoken)
    read(path, folder, part=part)
    first, second, third = (each.before for each in kept(path))
    assert first == third == ""
    assert second.endswith("the timeout is 10 s.")
    assert len(second) <= 400
    assert key not in second


def test_forgetting_takes_out_what_the_assistant_said_before_a_message(tmp_path: Path) -> None:
    folder, path = tmp_path / "sessions", tmp_path / "evidence.db"
    answer = assistant(said("The vault is behind the clock."), 1)
    write(folder / "a.jsonl", answer, user("It is gone.", 2), user("It rains.", 3))
    read(path, folder)
    assert forget(path, ["behind the clock"]) == 1
    assert texts(path) == ["It rains."]
    for each in tmp_path.glob("evidence.db*"):
        assert b"behind the clock" not in each.read_bytes()
