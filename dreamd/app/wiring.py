"""Wiring: the only place that picks parts."""

from __future__ import annotations

from collections.abc import Mapping
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
        state = self.loaded.paths.state
        if wanted is not None and may_be_gone:
            path = identity.real(choice.path_of(wanted, self.here))
            for known in identity.known(state):
                if known.memory == path:
                    return known
        return choice.locate(wanted, here=self.here, claude=self.loaded.paths.claude, state=state)

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
    """A transaction that was asked for by its id: where it happened, and its receipt."""

    store: Store
    receipt: Receipt
    dream: Past | None  # None where the id is that of an undo, redo, accept or reject


def start(flags: Mapping[str, str] | None = None, named: str | None = None) -> App:
    """Read the configuration once; `named` is the memory directory that was named."""
    where = here()
    return App(config.load(flags=flags), where, named)


def here() -> Path:
    """Return the folder one stands in.

    Raises:
        UsageError: it is gone.
    """
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError(
            "the current directory does not exist any more: change to another"
        ) from error


def find(app: App, prefix: str) -> FoundDream:
    """Return the transaction whose id begins with the prefix, in the named store or in all."""
    wanted = prefix.strip().lower()
    if len(wanted) < receipts.FEWEST:
        raise UsageError(
            f'"{prefix}" is too short for a dream id: give {receipts.FEWEST} characters'
        )
    where = app.known_stores() if app.named is None else [app.store(may_be_gone=True)]
    found = []
    for store in where:
        ledger = receipts.read(store.database)
        dreams = {dream.id: dream for dream in receipts.past(ledger)}
        found += [
            FoundDream(store, receipt, dreams.get(receipt.dream))
            for receipt in ledger
            if receipt.dream is not None and receipt.dream.startswith(wanted)
        ]
    if not found:
        is_path = "/" in prefix
        where_else = "a directory is named with --memory" if is_path else "`dreamd log` lists them"
        raise UsageError(f'no dream begins with "{prefix}": {where_else}')
    if len(found) > 1:
        ids = ", ".join(each.receipt.dream or "" for each in found[:5])
        raise UsageError(f'"{prefix}" fits {len(found)} dreams ({ids}): give more characters')
    return found[0]


def latest(app: App, fit: str) -> FoundDream:
    """Return the latest dream of a store that is fit for what is asked.

    `fit` is one of: "any"; "telling" (it has something to show, else any); "changed" (it
    changed notes); "undone"; "waiting" (a proposal waits).
    """
    store = app.store(may_be_gone=True)
    for dream in reversed(receipts.past(receipts.read(store.database))):
        if _is_fit(dream, fit):
            return FoundDream(store, dream.receipt, dream)
    if fit == "telling":
        return latest(app, "any")
    words = {
        "any": "no dream yet",
        "changed": "no dream that changed a note",
        "undone": "no undone dream",
        "waiting": "no proposal waiting",
    }
    raise RefusedError(f"there is {words[fit]} in {store.memory}")


def _is_fit(dream: Past, fit: str) -> bool:
    match fit:
        case "changed":
            return dream.changed and dream.receipt.kind is not Kind.FORGET
        case "undone":
            return dream.undone
        case "telling":  # something to show: not a dream that found nothing to do
            receipt = dream.receipt
            return bool(
                receipt.changes or receipt.proposed or receipt.outcome is not Outcome.DREAMT
            )
        case "waiting":
            return dream.waits
        case _:
            return True
