"""Files stay whole, names change hands in one step, and a fault is a sentence."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from dreamd.host import files, renames


def test_a_file_is_replaced_whole_and_a_new_one_neither_replaces_nor_follows(
    tmp_path: Path,
) -> None:
    for name in ("plain.md", "new\nline.md", os.fsdecode(b"\xff\xfe.md")):
        file = tmp_path / name
        file.write_bytes(b"old")
        files.replace(file, b"new\0\xff", mode=0o640, mtime_ns=1_700_000_000_123_456_789)
        seen = file.stat()
        assert (seen.st_mode & 0o7777, seen.st_mtime_ns) == (0o640, 1_700_000_000_123_456_789)
        with pytest.raises(FileExistsError):
            files.write_new(file, b"x")
        assert file.read_bytes() == b"new\0\xff"
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        files.write_new(tmp_path / "link", b"x")
    assert len(list(tmp_path.iterdir())) == 4
    assert not (tmp_path / "elsewhere").exists()


LIMITED = """
import resource, sys
from pathlib import Path
from dreamd.errors import HostError
from dreamd.host import files
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
path = Path(sys.argv[1])
try:
    with files.faults("write", path):
        getattr(files, sys.argv[2])(path, b"x" * 1001)
except HostError as error:
    print(error)
"""


@pytest.mark.parametrize("how", ["write_new", "replace"])
def test_a_file_that_does_not_fit_leaves_nothing_behind(tmp_path: Path, how: str) -> None:
    file = tmp_path / "note.md"
    if how == "replace":
        file.write_bytes(b"old")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    argv = [sys.executable, "-c", LIMITED, str(file), how]
    environ = {"PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.check_output(argv, env=environ, text=True)
    assert f"cannot write {file}: File too large" in said
    assert "raise it" in said
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("file_system", ["flags", "no flags", "no links"])
def test_names_change_hands_in_one_step_and_none_is_ever_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file_system: str
) -> None:
    """On this file system, and two poorer ones: without flags (NFS), without links (vfat)."""
    if file_system != "flags":
        monkeypatch.setattr(renames, "_rename", lambda *_: False)
    if file_system == "no links":
        refusal = OSError(errno.EPERM, os.strerror(errno.EPERM))
        monkeypatch.setattr(os, "link", Mock(side_effect=refusal))
    one, other = tmp_path / "one", tmp_path / "other"
    for rename in (renames.rename_new, renames.set_aside):
        one.write_bytes(b"one")
        other.unlink(missing_ok=True)
        rename(one, other)
        assert other.read_bytes() == b"one"
        assert not one.exists()
        one.write_bytes(b"newer")
        with pytest.raises(FileExistsError):
            rename(one, other)
        assert (one.read_bytes(), other.read_bytes()) == (b"newer", b"one")
        with pytest.raises(FileNotFoundError):
            rename(tmp_path / "none", tmp_path / "free")
    if file_system == "flags":
        renames.exchange(one, other)
        assert (one.read_bytes(), other.read_bytes()) == (b"one", b"newer")
        with pytest.raises(FileNotFoundError):
            renames.exchange(one, tmp_path / "nothing")
        return
    with pytest.raises(renames.ExchangeUnsupportedError, match="in one step"):
        renames.exchange(one, other)
    assert (one.read_bytes(), other.read_bytes()) == (b"newer", b"one")
