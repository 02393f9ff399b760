"""Ask the model through the SDK: one request, asked again where that may help."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

import anthropic
import msgspec
from anthropic.types import Message, MessageDeltaUsage, RawMessageStreamEvent, Usage

from dreamd.engine.model.conversation import is_too_deep, size
from dreamd.engine.model.spending import Tokens
from dreamd.errors import SessionError

CONNECT, SILENCE = 10.0, 90.0  # seconds: to connect; between bytes, of which pings are some
RETRIES = 5  # by the SDK, of a request that got no answer; it pauses, or waits as it is told
TRIES, PAUSE = 3, 1.0  # of a request whose answer broke off, and seconds before each, growing
_DEFAULT = "https://api.anthropic.com"
_BYTES = 4  # of a token, as a rule
_MOST_BYTES = 6  # of a token on average over a whole answer; beyond that there are more tokens
_BESIDE = 4  # times that for what is not written by the model (signatures), against a flood
_MARGIN = 64  # tokens; a few more than asked for are no sign of anything
_MOST_COUNT = 10**9  # tokens of one answer; what counts more counts nothing
_WRITTEN = {"text", "thinking", "tool_use", "text_delta", "thinking_delta", "input_json_delta"}
_KINDS = {
    "input_tokens": "input",
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_write",
}
_TOO_LONG = (
    "the endpoint went on beyond the {most:,} tokens that an answer was to have, and was cut off"
)
_TOO_OFTEN = "answers that broke off came to more than the {most:,} tokens that one was to have"
_NO_ADDRESS = (
    "model.base_url, or a proxy named in the environment, is no address that can be used: both "
    "should begin with http:// or https:// (a socks proxy needs the package socksio)"
)
_STATUS_OF = {  # the error types of the Messages API, which a stream may carry after a 200
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_SENTENCES = {
    400: "the API calls the request invalid (400)",
    401: "the key is not accepted: the API answered 401; check ANTHROPIC_API_KEY or the key file",
    402: "the account cannot pay for the request (402); see the billing page of the API",
    403: "the key may not do this (403); it may lack the right to use the model",
    404: "the endpoint does not know the model, or is no Messages API (404); "
    "check model.name and model.base_url",
    408: "the API waited too long for the request (408); try again later",
    409: "the request collided with another one (409); try again later",
    413: "the request is too large for the API (413)",
    429: "the API's rate limit is reached (429); try again later",
    529: "the API is overloaded (529); try again later",
}
_KNOWN_WORDS = (  # of a 400: what the API says, and what we say
    ("prompt is too long", "the conversation is longer than the model can read (400)"),
    ("credit balance", "the account has no credit left (400); see the billing page of the API"),
)


class ApiError(SessionError):
    """The API did not answer, and asking again is of no use now."""


class OverlongError(SessionError):
    """The endpoint sent more than was asked for; asking again would cost as much again."""


class Reply(msgspec.Struct, frozen=True):
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


class Api:
    """A client of the Messages API.

    Raises:
        ApiError: the address, or that of a proxy, is none.
    """

    def __init__(self, key: str, base_url: str) -> None:
        try:
            self._client = anthropic.Anthropic(
                api_key=key,
                base_url=base_url or _DEFAULT,
                max_retries=RETRIES,
                timeout=anthropic.Timeout(SILENCE, connect=CONNECT),
                default_headers={"user-agent": "dreamd"},
            )
        except Exception:  # noqa: BLE001 - whatever its HTTP library raises, and it may quote the key
            raise ApiError(_NO_ADDRESS) from None
        self._lost = Tokens()
        self._underway: _Tally | None = None

    def close(self) -> None:
        """Give back its connections."""
        self._client.close()

    @property
    def lost(self) -> Tokens:
        """What answers that broke off cost, and the request underway until now."""
        underway = self._underway
        return self._lost if underway is None else self._lost + underway.tokens

    def ask(self, body: Mapping[str, Any], betas: str = "") -> Reply:
        """Return the answer to a request.

        That an answer has no more than `max_tokens` is seen to here, and not left to the server.

        Args:
            body: of the request, `stream` excepted.
            betas: the `anthropic-beta` header, empty for none.

        Raises:
            ApiError: there will be no answer; a sentence without key and body.
            OverlongError: the answer, or what broke off of it in all attempts, is longer than
                that; it was cut off.
        """
        most, before, sentence = int(body["max_tokens"]), self._lost.output, ""
        for attempt in range(TRIES):
            time.sleep(PAUSE * attempt)
            tally = self._underway = _Tally(size(body), most)
            try:
                return self._answer(body, betas, tally)
            except OverlongError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever the SDK or its HTTP library raises
                sentence, may_pass = _trouble(error)
                if not (may_pass and tally.is_open):
                    raise ApiError(sentence) from None
            finally:
                self._lost += tally.lost
                self._underway = None
            if self._lost.output - before > most:
                raise OverlongError(_TOO_OFTEN.format(most=most))
        raise ApiError(f"{sentence}, {TRIES} times in a row")

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
            for event in stream:
                if event.type == "message_stop":
                    break  # some servers leave the stream open
            message = stream.current_message_snapshot
        if message.stop_reason is None:
            raise BrokenAnswerError("it ended before it was whole")
        reply = _reply(message.to_dict(warnings=False), tally)
        tally.is_done = True
        return reply


class BrokenAnswerError(Exception):
    """What came is no answer; asking again may help."""


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
        self._asked, self._most = asked, most
        self._counts: dict[str, int] = {}
        self._written = self._beside = 0  # bytes
        self._has_begun = self._is_counted = False
        self.is_open = self.is_done = False  # a stream has begun; it became an answer

    @property
    def is_counted(self) -> bool:
        """Whether the endpoint counted both what it read and what it wrote."""
        return self._is_counted and any(kind in self._counts for kind in _KINDS)

    @property
    def tokens(self) -> Tokens:
        """What was counted; what was not is estimated at 4 bytes a token."""
        counts = {name: self._counts.get(kind, 0) for kind, name in _KINDS.items()}
        if not any(kind in self._counts for kind in _KINDS):
            counts["input"] = self._asked // _BYTES
        seen = 0 if self._is_counted else self._written // _BYTES
        return Tokens(**counts, output=max(self._counts.get("output_tokens", 0), seen))

    @property
    def lost(self) -> Tokens:
        """What it cost without becoming an answer."""
        return self.tokens if self._has_begun and not self.is_done else Tokens()

    def take(self, event: RawMessageStreamEvent) -> None:
        """Count an event, and leave in it only counts that are some, for the SDK reads them.

        Raises:
            OverlongError: the answer has more than it may.
        """
        match event.type:
            case "message_start":
                self._has_begun = True
                self._count(event.message.usage)
                usage = Usage.construct(input_tokens=0, output_tokens=0)
                event.message = Message.construct(content=[], usage=usage)
            case "message_delta":
                self._is_counted |= self._count(event.usage)
                event.usage = MessageDeltaUsage.construct(output_tokens=0)
            case "content_block_start":
                self._weigh(event.content_block.to_dict(warnings=False))
            case "content_block_delta":
                self._weigh(event.delta.to_dict(warnings=False))
        allowed = self._most + _MARGIN
        if (
            self._counts.get("output_tokens", 0) > allowed
            or self._written > allowed * _MOST_BYTES
            or self._beside > allowed * _MOST_BYTES * _BESIDE
        ):
            raise OverlongError(_TOO_LONG.format(most=self._most))

    def _count(self, usage: object) -> bool:
        """Note what is counted, each kind cumulative; say whether what was written is."""
        said = {kind: getattr(usage, kind, None) for kind in (*_KINDS, "output_tokens")}
        counts = {
            kind: count
            for kind, count in said.items()
            if type(count) is int and 0 <= count <= _MOST_COUNT
        }
        self._counts |= counts
        return "output_tokens" in counts

    def _weigh(self, part: Mapping[str, object]) -> None:
        rest = {name: value for name, value in part.items() if value and name != "type"}
        text = "".join(map(str, rest.values()))
        weight = len(text.encode("utf-8", "surrogatepass"))
        if part.get("type") in _WRITTEN:
            self._written += weight
        else:
            self._beside += weight


def _reply(message: Mapping[str, Any], tally: _Tally) -> Reply:
    """Return a message as it can be sent back, with the calls in it that cannot be carried out.

    A call without an id gets one, and an empty text is left out: the API takes neither back. A
    half of a surrogate pair that is alone is lost; models write such halves, and pieces of a
    stream may cut a pair in two.

    Raises:
        BrokenAnswerError: a call names no tool, or the answer is nested without end.
    """
    if is_too_deep(message["content"]):
        raise BrokenAnswerError("it is nested too deep")
    text = json.dumps(message["content"], ensure_ascii=False)
    blocks = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    stop, broken, ids = str(message["stop_reason"]), set(), set()
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
    if "InvalidURL" in names or "UnsupportedProtocol" in names or "LocalProtocol" in names:
        return "model.base_url is no address of an API", False
    if isinstance(error, BrokenAnswerError):
        return f"the API's answer broke off: {error}", True
    if "Timeout" in names:
        return "the API fell silent", True
    if "ConnectError" in names:
        return "the API cannot be reached", True
    if isinstance(error, anthropic.APIError) or type(error).__module__.startswith("httpx"):
        return "the connection to the API broke", True
    return "the API's answer is garbled", True  # what the SDK stumbles over


def _refused(status: int, body: object) -> tuple[str, bool]:
    """Return what an error answer means, with a status, or within a stream that began with 200."""
    error = body.get("error") if isinstance(body, Mapping) else None
    error = error if isinstance(error, Mapping) else {}
    if status < 300:
        status = _STATUS_OF.get(str(error.get("type")), 500)
    sentence = _SENTENCES.get(status)
    if status == 400:
        said = str(error.get("message")).lower()
        sentence = next((ours for words, ours in _KNOWN_WORDS if words in said), sentence)
    details = error.get("details")
    code = str(details.get("error_code")) if isinstance(details, Mapping) else ""
    if code.endswith("spend_limit_reached"):  # comes as 429, and lasts for weeks
        return (
            "the spending limit of the account is reached; see the billing page of the API",
            False,
        )
    if status < 400:
        sentence = f"the endpoint sends elsewhere ({status}); model.base_url should name its target"
    elif status >= 500:
        sentence = sentence or f"the API failed ({status}); try again later"
    sentence = sentence or f"the API refused the request ({status})"
    return sentence, status in {408, 409, 429} or status >= 500
