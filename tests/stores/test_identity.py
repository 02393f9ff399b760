"""A memory that was moved keeps its store; a copy and a stranger get their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.errors import BusyError
from dreamd.host.files import birth_ns
from dreamd.stores import identity
from dreamd.stores.identity import known, name_of
from dreamd.transaction.adoption import adopt
from tests.stores.ground import Ground, notes

PATHS = ("a", "new\nline", "deep/caf\u00e9")
ROOT = Path(__file__).parents[2]


class Known(Struct):
    path: str  # where a store was last seen
    directory: int
    order: int


class Identity(RuleBasedStateMachine):
    """(make, move, copy, delete, return, adopt)* in real directories, beside a model of them."""

    def __init__(self) -> None:
        super().__init__()
        self.temporary = tempfile.TemporaryDirectory()
        self.ground = Ground(Path(self.temporary.name).resolve())
        self.standing: dict[str, int] = {}  # path: which directory, numbered as they were made
        self.stores: dict[str, Known] = {}
        self.made = 0

    def teardown(self) -> None:
        self.temporary.cleanup()

    def at(self, path: str) -> Path:
        return self.ground.home / path

    def expected(self, path: str) -> str | None:
        for name, each in self.stores.items():
            if each.path == path:
                return name
        moved = [
            (each.order, name)
            for name, each in self.stores.items()
            if each.directory == self.standing.get(path) and each.path not in self.standing
        ]
        return max(moved)[1] if moved else None

    def one_of(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(sorted(self.standing)))

    def free(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([each for each in PATHS if each not in self.standing]))

    @precondition(lambda self: len(self.standing) < len(PATHS))
    @rule(data=st.data())
    def make(self, data: st.DataObject) -> None:
        path = self.free(data)
        notes(self.at(path))
        self._number(path)

    @precondition(lambda self: 0 < len(self.standing) < len(PATHS))
    @rule(data=st.data(), is_copied=st.booleans())
    def move(self, data: st.DataObject, is_copied: bool) -> None:
        old, new = self.one_of(data), self.free(data)
        if is_copied:
            shutil.copytree(self.at(old), self.at(new))
            self._number(new)
        else:
            self.at(new).parent.mkdir(exist_ok=True)
            self.at(old).rename(self.at(new))
            self.standing[new] = self.standing.pop(old)

    @precondition(lambda self: self.standing)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        path = self.one_of(data)
        shutil.rmtree(self.at(path))
        del self.standing[path]
        time.sleep(0.01)  # the kernel's clock ticks every 4 ms, and numbers are used again

    @precondition(lambda self: self.standing)
    @rule(data=st.data())
    def open(self, data: st.DataObject) -> None:
        path = self.one_of(data)
        wanted, store = self.expected(path), self.ground.opened(self.at(path))
        assert wanted == store.name or (wanted is None and store.name not in self.stores)
        self.stores[store.name] = Known(path, self.standing[path], self._last() + 1)

    @precondition(lambda self: self.standing and self.stores)
    @rule(data=st.data())
    def adopt(self, data: st.DataObject) -> None:
        path, name = self.one_of(data), data.draw(st.sampled_from(sorted(self.stores)))
        if self.stores[name].path != path:
            new = self.ground.at(self.at(path))
            adopt(Store(self.at(self.stores[name].path), self.ground.state, name), new)
            self.stores.pop(new.name, None)
            self.stores[name] = Known(path, self.standing[path], self._last() + 1)

    def _number(self, path: str) -> None:
        self.made += 1
        self.standing[path] = self.made

    def _last(self) -> int:
        return max((each.order for each in self.stores.values()), default=0)

    @invariant()
    def looking_finds_what_is_expected(self) -> None:
        for path in PATHS:
            wanted, found = self.expected(path), self.ground.at(self.at(path))
            assert found.memory == self.at(path)
            assert wanted == found.name or (wanted is None and found.name not in self.stores)

    @invariant()
    def what_is_known_is_what_was_noted(self) -> None:
        found = {store.name: store.memory for store in known(self.ground.state)}
        assert found == {name: self.at(each.path) for name, each in self.stores.items()}


Identity.TestCase.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)


TestIdentity = pytest.mark.skipif(
    birth_ns(ROOT) is None, reason="this file system keeps no birth times"
)(Identity.TestCase)


def test_a_store_is_named_after_its_path_and_private(ground: Ground) -> None:
    store = ground.opened(notes(ground.home / "my notes" / "memory"))
    assert store.name == name_of(store.memory)
    assert store.name.startswith("my-notes-memory-")
    made = (store.home, store.home.parent, ground.state)
    assert {each.stat().st_mode & 0o777 for each in made} == {0o700}
    (ground.home / "link").symlink_to(store.memory)
    assert ground.at(ground.home / "link") == store


def test_a_link_left_in_the_old_place_of_a_moved_directory_leads_to_its_store(
    ground: Ground,
) -> None:
    store = ground.opened(notes(ground.home / "old"))
    store.memory.rename(ground.home / "new")
    store.memory.symlink_to(ground.home / "new")
    for path in ("old", "new"):
        assert ground.at(ground.home / path).home == store.home
    ground.opened(ground.home / "new")
    assert [each.memory for each in known(ground.state)] == [ground.home / "new"]


def test_without_birth_times_no_store_follows_a_directory(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dreamd.host.files.birth_ns", lambda path: None)
    store = ground.opened(notes(ground.home / "old"))
    store.memory.rename(ground.home / "new")
    assert ground.at(ground.home / "new").home != store.home


def test_a_damaged_mark_is_written_anew(ground: Ground) -> None:
    store = ground.opened(notes(ground.home / os.fsdecode(b"odd \xff")))
    odd = [b"", b"{", b"[]", b'{"path": 7, "device": 1, "inode": 1}', b'{"path": "/x"}']
    odd += [b'{"path": "/x\\ud800", "device": 1, "inode": 1}', b"[" * 60_000, b"\xff\0"]
    for damage in (*odd, b'{"path": "/x", "device": true, "inode": "1"}'):
        (store.home / "store.json").write_bytes(damage)
        assert known(ground.state) == []
        assert ground.opened(store.memory) == store
        assert known(ground.state) == [store]


def test_processes_that_open_a_moved_store_at_once_agree(ground: Ground) -> None:
    store = ground.opened(notes(ground.home / "old"))
    store.memory.rename(ground.home / "new")
    program = (
        "from pathlib import Path\nfrom dreamd.stores import identity\n"
        f"memory, state = Path({str(ground.home / 'new')!r}), Path({str(ground.state)!r})\n"
        "store = identity.store_at(memory, state)\n"
        "with identity.opened(store):\n    print(store.name)"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    running = [subprocess.Popen(command, env=environ, stdout=-1, text=True) for _ in range(3)]
    assert {each.communicate()[0].strip() for each in running} == {store.name}
    assert [each.memory for each in known(ground.state)] == [ground.home / "new"]


def test_a_store_that_was_given_away_meanwhile_is_not_opened(ground: Ground) -> None:
    store = ground.opened(notes(ground.home / "old"))
    adopt(store, ground.at(notes(ground.home / "new")))
    with pytest.raises(BusyError, match=r"new has just taken over the store of .*old"):
        identity.must_still_be_its_own(store)
    with pytest.raises(BusyError, match="has just taken over"), identity.opened(store):
        pass
