"""What can go wrong with a request, each as a sentence, and how patiently it is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from msgspec import Struct

from dreamd.errors import SessionError

_STATUS_OF = {  # the error types of the Messages API, which a stream may carry after a 200
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
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
    408: "the API waited too long for the request (408)",
    409: "the request collided with another one (409)",
    413: "the request is too large for the API (413)",
    429: "the API's rate limit is reached (429)",
    529: "the API is overloaded (529)",
}
_KNOWN_WORDS = (  # of a 400: what the API says, and what we say
    ("prompt is too long", "the conversation is longer than the model can read (400)"),
    ("credit balance", "the account has no credit left (400); see the billing page of the API"),
)
_MAY_PASS = {408, 409, 425, 429}


class ApiError(SessionError):
    """The API did not answer, and asking again is of no use now."""


class OutOfTimeError(SessionError):
    """The one deadline of the session came before an answer."""


class OverlongError(SessionError):
    """The endpoint sent more than was asked for; asking again would cost as much again."""


class Patience(Struct, frozen=True):
    """How long to wait for what, in seconds, and how often to try."""

    connect: float = 10.0
    between: float = 90.0  # bytes of a stream; the API sends a ping every few seconds
    tries: int = 6
    first: float = 1.0  # pause after the first failure, doubled after each
    longest: float = 30.0


class Trouble(Struct, frozen=True):
    """Why a request has no answer; `wait` are the seconds that the server asks for."""

    sentence: str
    may_pass: bool
    wait: float | None = None


def refused(status: int, body: object, headers: Mapping[str, str], *, now: datetime) -> Trouble:
    """Return the trouble that an error answer stands for.

    Nothing of the answer's text is quoted, since it may repeat what was sent.

    Args:
        status: the HTTP status; 200 where the error came within a stream.
        body: what the answer held; an object with an `error` that has a `type`, if it is ours.
        headers: of the answer, with names in lower case.
        now: the wall time, to read a `retry-after` that is a date.
    """
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
    is_spent = code.endswith("spend_limit_reached")  # comes as 429, and lasts for weeks
    if is_spent:
        sentence = "the spending limit of the account is reached; see the billing page of the API"
    if status < 400:
        sentence = f"the endpoint sends elsewhere ({status}); model.base_url should name its target"
    elif status >= 500:
        sentence = sentence or f"the API failed ({status})"
    may_pass = status in _MAY_PASS or status >= 500
    if is_spent or headers.get("x-should-retry") == "false":
        may_pass = False
    wait = retry_after(headers, now=now) if may_pass else None
    return Trouble(sentence or f"the API refused the request ({status})", may_pass, wait)


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds that `retry-after` asks for, given as seconds or as a date."""
    given = headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        try:
            date = parsedate_to_datetime(given)
        except ValueError:
            return None
        seconds = (date.astimezone(now.tzinfo) - now).total_seconds()
    return max(0.0, seconds) if seconds < float("inf") else None
