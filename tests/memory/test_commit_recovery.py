"""An interrupted commit is completed, also where names cannot be swapped; strays are swept."""

from __future__ import annotations

import errno
import os
from pathlib import Path, PurePosixPath

import pytest

from dreamd.errors import HostError
from dreamd.host import renames
from dreamd.host.folder import Folder
from dreamd.memory.commit import sweep
from dreamd.memory.prepare import prepare
from tests.memory.commit_bench import (
    BEFORE,
    DREAM,
    NEW_NS,
    Bench,
    changed,
    interrupted,
    link,
    new,
    old,
    put,
)


def test_edits_made_since_a_crash_are_merged_by_recovery(tmp_path: Path) -> None:
    """One file had been swapped, the other had not."""
    bench = Bench(tmp_path, {"a.md": BEFORE, "b.md": BEFORE})
    interrupted(bench, {"a.md": DREAM, "b.md": DREAM}, before_file=2)
    for name in ("a.md", "b.md"):
        bench.save(name, bench.text(name) + "mine\n")
    bench.recover()
    for name in ("a.md", "b.md"):
        assert bench.text(name) == "zero\none\ntwo, better\nthree\nmine\n"
    assert sorted(bench.seen()) == ["a.md", "b.md"]


def test_a_write_into_the_old_file_since_a_crash_is_merged_by_recovery(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE, "b.md": BEFORE})
    with (bench.memory / "a.md").open("ab") as opened_before:
        interrupted(bench, {"a.md": DREAM, "b.md": DREAM}, before_file=2)
        opened_before.write(b"mine\n")
    bench.recover()
    assert bench.text("a.md") == "zero\none\ntwo, better\nthree\nmine\n"


def test_an_edit_of_what_was_merged_before_the_crash_is_merged_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first edit was merged, and the merge journalled, when the disk failed."""
    bench = Bench(tmp_path, {"a.md": BEFORE})
    bench.at_fence = {1: lambda: bench.save("a.md", bench.text("a.md") + "mine\n")}

    def failing(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "exchange", failing)
        with pytest.raises(HostError, match="cannot finish the commit"):
            bench.commit({"a.md": DREAM})
    assert bench.text("a.md") == "one\ntwo\nthree\nmine\n"
    bench.save("a.md", "one\ntwo\nthree\nmine, on second thoughts\n")
    bench.recover()
    assert bench.text("a.md") == "zero\none\ntwo, better\nthree\nmine, on second thoughts\n"


def test_a_note_put_back_after_its_removal_is_not_removed_again(tmp_path: Path) -> None:
    """The process died between the last swap and the journal's removal."""
    bench = Bench(tmp_path, {"a.md": BEFORE})
    bench.commit({"a.md": None})
    assert bench.seen() == {}
    put(bench.memory / "a.md", BEFORE)
    bench.recover()
    assert bench.seen() == {"a.md": BEFORE}


def test_recovery_of_a_finished_commit_changes_nothing(tmp_path: Path) -> None:
    before = {"a.md": BEFORE, "b.md": BEFORE}
    bench = Bench(tmp_path, before)
    changes = {"a.md": DREAM, "b.md": None, "c.md": new(b"c")}
    bench.commit(changes)
    bench.save("c.md", "mine since\n")
    landed = bench.recover()
    assert bench.text("c.md") == "mine since\n"
    assert bench.seen()["a.md"] == DREAM
    assert "b.md" not in bench.seen()
    assert landed.late == ()


def test_recovery_without_the_journal_says_so(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {})
    with pytest.raises(HostError, match="cannot read the journal"):
        bench.recover()


def test_where_history_lost_the_base_both_sides_stay(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    interrupted(bench, {"a.md": DREAM}, before_file=1)
    (bench.archive.folder / BEFORE.blob).unlink()
    bench.save("a.md", "one\nmine\n")
    bench.recover()
    assert {"one", "mine", "zero", "two, better"} <= set(bench.text("a.md").splitlines())


@pytest.fixture(params=["links", "no links"])
def poor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """No flags for rename (NFS), and no hard links either (vfat)."""

    def no_flags(*_: object) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(renames, "_rename", no_flags)
    if request.param == "no links":
        monkeypatch.setattr(os, "link", no_links)
    return str(request.param)


def test_without_exchange_a_set_lands_too_and_it_is_said(tmp_path: Path, poor: str) -> None:
    before = {"a.md": BEFORE, "b.md": BEFORE, "l": link(b"x")}
    changes = {"a.md": DREAM, "b.md": None, "sub/c.md": DREAM, "l": link(b"y", NEW_NS)}
    bench = Bench(tmp_path, before)
    landed = bench.commit(changes)
    assert bench.seen() == changed(before, changes), poor
    assert not landed.exchanged
    assert landed.late == ()


def test_without_exchange_edits_before_the_check_and_late_writes_are_merged(
    tmp_path: Path, poor: str
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE, "b.md": BEFORE})
    with (bench.memory / "b.md").open("ab") as opened_before:

        def write() -> None:
            if not opened_before.closed:
                opened_before.write(b"mine\n")
                opened_before.close()

        bench.at_fence = {1: lambda: bench.save("a.md", bench.text("a.md") + "mine\n")}
        bench.at_sleep = write
        bench.commit({"a.md": DREAM, "b.md": DREAM})
    merged = "zero\none\ntwo, better\nthree\nmine\n"
    assert bench.text("a.md") == merged
    if poor == "links":
        assert bench.text("b.md") == merged
    assert sorted(bench.seen()) == ["a.md", "b.md"]


def test_without_exchange_an_interrupted_commit_is_completed(tmp_path: Path, poor: str) -> None:
    before = {"a.md": BEFORE, "b.md": BEFORE, "c.md": BEFORE}
    changes = {"a.md": DREAM, "b.md": DREAM, "c.md": None}
    for crash in (1, 2, 3):
        bench = Bench(tmp_path / str(crash), before)
        interrupted(bench, changes, before_file=crash)
        bench.recover()
        assert bench.seen() == changed(before, changes), poor


def test_a_sweep_takes_our_temps_and_nothing_else(tmp_path: Path) -> None:
    stray = [".dreamd-1-0123456789ab.tmp", "sub/.dreamd-ab12.new", "sub/.dreamd-2-ab.tmp"]
    kept = ["a.md", ".dreamd-notes.md", "x.tmp", ".git/.dreamd-1-ab.tmp", ".dreamd-d.tmp/x.md"]
    bench = Bench(tmp_path, {name: old(name.encode()) for name in [*stray, *kept]})
    (bench.memory / ".dreamd-link.tmp").symlink_to("a.md")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/.dreamd-1-ab.tmp").write_bytes(b"x")
    (bench.memory / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal/.dreamd-0123.new").write_bytes(b"half a journal")
    gone = sweep(bench.memory, tmp_path / "journal", archive=bench.archive)
    assert set(gone) == {PurePosixPath(name) for name in [*stray, ".dreamd-link.tmp"]}
    assert set(bench.seen()) == {*kept}
    assert (tmp_path / "outside/.dreamd-1-ab.tmp").exists()
    assert list((tmp_path / "journal").iterdir()) == []
    assert {name.encode() for name in stray} <= set(bench.archive.everything())


def test_a_sweep_leaves_the_temps_of_a_waiting_journal(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE, "sub/b.md": BEFORE})
    interrupted(bench, {"a.md": DREAM, "sub/b.md": DREAM}, before_file=1)
    put(bench.memory / "sub/.dreamd-9-0123456789ab.tmp", old(b"stray"))
    gone = sweep(bench.memory, tmp_path / "journal")
    assert gone == (PurePosixPath("sub/.dreamd-9-0123456789ab.tmp"),)
    bench.recover()
    assert bench.seen() == {"a.md": DREAM, "sub/b.md": DREAM}


def test_what_was_prepared_and_never_committed_is_swept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    prepare(bench.memory, bench.swaps({"a.md": DREAM, "l": link(b"a.md")}), {})
    assert len(bench.seen()) == 3
    sweep(bench.memory, tmp_path / "journal")
    assert bench.seen() == {"a.md": BEFORE}
    assert sweep(tmp_path / "none", tmp_path / "journal") == ()
