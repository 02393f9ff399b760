"""A commit puts exactly what was asked for in place, or nothing at all."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.domain.tree import Entry
from dreamd.errors import HostError, LeaseLostError
from dreamd.host.folder import Folder
from dreamd.host.removal import remove_tree
from dreamd.memory import journal
from dreamd.memory.commit import Landed
from tests.memory.commit_bench import (
    NEW_NS,
    ROOT,
    Bench,
    changed,
    link,
    lost,
    new,
    old,
    put,
)
from tests.memory.quick import quick_folder
from tests.sample import examples


def test_a_set_lands_exactly_and_nothing_else_moves(tmp_path: Path) -> None:
    before = {
        "MEMORY.md": old(b"# Old\r\n"),
        "a.md": old(b"a\0\xff"),
        "b.md": old(b"b"),
        "team/c.md": old(b"c", 0o400),
        "bystander.md": old(b"by", 0o600),
    }
    changes = {
        "MEMORY.md": new(b"# New"),
        "a.md": new(b"", 0o400),
        "b.md": None,
        "team/c.md": new(b"c2", 0o444),
        "new/deep/d.md": new(b"d"),
    }
    bench = Bench(tmp_path, before)
    inode = (bench.memory / "bystander.md").stat().st_ino
    landed = bench.commit(changes)
    assert bench.seen() == changed(before, changes)
    assert (bench.memory / "bystander.md").stat().st_ino == inode
    assert (bench.memory / "new/deep").stat().st_mode & 0o777 == 0o700
    assert landed == Landed({PurePosixPath(n): e for n, e in changes.items()})
    assert journal.read(tmp_path / "journal", "d1").header == {"plan": 1}, "the caller's to remove"


def test_at_every_fence_each_pointer_resolves_and_no_fact_is_missing(tmp_path: Path) -> None:
    before = {
        "MEMORY.md": old(b"[a](a.md) [z](z.md)"),
        "a.md": old(b"fact one"),
        "z.md": old(b"fact two"),
        "team/MEMORY.md": old(b"[x](x.md)"),
        "team/x.md": old(b"fact three"),
    }
    changes = {
        "MEMORY.md": new(b"[zz](zz.md) [a](a.md)"),
        "a.md": new(b"fact one, fact three"),
        "z.md": None,
        "zz.md": new(b"fact two"),
        "team/MEMORY.md": new(b"[y](y.md)"),
        "team/y.md": new(b"y"),
        "team/x.md": None,
    }
    bench = Bench(tmp_path, before)
    seen = []

    def look() -> None:
        live = {name: e.data.decode() for name, e in bench.seen().items() if ".dreamd" not in name}
        for index in ("MEMORY.md", "team/MEMORY.md"):
            for target in live[index].split("(")[1:]:
                folder = PurePosixPath(index).parent
                assert str(folder / target.partition(")")[0]) in live
        for fact in ("one", "two", "three"):
            assert any(f"fact {fact}" in text for text in live.values())
        seen.append(live)

    bench.at_fence = dict.fromkeys(range(20), look)
    bench.commit(changes)
    assert len(seen) == 1 + len(changes), "once before the journal, once before each file"


PLACES = ["MEMORY.md", "a.md", "b.md", "team/a.md", "team/b.md", "team/deep/c.md", "x/y/z.md"]
ENTRIES = st.builds(
    Entry,
    st.binary(max_size=8),
    st.sampled_from([0o600, 0o644, 0o400]),
    st.integers(1, 2_000_000_000).map(lambda seconds: seconds * 10**9 + 123_456_789),
)
LINKS = st.sampled_from([link(b"a.md"), link(b"../none", NEW_NS)])
THINGS = st.dictionaries(st.sampled_from(PLACES), ENTRIES | LINKS)


@given(before=THINGS, after=THINGS, crash=st.integers(0, 8))
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_tree_becomes_any_other_and_a_lost_lease_only_delays_it(
    before: dict[str, Entry], after: dict[str, Entry], crash: int
) -> None:
    with quick_folder() as home:
        bench = Bench(home / "home", before)
        changes = {name: after.get(name) for name in {**before, **after}}

        bench.at_fence = {crash: lost}
        try:
            bench.commit(changes)
        except LeaseLostError:
            if crash == 0:
                assert bench.seen() == before
                assert not journal.waiting(bench.home / "journal")
                return
            bench.recover()
        assert bench.seen() == after


@pytest.mark.parametrize(
    "name", [b"new\nline.md", b"\xff\xfe.md", b"-rf", b'"\\.md', b"x" * 255, b"e\xcc\x81.md", b"~"]
)
def test_hostile_names_land_and_recover(tmp_path: Path, name: bytes) -> None:
    odd = os.fsdecode(name)
    before = {odd: old(b"one"), f"sub/{odd}": old(b"two")}
    changes = {odd: new(b"one more"), f"sub/{odd}": None, f"{odd}-folder"[-255:] + "/x": new(b"3")}
    bench = Bench(tmp_path, before)

    bench.at_fence = {2: lost}
    with pytest.raises(LeaseLostError):
        bench.commit(changes)
    bench.recover()
    assert bench.seen() == changed(before, changes)


def test_only_mode_and_mtime_may_change_and_a_crash_does_not_turn_them_back(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, {"a.md": old(b"same"), "b.md": old(b"same")})

    bench.at_fence = {2: lost}
    changes = {"a.md": new(b"same", 0o600), "b.md": new(b"same", 0o600)}
    with pytest.raises(LeaseLostError):
        bench.commit(changes)
    assert bench.seen()["a.md"] == changes["a.md"]
    bench.recover()
    assert bench.seen() == changes


def test_folders_are_made_with_the_modes_of_the_tree(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {})
    modes = {PurePosixPath("team"): 0o755}
    bench.commit({"team/deep/a.md": new(b"a")}, folders=modes)
    assert (bench.memory / "team").stat().st_mode & 0o777 == 0o755
    assert (bench.memory / "team/deep").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_emptied_goes_only_if_asked_and_only_if_empty(tmp_path: Path) -> None:
    before = {
        "asked/deep/a.md": old(b"a"),
        "kept/b.md": old(b"b"),
        "full/c.md": old(b"c"),
        "full/user.md": old(b"u"),
    }
    bench = Bench(tmp_path, before)
    changes = {"asked/deep/a.md": None, "kept/b.md": None, "full/c.md": None}
    bench.commit(changes, gone=["asked", "asked/deep", "full"])
    assert sorted(each.name for each in bench.memory.iterdir()) == ["full", "kept"]
    assert bench.text("full/user.md") == "u"


def test_the_wait_is_one_for_the_whole_commit_and_none_where_nothing_was_replaced(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path / "one", {"a.md": old(b"a"), "b.md": old(b"b"), "c.md": old(b"c")})
    bench.commit({"a.md": new(b"1"), "b.md": new(b"2"), "c.md": None})
    assert bench.slept == [1.0]
    bench = Bench(tmp_path / "two", {})
    bench.commit({"a.md": new(b"1"), "b.md": new(b"2")})
    assert bench.slept == []
    bench = Bench(tmp_path / "three", {"a.md": old(b"a")})
    bench.commit({"a.md": new(b"1")}, watch_late=timedelta(0))
    assert bench.slept == [0.0]


def test_a_fence_that_falls_before_the_journal_leaves_everything_as_it_was(tmp_path: Path) -> None:
    before = {"a.md": old(b"a")}
    bench = Bench(tmp_path, before)

    bench.at_fence = {0: lost}
    with pytest.raises(LeaseLostError):
        bench.commit({"a.md": new(b"1"), "new/b.md": new(b"2")})
    assert bench.seen() == before
    assert not (bench.memory / "new").exists()
    assert journal.waiting(tmp_path / "journal") == []


LIMITED = """
import resource, sys
from pathlib import Path, PurePosixPath
from dreamd.domain.tree import Entry
from dreamd.errors import HostError
from dreamd.memory.commit import Swap, prepare
Entry(b"").blob  # nobody may be unable to import what is imported late
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
swaps = [Swap(PurePosixPath(n), None, Entry(b"x" * s)) for n, s in
         [("a.md", 10), ("new/b.md", 999), ("z.md", 1001)]]
try:
    prepare(Path(sys.argv[1]), swaps, {})
except HostError as error:
    print(error)
"""


def test_a_file_that_does_not_fit_takes_all_others_back_with_it(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_bytes(b"mine")
    said = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)],
        env={"PYTHONPATH": ROOT},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"cannot write {tmp_path}/z.md: File too large" in said
    assert [each.name for each in tmp_path.iterdir()] == ["mine.md"]


def test_a_memory_that_may_not_be_written_is_named_and_left(tmp_path: Path) -> None:
    """Root may write anywhere, so where the tests run as root the attempt is nobody's."""
    code = LIMITED.replace("resource.setrlimit", "import os; os.geteuid() or os.setuid(65534) #")
    top = Path(tempfile.mkdtemp())
    try:
        top.chmod(0o555)
        said = subprocess.run(
            [sys.executable, "-B", "-c", code, str(top)],
            env={"PYTHONPATH": ROOT},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f"cannot write {top}/a.md: Permission denied; give yourself" in said
        assert list(top.iterdir()) == []
    finally:
        remove_tree(top)


@pytest.mark.parametrize("in_the_way", ["file", "link"])
def test_what_stands_where_a_folder_is_needed_is_left_and_named(
    tmp_path: Path, in_the_way: str
) -> None:
    (tmp_path / "outside").mkdir()
    bench = Bench(tmp_path / "home", {"a.md": old(b"a")})
    if in_the_way == "file":
        put(bench.memory / "sub", old(b"a file"))
    else:
        (bench.memory / "sub").symlink_to(tmp_path / "outside")
    before = bench.seen()
    with pytest.raises(HostError, match=r"sub/b\.md"):
        bench.commit({"a.md": new(b"1"), "sub/b.md": new(b"2")})
    assert bench.seen() == before
    assert not list((tmp_path / "outside").iterdir())


def test_a_name_that_the_file_system_takes_for_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where `Notes.md` and `notes.md` are one file, adding one and removing the other loses it."""
    bench = Bench(tmp_path, {"Notes.md": old(b"precious")})
    real = Folder.look
    monkeypatch.setattr(
        Folder, "look", lambda self, name: real(self, name.replace("notes", "Notes"))
    )
    with pytest.raises(HostError, match="another spelling"):
        bench.commit({"Notes.md": None, "notes.md": new(b"precious")})
    assert bench.seen() == {"Notes.md": old(b"precious")}
