"""The engine: which one dreams, who may read its key, and whether the endpoint takes it."""

from __future__ import annotations

from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.checkup import Result, fail, ok, warn
from dreamd.domain.settings import EngineChoice
from dreamd.errors import DreamdError
from dreamd.host import clock

_MOST_TOKENS = 64  # that asking may cost: a question of one word, and one token
_RULES = "or let the rules dream until then (engine: rules)"


def engine(app: App) -> Result:
    """Look whether the engine that is set can dream, and who may read its key; it is not shown."""
    chosen, place = app.loaded.settings.engine, engines.key_file(app)
    try:
        engines.engine(app, chosen)
        said = engines.dreams_with(app)
    except DreamdError as error:
        return fail(str(error), f"fix that, {_RULES}")
    if chosen in {EngineChoice.AUTO, EngineChoice.MODEL} and place is not None:
        from dreamd.engine.model.key import exposed  # noqa: PLC0415 - only for a model

        if exposed(place):
            return warn(said, f"`chmod 600 {place}`")
    return ok(said)


def online(app: App) -> Result:
    """Ask the endpoint for one token, and say what that cost; it counts as spent today."""
    settings = app.loaded.settings
    if settings.engine is EngineChoice.CLAUDE_CLI:
        return ok("not asked: the client's own program does with engine: claude-cli")
    try:
        found = engines.model_key(app)
        if found is None or settings.engine is EngineChoice.RULES:
            return ok("not asked: the rules dream")
        return ok(f"{settings.model.name} answers; asking cost {_asked(app, found)}")
    except (DreamdError, ValueError) as error:
        return fail(str(error), f"fix that, {_RULES}")


def _asked(app: App, found: str) -> str:
    """Return what a request cost, in words."""
    from dreamd.domain.cost import price_of  # noqa: PLC0415 - only where it is asked
    from dreamd.engine.model.engine import withdraw  # noqa: PLC0415

    model = app.loaded.settings.model
    price = price_of(model.name, model.price)
    most = 0.0 if price is None else _MOST_TOKENS * price.output / 1_000_000
    purse = engines.purse(app)
    name = f"doctor-{clock.now_ns()}"
    purse.reserve(name, _MOST_TOKENS, most)
    withdraw()
    from dreamd.engine.model.api import Api  # noqa: PLC0415 - imports the SDK

    api = Api(found, model.base_url, model.silence)
    tokens = api.lost
    words = [{"role": "user", "content": "Hi"}]
    try:
        tokens = api.ask({"model": model.name, "max_tokens": 1, "messages": words}).tokens
    finally:
        tokens += api.lost
        cost = tokens.cost(price)
        purse.settle(name, tokens.tokens, cost)
        api.close()
    dollars = "at a price that is not known" if price is None else f"${cost:.6f}"
    return f"{tokens.tokens} tokens, {dollars}"
