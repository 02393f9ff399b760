from pathlib import Path

from dreamd.transcripts import sessions
from dreamd.transcripts.sessions import listing
from tests.transcripts.made import OTHER, SESSION, user, write


def test_the_oldest_comes_first_and_a_tie_goes_by_name(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", user("x"), mtime=200)
    write(tmp_path / "a.jsonl", user("x"), mtime=200)
    write(tmp_path / f"{SESSION}.jsonl", user("x"), mtime=300)
    write(tmp_path / f"{OTHER}.jsonl", user("x"), mtime=100)
    names = [path.stem for path in sessions([tmp_path])]
    assert names == [OTHER, "a", "b", SESSION]


def test_what_is_no_session_does_not_count(tmp_path: Path) -> None:
    write(tmp_path / f"{SESSION}.jsonl", user("x"))
    write(tmp_path / "agent-a1b2.jsonl", user("x"))
    write(tmp_path / ".hidden.jsonl", user("x"))
    write(tmp_path / "notes.json", user("x"))
    write(tmp_path / SESSION / "subagents" / "agent-c3.jsonl", user("x"))
    assert [path.name for path in sessions([tmp_path])] == [f"{SESSION}.jsonl"]


def test_each_real_file_counts_once_by_whatever_path(tmp_path: Path) -> None:
    one = tmp_path / "one"
    write(one / "a.jsonl", user("x"))
    (one / "b.jsonl").symlink_to("a.jsonl")
    (tmp_path / "again").symlink_to(one)
    assert len(sessions([one, tmp_path / "again", one])) == 1


def test_a_link_to_a_transcript_elsewhere_is_followed_and_a_dangling_one_is_nothing(
    tmp_path: Path,
) -> None:
    write(tmp_path / "kept" / "real.jsonl", user("x"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(tmp_path / "kept" / "real.jsonl")
    (folder / "gone.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    found = listing([folder, tmp_path / "no such folder"])
    assert [path.name for path in found.transcripts] == ["link.jsonl"]
    assert [each.path.name for each in found.unread] == ["loop.jsonl"]
