"""An open folder is read and written by name, and no link leads anywhere else."""

from __future__ import annotations

import io
import os
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry
from dreamd.errors import HostError
from dreamd.host.folder import opened

TWO_BYTES = os.fsdecode(b"\xc3\x28 \xff")


@pytest.mark.parametrize("writes", [1, 7, 1_000])
def test_a_file_written_while_it_is_read_is_read_again_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    file = tmp_path / "note.md"
    file.write_bytes(b"version 0")
    left = list(range(1, writes + 1))

    class Interrupted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            half = super().read(4)
            if left:
                file.write_bytes(b"version %d" % left.pop(0))
            return half + super().read()

    monkeypatch.setattr(os, "fdopen", lambda descriptor, *_, **__: Interrupted(descriptor))
    with opened(tmp_path) as folder:
        if writes == 1_000:
            with pytest.raises(HostError, match=r"note\.md keeps changing"):
                folder.look("note.md")
            return
        found = folder.look("note.md")
    assert isinstance(found, Entry)
    assert found.data == b"version %d" % writes


def test_no_path_leads_above_the_folder_and_no_link_anywhere(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "root/real").mkdir(parents=True)
    (tmp_path / "root/link").symlink_to("real")
    (tmp_path / "root/out").symlink_to(tmp_path / "outside")
    with opened(tmp_path / "root") as folder:
        for path in ("../x", "a/../../x", "/etc"):
            with (
                pytest.raises(HostError, match="does not lead into"),
                folder.below(PurePosixPath(path)),
            ):
                pass
        for path in ("link", "out", "out/deeper", "nothing"):
            with folder.find(PurePosixPath(path)) as found:
                assert found is None
        for path in ("link/new", "out/new"):
            with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
                folder.make_folders(PurePosixPath(path))
    assert not list((tmp_path / "outside").iterdir())
    assert not list((tmp_path / "root/real").iterdir())
    for path in ("root/link", "nothing"):
        with pytest.raises(HostError, match="cannot open the directory"), opened(tmp_path / path):
            pass


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/note").write_bytes(b"x")
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208 - counted, not walked
    for _ in range(5):
        with opened(tmp_path) as folder, folder.below(PurePosixPath("a/b/c")) as deep:
            deep.look("note")
        with opened(tmp_path) as folder, folder.find(PurePosixPath("a/b/c/note/x")) as gone:
            assert gone is None
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_lacking_folders_are_made_with_the_mode_of_the_one_above(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o711)
    before = os.umask(0o077)
    try:
        with opened(tmp_path) as folder:
            made = folder.make_folders(PurePosixPath("a/b/c"))
    finally:
        os.umask(before)
    assert made == (PurePosixPath("a/b"), PurePosixPath("a/b/c"))
    assert {(tmp_path / at).stat().st_mode & 0o777 for at in ("a", "a/b", "a/b/c")} == {0o711}
