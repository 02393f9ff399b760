"""One answer of the model, put together from the events of its stream."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from dreamd.engine.model.depth import is_too_deep
from dreamd.engine.model.spending import Tokens

_APPENDED = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_BYTES = 4  # of a token, as a rule
_MOST_BYTES = 6  # of a token on average over a whole answer; beyond that there are more tokens
_BESIDE = 4  # times that for what is not written by the model, against a flood
_MARGIN = 64  # tokens; a few more than asked for are no sign of anything
_WRITTEN = {"text", "thinking", "tool_use"}
_MOST_COUNT = 10**9  # tokens of one answer; what counts more counts nothing
_INPUT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class BrokenStreamError(Exception):
    """A stream ended early, or what came is no answer; asking again may help."""


class Reply(Struct, frozen=True):
    """What the model answered: blocks as they go back to it, why it stopped, what it cost.

    `broken` are ids of tool calls whose arguments are not one whole JSON object. `is_counted` is
    false where the endpoint did not count, so that `tokens` are estimated by bytes.
    """

    content: tuple[dict[str, Any], ...]
    stop: str
    tokens: Tokens
    broken: frozenset[str] = frozenset()
    is_counted: bool = True

    @property
    def text(self) -> str:
        """What the model wrote, without its thinking and its calls."""
        return "\n".join(str(each["text"]) for each in self.content if each["type"] == "text")

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """The tool calls, in order."""
        return tuple(each for each in self.content if each["type"] == "tool_use")


def _says(block: Mapping[str, Any]) -> bool:
    """Say whether a text block holds any; the API takes no other back."""
    return bool(str(block.get("text") or "").strip())


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block whose text UTF-8 can carry: a half of a surrogate pair that is alone is lost.

    Models write such halves, and pieces of a stream may cut a pair in two.
    """
    text = json.dumps(block, ensure_ascii=False)
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        return block
    paired: dict[str, Any] = json.loads(
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    )
    return paired


def _size(value: object) -> int:
    """Return the bytes of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


class Gathering:
    """Takes the events of one stream, in order, and gives the reply.

    The events are those of the streaming Messages API: message_start, then for each block
    content_block_start, _delta, _stop, then message_delta and message_stop. Unknown events and
    deltas are passed over, as its documentation asks of clients. A call without an id gets one.
    `asked` are the bytes of the request, which its cost is estimated by if nobody counts it.
    """

    def __init__(self, asked: int = 0) -> None:
        self._asked = asked
        self._blocks: list[dict[str, Any]] = []
        self._arguments: dict[int, list[str]] = {}
        self._open: set[int] = set()
        self._usage: dict[str, int] = {}
        self._stop: str | None = None
        self._has_begun = False
        self._is_counted = False  # what the model wrote, at the end
        self._written = 0  # bytes that the model wrote
        self._beside = 0  # bytes of what came with it: signatures, citations, results of searches
        self.is_whole = False

    def take(self, event: object) -> None:
        """Take the next event.

        Raises:
            BrokenStreamError: it cannot follow what came before.
        """
        try:
            if is_too_deep(event):
                raise BrokenStreamError("an event of the answer is nested too deep")
            if isinstance(event, Mapping):
                self._take(event)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise BrokenStreamError("an event of the answer is malformed") from error

    def _take(self, event: Mapping[str, Any]) -> None:
        match event.get("type"):
            case "message_start":
                self._has_begun = True
                self._count(event["message"].get("usage"))
            case "content_block_start":
                self._begin(event["index"], dict(event["content_block"]))
            case "content_block_delta":
                if event["index"] not in self._open:
                    raise BrokenStreamError("a piece of the answer belongs to no block")
                self._extend(event["index"], event["delta"])
            case "content_block_stop":
                self._open.remove(event["index"])
            case "message_delta":
                self._stop = event["delta"].get("stop_reason") or self._stop
                self._is_counted |= "output_tokens" in self._count(event.get("usage"))
            case "message_stop":
                self.is_whole = True

    def _begin(self, index: int, block: dict[str, Any]) -> None:
        if index != len(self._blocks):
            raise BrokenStreamError("a block of the answer is missing")
        if not isinstance(block["type"], str):
            raise BrokenStreamError("a block of the answer has no type")
        if block["type"] == "tool_use":
            self._name(block)
        self._blocks.append(block)
        self._open.add(index)
        if block["type"] in _WRITTEN:
            self._written += _size(block) - _size({"type": block["type"]})
        else:
            self._beside += _size(block)

    def _name(self, block: dict[str, Any]) -> None:
        """See to it that a call has a name, arguments, and an id that no other call has."""
        if not isinstance(block.get("name"), str):
            raise BrokenStreamError("a call of the answer names no tool")
        id_, known = block.get("id"), {each.get("id") for each in self._blocks}
        if not isinstance(id_, str) or not id_ or id_ in known:
            block["id"] = f"toolu_{secrets.token_hex(12)}"
        block.setdefault("input", {})

    @property
    def tokens(self) -> Tokens:
        """What the stream cost so far; what is not counted is estimated at 4 bytes a token."""
        seen = 0 if self._is_counted else self._written // _BYTES
        is_read = not self._has_begun or any(kind in self._usage for kind in _INPUT)
        return Tokens(
            input=self._usage.get("input_tokens", 0) if is_read else self._asked // _BYTES,
            output=max(self._usage.get("output_tokens", 0), seen),
            cache_read=self._usage.get("cache_read_input_tokens", 0),
            cache_write=self._usage.get("cache_creation_input_tokens", 0),
        )

    def passes(self, most: int) -> bool:
        """Say whether an answer that may have `most` tokens has more, as counted or by its bytes.

        The count is the server's own; bytes speak where it says nothing, or lies. An honest
        answer, even of long words, stays below.
        """
        allowed = most + _MARGIN
        return (
            self._usage.get("output_tokens", 0) > allowed
            or self._written > allowed * _MOST_BYTES
            or self._beside > allowed * _MOST_BYTES * _BESIDE
        )

    def reply(self) -> Reply:
        """Return the answer once the stream has ended.

        Where only the closing message_stop, which carries nothing, is missing, the answer stands.

        Raises:
            BrokenStreamError: the stream ended before the answer did.
        """
        if not self._has_begun or self._stop is None or (self._open and not self.is_whole):
            raise BrokenStreamError("the stream ended before the answer did")
        broken = set()
        for index, block in enumerate(self._blocks):
            if "input" not in block:
                continue
            block["input"] = arguments = self._parsed(index, block["input"])
            if arguments is None or index in self._open or self._is_cut(index):
                broken.add(str(block.get("id")))
                block["input"] = {}
        kept = tuple(_whole(each) for each in self._blocks if each["type"] != "text" or _says(each))
        counted = any(kind in self._usage for kind in _INPUT) and "output_tokens" in self._usage
        return Reply(kept, self._stop, self.tokens, frozenset(broken), counted)

    def _count(self, usage: object) -> Mapping[str, int]:
        """Note and return what is counted, each kind cumulative, as documented."""
        counts = usage if isinstance(usage, Mapping) else {}
        said = {
            str(kind): count
            for kind, count in counts.items()
            if type(count) is int and 0 <= count <= _MOST_COUNT
        }
        self._usage |= said
        return said

    def _extend(self, index: int, delta: Mapping[str, Any]) -> None:
        kind = delta.get("type")
        block = self._blocks[index]
        if kind == "input_json_delta":
            piece = str(delta["partial_json"])
            self._arguments.setdefault(index, []).append(piece)
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), delta["citation"]]
            self._beside += _size(delta)
            return
        elif kind in _APPENDED:
            name = _APPENDED[kind]
            piece = delta[name]
            block[name] = (block.get(name) or "") + piece
        else:
            self._beside += _size(delta)
            return
        if kind == "signature_delta":
            self._beside += len(piece)
        else:
            self._written += len(piece.encode("utf-8", "surrogatepass"))

    def _parsed(self, index: int, given: object) -> dict[str, Any] | None:
        """Return the arguments of a call; some servers give them whole in its first event."""
        text = "".join(self._arguments.get(index, ()))
        try:
            value = json.loads(text) if text.strip() else given
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) and not is_too_deep(value) else None

    def _is_cut(self, index: int) -> bool:
        """Say whether an answer that ran out of room ends in a call without any arguments."""
        is_last = index == len(self._blocks) - 1
        said = "".join(self._arguments.get(index, ()))
        return is_last and self._stop == "max_tokens" and not said.strip()
