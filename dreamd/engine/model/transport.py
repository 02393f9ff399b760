"""Sends requests to the Messages API through its SDK, again where that may help."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anthropic

from dreamd.engine.model.conversation import size
from dreamd.engine.model.reply import BrokenStreamError, Gathering, Reply
from dreamd.engine.model.spending import Tokens
from dreamd.engine.model.troubles import (
    ApiError,
    OutOfTimeError,
    OverlongError,
    Patience,
    Trouble,
    refused,
)
from dreamd.host import clock

_DEFAULT = "https://api.anthropic.com"
_CHANCE = random.SystemRandom()
_TOO_LONG = (
    "the endpoint went on beyond the {most:,} tokens that an answer was to have, and was cut off"
)
_TOO_OFTEN = "answers that broke off came to more than the {most:,} tokens that one was to have"
_NO_ADDRESS = (
    "model.base_url, or a proxy named in the environment, is no address that can be used: both "
    "should begin with http:// or https:// (a socks proxy needs the package socksio)"
)


class Transport:
    """The way to the API, until a reading of the monotonic clock.

    Raises:
        ApiError: the address, or that of a proxy, is none.
    """

    def __init__(
        self, key: str, base_url: str, *, until: float, patience: Patience | None = None
    ) -> None:
        try:
            self._client = anthropic.Anthropic(
                api_key=key,
                base_url=base_url or _DEFAULT,
                max_retries=0,
                default_headers={"user-agent": "dreamd"},
            )
        except Exception:  # noqa: BLE001 - whatever its HTTP library raises, and it may quote the key
            raise ApiError(_NO_ADDRESS) from None
        self._until = until
        self._patience = patience or Patience()
        self._lost = Tokens()
        self._underway: Gathering | None = None

    def close(self) -> None:
        """Give back its connections."""
        self._client.close()

    @property
    def lost(self) -> Tokens:
        """What attempts without an answer cost, the one underway included."""
        underway = self._underway
        return self._lost if underway is None else self._lost + underway.tokens

    def send(self, body: Mapping[str, Any], betas: str = "") -> Reply:
        """Return the answer to a request.

        Tried again with growing pauses, or those that the server asks for, are 408, 409, 429,
        5xx, lost connections and broken streams. That an answer has no more than `max_tokens` is
        seen to here, and not left to the server.

        Args:
            body: of the request, `stream` excepted.
            betas: the `anthropic-beta` header, empty for none.

        Raises:
            ApiError: there will be no answer; a sentence without key and body.
            OutOfTimeError: the deadline came first.
            OverlongError: the answer, or what broke off of it in all attempts, is longer than
                that; it was cut off.
        """
        most, before, asked = int(body["max_tokens"]), self._lost.output, size(body)
        trouble = Trouble("the API was not asked", may_pass=True)
        for attempt in range(self._patience.tries):
            if attempt:
                self._pause(attempt, trouble)
            try:
                reply = self._answer(body, betas, most, asked)
            except _TroubledError as error:
                trouble = error.trouble
            except BrokenStreamError as error:
                trouble = Trouble(f"the API's answer broke off: {error}", may_pass=True)
            else:
                self._underway = None
                return reply
            finally:
                self._lost, self._underway = self.lost, None
            if not trouble.may_pass:
                raise ApiError(trouble.sentence)
            if self._lost.output - before > most:
                raise OverlongError(_TOO_OFTEN.format(most=most))
        raise ApiError(f"{trouble.sentence}, {self._patience.tries} times in a row")

    def _answer(self, body: Mapping[str, Any], betas: str, most: int, asked: int) -> Reply:
        """Return what one attempt brings."""
        underway = self._underway = Gathering(asked)
        with self._asked(body, betas) as events:
            for event in events:
                underway.take(event)
                if underway.passes(most):
                    raise OverlongError(_TOO_LONG.format(most=most))
                if underway.is_whole:
                    break  # some servers leave the stream open
                if self._left() <= 0:
                    raise OutOfTimeError("the session's time was over within an answer")
        return underway.reply()

    @contextmanager
    def _asked(self, body: Mapping[str, Any], betas: str) -> Iterator[Iterator[object]]:
        """Yield the events of the answer as they come; what the SDK raises becomes a trouble."""
        between = max(0.1, min(self._patience.between, self._left()))
        connect = min(self._patience.connect, between)
        try:
            with self._client.post(
                "/v1/messages",
                cast_to=object,
                body={**body, "stream": True},
                options={
                    "timeout": anthropic.Timeout(between, connect=connect),
                    "follow_redirects": False,  # the key goes to the named endpoint only
                    "headers": {"anthropic-beta": betas} if betas else {},
                },
                stream=True,
                stream_cls=anthropic.Stream[object],
            ) as stream:
                yield iter(stream)
        except (OutOfTimeError, OverlongError, BrokenStreamError):
            raise
        except anthropic.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            raise _TroubledError(
                refused(error.status_code, error.body, headers, now=clock.now())
            ) from None
        except Exception as error:  # noqa: BLE001 - whatever its HTTP library raises, it is the line
            if self._left() <= 0:
                raise OutOfTimeError("the session's time was over within an answer") from None
            raise _TroubledError(_of_the_line(error)) from None

    def _pause(self, attempt: int, trouble: Trouble) -> None:
        patience = self._patience
        grown = min(patience.longest, patience.first * 2 ** (attempt - 1))
        wait = _CHANCE.uniform(grown / 2, grown)
        if trouble.wait is not None:
            wait = trouble.wait + _CHANCE.uniform(0, grown / 4)
        if wait >= self._left():
            raise ApiError(f"{trouble.sentence}, and no time is left to ask again")
        time.sleep(wait)

    def _left(self) -> float:
        return self._until - time.monotonic()


class _TroubledError(Exception):
    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


def _of_the_line(error: Exception) -> Trouble:
    """Return the trouble that a lost or refused connection, or a garbled stream, stands for."""
    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    names = " ".join(type(each).__name__ for each in causes)
    if any("CERTIFICATE_VERIFY_FAILED" in str(each) for each in causes):
        return Trouble("the certificate of the endpoint is not to be trusted", may_pass=False)
    if "InvalidURL" in names or "UnsupportedProtocol" in names or "LocalProtocol" in names:
        return Trouble("model.base_url is no address of an API", may_pass=False)
    if isinstance(error, ValueError) and not isinstance(error, anthropic.AnthropicError):
        return Trouble("the API's answer is garbled", may_pass=True)
    if "Timeout" in names:
        return Trouble("the API fell silent", may_pass=True)
    if "ConnectError" in names:
        return Trouble("the API cannot be reached", may_pass=True)
    return Trouble("the connection to the API broke", may_pass=True)
