"""`dream --estimate`: what a dream would cost, without dreaming."""

from __future__ import annotations

from msgspec.structs import asdict

from dreamd.cli import common
from dreamd.domain.estimate import Estimate, count
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.domain.words import plural
from dreamd.draft import Night, foreseen

_NOTHING = Estimate(
    model="",
    most_tokens=0,
    most_dollars=0.0,
    requests=0,
    input_tokens=0,
    output_tokens=0,
    cache_read_tokens=0,
    cache_write_tokens=0,
    dollars=0.0,
)


def run(store: Store, night: Night, *, as_json: bool) -> int:
    """Print what a dream would cost; nothing is asked, locked or written."""
    estimate = foreseen(store, night)
    if as_json:
        told = _NOTHING if estimate is None else estimate
        common.answer({"engine": night.engine.name, "memory": str(store.memory)} | asdict(told))
    elif estimate is None:
        print("It would cost nothing: the rules engine asks no model.")
        if night.settings.engine is not EngineChoice.RULES:
            print("`dreamd dream --engine model --estimate` says what a model's dream would cost.")
    else:
        print(f"{night.engine.name} engine, {estimate.model}: {estimate.words}")
        if estimate.requests is None:
            print("What it will need is not known before: the program makes its own requests.")
        else:
            new = (estimate.input_tokens or 0) + (estimate.cache_write_tokens or 0)
            print(
                f"{plural(estimate.requests, 'request')}: {count(new)} tokens new, "
                f"{count(estimate.cache_read_tokens or 0)} from the cache, "
                f"{count(estimate.output_tokens or 0)} written"
            )
    return 0
