"""The engine: which one dreams, the key it needs, and whether the endpoint takes it."""

from __future__ import annotations

from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.checkup.result import Patient, Result, fail, ok, warn
from dreamd.domain.settings import EngineChoice
from dreamd.errors import ConfigError, DreamdError
from dreamd.host import clock

_MOST_TOKENS = 64  # that asking may cost: a question of one word, and one token
_RULES = "or let the rules dream until then (engine: rules)"


def engine(patient: Patient) -> Result:
    """Look whether the engine that is set can dream."""
    app = patient.app
    try:
        engines.engine(app, app.loaded.settings.engine)
        return ok(engines.dreams_with(app))
    except DreamdError as error:
        return fail(str(error), f"fix that, {_RULES}")


def key(patient: Patient) -> Result:
    """Look whether there is a key for a model, and who may read it; it is never shown."""
    app = patient.app
    loaded = app.loaded
    if loaded.settings.engine in {EngineChoice.RULES, EngineChoice.CLAUDE_CLI}:
        return ok(f"not needed with engine: {loaded.settings.engine}")
    try:
        found = engines.key(app)
    except ConfigError as error:
        return fail(str(error), f"put the key there, {_RULES}")
    if found is None:
        said, mend = "none", "set model.key_file to a file that holds it, or engine: rules"
        is_meant = loaded.settings.engine is EngineChoice.MODEL
        return fail(said, mend) if is_meant else ok(f"{said}, so the rules engine dreams")
    from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only with a model

    file = engines.key_file(app)
    if file is not None and exposed(file):
        return warn(f"others may read {file}", f"`chmod 600 {file}`")
    if loaded.environ.get("ANTHROPIC_API_KEY", "").strip():
        return ok("in ANTHROPIC_API_KEY, which this shell knows and a service does not")
    return ok(f"in {file}" if file else "among the credentials of the service")


def online(patient: Patient) -> Result:
    """Ask the endpoint for one token, and say what that cost; it counts as spent today."""
    app = patient.app
    model = app.loaded.settings.model
    if app.loaded.settings.engine is EngineChoice.CLAUDE_CLI:
        return ok("not asked: the client's own program does with engine: claude-cli")
    try:
        found = engines.key(app)
        if found is None or app.loaded.settings.engine is EngineChoice.RULES:
            return ok("not asked: the rules dream")
        said = _asked(app, found)
    except (DreamdError, ValueError) as error:
        return fail(str(error), f"fix that, {_RULES}")
    return ok(f"{model.name} answers; {said}")


def _asked(app: App, found: str) -> str:
    """Return what a request cost, in words.

    Raises:
        DreamdError, ValueError: there was no answer, or the day's budget has no room for one.
    """
    from dreamd.domain.prices import price_of  # noqa: PLC0415 - only where it is asked
    from dreamd.engine.model.engine import withdraw  # noqa: PLC0415

    model = app.loaded.settings.model
    price = price_of(model.name, model.price)
    most = 0.0 if price is None else _MOST_TOKENS * price.output / 1_000_000
    purse = engines.purse(app)
    name = f"doctor-{clock.now_ns()}"
    purse.reserve(name, _MOST_TOKENS, most)
    withdraw()
    from dreamd.engine.model.api import Api  # noqa: PLC0415 - imports the SDK

    api = Api(found, model.base_url)
    tokens = api.lost
    words = [{"role": "user", "content": "Hi"}]
    try:
        tokens = api.ask({"model": model.name, "max_tokens": 1, "messages": words}).tokens
    finally:
        tokens += api.lost
        cost = 0.0 if price is None else tokens.dollars(price)
        purse.settle(name, tokens.all, cost)
        api.close()
    dollars = "at a price that is not known" if price is None else f"${cost:.6f}"
    return f"asking cost {tokens.all} tokens, {dollars}"
