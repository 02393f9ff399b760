"""A note is a regular `.md` file below the memory directory; nothing else exists for dreamd."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path, PurePosixPath

from dreamd.memory.scan import scan, still_written
from tests.scripted import write


def lay(memory: Path) -> None:
    for name in ("MEMORY.md", "sub/deep/note.md", "caf\u00e9.md", "odd name\n.md"):
        write(memory / name, f"{name}\n")
    os.close(os.open(os.fsencode(memory) + b"/raw-\xff.md", os.O_CREAT | os.O_WRONLY))
    for name in ("picture.png", ".hidden.md", ".git/HEAD", ".git/x.md", ".obsidian/a.md"):
        write(memory / name, "not a note\n")
    (memory / "link.md").symlink_to("MEMORY.md")
    (memory / "away").symlink_to("/etc")
    os.mkfifo(memory / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(memory)
        listening.bind("socket.md")
        os.chdir(here)
    (memory / "big.md").touch()
    os.truncate(memory / "big.md", 33 * 1024 * 1024)


def test_only_regular_markdown_files_are_notes(tmp_path: Path) -> None:
    lay(tmp_path)
    tree = scan(tmp_path)
    notes = {"MEMORY.md", "sub/deep/note.md", "caf\u00e9.md", "odd name\n.md", "raw-\udcff.md"}
    assert set(map(str, tree.files)) == notes
    assert tree.files[PurePosixPath("sub/deep/note.md")].data == b"sub/deep/note.md\n"
    unread = {"picture.png", "link.md", "away", "pipe.md", "socket.md", "big.md"}
    assert set(map(str, tree.unread)) == unread


def test_a_deep_folder_is_quick_and_ends_somewhere(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(150):
        deep /= "d"
        deep.mkdir()
    write(tmp_path / "d/d/d/note.md", "here\n")
    tree = scan(tmp_path)
    assert [len(path.parts) for path in tree.files] == [4]
    assert [len(path.parts) for path in tree.unread] == [101], "what is deeper is named, not read"


def test_a_touch_is_waited_for_only_where_nobody_waits(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "one\n")
    (tmp_path / "a.md").touch()
    never = threading.Event()
    assert still_written(tmp_path, is_urgent=True, sleep=lambda _: never.set()) == frozenset()
    assert not never.is_set()
    old = (tmp_path / "a.md").stat().st_mtime_ns - 5_000_000_000
    aged = lambda _: os.utime(tmp_path / "a.md", ns=(old, old))  # noqa: E731
    assert still_written(tmp_path, is_urgent=False, sleep=aged) == frozenset()
