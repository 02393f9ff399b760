"""A journal is whole or absent, and says what it said whatever the names are."""

from __future__ import annotations

import errno
import os
from pathlib import Path, PurePosixPath

import pytest

from dreamd.errors import HostError
from dreamd.host import files
from dreamd.memory import journal
from dreamd.memory.journal import Journal, Line

NAMES = ["a.md", "team/b.md", "new\nline.md", 'q"\\.md', os.fsdecode(b"\xff\xfe/\xed\xa0\x80.md")]
HEADER = {"receipt": {"dream": "d1", "changes": [1, None]}, "text": "\u2028 ü"}


def line(name: str, number: int = 1) -> Line:
    return Line(
        PurePosixPath(name),
        "a" * 40,
        None if number % 2 else "b" * 40,
        f".dreamd-{number}-{'b' * 12}.tmp",
        0o640,
        1_700_000_000_123_456_789,
        was_link=True,
    )


LINES = tuple(line(name, number) for number, name in enumerate(NAMES))
WRITTEN = Journal(HEADER, LINES, (PurePosixPath(os.fsdecode(b"gone\xff")),))


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    journal.write(tmp_path / "journal", "d1", WRITTEN)
    assert journal.read(tmp_path / "journal", "d1") == WRITTEN
    assert [os.fsencode(str(each.path)) for each in WRITTEN.lines] == [
        os.fsencode(str(each.path)) for each in journal.read(tmp_path / "journal", "d1").lines
    ]
    assert journal.waiting(tmp_path / "journal") == ["d1"]
    assert [file.name for file in (tmp_path / "journal").iterdir()] == ["d1.jsonl"]


def test_the_first_line_is_the_header_and_each_path_has_its_own(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", WRITTEN)
    text = (tmp_path / "d1.jsonl").read_bytes()
    assert text.isascii()
    assert text.count(b"\n") == 1 + len(LINES) + 1
    assert text.splitlines()[0].startswith(b'{"header":')


def test_the_last_line_of_a_path_counts(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", WRITTEN)
    amended = line(NAMES[2], 9)
    journal.amend(tmp_path, "d1", amended)
    seen = journal.read(tmp_path, "d1")
    assert seen.lines == (*LINES, amended)
    assert list(seen.latest) == [each.path for each in LINES], "in the order of the commit"
    assert seen.latest[PurePosixPath(NAMES[2])] == amended


def test_what_was_swapped_is_not_pending(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", WRITTEN)
    assert journal.read(tmp_path, "d1").pending == LINES
    journal.mark_swapped(tmp_path, "d1")
    assert journal.read(tmp_path, "d1").pending == ()
    amended = line(NAMES[2], 9)
    journal.amend(tmp_path, "d1", amended)
    assert journal.read(tmp_path, "d1").pending == (amended,)
    journal.mark_swapped(tmp_path, "d1")
    assert journal.read(tmp_path, "d1").pending == ()


def test_a_last_line_torn_anywhere_does_not_count_and_makes_room(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", WRITTEN)
    before = (tmp_path / "d1.jsonl").read_bytes()
    journal.amend(tmp_path, "d1", line(NAMES[4], 9))
    after = (tmp_path / "d1.jsonl").read_bytes()
    for size in range(len(before), len(after)):
        (tmp_path / "d1.jsonl").write_bytes(after[:size])
        assert journal.read(tmp_path, "d1") == WRITTEN
    journal.mark_swapped(tmp_path, "d1")
    assert journal.read(tmp_path, "d1").swapped == len(LINES)


@pytest.mark.parametrize("damage", [b"", b"\n", b"[]\n", b"{}\n", b'{"header":{}}\nnonsense\n'])
def test_a_damaged_journal_is_named_and_left(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "d1.jsonl").write_bytes(damage)
    with pytest.raises(HostError, match=r"d1\.jsonl is damaged"):
        journal.read(tmp_path, "d1")
    assert (tmp_path / "d1.jsonl").read_bytes() == damage


def test_where_no_journal_is_none_waits(tmp_path: Path) -> None:
    assert journal.waiting(tmp_path / "none") == []
    (tmp_path / ".dreamd-0123456789ab.new").write_bytes(b"half a journal")
    (tmp_path / ".dreamd-0123456789ab.jsonl").write_bytes(b"")
    assert journal.waiting(tmp_path) == []
    with pytest.raises(HostError, match="cannot read the journal"):
        journal.read(tmp_path, "d1")


def test_a_removed_journal_is_gone_and_removing_it_again_is_no_fault(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", WRITTEN)
    journal.write(tmp_path, "d2", WRITTEN)
    journal.remove(tmp_path, "d1")
    journal.remove(tmp_path, "d1")
    assert journal.waiting(tmp_path) == ["d2"]
    journal.remove(tmp_path / "none", "d1")


def test_a_journal_that_cannot_be_written_does_not_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "replace", full)
    with pytest.raises(HostError, match="cannot write the journal"):
        journal.write(tmp_path, "d1", WRITTEN)
    assert journal.withdraw(tmp_path, "d1")
    assert journal.waiting(tmp_path) == []


def test_the_temps_of_all_waiting_journals_are_known(tmp_path: Path) -> None:
    journal.write(tmp_path, "d1", Journal({}, LINES[:2]))
    journal.write(tmp_path, "d2", Journal({}, LINES[2:3]))
    journal.amend(tmp_path, "d2", line("team/b.md", 9))
    assert journal.waiting_temps(tmp_path) == {
        PurePosixPath(".dreamd-0-bbbbbbbbbbbb.tmp"),
        PurePosixPath("team/.dreamd-1-bbbbbbbbbbbb.tmp"),
        PurePosixPath(".dreamd-2-bbbbbbbbbbbb.tmp"),
        PurePosixPath("team/.dreamd-9-bbbbbbbbbbbb.tmp"),
    }
