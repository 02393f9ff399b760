"""A commit killed, or met by a full disk, at every call that changes a file, then recovered."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry
from dreamd.memory import journal
from tests.memory.commit_driver import AFTER, BEFORE, CHANGES, lay
from tests.memory.editor import Editor, editor
from tests.memory.fault_bench import Bench, Ended, Point, bench, why_no_strace
from tests.memory.file_archive import FileArchive
from tests.memory.quick import quick_folder

NO_STRACE = why_no_strace()
pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(bool(NO_STRACE), reason=NO_STRACE or "strace works"),
]
ALL = os.environ.get("DREAMD_SWEEP") == "all"
KILL, FULL = "signal=SIGKILL", "error=ENOSPC"
LATE = 0.05  # seconds; long for an editor that holds a file open for a millisecond


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("bench")) as started:
        yield started


@dataclass(frozen=True, slots=True)
class Homes:
    """Copies of one memory with its archive."""

    folder: Path

    def fresh(self, name: str = "home") -> Path:
        home = self.folder / name
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.folder / "template", home)
        return home


@pytest.fixture
def homes() -> Iterator[Homes]:
    with quick_folder() as folder:
        (folder / "template").mkdir()
        lay(folder / "template")
        yield Homes(folder)


def chosen(points: list[Point], sample: int) -> list[Point]:
    """Every point, or a sample that is spread evenly and the same each time."""
    if ALL or len(points) <= sample:
        return points
    return [points[(2 * at + 1) * len(points) // (2 * sample)] for at in range(sample)]


def tell(what: str) -> None:
    sys.stdout.write(f"{what}\n")


def picture(home: Path) -> dict[PurePosixPath, Entry]:
    """Read the memory by means that are not the code's own."""
    found = {}
    for folder, _, names in os.walk(home / "memory"):
        for name in names:
            file = Path(folder, name)
            seen = file.stat()
            entry = Entry(file.read_bytes(), seen.st_mode & 0o7777, seen.st_mtime_ns)
            found[PurePosixPath(file.relative_to(home / "memory"))] = entry
    return found


def notes(home: Path) -> dict[PurePosixPath, Entry]:
    return {path: entry for path, entry in picture(home).items() if path.suffix == ".md"}


def each_is_whole(found: Mapping[PurePosixPath, Entry]) -> None:
    for path, entry in found.items():
        assert entry in (BEFORE.get(path), AFTER.get(path)), path
    for path in BEFORE.keys() & AFTER.keys():
        assert path in found


def each_pointer_resolves(found: Mapping[PurePosixPath, Entry]) -> None:
    for target in re.findall(r"\]\((.*?)\)", found[PurePosixPath("MEMORY.md")].data.decode()):
        assert PurePosixPath(target) in found


def each_fact_stands(found: Mapping[PurePosixPath, Entry]) -> None:
    """What both versions of the memory say, some note says at any moment."""
    said = [
        {line for e in tree.values() for line in e.data.splitlines()} for tree in (BEFORE, AFTER)
    ]
    assert said[0] & said[1] <= {line for e in found.values() for line in e.data.splitlines()}


def nothing_is_left_behind(home: Path) -> None:
    assert all(path.suffix == ".md" for path in picture(home)), "a temp stayed"
    assert list(home.glob("journal/*")) == []


def recovered(running: Bench, home: Path, *, strace: Sequence[str] | None = None) -> None:
    ended = running.run("recover", home, strace=strace)
    assert ended.code == 0, ended
    nothing_is_left_behind(home)


def check_quiet(
    running: Bench, home: Path, ended: Ended, *, says: str, strace: Sequence[str] | None = None
) -> str:
    """With nobody else about: all old, or all new."""
    found = notes(home)
    each_is_whole(found)
    each_pointer_resolves(found)
    each_fact_stands(found)
    committed = bool(journal.waiting(home / "journal"))
    if ended.code == 1:
        assert says in ended.said
        if not committed:
            assert picture(home) == BEFORE, "a fault before the journal leaves nothing behind"
            assert not (home / "memory/topics").exists()
    recovered(running, home, strace=strace)
    assert notes(home) == (AFTER if committed else BEFORE)
    assert (home / "memory/attic").exists() is not committed
    return "new" if committed else "old"


@pytest.mark.parametrize(("fault", "says"), [(KILL, ""), (FULL, "free some space")])
def test_a_commit_struck_anywhere_ends_all_old_or_all_new(
    running: Bench, homes: Homes, fault: str, says: str
) -> None:
    points = running.points("commit", homes.fresh())
    ends = {"old": 0, "new": 0}
    for point in chosen(points, 8):
        home = homes.fresh()
        ended = running.run("commit", home, strace=point.inject(fault))
        assert ended.was_hit, (point, ended)
        assert ended.code == (-9 if fault == KILL else 1), (point, ended)
        ends[check_quiet(running, home, ended, says=says)] += 1
    tell(f"{fault}: {len(chosen(points, 8))} of {len(points)} points, ended {ends}")
    assert all(ends.values())


@pytest.mark.parametrize("fault", [KILL, FULL])
def test_where_names_cannot_be_swapped_a_struck_commit_ends_all_old_or_all_new_too(
    running: Bench, homes: Homes, fault: str
) -> None:
    poor = ["-e", "inject=renameat2:error=EINVAL"]
    points = running.points("commit", homes.fresh(), strace=poor)
    assert {"rename", "linkat", "unlinkat"} <= {point.call for point in points}
    ends = {"old": 0, "new": 0}
    for point in chosen(points, 6):
        home = homes.fresh()
        trace = ["-e", f"trace=renameat2,{point.call}", *poor, *point.inject(fault)[2:]]
        ended = running.run("commit", home, strace=trace)
        assert ended.code == (-9 if fault == KILL else 1), (point, ended)
        ends[
            check_quiet(running, home, ended, says="", strace=["-e", "trace=renameat2", *poor])
        ] += 1
    tell(f"{fault}, no exchange: {len(chosen(points, 6))} of {len(points)} points, ended {ends}")
    assert all(ends.values())


def test_a_recovery_struck_anywhere_is_completed_by_the_next(running: Bench, homes: Homes) -> None:
    points = running.points("commit", homes.fresh())
    exchanges = [point for point in points if point.call == "renameat2"]
    count = 0
    for crash in exchanges[:1] + exchanges[2:3] + exchanges[-2:-1]:
        wreck = homes.fresh("template-of-wreck")
        assert running.run("commit", wreck, strace=crash.inject(KILL)).code == -9
        dry = homes.folder / "dry"
        shutil.rmtree(dry, ignore_errors=True)
        shutil.copytree(wreck, dry)
        for point in chosen(running.points("recover", dry), 2):
            for fault in (KILL, FULL):
                home = homes.folder / "home"
                shutil.rmtree(home, ignore_errors=True)
                shutil.copytree(wreck, home)
                ended = running.run("recover", home, strace=point.inject(fault))
                assert ended.was_hit, (point, ended)
                each_is_whole(notes(home))
                recovered(running, home)
                assert notes(home) == AFTER, (crash, point, fault)
                count += 1
    tell(f"recovery: {count} points")


class Meddler:
    """A user who edits at the worst moments of a commit; every finished edit is remembered."""

    def __init__(self, home: Path) -> None:
        self.memory = home / "memory"
        self.edits: list[tuple[str, bytes]] = []
        self.done: set[str] = set()
        # Opened before the commit, as an editor may have it that writes in place.
        self.open = {
            name: os.open(self.memory / name, os.O_WRONLY | os.O_APPEND)
            for name in ("MEMORY.md", "delta.md")
        }

    def hear(self, said: str) -> None:
        if said in self.done:
            return
        self.done.add(said)
        match said:
            case "fence 1":  # before alpha.md is looked at
                self.save("alpha.md", b"user: alpha\n")
            case "fence 2":  # the dream is about to add it
                self.save("fresh.md", b"user: fresh\n")
            case "exchange one.md":  # after it was looked at
                self.save("team/one.md", b"user: one, before the exchange\n")
            case "exchanged one.md":
                self.save("team/one.md", b"user: one, after the exchange\n")
            case "remove gamma.md":
                self.save("gamma.md", b"user: gamma\n")
            case "sleep":
                self.write("MEMORY.md", b"user: index, late\n")
                self.write("delta.md", b"user: delta, late\n")

    def save(self, name: str, line: bytes) -> None:
        file = self.memory / name
        temp = file.with_name("saving")
        temp.write_bytes((file.read_bytes() if file.exists() else b"") + line)
        temp.rename(file)
        self.edits.append((name, line))

    def write(self, name: str, line: bytes) -> None:
        os.write(self.open[name], line)
        self.edits.append((name, line))

    def close(self) -> None:
        for descriptor in self.open.values():
            os.close(descriptor)


@pytest.mark.parametrize("fault", [KILL, FULL])
def test_edits_at_the_worst_moments_survive_a_fault_anywhere(
    running: Bench, homes: Homes, fault: str
) -> None:
    home = homes.fresh()
    meddler = Meddler(home)
    points = running.points("talk", home, listener=meddler.hear)
    meddler.close()
    assert len(meddler.edits) == 7
    everything_stands(home, meddler)
    for point in chosen(points, 8):
        home = homes.fresh()
        meddler = Meddler(home)
        ended = running.run("talk", home, strace=point.inject(fault), listener=meddler.hear)
        meddler.close()
        assert ended.was_hit, (point, ended)
        assert ended.code == (-9 if fault == KILL else 1), (point, ended)
        committed = bool(journal.waiting(home / "journal"))
        recovered(running, home)
        assert committed or not meddler.edits
        if committed:
            everything_stands(home, meddler)
        else:
            assert notes(home) == BEFORE, point
    tell(f"{fault}, meddled: {len(chosen(points, 8))} of {len(points)} points")


def everything_stands(home: Path, meddler: Meddler) -> None:
    """Each line of the user and each line of the dream, in the live file it was meant for."""
    found = notes(home)
    for name, line in meddler.edits:
        assert found[PurePosixPath(name)].data.count(line) == 1, (name, line)
    for path, entry in CHANGES.items():
        if entry is not None:
            assert set(entry.data.splitlines()) <= set(found[path].data.splitlines()), path
        else:
            edited = [line for name, line in meddler.edits if name == str(path)]
            assert (path in found) is bool(edited), path


@pytest.fixture(scope="module")
def typing() -> Iterator[Editor]:
    with editor() as started:
        yield started


@pytest.mark.parametrize("how", ["rename", "in-place"])
def test_no_line_of_an_editor_is_lost_whenever_the_commit_is_killed(
    running: Bench, homes: Homes, typing: Editor, how: str
) -> None:
    points = running.points("commit", homes.fresh())
    lines = 0
    for point in chosen(points, 6):
        home = homes.fresh()
        names = ("alpha.md", "MEMORY.md", "team/one.md")
        typing.start(how, [home / "memory" / name for name in names])
        running.run("commit", home, strace=point.inject(KILL), late=LATE)
        ended = running.run("recover", home, late=LATE)
        written = typing.stop()
        assert ended.code == 0, (point, ended)
        nothing_is_left_behind(home)
        all_stand_somewhere(home, written)
        lines += len(written)
    tell(f"{how}: {len(chosen(points, 6))} of {len(points)} points, {lines} lines written")
    assert lines


def all_stand_somewhere(home: Path, lines: list[bytes]) -> None:
    kept = FileArchive(home / "archive").everything()
    said = {
        line
        for data in [*kept, *(entry.data for entry in picture(home).values())]
        for line in data.splitlines()
    }
    lost = [line for line in lines if line not in said]
    assert not lost
