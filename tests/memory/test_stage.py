"""A stage is a private copy that goes in the end, and what it became is read back faithfully."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HostError
from dreamd.host import files
from dreamd.memory.scan import scan
from dreamd.memory.stage import harvest, stage

NS = 1_700_000_000_123_456_789
HOSTILE = [b"new\nline.md", b"\xff\xfe.md", b"-rf", b"x" * 255, b"e\xcc\x81.md"]


def path(name: str | bytes) -> PurePosixPath:
    return PurePosixPath(os.fsdecode(name))


def entry(data: bytes = b"x", mode: int = 0o600) -> Entry:
    return Entry(data, mode, NS)


def link(target: bytes) -> Entry:
    return Entry(target, 0o777, NS, is_link=True)


BASE = Tree(
    files={
        path("MEMORY.md"): entry(b"# Index\r\n\0\xff", 0o644),
        path("read-only.md"): entry(b"shut", 0o400),
        path("team/deep/a.md"): entry(b"a", 0o640),
        path("team/shut/b.md"): entry(b"b"),
        path("link.md"): link(b"team/deep/a.md"),
        **{path(name + b"/" + name): entry(name) for name in HOSTILE},
    },
    folders={
        path("team"): 0o750,
        path("team/deep"): 0o755,
        path("team/shut"): 0o555,
        path("empty"): 0o700,
        **{path(name): 0o700 for name in HOSTILE},
    },
)


def test_a_stage_holds_what_the_tree_holds(tmp_path: Path) -> None:
    with stage(BASE, tmp_path / "stages/d1") as copy:
        assert (tmp_path / "stages/d1").stat().st_mode & 0o777 == 0o700
        assert copy.is_relative_to(tmp_path / "stages/d1")
        seen = scan(copy)
        assert {p: e.data for p, e in seen.files.items()} == {
            p: e.data for p, e in BASE.files.items()
        }
        assert {p: e.mtime_ns for p, e in seen.files.items()} == dict.fromkeys(BASE.files, NS)
        modes = {p: e.mode for p, e in seen.files.items()}
        assert modes[path("MEMORY.md")] == 0o644
        assert modes[path("read-only.md")] == 0o600, "the engine may write"
        assert seen.folders == {**BASE.folders, path("team/shut"): 0o755}
        assert harvest(BASE, copy) == Tree(dict(sorted(BASE.files.items())), BASE.folders)
    assert not (tmp_path / "stages/d1").exists()


def test_the_folders_of_files_are_made_where_the_tree_does_not_name_them(tmp_path: Path) -> None:
    with stage(Tree({path("a/b/c.md"): entry()}), tmp_path / "d1") as copy:
        assert (copy / "a/b/c.md").read_bytes() == b"x"
        assert (copy / "a/b").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("where", "target", "stays"),
    [
        ("l", b"a.md", True),
        ("l", b"./team//a.md", True),
        ("l", b"nowhere", True),
        ("l", b".", True),
        ("team/l", b"../a.md", True),
        ("team/deep/l", b"../../a.md", True),
        ("l", b"/etc/passwd", False),
        ("l", b"..", False),
        ("l", b"../secret", False),
        ("team/l", b"../../secret", False),
        ("team/l", b"./.././../secret", False),
        ("l", b"team/../a.md", False),  # `team` may be a link: a step up after it is not judged
        ("l", b"team/../../secret", False),
    ],
)
def test_a_link_is_staged_only_if_it_cannot_lead_out(
    tmp_path: Path, where: str, target: bytes, stays: bool
) -> None:
    base = Tree({path("a.md"): entry(), path(where): link(target)})
    with stage(base, tmp_path / "d1") as copy:
        assert (copy / where).is_symlink() is stays
        back = harvest(base, copy)
    assert back.files == base.files, "left out or not, the link is no change of the dream's"


def test_links_through_links_do_not_lead_out(tmp_path: Path) -> None:
    base = Tree(
        {
            path("p/q/down"): link(b"../../top"),
            path("top/x"): entry(),
            path("escape"): link(b"p/q/down/../../secret"),
        }
    )
    (tmp_path / "stages").mkdir()
    (tmp_path / "stages/secret").write_bytes(b"secret")
    with stage(base, tmp_path / "stages/d1") as copy:
        for found in copy.rglob("*"):
            assert found.resolve().is_relative_to(copy.resolve())


def test_a_file_put_in_the_place_of_a_left_out_link_is_a_change(tmp_path: Path) -> None:
    base = Tree({path("l"): link(b"/etc/passwd")})
    with stage(base, tmp_path / "d1") as copy:
        (copy / "l").write_bytes(b"note")
        assert harvest(base, copy).data(path("l")) == b"note"


def test_what_an_engine_changed_is_harvested_and_nothing_else(tmp_path: Path) -> None:
    with stage(BASE, tmp_path / "d1") as copy:
        (copy / "read-only.md").write_bytes(b"new bytes")
        (copy / "MEMORY.md").chmod(0o755)
        (copy / "team/deep/a.md").unlink()
        (copy / "fresh.md").write_bytes(b"fresh")
        os.utime(copy / "team/shut/b.md", ns=(1, 1))
        back = harvest(BASE, copy)
    assert back.files[path("read-only.md")].data == b"new bytes"
    assert back.files[path("read-only.md")].mode == 0o400, "staging made it writable, not the dream"
    assert back.files[path("MEMORY.md")] == replace(BASE.files[path("MEMORY.md")], mode=0o755)
    assert path("team/deep/a.md") not in back.files
    assert back.data(path("fresh.md")) == b"fresh"
    assert back.files[path("team/shut/b.md")] == BASE.files[path("team/shut/b.md")]
    assert back.folders == BASE.folders


def test_what_could_not_be_read_stays_unread(tmp_path: Path) -> None:
    base = Tree(unread=frozenset({path("large.bin")}))
    with stage(base, tmp_path / "d1") as copy:
        assert list(copy.iterdir()) == []
        os.mkfifo(copy / "pipe")
        assert harvest(base, copy).unread == {path("large.bin"), path("pipe")}


def test_a_stage_goes_whatever_the_engine_left_there(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/keep.md").write_bytes(b"keep")
    with stage(BASE, tmp_path / "d1") as copy:
        (copy / "out").symlink_to(tmp_path / "outside")
        (copy / "shut/within").mkdir(parents=True)
        (copy / "shut/within/x").write_bytes(b"x")
        (copy / "shut/within").chmod(0)
        (copy / "shut").chmod(0o500)
        os.mkfifo(copy / "pipe")
    assert not (tmp_path / "d1").exists()
    assert (tmp_path / "outside/keep.md").read_bytes() == b"keep"


def test_a_stage_goes_when_the_engine_fails(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="engine"), stage(BASE, tmp_path / "d1"):
        raise RuntimeError("the engine fell over")
    assert not (tmp_path / "d1").exists()


def test_two_dreams_never_share_a_stage(tmp_path: Path) -> None:
    with (
        stage(BASE, tmp_path / "d1"),
        pytest.raises(HostError, match="cannot create"),
        stage(BASE, tmp_path / "d1"),
    ):
        pass


def test_a_full_disk_leaves_no_half_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.write_new
    left = [3]

    def full(*args: object, **named: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "write_new", full)
    with (
        pytest.raises(HostError, match="free some space"),
        stage(BASE, tmp_path / "d1"),
    ):
        pass
    assert not (tmp_path / "d1").exists()
