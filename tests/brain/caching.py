"""What of a request comes from the prompt cache, by the documented rules.

Prefixes are built in the order tools, system, messages. A block with `cache_control` ends a
prefix that is written, if it has the model's minimum of tokens; the longest prefix written before
that ends at a mark, or at most 20 blocks before one, is read. Tokens are estimated at four bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
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


def marks_of(body: Mapping[str, Any]) -> int:
    """How many breakpoints a request has."""
    return len(_prefixes(body)[1])


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
