"""What the Messages API refuses in a request, and what of it comes from the prompt cache.

Prefixes are built in the order tools, system, messages. A block with `cache_control` ends a
prefix that is written, if it has the model's minimum of tokens; the longest prefix written before
that ends at a mark, or at most 20 blocks before one, is read. Tokens are estimated at four bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

_LOOK_BACK = 20  # blocks
_LEAST = (("haiku-4-5", 4096), ("opus-4-5", 4096), ("opus-4-6", 4096), ("haiku-3", 2048))


def minimum(model: str) -> int:
    """The fewest tokens of a prefix that is cached."""
    return next((least for name, least in _LEAST if name in model), 1024)


def tokens_of(value: object) -> int:
    """The tokens of a block, at four bytes each."""
    return -(-len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) // 4)


class Usage(Struct, frozen=True):
    input: int
    cache_read: int
    cache_write: int


class Cache:
    """The prefixes that earlier requests wrote."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def use(self, body: Mapping[str, Any]) -> Usage:
        """Account for a request, and write what its marks ask for."""
        ends, marks = _prefixes(body)
        least = minimum(str(body["model"]))
        read = 0
        for mark in marks:
            for at in range(mark, max(-1, mark - _LOOK_BACK), -1):
                if ends[at][0] in self._written:
                    read = max(read, ends[at][1])
                    break
        useful = [mark for mark in marks if ends[mark][1] >= least]
        self._written.update(ends[mark][0] for mark in useful)
        cached = max([read, *(ends[mark][1] for mark in useful)])
        total = ends[-1][1]
        return Usage(input=total - cached, cache_read=read, cache_write=cached - read)


def _prefixes(body: Mapping[str, Any]) -> tuple[list[tuple[str, int]], list[int]]:
    """The hash and the tokens of the prefix that ends at each block, and the marked blocks."""
    digest = hashlib.sha256(str(body["model"]).encode())
    ends: list[tuple[str, int]] = []
    marks: list[int] = []
    total = 0
    for number, (place, block) in enumerate(_blocks(body)):
        if block.get("cache_control"):
            marks.append(number)
        bare = {key: value for key, value in block.items() if key != "cache_control"}
        digest.update(f"{place}:{json.dumps(bare)}\n".encode())
        total += tokens_of(bare)
        ends.append((digest.hexdigest(), total))
    return ends, marks


def _blocks(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for tool in body.get("tools", ()):
        yield "tool", tool
    system = body.get("system", ())
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        yield "system", block
    switches = json.dumps([body.get("tool_choice"), body.get("thinking")])
    for message in body["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield f"{switches}{message['role']}", block


_FIELDS = {
    *("model", "max_tokens", "messages", "system", "tools", "stream", "tool_choice", "thinking"),
    *("metadata", "stop_sequences", "context_management", "service_tier", "cache_control"),
    "temperature",  # the client's program gives the default
}


def fault(body: Mapping[str, Any]) -> str | None:
    """Why the API would answer 400, None where it would not."""
    if unknown := set(body) - _FIELDS:
        return f"{min(unknown)}: Extra inputs are not permitted"
    if body.get("temperature", 1) != 1:
        return "temperature: Input should be 1"
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        return "max_tokens: Input should be greater than or equal to 1"
    if (body.get("thinking") or {}).get("budget_tokens", 0) >= body["max_tokens"]:
        return "`max_tokens` must be greater than `thinking.budget_tokens`."
    if len(_prefixes(body)[1]) > 4:
        return "A maximum of 4 blocks with cache_control may be provided."
    names = [tool["name"] for tool in body.get("tools", ())]
    if len(set(names)) < len(names):
        return "tools: Tool names must be unique."
    messages: Sequence[Mapping[str, Any]] = body["messages"]
    if not messages or messages[0]["role"] != "user":
        return "messages: first message must use the user role"
    waiting: set[str] = set()  # the calls that no result answers yet
    for number, message in enumerate(messages):
        role, content, has_text = message["role"], message["content"], False
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks:
            return f"messages.{number}: content must not be empty"
        calls: set[str] = set()
        for block in blocks:
            match block["type"]:
                case "text":
                    has_text = True
                    if not block["text"].strip():
                        return f"messages.{number}: text must contain non-whitespace text"
                case "tool_result":
                    if role != "user" or has_text or block["tool_use_id"] not in waiting:
                        return f"messages.{number}: unexpected tool_result"
                    waiting.discard(block["tool_use_id"])
                case "tool_use":
                    if role != "assistant" or not isinstance(block["input"], dict):
                        return f"messages.{number}: tool_use.input: Input should be a dictionary"
                    calls.add(block["id"])
        if waiting:
            break
        waiting = calls
    return f"tool_use ids without tool_result: {sorted(waiting)}" if waiting else None
