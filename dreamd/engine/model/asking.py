"""A way to the model that says of each request, before it goes out, what it asks and weighs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dreamd.engine.model.conversation import size
from dreamd.engine.model.loop import Sends
from dreamd.engine.model.reply import Reply
from dreamd.engine.model.spending import Tokens
from dreamd.engine.model.wire import WireError

_BYTES_A_TOKEN = 4


class Asking:
    """Passes requests on, each told first: what a worker that is killed then owes and had said.

    The event has about how many `tokens` the request has, and in `more` the messages since the
    last event; none where they are too large for one.
    """

    def __init__(
        self,
        transport: Sends,
        messages: Sequence[Mapping[str, Any]],
        tell: Callable[[Mapping[str, Any]], None],
    ) -> None:
        self._transport, self._messages, self._tell = transport, messages, tell
        self._told = 0

    @property
    def lost(self) -> Tokens:
        """What attempts without an answer cost so far."""
        return self._transport.lost

    def send(self, body: Mapping[str, Any], betas: str = "") -> Reply:
        """Return the answer to a request, once it is told of.

        Raises:
            ApiError, OutOfTimeError: as the transport does.
            OSError: nobody listens any more.
        """
        event = {"event": "asking", "tokens": size(body) // _BYTES_A_TOKEN}
        try:
            self._tell({**event, "more": list(self._messages[self._told :])})
        except WireError:
            self._tell({**event, "more": []})
        self._told = len(self._messages)
        return self._transport.send(body, betas)
