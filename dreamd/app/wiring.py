"""Wiring: the configuration in force, the store and the dream that are meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from dreamd import config
from dreamd.config import Loaded
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.errors import RefusedError, UsageError
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.stores import belonging, choice, identity
from dreamd.stores.belonging import Survey

_FEWEST = 3  # characters of a shortened id; fewer would be a slip of the finger


class App(Struct, frozen=True):
    """The configuration in force, the folder one stands in, and the memory that was named."""

    loaded: Loaded
    here: Path
    named: str | None = None

    @property
    def wanted(self) -> str | None:
        """The memory directory that was named, by `--memory` or else by DREAMD_MEMORY."""
        return self.named if self.named is not None else self.loaded.memory

    def store(self, named: str | None = None, *, may_be_gone: bool = False) -> Store:
        """Return the store that is meant: named, from the environment, or where one stands.

        With `may_be_gone` a directory that no longer exists is found by its path, so that what
        stood in it can still be looked at and restored.

        Raises:
            UsageError, MemoryUnfitError: there is no such memory directory.
        """
        wanted = named if named is not None else self.wanted
        if wanted is not None and may_be_gone:
            path = identity.real(choice.path_of(wanted, self.here))
            for known in self.known_stores():
                if known.memory == path:
                    return known
        paths = self.loaded.paths
        return choice.locate(wanted, here=self.here, claude=paths.claude, state=paths.state)

    def folders(self, store: Store) -> tuple[Path, ...]:
        """Return the transcript directories that belong to a store's memory."""
        paths = self.loaded.paths
        return belonging.transcript_folders(store.memory, claude=paths.claude, state=paths.state)

    def survey(self) -> Survey:
        """Return every store below the client's root."""
        paths = self.loaded.paths
        return belonging.survey(paths.claude, paths.state)

    def known_stores(self) -> list[Store]:
        """Return every store that ever dreamt here."""
        return identity.known(self.loaded.paths.state)


class FoundDream(Struct, frozen=True):
    """A transaction: where it happened, and its receipt."""

    store: Store
    receipt: Receipt
    dream: Past | None  # None of an undo, redo, accept or reject

    @classmethod
    def every(cls, store: Store) -> list[FoundDream]:
        """Return the transactions of a store, oldest first."""
        ledger = receipts.read(store.database)
        dreams = {dream.id: dream for dream in receipts.past(ledger)}
        return [cls(store, each, dreams.get(each.dream)) for each in ledger if each.dream]


def start(flags: Mapping[str, str] | None = None, named: str | None = None) -> App:
    """Read the configuration once; `named` is the memory directory that was named."""
    where = here()
    return App(config.load(flags=flags), where, named)


def here() -> Path:
    """Return the folder one stands in."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError(
            "the current directory does not exist any more: change to another"
        ) from error


def find(app: App, prefix: str) -> FoundDream:
    """Return the transaction whose id begins with the prefix, in the named store or in all."""
    wanted = prefix.strip().lower()
    if len(wanted) < _FEWEST:
        raise UsageError(f'"{prefix}" is too short for a dream id: give {_FEWEST} characters')
    stores = app.known_stores() if app.named is None else [app.store(may_be_gone=True)]
    every = [each for store in stores for each in FoundDream.every(store)]
    found = [each for each in every if (each.receipt.dream or "").startswith(wanted)]
    if not found:
        is_path = "/" in prefix
        where_else = "a directory is named with --memory" if is_path else "`dreamd log` lists them"
        raise UsageError(f'no dream begins with "{prefix}": {where_else}')
    if len(found) > 1:
        ids = ", ".join(each.receipt.dream or "" for each in found[:5])
        raise UsageError(f'"{prefix}" fits {len(found)} dreams ({ids}): give more characters')
    return found[0]


def _is_telling(dream: Past) -> bool:
    """Whether it has something to show: not a dream that found nothing to do."""
    receipt = dream.receipt
    return bool(receipt.changes or receipt.proposed or receipt.outcome is not Outcome.DREAMT)


_FIT: dict[str, tuple[Callable[[Past], bool], str]] = {  # which dreams are fit, and their name
    "any": (lambda _: True, "dream yet"),
    "telling": (_is_telling, "dream yet"),
    "changed": (
        lambda dream: dream.changed and dream.receipt.kind is not Kind.FORGET,
        "dream that changed a note",
    ),
    "undone": (lambda dream: dream.undone, "undone dream"),
    "waiting": (lambda dream: dream.waits, "proposal waiting"),
}


def latest(app: App, fit: str) -> FoundDream:
    """Return the latest dream of a store that is fit for what is asked, by the table above.

    Where none is "telling", any is.
    """
    store, (is_fit, what) = app.store(may_be_gone=True), _FIT[fit]
    every = [(each, each.dream) for each in FoundDream.every(store) if each.dream is not None]
    fits = [each for each, dream in every if is_fit(dream)]
    if not fits and fit == "telling":
        fits = [each for each, _ in every]
    if not fits:
        raise RefusedError(f"there is no {what} in {store.memory}")
    return fits[-1]
