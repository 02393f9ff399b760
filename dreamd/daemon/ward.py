"""What the daemon knows of the stores as of the last survey, and what it says of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import gates, lock
from dreamd.daemon.child import Child
from dreamd.domain.store import Store
from dreamd.domain.verdict import DaemonState, StoreRow, Verdict
from dreamd.gates.wording import when
from dreamd.host import clock
from dreamd.ledger import jsonl
from dreamd.stores.belonging import Survey
from dreamd.text.words import plural


class Ward(Struct):
    """One store: its gates, and what they said last."""

    store: Store
    gates: gates.Context
    verdict: Verdict | None = None
    trouble: str = ""  # why the gates could not be asked, told once
    told: set[str] = field(default_factory=set)  # gates that were closed since its last dream
    folders: tuple[Path, ...] = ()  # where its sessions are written
    looked_at: int | None = None  # when its folders were; ns since boot
    mend_at: int = 0  # not before; ns since boot


class Wards(Struct):
    """All stores by memory directory, and those that wait to be asked, in turn.

    Whoever waits keeps its place; the one that has dreamt comes last the next time.
    """

    known: dict[Path, Ward] = field(default_factory=dict)
    is_new: bool = True  # before the first survey, after which how many there are says enough
    waiting: dict[Path, bool] = field(default_factory=dict)  # whether to dream unasked
    unreadable: dict[Path, str] = field(default_factory=dict)

    def differ(self, found: Survey) -> tuple[list[Store], list[str]]:
        """Forget what is gone; return the stores that are new, and what there is to say.

        A store at a new path under the name of one that is gone has moved there. What cannot be
        looked into is told when it begins, or changes, and not again.
        """
        here = {store.memory: store for store in found.stores}
        gone = {
            ward.store.name: path
            for path, ward in self.known.items()
            if path not in here or here[path].name != ward.store.name
        }
        for path in gone.values():
            del self.known[path]
        new = [store for path, store in here.items() if path not in self.known]
        moved = {store.name: store.memory for store in new}
        lines = [
            f"{path} has moved to {moved[name]}" if name in moved else f"{path} is gone"
            for name, path in gone.items()
        ]
        if not self.is_new:
            lines += [f"found {store.memory}" for store in new if store.name not in gone]
        lines += [
            f"cannot look into {path}: {why}"
            for path, why in found.unreadable
            if self.unreadable.get(path) != why
        ]
        self.is_new, self.unreadable = False, dict(found.unreadable)
        return new, lines

    def wait(self, paths: Iterable[Path], *, unasked: bool = False) -> None:
        """Let stores wait for their turn."""
        for path in paths:
            self.waiting[path] = unasked or self.waiting.get(path, False)

    def next(self) -> tuple[Ward, bool] | None:
        """Return whose turn it is, and whether it is to dream without being asked."""
        while self.waiting:
            path = next(iter(self.waiting))
            unasked = self.waiting.pop(path)
            if path in self.known:
                return self.known[path], unasked
        return None


def sentence(wards: Wards, child: Child | None) -> str:
    """Return what the daemon does, as a person would say it."""
    known, now = wards.known.values(), clock.to_ns(clock.now())
    said = f"watching {plural(len(known), 'memory directory')}"
    if child is not None:
        come = f" ({told})" if (told := lock.progress(child.store)) else ""
        return f"{child.doing} since {when(clock.to_ns(child.since), now)}{come}; {said}"
    if not known:
        return "watching, but there is no memory directory yet"
    closed = [each.verdict for each in known if each.verdict and not each.verdict.is_open]
    if len(known) == 1 and closed:
        said += f"; not now: {closed[0].read}"
    again = min((each.again for each in closed if each.again is not None), default=None)
    if again is not None:
        said += f"; the next may dream {when(clock.to_ns(again), now)}"
    return said


def page(wards: Wards, started: datetime, dreaming: Path | None, said: str) -> bytes:
    """Return the content of `daemon.json`: one object; times ISO 8601 in UTC."""
    rows = []
    for path, ward in sorted(wards.known.items()):
        verdict = ward.verdict or Verdict("", is_open=True, read="")
        verdict = replace(verdict, read=ward.trouble or verdict.read)
        rows.append(StoreRow(str(path), verdict, path == dreaming))
    return jsonl.encode(DaemonState(os.getpid(), started, said, tuple(rows))) + b"\n"
