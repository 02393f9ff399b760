"""Which engine dreams: picked by the settings, and given the key, the walls and the money."""

from __future__ import annotations

import os
from pathlib import Path

from dreamd.app.wiring import App
from dreamd.domain.settings import EngineChoice
from dreamd.errors import ConfigError
from dreamd.stores.choice import path_of

_PLACES = (".local/bin", ".claude/local", ".npm-global/bin")  # of the program, off the PATH
_LEAST = (2, 1, 248)  # the version from which a prompt is no mention of files and no command

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:  # a command that only looks pays for no engine
    from dreamd.engine import Engine
    from dreamd.engine.claude.engine import ClaudeEngine
    from dreamd.engine.model.engine import Access
    from dreamd.ledger.spending import Purse


def engine(
    app: App, choice: EngineChoice, *, to_estimate: bool = False, by_hand: bool = True
) -> Engine:
    """Return the engine to dream with; `auto` is the model where there is a key for one.

    A dream that begins by itself (not `by_hand`) spends on no key that is merely in the
    environment, unless `engine: model` is its choice (`Loaded.unasked`). An engine that is only
    asked what it would cost needs no key.
    """
    if choice is EngineChoice.CLAUDE_CLI:
        return _claude(app)
    if choice is not EngineChoice.RULES:
        is_meant = choice is EngineChoice.MODEL
        found: str | None = ""
        if not (to_estimate and is_meant):
            may_spend = is_meant or by_hand or model_key(app, by_hand=False) is not None
            found = model_key(app) if may_spend else None
        if found is not None:
            from dreamd.engine.model.engine import ModelEngine  # noqa: PLC0415 - only for a model

            return ModelEngine(app.loaded.settings.model, _access(app, found), purse(app))
        if is_meant:
            raise ConfigError(
                "engine: model needs a key: set ANTHROPIC_API_KEY, or model.key_file to a file "
                "that holds it; or set engine: rules"
            )
    from dreamd.engine.rules import RulesEngine  # noqa: PLC0415 - only when dreaming

    return RulesEngine()


def asks_a_model(app: App) -> bool:
    """Return whether a dream that begins by itself would ask a model, which costs.

    False where what is configured cannot be meant: then `engine` says what is wrong.
    """
    choice = app.loaded.unasked
    if choice is not EngineChoice.AUTO:
        return choice is not EngineChoice.RULES
    try:
        return model_key(app, by_hand=False) is not None
    except ConfigError:
        return False


def dreams_with(app: App) -> str:
    """Return in words which engine dreams and why, and a model's behind which walls."""
    choice, model = app.loaded.settings.engine, app.loaded.settings.model
    unasked = app.loaded.unasked
    if choice is EngineChoice.RULES:
        return "rules"
    if choice is EngineChoice.CLAUDE_CLI:
        try:
            found = _claude(app)
        except ConfigError as error:
            return f"claude-cli, with which no dream can begin: {error}"
        program = found.program or "the program of claude-agent-sdk"
        words = f"claude-cli {model.name}, held by {program}; it reads behind {found.level}"
        return words if unasked is choice else f"engine: {unasked}; by hand {words}"
    otherwise, may_be = "none", unasked is EngineChoice.AUTO
    try:
        has_key = may_be and model_key(app, by_hand=False) is not None
        is_asked = has_key or unasked is EngineChoice.MODEL
        otherwise = "none" if is_asked else "rules; by hand none"
        key = model_key(app)
    except ConfigError as error:
        return f"{otherwise}, until this is fixed: {error}"
    if key is None:
        return f"{'none' if is_asked else 'rules'} (no key for a model is configured)"
    from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only for a model
    from dreamd.sandbox.confine import best  # noqa: PLC0415

    words = f"model {model.name}, behind {best().words}"
    if not is_asked:
        if not may_be:
            return f"engine: {unasked}; by hand {words}"
        why = "a key is only in the environment: `dreamd install --engine model` stores it"
        return f"rules ({why}); by hand {words}"
    stored = "model.base_url is set" if model.base_url else "its key is stored"
    file = key_file(app)
    said = exposed(file) if file else None
    why = "engine: model" if choice is EngineChoice.MODEL else stored
    return f"{words} ({why})" + (f"; {said}" if said else "")


def key_file(app: App) -> Path | None:
    """Return the file that is set to hold the key of a model."""
    named = app.loaded.settings.model.key_file
    return path_of(named, app.here) if named else None


def model_key(app: App, *, by_hand: bool = True) -> str | None:
    """Return the key of a model, empty for an endpoint without one; None where none is meant.

    Of a dream that begins by itself (not `by_hand`), a key in the environment is not looked at.

    Raises:
        ConfigError: what stands in its place is no key, or it belongs elsewhere.
    """
    from dreamd.engine.model.key import find_key  # noqa: PLC0415 - only where a model may be meant

    loaded, file = app.loaded, key_file(app)
    is_own = not loaded.sources["model.base_url"].startswith("DREAMD_")
    return find_key(loaded.settings.model, loaded.environ, file, is_own=is_own, by_hand=by_hand)


def purse(app: App) -> Purse:
    """Return the day's money for all dreams that ask a model."""
    from dreamd.ledger.spending import Amount, Purse  # noqa: PLC0415 - only for a model

    model = app.loaded.settings.model
    return Purse(app.loaded.paths.state / "spending", Amount(model.day_tokens, model.day_dollars))


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

    loaded = app.loaded
    if loaded.sources["model.base_url"].startswith("DREAMD_"):  # as a project could set it
        raise ConfigError("the login of claude goes to no address that the environment names")
    program = _program(loaded.environ.get("PATH", ""), loaded.paths.home)
    folder = loaded.paths.state / "claude"
    return ClaudeEngine(loaded.settings.model, _access(app, ""), purse(app), program, folder)


def _program(path: str, home: Path) -> str | None:
    """Return the client's program that the user has; None where there is none that will do."""
    import re  # noqa: PLC0415 - as above
    import shutil  # noqa: PLC0415
    import subprocess  # noqa: PLC0415

    places = (path, *(str(home / each) for each in _PLACES))
    found = shutil.which("claude", path=os.pathsep.join(filter(None, places)))
    try:
        done = subprocess.run(
            [str(found), "--version"], capture_output=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    said = re.match(rb"(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b", done.stdout)
    return found if said and tuple(map(int, said.groups())) >= _LEAST else None
