"""Ask the model through the SDK: one request, asked again where that may help."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

import anthropic
import msgspec
from anthropic import types
from anthropic.types import Message, RawMessageStreamEvent

from dreamd.domain.receipt import Usage
from dreamd.engine.model.conversation import body_size, is_too_deep, text_of
from dreamd.engine.model.key import ANTHROPIC
from dreamd.engine.model.page import BYTES
from dreamd.errors import SessionError

CONNECT = 10.0  # seconds
RETRIES = 5  # by the SDK, of a request that got no answer; it pauses, or waits as it is told
TRIES, PAUSE = 3, 1.0  # of a request whose answer broke off, and seconds before each, growing
_MOST_BYTES = 6  # of a token on average over a whole answer; beyond that there are more tokens
_BESIDE = 4  # times that for what is not written by the model (signatures), against a flood
_MARGIN = 64  # tokens; a few more than asked for are no sign of anything
_MOST_COUNT = 10**9  # tokens of one answer; what counts more counts nothing
_WRITTEN = {"text", "thinking", "tool_use", "text_delta", "thinking_delta", "input_json_delta"}
_READ = {  # what the API counts of what the model read, and our names for it
    "input_tokens": "input_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}
_TOO_LONG = (
    "the endpoint went on beyond the {most:,} tokens that an answer was to have, and was cut off"
)
_TOO_OFTEN = "answers that broke off came to more than the {most:,} tokens that one was to have"
_NO_ADDRESS = (
    "model.base_url, or a proxy named in the environment, is no address that can be used: both "
    "should begin with http:// or https:// (a socks proxy needs the package socksio)"
)
_REFUSALS = {  # by status: the error type, which a stream may carry after a 200, and a sentence
    400: ("invalid_request_error", "the API calls the request invalid"),
    401: ("authentication_error", "the key is not accepted"),
    402: ("billing_error", "the account cannot pay for the request"),
    403: ("permission_error", "the key may not do this, perhaps not use the model"),
    404: ("not_found_error", "the endpoint does not know the model, or is no Messages API"),
    408: ("", "the API waited too long for the request"),
    409: ("", "the request collided with another one"),
    413: ("request_too_large", "the request is too large for the API"),
    429: ("rate_limit_error", "the API's rate limit is reached"),
    504: ("timeout_error", "the API failed"),
    529: ("overloaded_error", "the API is overloaded"),
}
_STATUS = {kind: status for status, (kind, _) in _REFUSALS.items()}
_REMEDIES = {  # what would make it right
    401: "check the key file, or ANTHROPIC_API_KEY, whose host ANTHROPIC_BASE_URL names",
    402: "see the billing page of the API",
    404: "check model.name and model.base_url",
}
_KNOWN_WORDS = (  # of a 400: what the API says, and what we say
    ("prompt is too long", "the conversation is longer than the model can read"),
    ("credit balance", "the account has no credit left"),
)
_NO_MORE = "the spending limit of the account is reached; see the billing page of the API"


class OverlongError(SessionError):
    """The endpoint sent more than was asked for; asking again would cost as much again."""


class BrokenAnswerError(Exception):
    """What came is no answer; asking again may help."""


class Reply(msgspec.Struct, frozen=True):
    """What the model answered: blocks as they go back to it, why it stopped, what it cost.

    `broken` are ids of tool calls whose arguments are not one whole JSON object. `is_counted` is
    false where the endpoint did not count, so that `tokens` are estimated by bytes.
    """

    content: tuple[dict[str, Any], ...]
    stop: str
    tokens: Usage
    broken: frozenset[str] = frozenset()
    is_counted: bool = True

    @property
    def text(self) -> str:
        """What the model wrote, without its thinking and its calls."""
        return text_of(self.content)

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """The tool calls, in order."""
        return tuple(each for each in self.content if each["type"] == "tool_use")


class Api:
    """A client of the Messages API; SessionError where its address, or that of a proxy, is none.

    After `silence` seconds without a byte, of which pings are some, a request is asked again.
    """

    def __init__(self, key: str, base_url: str, silence: float) -> None:
        try:
            self._client = anthropic.Anthropic(
                auth_token=key or "none",  # an endpoint without keys may still want the header
                base_url=base_url or ANTHROPIC,
                max_retries=RETRIES,
                timeout=anthropic.Timeout(silence, connect=CONNECT),
                default_headers={"user-agent": "dreamd"},
            )
        except Exception:  # noqa: BLE001 - of any HTTP library, and it may quote the key
            raise SessionError(_NO_ADDRESS) from None
        self._unpaid: list[_Tally] = []  # of answers that broke off, and of the one underway

    def close(self) -> None:
        """Give back its connections."""
        self._client.close()

    @property
    def lost(self) -> Usage:
        """What answers that broke off cost, and the request underway until now."""
        return sum((each.tokens for each in self._unpaid), Usage())

    def ask(self, body: Mapping[str, Any], betas: str = "") -> Reply:
        """Return the answer to a request; `betas` is the `anthropic-beta` header.

        That an answer has no more than `max_tokens` is seen to here, and not left to the server.

        Raises:
            SessionError: there will be no answer; a sentence without key and body.
            OverlongError: the answer, or what broke off of it in all attempts, is longer than
                that; it was cut off.
        """
        most, before, sentence = int(body["max_tokens"]), self.lost.output_tokens, ""
        for attempt in range(TRIES):
            time.sleep(PAUSE * attempt)
            tally = _Tally(body_size(body), most)
            self._unpaid.append(tally)
            try:
                reply = self._answer(body, betas, tally)
            except Exception as error:
                if isinstance(error, OverlongError):
                    raise
                if not tally.has_begun:
                    self._unpaid.remove(tally)
                sentence, may_pass = _trouble(error)
                if not (may_pass and tally.is_open):
                    raise SessionError(sentence) from None
            else:
                self._unpaid.remove(tally)
                return reply
            if self.lost.output_tokens - before > most:
                raise OverlongError(_TOO_OFTEN.format(most=most))
        raise SessionError(f"{sentence}, {TRIES} times in a row")

    def _answer(self, body: Mapping[str, Any], betas: str, tally: _Tally) -> Reply:
        events = self._client.post(
            "/v1/messages",
            cast_to=Message,
            body={**body, "stream": True},
            options={
                "follow_redirects": False,  # the key goes to the named endpoint only
                "headers": {"anthropic-beta": betas} if betas else {},
            },
            stream=True,
            stream_cls=_Events,
        )
        events.tally, tally.is_open = tally, True
        with anthropic.MessageStream(events, anthropic.NOT_GIVEN) as stream:
            is_whole = False
            for event in stream:
                if is_whole := event.type == "message_stop":
                    break  # some servers leave the stream open
            message = stream.current_message_snapshot
        if not message.stop_reason and not is_whole:
            raise BrokenAnswerError("it ended before it was whole")
        return _reply(message.to_dict(warnings=False), tally)


class _Events(anthropic.Stream[RawMessageStreamEvent]):
    """The events of an answer, each tallied before the SDK puts them together."""

    tally: _Tally

    def __iter__(self) -> Iterator[RawMessageStreamEvent]:
        for event in super().__iter__():
            self.tally.take(event)
            yield event


class _Tally:
    """What an answer costs so far, and whether it passes what it may have.

    The count is the server's own; bytes speak where it says nothing, or lies. An honest answer,
    even of long words, stays below. `asked` are the bytes of the request.
    """

    def __init__(self, asked: int, most: int) -> None:
        self._asked, self.most = asked, most
        self._counts: dict[str, int] = {}
        self._written = self._beside = 0  # bytes
        self._is_written_counted = False
        self.is_open = self.has_begun = False  # there is a stream, and a message in it

    @property
    def is_counted(self) -> bool:
        """Whether the endpoint counted both what it read and what it wrote."""
        return self._is_written_counted and any(self._counts.get(kind) for kind in _READ)

    @property
    def tokens(self) -> Usage:
        """What was counted; what was not is estimated at 4 bytes a token."""
        counts = {name: self._counts.get(kind, 0) for kind, name in _READ.items()}
        if not any(counts.values()):  # a server that does not count says 0, or nothing
            counts["input_tokens"] = self._asked // BYTES
        seen = 0 if self._is_written_counted else self._written // BYTES
        return Usage(**counts, output_tokens=max(self._counts.get("output_tokens", 0), seen))

    def take(self, event: RawMessageStreamEvent) -> None:
        """Count an event, and leave in it only counts that are some, for the SDK reads them.

        Raises:
            OverlongError: the answer has more than it may.
        """
        match event.type:
            case "message_start":
                self.has_begun = True
                self._count(event.message.usage)
                usage = types.Usage.construct(input_tokens=0, output_tokens=0)
                event.message = Message.construct(content=[], usage=usage)
            case "message_delta":
                self._is_written_counted |= bool(self._count(event.usage).get("output_tokens"))
                event.usage = types.MessageDeltaUsage.construct(output_tokens=0)
            case "content_block_start":
                self._weigh(event.content_block.to_dict(warnings=False))
            case "content_block_delta":
                self._weigh(event.delta.to_dict(warnings=False))
        allowed = self.most + _MARGIN
        if (
            self._counts.get("output_tokens", 0) > allowed
            or self._written > allowed * _MOST_BYTES
            or self._beside > allowed * _MOST_BYTES * _BESIDE
        ):
            raise OverlongError(_TOO_LONG.format(most=self.most))

    def _count(self, usage: object) -> Mapping[str, int]:
        """Note what is counted, each kind cumulative, and return it."""
        said = {kind: getattr(usage, kind, None) for kind in (*_READ, "output_tokens")}
        counts = {
            kind: count
            for kind, count in said.items()
            if type(count) is int and 0 <= count <= _MOST_COUNT
        }
        self._counts |= counts
        return counts

    def _weigh(self, part: Mapping[str, object]) -> None:
        text = "".join(str(value) for name, value in part.items() if value and name != "type")
        weight = len(text.encode("utf-8", "surrogatepass"))
        is_written = part.get("type") in _WRITTEN
        self._written += weight * is_written
        self._beside += weight * (not is_written)


def _reply(message: Mapping[str, Any], tally: _Tally) -> Reply:
    """Return a message as it can be sent back, with the calls in it that cannot be carried out.

    A call without an id gets one, and an empty text is left out: the API takes neither back. Why
    it stopped is inferred where the server does not say (vLLM, Ollama). A half of a surrogate pair
    that is alone is lost; models write such halves, and pieces of a stream may cut a pair in two.
    """
    if is_too_deep(message["content"]):
        raise BrokenAnswerError("it is nested too deep")
    text = json.dumps(message["content"], ensure_ascii=False)
    blocks = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    calls = any(block["type"] == "tool_use" for block in blocks)
    ended = "tool_use" if calls else "end_turn"
    ended = "max_tokens" if tally.tokens.output_tokens >= tally.most else ended
    stop, broken, ids = str(message.get("stop_reason") or ended), set(), set()
    for block in blocks:
        if block["type"] != "tool_use":
            continue
        if not isinstance(block.get("name"), str):
            raise BrokenAnswerError("a call of it names no tool")
        if not block.get("id") or not isinstance(block["id"], str) or block["id"] in ids:
            block["id"] = f"toolu_{secrets.token_hex(12)}"
        ids.add(block["id"])
        is_cut = stop == "max_tokens" and block is blocks[-1]
        if is_cut or not isinstance(block.setdefault("input", {}), dict):
            block["input"] = {}
            broken.add(block["id"])
    kept = [each for each in blocks if each["type"] != "text" or str(each["text"]).strip()]
    return Reply(tuple(kept), stop, tally.tokens, frozenset(broken), tally.is_counted)


def _trouble(error: Exception) -> tuple[str, bool]:
    """Return a sentence on an error, and whether an answer that it broke off may come yet.

    Nothing of the endpoint's words is quoted, since they may repeat what was sent.
    """
    if isinstance(error, anthropic.APIStatusError):
        return _refused(error.status_code, error.body)
    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    names = " ".join(type(each).__name__ for each in causes)
    if any("CERTIFICATE_VERIFY_FAILED" in str(each) for each in causes):
        return "the certificate of the endpoint is not to be trusted", False
    if any(name in names for name in ("InvalidURL", "UnsupportedProtocol", "LocalProtocol")):
        return "model.base_url is no address of an API", False
    if isinstance(error, BrokenAnswerError):
        return f"the API's answer broke off: {error}", True
    if "Timeout" in names:
        return "the API fell silent (model.silence)", True
    if "ConnectError" in names:
        return "the API cannot be reached: look at the network and at model.base_url", True
    if isinstance(error, anthropic.APIError) or type(error).__module__.startswith("httpx"):
        return "the connection to the API broke", True
    return "the API's answer is garbled", True  # what the SDK stumbles over


def _refused(status: int, body: object) -> tuple[str, bool]:
    """Return what an error answer means, with a status, or within a stream that began with 200."""
    error = _mapping(_mapping(body).get("error"))
    if status < 300:
        status = _STATUS.get(str(error.get("type")), 500)
    if str(_mapping(error.get("details")).get("error_code")).endswith("spend_limit_reached"):
        return _NO_MORE, False  # comes as 429, and lasts for weeks
    may_pass = status in {408, 409, 429} or status >= 500
    other = "the API failed" if status >= 500 else "the API refused the request"
    _, sentence = _REFUSALS.get(status, ("", other))
    if status == 400:
        said = str(error.get("message")).lower()
        sentence = next((ours for words, ours in _KNOWN_WORDS if words in said), sentence)
    elif status < 400:
        sentence = "the endpoint sends elsewhere; model.base_url should name its target"
    remedy = "try again later" if may_pass else _REMEDIES.get(status)
    return f"{sentence} ({status})" + (f"; {remedy}" if remedy else ""), may_pass


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
