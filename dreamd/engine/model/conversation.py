"""The conversation with the model, and the bodies of its requests, prefix by identical prefix."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dreamd.domain.receipt import Phase
from dreamd.engine.model.tools import Tool

_MARK = {"type": "ephemeral"}
_MARKS = 4  # breakpoints that the API takes in one request
_SAMPLING = ("temperature", "top_p", "top_k")  # which API version 2026-10-21 refuses
_ANNOUNCED = re.compile(rf"^\s{{0,3}}##\s*({'|'.join(Phase)})\b", re.IGNORECASE | re.MULTILINE)
_DEEPEST = 100  # objects and lists within each other
_ROLLING = 2  # the newest, and the one that the last request wrote

Message = dict[str, Any]


class Conversation:
    """What goes to the model: a head that never changes, and messages that are only added to.

    Breakpoints of the prompt cache stand behind the system prompt, which covers the tools before
    it, and on the last two messages of the user. Where the earlier of them stands the last
    request wrote the cache, so that it is found however many blocks were added since.
    """

    def __init__(
        self, head: Mapping[str, Any], messages: Sequence[Mapping[str, Any]] = (), betas: str = ""
    ) -> None:
        self._head = head
        self._inherited = messages
        self.betas = betas
        self.own: list[Message] = []
        taken = json.dumps({**head, "messages": messages}).count('"cache_control": {')
        self._free = 0 if "cache_control" in head else min(_ROLLING, max(0, _MARKS - taken))

    @property
    def thought(self) -> int:
        """The tokens that the model thinks with; the API refuses an answer of no more."""
        thinking = self._head.get("thinking") or {}
        return int(thinking.get("budget_tokens") or 0)

    def say(self, *blocks: Mapping[str, Any]) -> None:
        """Add a message of the user."""
        self.own.append({"role": "user", "content": [dict(block) for block in blocks]})

    def hear(self, blocks: Iterable[Mapping[str, Any]]) -> None:
        """Add what the model answered, if it is anything."""
        if content := [dict(block) for block in blocks]:
            self.own.append({"role": "assistant", "content": content})

    def body(self, most: int) -> dict[str, Any]:
        """Return the body of the next request, whose answer may have `most` tokens."""
        messages = [*self._inherited, *self.own]
        said = [at for at, message in enumerate(self.own) if message["role"] == "user"]
        for at in said[len(said) - min(self._free, len(said)) :]:
            message = self.own[at]
            *before, last = message["content"]
            marked = {**message, "content": [*before, {**last, "cache_control": _MARK}]}
            messages[len(self._inherited) + at] = marked
        return {**self._head, "max_tokens": most, "messages": messages}


def begun(model: str, system: str, tools: Sequence[Tool], first: str) -> Conversation:
    """Return a conversation of our own, with its first message."""
    offered = [
        {"name": each.name, "description": each.description, "input_schema": each.schema}
        for each in tools
    ]
    conversation = Conversation(
        {
            "model": model,
            **({"tools": offered} if offered else {}),
            "system": [{"type": "text", "text": system, "cache_control": _MARK}],
        }
    )
    conversation.say({"type": "text", "text": first})
    return conversation


def continued(parent: Mapping[str, Any], system: str, first: str) -> Conversation:
    """Return another client's conversation, continued by one message of ours.

    `parent` is the body of its last request. Model, system prompt, tools and messages stay as
    they are, and so does all else that a prompt cache depends on; sampling, and a choice of tools
    that would force or forbid calls, are left out. `betas`, if it has them, become a header. Our
    system prompt goes into the added message, since the parent's has to stay.
    """
    head = dict(parent)
    messages = head.pop("messages")
    betas = head.pop("betas", ())
    for name in ("max_tokens", "stream", *_SAMPLING):
        head.pop(name, None)
    if (head.get("tool_choice") or {}).get("type") != "auto":
        head.pop("tool_choice", None)
    conversation = Conversation(head, messages, ",".join(betas))
    open_calls = [
        {
            "type": "tool_result",
            "tool_use_id": block["id"],
            "content": "Not carried out: this conversation goes on elsewhere.",
            "is_error": True,
        }
        for block in _last_blocks(messages)
        if block.get("type") == "tool_use"
    ]
    conversation.say(*open_calls, {"type": "text", "text": f"{system}\n\n{first}"})
    return conversation


def size(body: Mapping[str, Any]) -> int:
    """Return the bytes of a body as it is sent."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def _last_blocks(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    last = messages[-1] if messages else {}
    content = last.get("content")
    return list(content) if last.get("role") == "assistant" and isinstance(content, list) else []


def announced(text: str) -> Phase | None:
    """Return the last phase that a text announces by a line `## gather`, None without one."""
    found = _ANNOUNCED.findall(text)
    return Phase(found[-1].lower()) if found else None


def is_too_deep(value: object) -> bool:
    """Say whether objects and lists are nested deeper than any use has: it could not be kept."""
    layer = [value]
    for _ in range(_DEEPEST + 1):
        layer = [part for each in layer for part in _parts(each)]
        if not layer:
            return False
    return True


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
