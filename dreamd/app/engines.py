"""Which engine dreams: picked by the settings, and given the key, the walls and the money."""

from __future__ import annotations

from pathlib import Path

from dreamd.app.wiring import App
from dreamd.domain.settings import EngineChoice
from dreamd.errors import ConfigError, WallsError
from dreamd.stores.choice import path_of

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:  # a command that only looks pays for no engine
    from dreamd.engine.protocol import Engine


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
        return model_key(app) is not None
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
    if model_key(app) is None:
        is_auto = choice is EngineChoice.AUTO
        return f"{'rules' if is_auto else 'none'} (no key for a model is configured)"
    from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only for a model
    from dreamd.sandbox.choose import best  # noqa: PLC0415

    said = exposed(path_of(model.key_file, app.here)) if model.key_file else None
    return f"model {model.name}, behind {best().words}" + (f"; {said}" if said else "")


def model_key(app: App) -> str | None:
    """Return the key for a model that is configured, if any."""
    from dreamd.engine.model.key import find_key  # noqa: PLC0415 - only where a model may be meant

    model, environ = app.loaded.settings.model, app.loaded.environ
    file = path_of(model.key_file, app.here) if model.key_file else None
    credentials = environ.get("CREDENTIALS_DIRECTORY")
    return find_key(environ, file, Path(credentials) if credentials else None)


def _model(app: App, choice: EngineChoice) -> Engine | None:
    key = model_key(app)
    if key is None:
        if choice is EngineChoice.AUTO:
            return None
        raise ConfigError(
            "engine: model needs a key: set ANTHROPIC_API_KEY, or model.key_file to a file that "
            "holds it; or set engine: rules"
        )
    return _with_key(app, key)


def _with_key(app: App, key: str) -> Engine:
    from dreamd.domain.cost import MOST, price_of  # noqa: PLC0415 - only for a model
    from dreamd.engine.model.engine import Access, ModelEngine  # noqa: PLC0415
    from dreamd.ledger.spending import Amount, Purse  # noqa: PLC0415

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
    from dreamd.ledger.spending import Amount, Purse  # noqa: PLC0415

    paths, model, environ = app.loaded.paths, app.loaded.settings.model, app.loaded.environ
    lent = login(environ, paths.home, paths.claude, clock.now())
    purse = Purse(paths.state / "spending", Amount(model.day_tokens, model.day_dollars))
    return ClaudeEngine(model, lent, environ, purse)
