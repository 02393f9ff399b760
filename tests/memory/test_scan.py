"""A scan says what stands there, byte for byte, and touches nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry, Tree
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.host.removal import remove_tree
from dreamd.memory.scan import scan
from dreamd.memory.settle import settled

NS = 1_700_000_000_123_456_789
HOSTILE = [
    b"new\nline.md",
    b"\xff\xfe.md",
    b"tab\t.md",
    b"-rf",
    b'"quoted".md',
    b"\\back\\slash.md",
    b"e\xcc\x81.md",
    b"\xe2\x80\xaegnp.md",
    b"~",
    b"x" * 255,
]


def put(file: Path, data: bytes, mode: int = 0o600) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(mode)
    os.utime(file, ns=(NS, NS))


def paths(*names: str) -> set[PurePosixPath]:
    return {PurePosixPath(name) for name in names}


def test_files_folders_and_links_are_read_as_they_are(tmp_path: Path) -> None:
    put(tmp_path / "MEMORY.md", b"# Index\r\n\0\xff", 0o644)
    put(tmp_path / "team/deep/a.md", b"", 0o400)
    (tmp_path / "team").chmod(0o750)
    (tmp_path / "empty").mkdir(mode=0o700)
    (tmp_path / "link.md").symlink_to("team/deep/a.md")
    (tmp_path / "folder-link").symlink_to("team")
    (tmp_path / "dangling").symlink_to("/no/such")
    os.utime(tmp_path / "link.md", ns=(NS, NS), follow_symlinks=False)
    tree = scan(tmp_path)
    assert set(tree.files) == paths(
        "MEMORY.md", "team/deep/a.md", "link.md", "folder-link", "dangling"
    )
    assert tree.files[PurePosixPath("MEMORY.md")] == Entry(b"# Index\r\n\0\xff", 0o644, NS)
    assert tree.files[PurePosixPath("team/deep/a.md")] == Entry(b"", 0o400, NS)
    assert tree.files[PurePosixPath("link.md")] == Entry(b"team/deep/a.md", 0o777, NS, is_link=True)
    assert tree.files[PurePosixPath("dangling")].data == b"/no/such"
    assert dict(tree.folders) == {
        PurePosixPath("team"): 0o750,
        PurePosixPath("team/deep"): 0o755,
        PurePosixPath("empty"): 0o700,
    }
    assert not tree.unread


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_read_byte_for_byte(tmp_path: Path, name: bytes) -> None:
    folder = os.path.join(os.fsencode(tmp_path), name)  # noqa: PTH118 - bytes
    os.mkdir(folder)  # noqa: PTH102
    with open(os.path.join(folder, name), "wb") as file:  # noqa: PTH118, PTH123
        file.write(b"x")
    tree = scan(tmp_path)
    assert [os.fsencode(str(path)) for path in tree.files] == [name + b"/" + name]
    assert [os.fsencode(str(path)) for path in tree.folders] == [name]


def test_the_lock_and_our_own_temps_are_no_notes(tmp_path: Path) -> None:
    put(tmp_path / ".consolidate-lock", b"12")
    put(tmp_path / ".dreamd-1-0123456789ab.tmp", b"x")
    put(tmp_path / "team/.dreamd-ab.new", b"x")
    put(tmp_path / "team/.consolidate-lock", b"a file of the user's")
    put(tmp_path / ".hidden.md", b"x")
    assert set(scan(tmp_path).files) == paths("team/.consolidate-lock", ".hidden.md")


def test_what_cannot_be_a_note_is_named_and_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with (tmp_path / "large.md").open("wb") as file:
        file.truncate(32 * 1024 * 1024 + 1)
    put(tmp_path / ".git/config", b"x")
    put(tmp_path / "team/.git/objects/ab", b"x")
    put(tmp_path / "worktree/.git", b"gitdir: elsewhere")
    tree = scan(tmp_path)
    assert tree.unread == paths("pipe.md", "large.md", ".git", "team/.git")
    assert set(tree.files) == paths("worktree/.git")
    assert set(tree.folders) == paths("team", "worktree")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "there is no directory"),
        (lambda path: path.write_bytes(b""), "is not a directory"),
        (lambda path: path.symlink_to("."), "is a symbolic link"),
        (lambda path: path.symlink_to("nowhere"), "is a symbolic link"),
    ],
)
def test_what_is_no_directory_gets_one_clear_sentence(
    tmp_path: Path, make: object, says: str
) -> None:
    assert callable(make)
    make(tmp_path / "memory")
    with pytest.raises(MemoryUnfitError, match=says) as caught:
        scan(tmp_path / "memory")
    assert str(tmp_path / "memory") in str(caught.value)


@pytest.mark.parametrize("shut", ["memory", "memory/team", "memory/team/a.md"])
def test_what_may_not_be_read_is_named(shut: str) -> None:
    """Root may read everything, so where the tests run as root the scan runs as nobody."""
    code = (
        "import os, sys; from pathlib import Path\n"
        "from dreamd.errors import HostError\n"
        "from dreamd.memory.scan import scan\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        "try: scan(Path(sys.argv[1]))\n"
        "except HostError as error: print(error)\n"
    )
    top = Path(tempfile.mkdtemp())
    try:
        put(top / "memory/team/a.md", b"x", 0o644)
        top.chmod(0o755)
        (top / shut).chmod(0)
        said = subprocess.run(
            [sys.executable, "-B", "-c", code, str(top / "memory")],
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    finally:
        remove_tree(top)
    assert f"{top / shut}: Permission denied; give yourself the permission" in said


def test_what_vanishes_during_the_scan_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "a.md", b"a")
    put(tmp_path / "b.md", b"b")
    put(tmp_path / "team/c.md", b"c")
    real = os.lstat

    def lstat(name: str, **where: int) -> os.stat_result:
        if name == "b.md":
            (tmp_path / "b.md").unlink(missing_ok=True)
        seen = real(name, **where)
        if name == "team":
            (tmp_path / "team/c.md").unlink()
            (tmp_path / "team").rmdir()
            (tmp_path / "team").symlink_to("/etc")
        return seen

    monkeypatch.setattr(os, "lstat", lstat)
    tree = scan(tmp_path)
    assert set(tree.files) == paths("a.md")
    assert not tree.folders


def test_a_folder_swapped_for_a_link_never_leads_a_scan_outside(tmp_path: Path) -> None:
    """A second process swaps a folder and a link all the time; what lies outside never shows."""
    put(tmp_path / "memory/team/inside.md", b"inside")
    put(tmp_path / "outside/secret.md", b"secret")
    (tmp_path / "memory/.dreamd-link").symlink_to(tmp_path / "outside")
    code = (
        "import sys; from pathlib import Path; from dreamd.host.renames import exchange\n"
        "a, b = Path(sys.argv[1], 'team'), Path(sys.argv[1], '.dreamd-link')\n"
        "print(flush=True)\n"
        "while True: exchange(a, b)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-B", "-c", code, str(tmp_path / "memory")],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
    ) as swapper:
        try:
            assert swapper.stdout
            swapper.stdout.readline()
            seen = [scan(tmp_path / "memory") for _ in range(2000)]
        finally:
            swapper.kill()
    found = [set(tree.files) for tree in seen]
    assert paths("team/inside.md") in found
    assert paths("team") in found, "the race was not run: the link never stood there"
    assert all(PurePosixPath("team/secret.md") not in each for each in found)


class Wall:
    """Wall time that passes only while somebody sleeps; an editor may act at each sleep."""

    def __init__(self, root: Path, start: datetime) -> None:
        self.root = root
        self.start = self.time = start
        self.saves: list[tuple[timedelta, bytes]] = []

    def now(self) -> datetime:
        return self.time

    def sleep(self, seconds: float) -> None:
        until = self.time + timedelta(seconds=seconds)
        while self.saves and self.start + self.saves[0][0] <= until:
            at, data = self.saves.pop(0)
            self.save(data, self.start + at)
        self.time = until

    def save(self, data: bytes, at: datetime) -> None:
        (self.root / "a.md").write_bytes(data)
        os.utime(self.root / "a.md", ns=(clock.to_ns(at), clock.to_ns(at)))

    @property
    def waited(self) -> float:
        return (self.time - self.start).total_seconds()


A = PurePosixPath("a.md")
START = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "base", "waits"),
    [
        (0.5, b"before", 1.5),
        (2.5, b"before", 0),
        (0.5, b"now", 0),  # as the base: whatever comes later is met at the swap
        (0.5, None, 1.5),
        (-5, b"before", 0),  # a time in the future says nothing
    ],
)
def test_a_file_that_is_being_written_is_waited_for(
    tmp_path: Path, age: float, base: bytes | None, waits: float
) -> None:
    wall = Wall(tmp_path, START)
    wall.save(b"now", START - timedelta(seconds=age))
    before = Tree({} if base is None else {A: Entry(base)})
    tree = settled(tmp_path, before, [A], sleep=wall.sleep, now=wall.now)
    assert tree.data(A) == b"now"
    assert wall.waited == pytest.approx(waits, abs=0.01)


def test_the_last_of_several_saves_is_what_settles(tmp_path: Path) -> None:
    wall = Wall(tmp_path, START)
    wall.save(b"one", START)
    wall.saves = [(timedelta(seconds=n), b"save %d" % n) for n in (1, 2, 3)]
    tree = settled(tmp_path, Tree(), [A], sleep=wall.sleep, now=wall.now)
    assert tree.data(A) == b"save 3"
    assert wall.waited == pytest.approx(5, abs=0.01)


def test_after_thirty_seconds_the_tree_is_taken_as_it_stands(tmp_path: Path) -> None:
    wall = Wall(tmp_path, START)
    wall.save(b"one", START)
    wall.saves = [(timedelta(seconds=n), b"save %d" % n) for n in range(1, 100)]
    settled(tmp_path, Tree(), [A], sleep=wall.sleep, now=wall.now)
    assert wall.waited == pytest.approx(30, abs=0.01)


def test_only_the_paths_asked_for_are_waited_for(tmp_path: Path) -> None:
    wall = Wall(tmp_path, START)
    wall.save(b"fresh", START)
    gone = PurePosixPath("gone.md")
    tree = settled(tmp_path, Tree({gone: Entry(b"x")}), [gone], sleep=wall.sleep, now=wall.now)
    assert tree.data(A) == b"fresh"
    assert wall.waited == 0
