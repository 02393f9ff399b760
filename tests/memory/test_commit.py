"""A commit: whole where nobody interferes, and whoever edits meanwhile keeps every line."""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import pytest
from msgspec import Struct, field

from dreamd.domain.tree import Entry, Tree
from dreamd.errors import LeaseLostError, RefusedError
from dreamd.host.folder import Folder
from dreamd.memory import commit as committing
from dreamd.memory.commit import Committed, Swap, clear, commit, recover, sweep
from dreamd.memory.prepare import passing
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb
from tests.sample import WHOLE, rounds
from tests.scripted import texts, write

OLD_NS, NEW_NS = 1_767_225_600_000_000_001, 1_780_000_000_987_654_321  # `write` has the former
Contents = Mapping[str, "str | None"]


def old(text: str) -> Entry:
    return Entry(text.encode(), 0o644, OLD_NS)


def new(text: str) -> Entry:
    return Entry(text.encode(), 0o640, NEW_NS)


class Bench(Struct, dict=True):
    """A memory directory, a history, and a commit that can be interfered with."""

    home: Path
    before: dict[str, str]
    fences: int = 0
    at_fence: dict[int, Callable[[], object]] = field(default_factory=dict)
    slept: float = 0

    def __post_init__(self) -> None:
        self.memory = self.home / "memory"
        self.memory.mkdir(parents=True)
        self.db = StoreDb(self.home / "store.db")
        self.history = History(self.db)
        for name, text in self.before.items():
            write(self.memory / name, text, mode=0o644)

    def fence(self) -> None:
        self.fences += 1
        self.at_fence.get(self.fences - 1, int)()

    def sleep(self, seconds: float) -> None:
        self.slept += seconds

    def commit(self, changes: Contents) -> Committed:
        swaps = [
            Swap(
                PurePosixPath(name),
                old(self.before[name]) if name in self.before else None,
                None if text is None else new(text),
            )
            for name, text in changes.items()
        ]
        known = [e for swap in swaps for e in (swap.expected, swap.new) if e is not None]
        for entry in (*known, *passing(swaps).values()):
            self.history.write(Tree({PurePosixPath("x"): entry}), dream="d", part="x")
        record = Journal("d1", "{}")
        record, done = commit(
            self.memory, self.db, swaps, record=record, fence=self.fence, sleep=self.sleep
        )
        self.end(record, done)
        return done

    def recover(self) -> Committed:
        record = journal.waiting(self.db)
        assert record is not None
        done = recover(self.memory, record, fence=self.fence, sleep=self.sleep)
        self.end(record, done)
        return done

    def end(self, record: Journal, done: Committed) -> None:
        """Do what a transaction does next."""
        if done.found:
            self.history.write(Tree(done.found), dream="d1", part="late")
        journal.close(self.db, "d1", "{}")
        clear(self.memory, record.turns, self.history.holds)
        journal.remove(self.db, "d1")

    def sweep(self) -> list[PurePosixPath]:
        return sweep(self.memory, self.history)

    def seen(self) -> dict[str, str]:
        """Read the memory by means that are not the code's own, hidden files too."""
        return texts(self.memory)

    def kept(self) -> str:
        """Return all that history holds, as text."""
        with self.db.reading() as connection:
            rows = connection.execute("SELECT data FROM content").fetchall()
        return b"\n".join(data for (data,) in rows).decode()

    def save(self, name: str, text: str) -> None:
        """Save as an editor does: a new file, renamed over the old one."""
        temp = self.memory / "editor-saves"
        temp.write_text(text)
        temp.rename(self.memory / name)

    def put_instead(self, name: str) -> Path:
        """Remove a note, and return where it stood."""
        (self.memory / name).unlink()
        return self.memory / name


def in_between(
    monkeypatch: pytest.MonkeyPatch, method: str, edit: Callable[[], object], *, after: bool
) -> None:
    """Have somebody act right before or after a step of the commit, the first time only."""
    real = getattr(Folder, method)
    acted: list[object] = []

    def step(self: Folder, *names: str) -> object:
        if not after and not acted:
            acted.append(edit())
        result = real(self, *names)
        if after and not acted:
            acted.append(edit())
        return result

    monkeypatch.setattr(Folder, method, step)


EDITOR = str(Path(__file__).with_name("editor.py"))
BEFORE = {
    "MEMORY.md": "# Index\n- [A](a.md)\n- a fact to move\n",
    "a.md": "# A\none\ntwo\n",
    "old.md": "# Old\nan old thought\n",
}
CHANGES = {
    "MEMORY.md": "# Index\n- [A](a.md)\n- [Fresh](sub/fresh.md)\n",
    "a.md": "# A\none\ntwo, better\n- a fact to move\n",
    "sub/fresh.md": "# Fresh\nan old thought\n",
    "old.md": None,
}
AFTER = {name: text for name, text in {**BEFORE, **CHANGES}.items() if text is not None}


def lines_of(contents: dict[str, str]) -> set[str]:
    return {line for text in contents.values() for line in text.splitlines()}


def test_a_commit_puts_every_path_in_place_and_meanwhile_no_line_or_pointer_is_missing(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, BEFORE)
    shared = lines_of(BEFORE) & lines_of(AFTER)

    def look() -> None:
        notes = {name: text for name, text in bench.seen().items() if "/." not in f"/{name}"}
        assert shared <= lines_of(notes)
        for line in notes["MEMORY.md"].splitlines():
            if "](" in line:
                assert line.split("](")[1].partition(")")[0] in notes

    bench.at_fence = dict.fromkeys(range(20), look)
    done = bench.commit(CHANGES)
    assert bench.fences > len(CHANGES)
    assert bench.seen() == AFTER
    assert done.given_back == {}
    changed = bench.memory / "a.md"
    assert (changed.stat().st_mode & 0o777, changed.stat().st_mtime_ns) == (0o640, NEW_NS)
    assert bench.slept == 0, "nobody had a file open, so nobody was waited for"


@pytest.mark.parametrize("at", range(1, 8))
def test_a_commit_that_loses_its_lease_is_completed_by_the_recovery(
    tmp_path: Path, at: int
) -> None:
    bench = Bench(tmp_path, BEFORE)

    def lost() -> None:
        raise LeaseLostError("another process stands in the lock")

    bench.at_fence = {at: lost}
    if at < 7:
        with pytest.raises(LeaseLostError):
            bench.commit(CHANGES)
        bench.at_fence = {}
        bench.recover()
    else:
        bench.commit(CHANGES)
    assert bench.seen() == AFTER


MOMENTS = ["before the look", "before the exchange", "after the exchange"]
EDITS: dict[str, Callable[[Bench], object]] = {
    "saved": lambda bench: bench.save("a.md", "# A\none\ntwo\nmine\n"),
    "rewritten": lambda bench: (bench.memory / "a.md").write_text("mine\n"),
    "emptied": lambda bench: (bench.memory / "a.md").write_text(""),
    "binary": lambda bench: (bench.memory / "a.md").write_bytes(b"mine\0"),
    "deleted": lambda bench: (bench.memory / "a.md").unlink(),
    "a link": lambda bench: bench.put_instead("a.md").symlink_to("old.md"),
    "a folder": lambda bench: bench.put_instead("a.md").mkdir(),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("how", EDITS)
def test_what_somebody_does_to_a_note_meanwhile_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, how: str
) -> None:
    bench = Bench(tmp_path, BEFORE)
    note = bench.memory / "a.md"
    seen: list[object] = []

    def stands() -> object:
        if note.is_symlink():
            return note.readlink()
        return note.read_bytes() if note.is_file() else note.is_dir()

    def edit() -> None:
        EDITS[how](bench)
        seen.append(stands())

    if moment == MOMENTS[0]:
        bench.at_fence = {1: edit}
    else:
        in_between(monkeypatch, "exchange", edit, after=moment == MOMENTS[2])
    done = bench.commit({"a.md": CHANGES["a.md"]})
    assert stands() == seen[0], "it stands as they left it"
    is_after = moment == MOMENTS[2]
    assert (PurePosixPath("a.md") in done.given_back) is (not is_after)
    assert not list(bench.memory.glob(".dreamd-*"))


def test_a_late_write_through_a_descriptor_is_given_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path, BEFORE)
    with (bench.memory / "a.md").open("ab", buffering=0) as opened_before:

        def write(seconds: float) -> None:
            bench.slept += seconds
            if not opened_before.closed:
                opened_before.write(b"mine\n")
                opened_before.close()

        bench.sleep = write  # type: ignore[method-assign]
        done = bench.commit({"a.md": CHANGES["a.md"]})
    assert bench.seen()["a.md"] == BEFORE["a.md"] + "mine\n"
    assert "the edit stands" in done.given_back[PurePosixPath("a.md")].why


def test_a_descriptor_that_stays_open_gets_its_file_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "LATE", 0.05)
    bench = Bench(tmp_path, BEFORE)
    with (bench.memory / "a.md").open("ab", buffering=0) as logger:
        bench.commit({"a.md": CHANGES["a.md"]})
        logger.write(b"logged later\n")
    assert bench.seen()["a.md"] == BEFORE["a.md"] + "logged later\n"


def test_two_saves_during_one_swap_leave_the_newer_and_keep_the_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, BEFORE)
    real = Folder.exchange
    numbers = itertools.count(1)

    def exchange(self: Folder, one: str, other: str) -> None:
        bench.save("a.md", f"mine {next(numbers)}\n")
        real(self, one, other)

    monkeypatch.setattr(Folder, "exchange", exchange)
    bench.commit({"a.md": CHANGES["a.md"]})
    monkeypatch.undo()
    last = next(numbers) - 1
    said = bench.seen()["a.md"] + bench.kept()
    assert last > 1
    assert all(f"mine {number}\n" in said for number in (last - 1, last))
    assert not list(bench.memory.glob(".dreamd-*"))


KINDS: dict[str, tuple[str, str | None]] = {
    "gains": ("# {n}\n{n} one\n", "# {n}\n{n} one\n{other}\n"),
    "loses": ("# {n}\n{n} one\n{own}\n", "# {n}\n{n} one\n"),
    "both": ("# {n}\n{n} one\n{own}\n", "# {n}\n{n} better\n{other}\n"),
    "goes": ("# {n}\n{own}\n", None),
}


PAIRS = list(itertools.permutations(["MEMORY.md", "a.md", "b.md"], 2))


@pytest.mark.parametrize("pair", PAIRS)
def test_a_line_that_moves_never_falls_between_two_files(
    tmp_path: Path, pair: tuple[str, str]
) -> None:
    """Over all pairs of paths and changes, with an edit at each moment of either."""
    one, other = pair
    words = {one: "said in one", other: "said in the other"}
    fill = {
        name: {"n": name, "own": words[name], "other": words[beside]}
        for name, beside in (pair, (other, one))
    }
    some = rounds(itertools.product(KINDS.values(), repeat=2), PAIRS.index(pair), 4)
    for number, two in enumerate(some):
        kinds = dict(zip(pair, two, strict=True))
        before = {name: kinds[name][0].format(**fill[name]) for name in pair}
        changes = {
            name: None if text is None else text.format(**fill[name])
            for name, (_, text) in kinds.items()
        }
        after = {name: text for name, text in changes.items() if text is not None}
        shared = lines_of(before) & lines_of(after) - {f"# {one}", f"# {other}"}
        for edited, at in itertools.product(kinds, range(1, 5)):
            bench = Bench(tmp_path / f"{number}-{edited}-{at}", before)

            def edit(bench: Bench = bench, name: str = edited) -> None:
                if (bench.memory / name).exists():
                    bench.save(name, bench.seen()[name] + "mine\n")

            bench.at_fence = {at: edit}
            bench.commit(changes)
            assert shared <= lines_of(bench.seen()), (two, edited, at, bench.seen())


@pytest.mark.parametrize("code", [errno.EPERM, errno.EBUSY, errno.EACCES])
def test_a_path_that_cannot_be_swapped_is_named_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    real = Folder.exchange

    def exchange(self: Folder, one: str, other: str) -> None:
        if other == "a.md":
            raise OSError(code, os.strerror(code), other)
        real(self, one, other)

    monkeypatch.setattr(Folder, "exchange", exchange)
    bench = Bench(tmp_path, BEFORE)
    done = bench.commit(CHANGES)
    assert done.given_back[PurePosixPath("a.md")].why == os.strerror(code)
    assert bench.seen()["a.md"] == BEFORE["a.md"]
    assert bench.seen()["sub/fresh.md"] == AFTER["sub/fresh.md"]
    assert "a fact to move" in bench.seen()["MEMORY.md"], "it did not arrive in a.md"
    assert "[Fresh]" in bench.seen()["MEMORY.md"]
    assert "old.md" in bench.seen()


@pytest.mark.parametrize("flag", ["i", "a"])
def test_an_immutable_note_is_refused_by_name_before_anything_happens(
    tmp_path: Path, flag: str
) -> None:
    bench = Bench(tmp_path, BEFORE)
    note = bench.memory / "MEMORY.md"
    if subprocess.run(["chattr", f"+{flag}", note], check=False, capture_output=True).returncode:
        pytest.skip("chattr does not work here: it needs root and a file system with attributes")
    try:
        with pytest.raises(RefusedError, match=r"MEMORY\.md cannot be replaced: .*chattr"):
            bench.commit(CHANGES)
        assert bench.seen() == BEFORE
    finally:
        subprocess.run(["chattr", f"-{flag}", note], check=True)
    bench.commit(CHANGES)
    assert bench.seen() == AFTER


def test_only_temps_that_are_proved_ours_are_swept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, BEFORE)
    bench.commit(CHANGES)
    ours = bench.memory / ".dreamd-1-0123456789ab.tmp"
    ours.write_text(BEFORE["a.md"])
    sha = hashlib.sha256(AFTER["a.md"].encode()).hexdigest()
    (bench.memory / f".dreamd-2-{sha[:12]}.tmp").write_text(AFTER["a.md"][:5])  # killed meanwhile
    theirs = {".dreamd-notes.tmp": "a person's\n", "sub/.dreamd-2-aa.tmp": "another's\n"}
    for name, text in theirs.items():
        (bench.memory / name).write_text(text)
    linked = bench.memory / ".dreamd-3-0123456789ab.tmp"
    linked.hardlink_to(bench.memory / "a.md")
    assert set(map(str, bench.sweep())) == {*theirs, linked.name}
    assert bench.seen() == AFTER | theirs | {linked.name: AFTER["a.md"]}


@pytest.mark.parametrize("how", ["rename", "in-place", "rewrite"])
def test_no_line_of_an_editor_that_never_stops_is_lost(tmp_path: Path, how: str) -> None:
    """An editor in another process, and commit after commit on the same notes."""
    names = ("a.md", "MEMORY.md")
    bench = Bench(tmp_path / "home", BEFORE)
    words = [sys.executable, "-I", EDITOR, how, *(str(bench.memory / name) for name in names)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as typing:
        changed, start = 0, bench.seen()
        while bench.seen() == start:  # until it types
            assert typing.poll() is None
        for number in range(30 if WHOLE else 10):
            bench.before = {name: (bench.memory / name).read_text() for name in names}
            after = {name: f"{bench.before[name]}dream {number}\n" for name in names}
            changed += len(names) - len(bench.commit(after).given_back)
        written = typing.communicate(b"\n")[0].decode().splitlines()
    said = "\n".join([*bench.seen().values(), bench.kept()])
    lines = {*said.splitlines()}  # to look through all of it is quadratic
    lost = [line for line in written if line not in lines and line not in said]
    assert written
    assert not lost, f"{len(lost)} of {len(written)} lines, {changed} swaps"
