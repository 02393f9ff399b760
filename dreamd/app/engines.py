"""Which engine dreams: picked by the settings, and given the key, the walls and the money."""

from __future__ import annotations

from pathlib import Path

from dreamd.app.wiring import App
from dreamd.domain.settings import EngineChoice
from dreamd.errors import ConfigError
from dreamd.stores.choice import path_of

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:  # a command that only looks pays for no engine
    from dreamd.engine import Engine
    from dreamd.engine.claude.engine import ClaudeEngine
    from dreamd.engine.model.engine import Access
    from dreamd.ledger.spending import Purse


def engine(app: App, choice: EngineChoice, *, to_estimate: bool = False) -> Engine:
    """Return the engine to dream with; `auto` is the model where a key for one is configured.

    One that is only asked what it would cost needs no key.
    """
    if choice is EngineChoice.CLAUDE_CLI:
        return _claude(app)
    if choice is not EngineChoice.RULES:
        found = "" if to_estimate and choice is EngineChoice.MODEL else model_key(app)
        if found is not None:
            return _model(app, found)
        if choice is EngineChoice.MODEL:
            raise ConfigError(
                "engine: model needs a key: set ANTHROPIC_API_KEY, or model.key_file to a file "
                "that holds it; or set engine: rules"
            )
    from dreamd.engine.rules import RulesEngine  # noqa: PLC0415 - only when dreaming

    return RulesEngine()


def fallback(app: App, first: Engine) -> Engine | None:
    """Return the engine that dreams where the dream of the first one failed; None for none."""
    if first.name == EngineChoice.RULES or not app.loaded.falls_back:
        return None
    return engine(app, EngineChoice.RULES)


def tidy(app: App, first: Engine) -> Engine | None:
    """Return what puts the notes in order before a session with a model; None before the rules."""
    return None if first.name == EngineChoice.RULES else engine(app, EngineChoice.RULES)


def asks_a_model(app: App) -> bool:
    """Return whether a dream would ask a model, which costs and mostly needs a network.

    False where what is configured cannot be meant: then `engine` says what is wrong.
    """
    choice = app.loaded.settings.engine
    if choice is not EngineChoice.AUTO:
        return choice is not EngineChoice.RULES
    try:
        return model_key(app) is not None
    except ConfigError:
        return False


def dreams_with(app: App) -> str:
    """Return in words which engine a dream would have, and a model's behind which walls."""
    choice, model = app.loaded.settings.engine, app.loaded.settings.model
    if choice is EngineChoice.RULES:
        return "rules"
    if choice is EngineChoice.CLAUDE_CLI:
        try:
            found = _claude(app)
        except ConfigError as error:
            return f"claude-cli, with which no dream can begin: {error}"
        program = found.program or "the program of claude-agent-sdk"
        return f"claude-cli {model.name}, held by {program}; it reads behind {found.level}"
    if model_key(app) is None:
        is_auto = choice is EngineChoice.AUTO
        return f"{'rules' if is_auto else 'none'} (no key for a model is configured)"
    from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only for a model
    from dreamd.sandbox.confine import best  # noqa: PLC0415

    file = key_file(app)
    said = exposed(file) if file else None
    return f"model {model.name}, behind {best().words}" + (f"; {said}" if said else "")


def key_file(app: App) -> Path | None:
    """Return the file that is set to hold the key of a model."""
    named = app.loaded.settings.model.key_file
    return path_of(named, app.here) if named else None


def model_key(app: App) -> str | None:
    """Return the key of a model; None where there is none.

    Raises:
        ConfigError: what stands in its place is no key.
    """
    from dreamd.engine.model.key import find_key  # noqa: PLC0415 - only where a model may be meant

    credentials = app.loaded.environ.get("CREDENTIALS_DIRECTORY")
    return find_key(app.loaded.environ, key_file(app), Path(credentials) if credentials else None)


def purse(app: App) -> Purse:
    """Return the day's money for all dreams that ask a model."""
    from dreamd.ledger.spending import Amount, Purse  # noqa: PLC0415 - only for a model

    model = app.loaded.settings.model
    return Purse(app.loaded.paths.state / "spending", Amount(model.day_tokens, model.day_dollars))


def _model(app: App, found: str) -> Engine:
    from dreamd.engine.model.engine import ModelEngine  # noqa: PLC0415 - only for a model

    return ModelEngine(app.loaded.settings.model, _access(app, found), purse(app))


def _access(app: App, key: str) -> Access:
    from dreamd.domain.cost import MOST, price_of  # noqa: PLC0415 - only for a model
    from dreamd.engine.model.engine import Access  # noqa: PLC0415

    model = app.loaded.settings.model
    try:
        price = price_of(model.name, model.price)
    except ValueError as error:
        raise ConfigError(
            f"model.price must be four numbers between slashes (input/output/cache read/cache "
            f"write, dollars a million tokens, each from 0 to {MOST:,}), not {model.price!r}"
        ) from error
    return Access(key, app.loaded.environ, price)


def _claude(app: App) -> ClaudeEngine:
    from dreamd.engine.claude.engine import ClaudeEngine  # noqa: PLC0415 - only where it is meant
    from dreamd.host import laptop  # noqa: PLC0415

    loaded = app.loaded
    if loaded.sources["model.base_url"].startswith("DREAMD_"):  # as a project could set it
        raise ConfigError("the login of claude goes to no address that the environment names")
    program = laptop.program(loaded.environ.get("PATH", ""), loaded.paths.home)
    folder = loaded.paths.state / "claude"
    return ClaudeEngine(loaded.settings.model, _access(app, ""), purse(app), program, folder)
