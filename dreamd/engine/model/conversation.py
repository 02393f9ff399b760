"""The conversation with the model, and the bodies of its requests, prefix by identical prefix."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dreamd.domain.receipt import Phase
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.tools import TOOLS

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

    @property
    def remark(self) -> str:
        """The last words of the model."""
        heard = (each["content"] for each in reversed(self.own) if each["role"] == "assistant")
        return next(filter(None, (text_of(blocks).strip() for blocks in heard)), "")

    def say(self, *blocks: Mapping[str, Any] | str) -> None:
        """Add a message of the user."""
        texts = (
            {"type": "text", "text": each} if isinstance(each, str) else each for each in blocks
        )
        self.own.append({"role": "user", "content": [dict(block) for block in texts]})

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


def begun(model: str, first: str) -> Conversation:
    """Return a conversation of our own, with its first message."""
    offered = [
        {"name": each.name, "description": each.description, "input_schema": each.schema}
        for each in TOOLS
    ]
    system = [{"type": "text", "text": SYSTEM, "cache_control": _MARK}]
    conversation = Conversation({"model": model, "tools": offered, "system": system})
    conversation.say(first)
    return conversation


def continued(parent: Mapping[str, Any], first: str) -> Conversation:
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
    last, elsewhere = messages[-1], "Not carried out: this conversation goes on elsewhere."
    is_open = last.get("role") == "assistant" and isinstance(last.get("content"), list)
    open_calls = [
        result(block["id"], elsewhere, is_error=True)
        for block in (last["content"] if is_open else ())
        if block.get("type") == "tool_use"
    ]
    conversation.say(*open_calls, f"{SYSTEM}\n\n{first}")
    return conversation


def result(call: str, text: str, *, is_error: bool = False) -> Message:
    """Return the block that tells the model what came of a call."""
    block = {"type": "tool_result", "tool_use_id": call, "content": text or "(nothing)"}
    return {**block, "is_error": True} if is_error else block


def body_size(body: Mapping[str, Any]) -> int:
    """Return the bytes of a body as it is sent."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def text_of(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return what the model wrote in an answer, without its thinking and its calls."""
    return "\n".join(str(each["text"]) for each in blocks if each["type"] == "text")


def announced(text: str) -> Phase | None:
    """Return the last phase that a text announces by a line `## gather`, None without one."""
    found = _ANNOUNCED.findall(text)
    return Phase(found[-1].lower()) if found else None


def is_too_deep(value: object, most: int = _DEEPEST) -> bool:
    """Say whether objects and lists are nested deeper than any use has: it could not be kept."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return most < 0 or any(is_too_deep(part, most - 1) for part in parts)
