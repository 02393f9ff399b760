"""What the daemon knows of one store, and of all of them as of the last survey."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct, field

from dreamd import gates
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.stores.belonging import Survey


class Ward(Struct):
    """One store: its gates, and what they said last."""

    store: Store
    gates: gates.Context
    verdict: Verdict | None = None
    trouble: str = ""  # why the gates could not be asked, told once
    failures: int = 0
    notices: tuple[str, ...] = ()
    told: set[str] = field(default_factory=set)  # gates that were closed since its last dream
    folders: tuple[Path, ...] = ()  # where its sessions are written
    looked_at: int | None = None  # when its folders and concerns were; ns since boot
    mend_at: int = 0  # not before; ns since boot


class Wards(Struct):
    """All stores by memory directory, and those that wait to be asked, in turn.

    Whoever waits keeps its place; the one that has dreamt comes last the next time.
    """

    known: dict[Path, Ward] = field(default_factory=dict)
    is_new: bool = True  # before the first survey
    waiting: dict[Path, bool] = field(default_factory=dict)  # whether to dream unasked
    unreadable: dict[Path, str] = field(default_factory=dict)

    def differ(self, found: Survey) -> tuple[list[Store], list[str]]:
        """Forget what is gone; return the stores that are new, and what there is to say.

        A store at a new path under the name of one that is gone has moved there. What cannot be
        looked into is told when it begins, or changes, and not again.
        """
        here = {store.memory: store for store in found.stores}
        gone = {
            path: ward.store.name
            for path, ward in self.known.items()
            if path not in here or here[path].name != ward.store.name
        }
        for path in gone:
            del self.known[path]
            self.waiting.pop(path, None)
        new = [store for path, store in here.items() if path not in self.known]
        moved = {store.name: store.memory for store in new}
        lines = [
            f"{path} has moved to {moved[name]}" if name in moved else f"{path} is gone"
            for path, name in gone.items()
        ]
        came_from = set(gone.values())
        if not self.is_new:  # the first time, how many there are says enough
            lines += [f"found {store.memory}" for store in new if store.name not in came_from]
        self.is_new = False
        unreadable = dict(found.unreadable)
        lines += [
            f"cannot look into {path}: {why}"
            for path, why in unreadable.items()
            if self.unreadable.get(path) != why
        ]
        self.unreadable = unreadable
        return new, lines

    def wait(self, paths: Iterable[Path], *, unasked: bool = False) -> None:
        """Let stores wait for their turn."""
        for path in paths:
            if path in self.known:
                self.waiting[path] = unasked or self.waiting.get(path, False)

    def next(self) -> tuple[Ward, bool] | None:
        """Return whose turn it is, and whether it is to dream without being asked."""
        while self.waiting:
            path = next(iter(self.waiting))
            unasked = self.waiting.pop(path)
            if path in self.known:
                return self.known[path], unasked
        return None
