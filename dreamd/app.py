"""Wiring: the only place that picks parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dreamd import config, receipts, stores
from dreamd.config import Loaded
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.errors import ConfigError, RefusedError, UsageError, WallsError
from dreamd.receipts import Past

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:  # a command that only looks pays for no engine
    from dreamd.engine.protocol import Engine


# Without slots: there is one of each, and making them costs every command 0.2 ms.
@dataclass(frozen=True)
class App:
    """The configuration in force, and the folder one stands in."""

    loaded: Loaded
    here: Path

    def store(self, named: str | None, *, may_be_gone: bool = False) -> Store:
        """Return the store that is meant: named, from the environment, or where one stands.

        With `may_be_gone` a directory that no longer exists is found by its path, so that what
        stood in it can still be looked at and restored.

        Raises:
            UsageError, MemoryUnfitError: there is no such memory directory.
        """
        wanted = named if named is not None else self.loaded.memory
        state = self.loaded.paths.state
        if wanted is not None and may_be_gone:
            path = stores.real(stores.path_of(wanted, self.here))
            for known in stores.known(state):
                if known.memory == path:
                    return known
        return stores.locate(wanted, here=self.here, claude=self.loaded.paths.claude, state=state)

    def folders(self, store: Store) -> tuple[Path, ...]:
        """Return the transcript directories that belong to a store's memory."""
        paths = self.loaded.paths
        return stores.transcript_folders(store.memory, claude=paths.claude, state=paths.state)

    def known_stores(self) -> list[Store]:
        """Return every store that ever dreamt here."""
        return list(stores.known(self.loaded.paths.state))


@dataclass(frozen=True)
class Found:
    """A transaction that was asked for by its id: where it happened, and its receipt."""

    store: Store
    receipt: Receipt
    dream: Past | None  # None where the id is that of an undo, redo, accept or reject


def start(flags: Mapping[str, str] | None = None) -> App:
    """Read the configuration once.

    Raises:
        ConfigError: a file, a variable or a flag is wrong.
        UsageError: the current directory is gone.
    """
    where = here()
    return App(config.load(flags=flags), where)


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


def engine(app: App, choice: EngineChoice) -> Engine:
    """Return the engine to dream with; `auto` is the model where a key for one is configured.

    Raises:
        ConfigError: the model engine is asked for and none is configured, or what is configured
            for it cannot be meant.
    """
    if choice is EngineChoice.CLAUDE_CLI:
        return _claude(app)
    if choice is not EngineChoice.RULES and (model := _model(app, choice)) is not None:
        return model
    from dreamd.engine.rules import RulesEngine  # noqa: PLC0415 - only when dreaming

    return RulesEngine()


def estimating(app: App, choice: EngineChoice) -> Engine:
    """Return the engine that would dream, to be asked what that costs: a model needs no key then.

    Raises:
        ConfigError: what is configured for a model cannot be meant.
    """
    if choice is EngineChoice.MODEL:
        return _with_key(app, "")
    return engine(app, choice)


def fallback(app: App, first: Engine) -> Engine | None:
    """Return the engine that dreams where the dream of the first one failed or was refused.

    None where there is none to be.
    """
    if first.name == EngineChoice.RULES or not app.loaded.falls_back:
        return None
    return engine(app, EngineChoice.RULES)


def asks_a_model(app: App) -> bool:
    """Return whether a dream would ask a model, which costs and mostly needs a network.

    False where what is configured cannot be meant: then `engine` says what is wrong.
    """
    choice = app.loaded.settings.engine
    if choice is not EngineChoice.AUTO:
        return choice is not EngineChoice.RULES
    try:
        return _key(app) is not None
    except ConfigError:
        return False


def dreams_with(app: App) -> str:
    """Return in words which engine a dream would have, and a model's behind which walls.

    Raises:
        ConfigError: what is configured for a model cannot be meant.
    """
    choice, model = app.loaded.settings.engine, app.loaded.settings.model
    if choice is EngineChoice.RULES:
        return "rules"
    if choice is EngineChoice.CLAUDE_CLI:
        try:
            return f"claude-cli {model.name}, behind {_claude(app).level}"
        except (ConfigError, WallsError) as error:
            return f"claude-cli, with which no dream can begin: {error}"
    if _key(app) is None:
        is_auto = choice is EngineChoice.AUTO
        return f"{'rules' if is_auto else 'none'} (no key for a model is configured)"
    from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only for a model
    from dreamd.sandbox.choose import best  # noqa: PLC0415

    said = exposed(stores.path_of(model.key_file, app.here)) if model.key_file else None
    return f"model {model.name}, behind {best().words}" + (f"; {said}" if said else "")


def _key(app: App) -> str | None:
    from dreamd.engine.model.key import find_key  # noqa: PLC0415 - only where a model may be meant

    model, environ = app.loaded.settings.model, app.loaded.environ
    file = stores.path_of(model.key_file, app.here) if model.key_file else None
    credentials = environ.get("CREDENTIALS_DIRECTORY")
    return find_key(environ, file, Path(credentials) if credentials else None)


def _model(app: App, choice: EngineChoice) -> Engine | None:
    key = _key(app)
    if key is None:
        if choice is EngineChoice.AUTO:
            return None
        raise ConfigError(
            "engine: model needs a key: set ANTHROPIC_API_KEY, or model.key_file to a file that "
            "holds it; or set engine: rules"
        )
    return _with_key(app, key)


def _with_key(app: App, key: str) -> Engine:
    from dreamd.domain.prices import MOST, price_of  # noqa: PLC0415 - only for a model
    from dreamd.engine.model.engine import Access, ModelEngine  # noqa: PLC0415
    from dreamd.spending import Amount, Purse  # noqa: PLC0415

    model, environ = app.loaded.settings.model, app.loaded.environ
    try:
        price = price_of(model.name, model.price)
    except ValueError as error:
        raise ConfigError(
            f"model.price must be four numbers between slashes (input/output/cache read/cache "
            f"write, dollars a million tokens, each from 0 to {MOST:,}), not {model.price!r}"
        ) from error
    purse = Purse(app.loaded.paths.state / "spending", Amount(model.day_tokens, model.day_dollars))
    return ModelEngine(model, Access(key, environ, price), purse)


def _claude(app: App) -> Engine:
    from dreamd.engine.claude.engine import ClaudeEngine  # noqa: PLC0415 - only where it is meant
    from dreamd.engine.claude.login import login  # noqa: PLC0415
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.spending import Amount, Purse  # noqa: PLC0415

    paths, model, environ = app.loaded.paths, app.loaded.settings.model, app.loaded.environ
    lent = login(environ, paths.home, paths.claude, clock.now())
    purse = Purse(paths.state / "spending", Amount(model.day_tokens, model.day_dollars))
    return ClaudeEngine(model, lent, environ, purse)


def find(app: App, prefix: str, memory: str | None = None) -> Found:
    """Return the transaction whose id begins with the prefix, over all stores or in the named one.

    Raises:
        UsageError: none or several begin so.
    """
    wanted = prefix.strip().lower()
    if len(wanted) < receipts.FEWEST:
        raise UsageError(
            f'"{prefix}" is too short for a dream id: give {receipts.FEWEST} characters'
        )
    where = app.known_stores() if memory is None else [app.store(memory, may_be_gone=True)]
    found = []
    for store in where:
        ledger = receipts.read(store.receipts)
        dreams = {dream.id: dream for dream in receipts.past(ledger)}
        found += [
            Found(store, receipt, dreams.get(receipt.dream))
            for receipt in ledger
            if receipt.dream is not None and receipt.dream.startswith(wanted)
        ]
    if not found:
        raise UsageError(f'no dream begins with "{prefix}": `dreamd log` lists them')
    if len(found) > 1:
        ids = ", ".join(each.receipt.dream or "" for each in found[:5])
        raise UsageError(f'"{prefix}" fits {len(found)} dreams ({ids}): give more characters')
    return found[0]


def dreams(app: App, memory: str | None) -> tuple[Store, list[Past]]:
    """Return a store with its past dreams, oldest first."""
    store = app.store(memory, may_be_gone=True)
    return store, receipts.past(receipts.read(store.receipts))


def latest(app: App, memory: str | None, fit: str) -> Found:
    """Return the latest dream of a store that is fit for what is asked.

    `fit` is one of: "any"; "telling" (it has something to show, else any); "changed" (it
    changed notes); "undone"; "waiting" (a proposal waits).

    Raises:
        RefusedError: there is none.
    """
    store, past = dreams(app, memory)
    for dream in reversed(past):
        if _is_fit(dream, fit):
            return Found(store, dream.receipt, dream)
    if fit == "telling":
        return latest(app, memory, "any")
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
            return dream.proposal == "waiting" and not dream.undone
        case _:
            return True
