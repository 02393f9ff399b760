"""Transcripts go into the evidence exactly once, whatever their client does to them."""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.evidence import ClaimKind, Query, Snippet, Trust
from dreamd.domain.heard import Turn
from dreamd.evidence import ingest as ingesting
from dreamd.evidence import watermarks
from dreamd.evidence.store import copied, opened
from dreamd.evidence.watermarks import Look, Watermark, is_untouched, read_on
from dreamd.transcripts import lines
from tests.evidence.lights import by_sentence, held, picture, read, reader, statements
from tests.transcripts.made import OTHER, assistant, line, result, said, user, write

GROWING = "The build takes 9 minutes."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sessions").mkdir()
    return tmp_path / "sessions"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "evidence.db"


def fresh(db: Path, folder: Path, **more: Any) -> tuple[Any, ...]:
    """What evidence made at once from these transcripts says: the oracle."""
    other = db.with_name("oracle.db")
    other.unlink(missing_ok=True)
    read(other, folder, **more)
    return held(other)


def at(second: int) -> str:
    return f"2026-03-04T10:{second // 60:02}:{second % 60:02}.000Z"


def test_what_is_said_and_asked_comes_back_as_it_was_found(db: Path, folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms. Which one is blue?", 7))
    done = read(db, folder)
    assert (done.files, done.unread, done.damaged) == (1, (), 0)
    with copied(db) as evidence:
        (snippet,) = evidence.snippets()
        (query,) = evidence.queries()
        (person,) = evidence.said()
    assert (snippet.statement, snippet.kind) == ("Ada runs 3 looms.", ClaimKind.FACT)
    assert snippet.quote == person.text == "Ada runs 3 looms. Which one is blue?"
    assert (snippet.value, snippet.tags) == ("3", ("ada", "runs", "3", "looms"))
    assert query.text == "Which one is blue?"
    for one in (snippet, query, person):
        assert one.message == "00000000-0000-4000-8000-000000000007"
        assert one.at is not None
        assert one.at.isoformat() == "2026-03-04T10:11:12.345000+00:00"
        assert one.day in {date(2026, 3, 4), date(2026, 3, 5), date(2026, 3, 3)}


def test_reading_twice_changes_no_byte_and_opens_no_transcript(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1), assistant(said("Noted."), 2))
    read(db, folder)
    before = held(db)

    def none_is_opened(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ingesting, "stretch", none_is_opened)
    monkeypatch.setattr(ingesting, "still_stands", none_is_opened)
    assert read(db, folder).bytes == 0
    assert held(db) == before


def test_the_database_and_what_stands_beside_it_are_private(db: Path, folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1))
    umask = os.umask(0)
    try:
        with opened(db) as evidence:
            ingesting.ingest(evidence, [folder], reader(db.parent))
            modes = {each.name: each.stat().st_mode & 0o777 for each in db.parent.glob("evid*")}
    finally:
        os.umask(umask)
    assert modes.keys() > {"evidence.db"}
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize("step", [1, 2, 3, 7, 50])
def test_a_file_that_grows_by_so_many_bytes_at_a_time_is_read_once(
    db: Path, folder: Path, step: int
) -> None:
    records = [
        user("Ada runs 3 looms. Which one is blue?", 1, timestamp=at(1)),
        assistant(said("Paint the small one blue."), 2, timestamp=at(2)),
        result("Tool output. It says nothing.", 3, timestamp=at(3)),
        user("Deal. The shed is öd.", 4, timestamp=at(4)),
        user("Ada runs 3 looms.", 5, timestamp=at(5)),
    ]
    data = b"".join(map(line, records))
    path = folder / "a.jsonl"
    sizes = range(0, len(data), step * 37)
    for size in [*sizes, len(data)]:
        path.write_bytes(data[:size])  # the same inode, longer by a part of a line
        done = read(db, folder)
        assert done.damaged == 0
    assert held(db) == fresh(db, folder)
    assert [s.statement for s in held(db)[1]] == [
        "Ada runs 3 looms.",
        "Paint the small one blue.",
        "The shed is öd.",
        "Ada runs 3 looms.",
    ]


def test_only_what_is_new_is_read_of_a_file_that_grew(db: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", *(user(f"Loom {n} is red.", n) for n in range(200)))
    first = read(db, folder)
    assert first.bytes == path.stat().st_size
    with path.open("ab") as stream:
        stream.write(new := line(user(GROWING, 999)))
    assert read(db, folder).bytes == len(new)
    assert statements(db).count(GROWING) == 1
    assert len(statements(db)) == 201


def test_an_answer_is_seen_by_who_takes_it_up_in_the_next_part(db: Path, folder: Path) -> None:
    path = write(
        folder / "a.jsonl", user("Which one?", 1), assistant(said("Take the blue loom."), 2)
    )
    read(db, folder)
    with path.open("ab") as stream:
        stream.write(line(user("Deal.", 3)))
    read(db, folder)
    with copied(db) as evidence:
        (snippet,) = evidence.snippets()
    assert (snippet.kind, snippet.speaker) == (ClaimKind.ADVICE, "assistant")
    assert Trust.of(snippet.speaker) is Trust.ACCEPTED
    assert snippet.message.endswith("02")


def test_a_last_line_without_its_end_is_heard_and_heard_once(db: Path, folder: Path) -> None:
    whole = line(user("Ada runs 3 looms.", 1))
    path = folder / "a.jsonl"
    path.write_bytes(whole + line(user(GROWING, 2)).rstrip())
    read(db, folder)
    assert statements(db) == ["Ada runs 3 looms.", GROWING]
    with path.open("ab") as stream:
        stream.write(b"\n" + line(user("The shed is dry.", 3)))
    read(db, folder)
    assert statements(db) == ["Ada runs 3 looms.", GROWING, "The shed is dry."]


def rewritten(folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 4 looms.", 1), user("The shed is dry.", 2))


def truncated(folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1))


def replaced(folder: Path) -> None:
    write(folder / "new", user("The shed is dry.", 5), user("It has a door.", 6)).rename(
        folder / "a.jsonl"
    )


def of_the_same_size(folder: Path) -> None:
    path = folder / "a.jsonl"
    path.write_bytes(path.read_bytes().replace(b"3 looms", b"8 looms"))


def in_its_middle(folder: Path) -> None:
    lines = (folder / "a.jsonl").read_bytes().splitlines(keepends=True)
    write(folder / "a.jsonl", lines[0], user("The shed is dry.", 9), *lines[1:])


@pytest.mark.parametrize(
    "change", [rewritten, truncated, replaced, of_the_same_size, in_its_middle]
)
def test_a_file_that_is_no_longer_what_it_was_is_read_anew(
    db: Path, folder: Path, change: Any
) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1), user(GROWING, 2), mtime=1_700_000_000)
    read(db, folder)
    change(folder)
    os.utime(folder / "a.jsonl", (1_700_000_600, 1_700_000_600))
    read(db, folder)
    now = fresh(db, folder)
    for kept, expected in zip(held(db), now, strict=True):
        assert set(kept) >= set(expected)
    messages = {each.message for each in now[0]}
    gone = [each for each in held(db)[1] if each.message in messages and each not in now[1]]
    assert gone == []  # of a message that stands there, only what it says now
    with copied(db) as evidence:
        known = {each.statement for claim in evidence.matching("3 looms") for each in claim}
        ((claims,),) = evidence.connection.execute("SELECT count(*) FROM claims")
    assert known <= {each.statement for each in held(db)[1]}
    assert claims == len({each.statement for each in held(db)[1]})  # and none that nobody said


def test_what_was_said_in_a_transcript_that_is_gone_stays(db: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", user("Ada runs 3 looms.", 1))
    read(db, folder)
    before = held(db)
    path.unlink()
    read(db, folder)
    assert held(db) == before


def test_a_forked_session_repeats_nothing(db: Path, folder: Path) -> None:
    shared = [user("Ada runs 3 looms.", 1, timestamp=at(1)), user(GROWING, 2, timestamp=at(2))]
    write(folder / "a.jsonl", *shared, mtime=1_700_000_000)
    read(db, folder)
    copies = [record | {"sessionId": OTHER} for record in shared]
    added = user("The shed is dry.", 3, sessionId=OTHER, timestamp=at(3))
    write(folder / "b.jsonl", *copies, added, mtime=1_700_000_600)
    read(db, folder)
    assert statements(db) == ["Ada runs 3 looms.", GROWING, "The shed is dry."]
    assert len(held(db)[0]) == 3


def test_a_copy_under_new_ids_repeats_nothing_but_what_is_said_again_counts(
    db: Path, folder: Path
) -> None:
    write(folder / "a.jsonl", user(GROWING, 1, timestamp=at(1)), mtime=1_700_000_000)
    write(folder / "b.jsonl", user(GROWING, 2, timestamp=at(1), sessionId=OTHER))
    write(folder / "c.jsonl", user(GROWING, 3, timestamp=at(9), sessionId=OTHER))
    read(db, folder)
    with copied(db) as evidence:
        assert [each.message[-1] for each in evidence.snippets()] == ["1", "3"]


def test_sessions_of_dreamd_itself_are_none(db: Path, folder: Path) -> None:
    inside = str(db.parent / "state" / "stores" / "x")
    write(
        folder / "a.jsonl",
        user("Ada runs 3 looms.", 1, cwd="/home/ada"),
        user("I consolidate the notes.", 2, cwd=inside),
    )
    write(folder / "b.jsonl", user("The shed is dry.", 3, sessionId=OTHER))
    read(db, folder, part=1)
    assert statements(db) == ["The shed is dry."]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_blocks_no_other(db: Path, folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1)).chmod(0)
    write(folder / "b.jsonl", user("The shed is dry.", 2))
    done = read(db, folder)
    assert [each.path.name for each in done.unread] == ["a.jsonl"]
    assert statements(db) == ["The shed is dry."]


def test_a_bad_file_blocks_no_other_and_is_told(db: Path, folder: Path) -> None:
    os.mkfifo(folder / "a.jsonl")
    write(folder / "b.jsonl", b"\0\0\0{ nothing\n", user("The shed is dry.", 2), b"\xff{\n")
    (folder / "c.jsonl").mkdir()
    (folder / "d.jsonl").symlink_to(folder / "nowhere")
    write(folder / "e.jsonl", user("Ada runs 3 looms.", 3))
    done = read(db, folder)
    assert {each.path.name: each.reason for each in done.unread} == {
        "a.jsonl": "not a regular file",
        "c.jsonl": "not a regular file",
    }
    assert sorted(statements(db)) == ["Ada runs 3 looms.", "The shed is dry."]


def test_a_short_session_is_read_beside_long_ones(db: Path, folder: Path) -> None:
    for number in range(3):
        many = (user(f"Loom {n} is red.", 1000 * number + n) for n in range(300))
        write(folder / f"{number}.jsonl", *many, mtime=1_700_000_000 + number)
    write(folder / "short.jsonl", user(GROWING, 9999), mtime=1_600_000_000)
    read(db, folder, part=2_000)
    assert statements(db).count(GROWING) == 1


def test_a_message_with_a_text_that_was_forgotten_is_not_learned_again(
    db: Path, folder: Path
) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1), user("The code is 4711.", 2))
    read(db, folder, forgotten={"00000000-0000-4000-8000-000000000002"})
    assert statements(db) == ["Ada runs 3 looms."]
    assert b"4711" not in db.read_bytes()


def test_a_new_version_of_the_reader_reads_all_again_and_replaces(db: Path, folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms. Which one is blue?", 1))
    read(db, folder)
    read(db, folder, version=2, light=lambda turns: (q for q in by_sentence(turns) if 0))
    assert held(db)[1:] == ((), ())
    assert len(held(db)[0]) == 1
    read(db, folder, version=3)
    assert held(db) == fresh(db, folder)


def test_two_parts_or_one_it_is_the_same_evidence(db: Path, folder: Path) -> None:
    chance = random.Random(3)
    words = ["Deal.", "Ada runs 3 looms.", "Which one?", GROWING, "The shed is dry.", "No."]
    records: list[Any] = []
    for number in range(120):
        text = " ".join(chance.sample(words, chance.randint(1, 3)))
        make = user if chance.random() < 0.5 else assistant
        content: Any = text if make is user else said(text)
        records.append(make(content, number, timestamp=at(number)))
    path = write(folder / "a.jsonl", *records)
    one = fresh(db, folder)
    for part in (1, 700, 5_000):
        db.unlink(missing_ok=True)
        read(db, folder, part=part)
        assert held(db) == one
    db.unlink()
    data = path.read_bytes()
    for size in itertools.accumulate([chance.randint(1, 3_000) for _ in range(60)]):
        path.write_bytes(data[:size])
        read(db, folder, part=chance.randint(1, 4_000))
    path.write_bytes(data)
    read(db, folder)
    assert held(db) == one


def test_a_line_beyond_all_measure_is_passed_over(
    db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_LONGEST", 1_000)
    monkeypatch.setattr(lines, "_HEAD", 100)
    huge = user("Too long. " * 500, 1)
    path = write(folder / "a.jsonl", user("Ada runs 3 looms.", 2), huge, user(GROWING, 3))
    assert read(db, folder).bytes == path.stat().st_size
    with path.open("ab") as stream:
        stream.write(line(huge) + line(user("The shed is dry.", 4)))
    read(db, folder)
    assert statements(db) == ["Ada runs 3 looms.", GROWING, "The shed is dry."]


def test_a_slower_process_does_not_move_a_watermark_back(db: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", user("Ada runs 3 looms.", 1))

    def overtaken(turns: Iterable[Turn]) -> Iterator[Snippet | Query]:
        if not marks:
            with path.open("ab") as stream:
                stream.write(line(user(GROWING, 2)))
        read(db, folder)  # what another process does, while this one listens
        with copied(db) as evidence:
            marks.append(watermarks.of(evidence.connection, path))
        yield from by_sentence(turns)

    marks: list[Watermark | None] = []
    with opened(db) as evidence:
        ingesting.ingest(evidence, [folder], reader(db.parent, light=overtaken))
        assert watermarks.of(evidence.connection, path) == marks[0]
    assert len(marks) == 1
    assert statements(db) == ["Ada runs 3 looms.", GROWING]


def test_a_copied_folder_of_transcripts_repeats_nothing(db: Path, folder: Path) -> None:
    write(folder / "a.jsonl", user("Ada runs 3 looms.", 1), user(GROWING, 2))
    read(db, folder)
    before = held(db)
    moved = folder.with_name("moved")
    shutil.copytree(folder, moved)
    read(db, moved)
    assert held(db) == before


LOOK = Look(7, 100, 5)
MARK = Watermark(1, LOOK, until=90, resume=40)


@pytest.mark.parametrize(
    ("look", "reader_version", "stands", "untouched", "on"),
    [
        (LOOK, 1, True, True, False),
        (LOOK, 2, True, False, False),
        (Look(7, 140, 6), 1, True, False, True),
        (Look(7, 140, 6), 1, False, False, False),
        (Look(7, 140, 6), 2, True, False, False),
        (Look(8, 140, 6), 1, True, False, True),
        (Look(7, 100, 6), 1, True, False, False),
        (Look(8, 100, 5), 1, True, False, False),
        (Look(7, 60, 6), 1, False, False, False),
    ],
)
def test_where_to_read_on(
    look: Look, reader_version: int, stands: bool, untouched: bool, on: bool
) -> None:
    assert is_untouched(MARK, look, reader_version) is untouched
    assert read_on(MARK, look, reader_version, tail_stands=stands) is on


def test_claims_are_found_by_their_words_with_and_without_an_index(db: Path, folder: Path) -> None:
    write(
        folder / "a.jsonl",
        user("The blue loom stands in the shed. The shed is dry.", 1, timestamp=at(1)),
        user("Ada sells cloth. The blue loom stands in the shed.", 2, timestamp=at(2)),
        user("織機は納屋にある.", 3, timestamp=at(3)),
    )
    read(db, folder)
    with copied(db) as evidence:
        assert evidence.has_index
        plain = type(evidence)(evidence.connection, evidence.path, has_index=False)
        for one in (evidence, plain):
            found = one.matching('blue "loom" shed')
            assert [len(each) for each in found] == [2, 1]
            assert found[0][0].statement == "The blue loom stands in the shed."
            ((snippet,),) = one.matching("織機")
            assert snippet.statement.startswith("織機")
            assert one.matching("?") == ()
        assert picture(evidence) == held(db)


def test_short_sessions_are_written_down_together(db: Path, folder: Path) -> None:
    for number in range(30):
        write(folder / f"{number}.jsonl", user(f"Loom {number} is red.", 500 + number))
    sent: list[str] = []
    with opened(db) as evidence:
        evidence.connection.set_trace_callback(sent.append)
        ingesting.ingest(evidence, [folder], reader(db.parent / "state"))
        assert sent.count("COMMIT") == 1
        assert len({each.message for each in evidence.said()}) == 30
        sent.clear()
        ingesting.ingest(evidence, [folder], reader(db.parent / "state"))
        assert "COMMIT" not in sent
