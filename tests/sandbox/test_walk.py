"""The safe walk opens what it was told, or nothing."""

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from dreamd.errors import RefusedError
from dreamd.host.files import exchange
from dreamd.sandbox import names, walk


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    made = tmp_path / "stage"
    (made / "sub").mkdir(parents=True)
    (made / "note.md").write_text("a note\n")
    (made / "sub/deep.md").write_text("deep\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/deep.md").write_text("victim\n")
    return made


@pytest.mark.parametrize(
    "name",
    [
        *("", "/etc/passwd", ".", "..", "../x", "sub/../x", "sub/./x", "sub//x", "x/", "a\0b"),
        *("a\nb", "a\x1b[31m", "a\x7f", "a\x85", "x" * 256, "é" * 128, "e\u0301.md", "a\u202eb.md"),
        *("a\u200bb.md", "a\u2066b", "a\ufeffb", "a\u00adb", "\ud800", "a\u2028b", "\u3164"),
        "/".join(["x" * 200] * 21),
    ],
)
def test_a_name_that_is_not_what_it_looks_like_is_refused(stage: Path, name: str) -> None:
    with walk.root(stage) as start:
        with pytest.raises(RefusedError):
            walk.write(start, name, b"x")
        with pytest.raises(RefusedError):
            walk.read(start, name)
    assert sorted(each.name for each in stage.iterdir()) == ["note.md", "sub"]


@pytest.mark.parametrize(
    "name", ["a.md", "é.md", "日本語.md", "with space.md", "x" * 255, "a..b", "...", "🙂.md"]
)
def test_an_honest_name_is_written_and_read(stage: Path, name: str) -> None:
    with walk.root(stage) as start:
        walk.write(start, name, b"words")
        assert walk.read(start, name) == b"words"
    assert (stage / name).read_bytes() == b"words"


def test_a_file_replaced_keeps_its_mode_and_a_new_one_is_private(stage: Path) -> None:
    (stage / "note.md").chmod(0o664)
    with walk.root(stage) as start:
        walk.write(start, "note.md", b"new")
        walk.write(start, "a/b/c.md", b"new")
    assert (stage / "note.md").stat().st_mode & 0o777 == 0o664
    assert (stage / "a/b/c.md").stat().st_mode & 0o777 == 0o600
    assert (stage / "a/b").stat().st_mode & 0o777 == 0o700
    assert not [each for each in stage.rglob("*") if each.name.endswith(".new")]


def test_no_link_is_followed_at_the_end_or_on_the_way(stage: Path, tmp_path: Path) -> None:
    (stage / "link.md").symlink_to(tmp_path / "outside/deep.md")
    (stage / "folder").symlink_to(tmp_path / "outside")
    with walk.root(stage) as start:
        for name in ("link.md", "folder/deep.md", "folder/new.md"):
            with pytest.raises(RefusedError, match="link"):
                walk.write(start, name, b"x")
            with pytest.raises(RefusedError, match="link"):
                walk.read(start, name)
            with pytest.raises(RefusedError, match="link"):
                walk.remove(start, name)
    assert (tmp_path / "outside/deep.md").read_text() == "victim\n"
    assert names_in(tmp_path / "outside") == ["deep.md"]


def test_a_second_hard_link_is_neither_read_nor_written(stage: Path, tmp_path: Path) -> None:
    (stage / "hard.md").hardlink_to(tmp_path / "outside/deep.md")
    with walk.root(stage) as start:
        with pytest.raises(RefusedError, match="hard link"):
            walk.write(start, "hard.md", b"x")
        with pytest.raises(RefusedError, match="hard link"):
            walk.read(start, "hard.md")
    assert (tmp_path / "outside/deep.md").read_text() == "victim\n"


def test_nothing_but_regular_files_is_opened_and_none_blocks(stage: Path) -> None:
    os.mkfifo(stage / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(stage / "s"))
    began = time.monotonic()
    with walk.root(stage) as start:
        for name in ("pipe", "s", "sub"):
            with pytest.raises(RefusedError):
                walk.read(start, name)
            with pytest.raises(RefusedError):
                walk.write(start, name, b"x")
    listener.close()
    with pytest.raises(RefusedError, match="regular"), walk.found(Path("/dev/null")):
        pass
    assert time.monotonic() - began < 2


def test_a_file_over_the_limit_is_refused_and_one_at_it_is_read(stage: Path) -> None:
    with walk.root(stage) as start:
        assert walk.read(start, "note.md", most=7) == b"a note\n"
        with pytest.raises(RefusedError, match="larger than 6 bytes"):
            walk.read(start, "note.md", most=6)


def test_reading_anywhere_resolves_links_and_says_what_lacks(stage: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(stage)
    with walk.found(tmp_path / "way/note.md") as file:
        assert walk.content(file, "note") == b"a note\n"
    for path, why in {
        tmp_path / "way/none.md": "nothing of that name",
        Path("note.md"): "absolute",
        Path("/"): "no regular file",
    }.items():
        with pytest.raises(RefusedError, match=why), walk.found(path):
            pass


def test_a_file_is_removed_and_a_folder_is_not(stage: Path) -> None:
    with walk.root(stage) as start:
        walk.remove(start, "sub/deep.md")
        with pytest.raises(RefusedError):
            walk.remove(start, "sub")
    assert (stage / "sub").is_dir()
    assert not (stage / "sub/deep.md").exists()


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    stage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with walk.root(stage) as start, pytest.raises(RefusedError, match="No space"):
        walk.write(start, "note.md", b"half")
    assert (stage / "note.md").read_text() == "a note\n"
    assert names_in(stage) == ["note.md", "sub"]


def test_whoever_swaps_a_folder_for_a_link_gains_nothing(stage: Path, tmp_path: Path) -> None:
    over = threading.Event()

    def swap() -> None:
        (stage / "link").symlink_to(tmp_path / "outside")
        while not over.is_set():
            exchange(stage / "sub", stage / "link")

    thread = threading.Thread(target=swap)
    thread.start()
    read = refused = 0
    until = time.monotonic() + 0.8
    try:
        with walk.root(stage) as start:
            while time.monotonic() < until:
                try:
                    assert walk.read(start, "sub/deep.md") == b"deep\n"
                    read += 1
                except RefusedError:
                    refused += 1
                try:
                    walk.write(start, "sub/new.md", b"x")
                except RefusedError:
                    refused += 1
    finally:
        over.set()
        thread.join()
    assert read
    assert refused
    assert names_in(tmp_path / "outside") == ["deep.md"]


def test_the_parts_of_a_path_are_what_stands_between_slashes() -> None:
    assert names.parts("team/a b.md") == ("team", "a b.md")
    assert names.objection("CON.md") is None
