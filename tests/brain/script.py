"""Scripts of the test brain as data: what a model answers, and how the line fails it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

Block = Mapping[str, Any]


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "c2lnbmVk") -> Block:
    return {"type": "thinking", "thinking": words, "signature": signature}


def tool(name: str, arguments: Mapping[str, Any], call: str = "") -> Block:
    return {"type": "tool_use", "id": call, "name": name, "input": dict(arguments)}


def torn(name: str, arguments: str, call: str = "") -> Block:
    """A tool call whose arguments are this text, which need not be JSON."""
    return {"type": "tool_use", "id": call, "name": name, "torn": arguments}


class Answer(Struct, frozen=True):
    """One answer. What `failing` says happens after that many events, in place of the next.

    `failing`: "" nothing, "cut" the connection closes within the body, "end" the body ends as if
    all were said, "reset" the connection is reset, "stall" silence, "garble" an event that is no
    JSON, "odd" an event that cannot follow, or the type of an `error` event. `pace` are seconds
    between events; `drip` seconds between single bytes.
    """

    blocks: tuple[Block, ...] = ()
    stop: str = ""
    failing: str = ""
    after: int = 3
    pace: float = 0.0
    drip: float = 0.0

    @property
    def reason(self) -> str:
        calls = any(block["type"] == "tool_use" for block in self.blocks)
        return self.stop or ("tool_use" if calls else "end_turn")


class Refusal(Struct, frozen=True):
    """An HTTP error in place of an answer; `waits` are seconds before it."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    waits: float = 0.0


class Hangup(Struct, frozen=True):
    """The connection is reset before any answer."""


Step = Answer | Refusal | Hangup


def say(*blocks: Block | str, **how: Any) -> Answer:
    """An answer of these blocks; a plain string is a text."""
    return Answer(tuple(text(each) if isinstance(each, str) else each for each in blocks), **how)


def partial(block: Block) -> str:
    """The arguments of a tool call as its stream carries them."""
    if "torn" in block:
        return str(block["torn"])
    return json.dumps(block["input"]) if block["input"] else ""
