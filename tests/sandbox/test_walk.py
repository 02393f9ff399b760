"""What the writer process may name, and what it writes by; the latter goes with it."""

import os
from pathlib import Path

import pytest

from dreamd.errors import RefusedError
from dreamd.sandbox import names, walk


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    made = tmp_path / "stage"
    (made / "sub").mkdir(parents=True)
    (made / "sub/deep.md").write_text("deep\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/deep.md").write_text("victim\n")
    return made


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "a\0b", "a\nb", "a\x1b[31m", "a\x7f", "a\x85", "x" * 256, "é" * 128),
        *("e\u0301.md", "a\u202eb.md", "a\u200bb.md", "a\u2066b", "a\ufeffb", "a\u00adb"),
        *("\ud800", "a\u2028b", "\u3164"),
    ],
)
def test_a_name_that_is_not_what_it_looks_like_is_refused(name: str) -> None:
    assert names.objection(name) is not None


@pytest.mark.parametrize(
    "name", ["a.md", "é.md", "日本語.md", "with space.md", "x" * 255, "a..b", "...", "🙂.md"]
)
def test_an_honest_name_is_allowed(name: str) -> None:
    assert names.objection(name) is None


def test_a_file_is_written_whole_and_no_link_is_followed(stage: Path, tmp_path: Path) -> None:
    (stage / "link.md").symlink_to(tmp_path / "outside/deep.md")
    (stage / "folder").symlink_to(tmp_path / "outside")
    (stage / "hard.md").hardlink_to(tmp_path / "outside/deep.md")
    (stage / "sub/deep.md").chmod(0o664)
    start = os.open(stage, os.O_RDONLY)
    walk.write(start, "a/b/c.md", b"new")
    walk.write(start, "sub/deep.md", b"new")
    assert (stage / "a/b/c.md").stat().st_mode & 0o777 == 0o600
    assert (stage / "a/b").stat().st_mode & 0o777 == 0o700
    assert (stage / "sub/deep.md").stat().st_mode & 0o777 == 0o664
    for name in ("link.md", "folder/deep.md", "folder/new.md", "hard.md", "sub"):
        with pytest.raises(RefusedError, match="link"):
            walk.write(start, name, b"x")
        with pytest.raises(RefusedError, match=r"link|nothing"):
            walk.remove(start, name)
    walk.remove(start, "sub/deep.md")
    os.close(start)
    assert (tmp_path / "outside/deep.md").read_text() == "victim\n"
    assert [each.name for each in stage.rglob("*.new")] == []
