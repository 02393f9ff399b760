"""A client that gives a model on loopback up soon: for tests, which wait for no endpoint."""

from __future__ import annotations

from typing import Any


def hasten(silence: float = 0.4) -> dict[tuple[Any, str], Any]:
    """Let requests be asked again at once and less often; return what to set, by its place."""
    from anthropic import _base_client

    from dreamd.engine.model import api

    return {
        (_base_client, "INITIAL_RETRY_DELAY"): 0.01,
        (_base_client, "MAX_RETRY_DELAY"): 0.05,
        (api, "CONNECT"): 1.0,
        (api, "SILENCE"): silence,
        (api, "RETRIES"): 2,
        (api, "TRIES"): 2,
        (api, "PAUSE"): 0.01,
    }
