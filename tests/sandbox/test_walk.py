"""The safe walk opens what it was told, or nothing."""

import os
import threading
import time
from pathlib import Path, PurePosixPath

import pytest

from dreamd.errors import RefusedError
from dreamd.host import folder
from dreamd.host.renames import exchange
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
    with pytest.raises(RefusedError):
        names.parts(f"sub/{name}/x")


@pytest.mark.parametrize(
    "name", ["a.md", "é.md", "日本語.md", "with space.md", "x" * 255, "a..b", "...", "🙂.md"]
)
def test_an_honest_name_is_allowed(name: str) -> None:
    assert names.objection(name) is None
    assert names.parts(f"team/{name}") == ("team", name)
    for path in (f"/{name}", "/".join(["x" * 200] * 21)):
        with pytest.raises(RefusedError):
            names.parts(path)


def test_reading_anywhere_resolves_links_and_opens_regular_files_only(
    stage: Path, tmp_path: Path
) -> None:
    (tmp_path / "way").symlink_to(stage)
    os.mkfifo(stage / "pipe")
    with walk.found(tmp_path / "way/sub/deep.md") as file:
        assert os.read(file, 99) == b"deep\n"
    for path in (stage / "pipe", stage / "sub", Path("/dev/null"), Path("/")):
        with pytest.raises(RefusedError, match="regular"), walk.found(path):
            pass
    with pytest.raises(FileNotFoundError), walk.found(stage / "none.md"):
        pass


def test_whoever_swaps_a_folder_for_a_link_gains_nothing(stage: Path, tmp_path: Path) -> None:
    over = threading.Event()
    (stage / "link").symlink_to(tmp_path / "outside")

    def swap() -> None:
        while not over.is_set():
            exchange("sub", "link", dir_fd=start)

    start = os.open(stage, os.O_RDONLY)
    thread = threading.Thread(target=swap)
    thread.start()
    read = refused = 0
    until = time.monotonic() + 0.8
    try:
        while time.monotonic() < until:
            try:  # a path whose links are resolved already, as those of `found` are
                with folder.opened(stage) as top:
                    with top.below(PurePosixPath("sub")) as sub:
                        file = os.open("deep.md", os.O_RDONLY, dir_fd=sub.descriptor)
                    assert os.read(file, 99) == b"deep\n"
                    os.close(file)
                read += 1
            except OSError:
                refused += 1
            try:
                walk.write(start, "sub/new.md", b"x")
            except RefusedError:
                refused += 1
    finally:
        over.set()
        thread.join()
        os.close(start)
    assert read
    assert refused
    assert [each.name for each in (tmp_path / "outside").iterdir()] == ["deep.md"]


# The writer's half of the walk, which goes with the writer process


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
