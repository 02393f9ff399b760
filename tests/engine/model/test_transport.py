"""The way to the API: what comes back, what is tried again, and what is not."""

from __future__ import annotations

import contextlib
import socket
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from dreamd.engine.model.reply import Reply
from dreamd.engine.model.transport import Transport
from dreamd.engine.model.troubles import (
    ApiError,
    OutOfTimeError,
    OverlongError,
    Patience,
    refused,
    retry_after,
)
from tests.brain import Brain, Hangup, Refusal, Step, say, thinking, tool, torn
from tests.engine.model.session_room import KEY, QUICK

BODY: dict[str, Any] = {
    "model": "claude-haiku-4-5",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "a sentence that nobody else should see"}],
}


def ask(url: str, *, seconds: float = 10.0, patience: Patience = QUICK) -> Reply:
    transport = Transport(KEY, url, until=time.monotonic() + seconds, patience=patience)
    with contextlib.closing(transport):
        return transport.send(BODY)


def test_blocks_come_back_as_they_were_sent() -> None:
    words = "Grüße, 世界 — and a line\nmore, long enough to be cut into several pieces. " * 3
    deep = {"file_path": "/m/ä.md", "old_string": 'a"\\\n', "new_string": words, "n": [1, {"x": 2}]}
    with Brain([say(thinking("hm " * 30), words, tool("Edit", deep), tool("Glob", {}))]) as brain:
        reply = ask(brain.url)
    thought, text, edit, glob = reply.content
    assert thought == {"type": "thinking", "thinking": "hm " * 30, "signature": "c2lnbmVk"}
    assert text == {"type": "text", "text": words}
    assert (edit["name"], edit["input"]) == ("Edit", deep)
    assert glob["input"] == {}
    assert edit["id"] != glob["id"]
    assert reply.stop == "tool_use"
    assert reply.broken == frozenset()
    assert reply.tokens.output > 0
    assert reply.tokens.input > 0


def test_a_request_streams_and_has_no_temperature_and_no_retries_of_the_sdk() -> None:
    with Brain([say("hi")]) as brain:
        ask(brain.url)
        (request,) = brain.requests
    assert request.body == {**BODY, "stream": True}
    assert [name for name, value in request.headers.items() if KEY in value] in (
        ["authorization"],
        ["x-api-key"],
    )
    assert KEY.encode() not in request.raw
    assert request.headers["x-stainless-retry-count"] == "0"


FINAL = {
    400: "invalid",
    401: "the key is not accepted",
    402: "cannot pay",
    403: "may not do this",
    404: "does not know the model",
    413: "too large",
    422: "refused the request",
    307: "sends elsewhere",
}


@pytest.mark.parametrize("status", FINAL)
def test_what_will_not_pass_is_asked_once_and_said_in_a_sentence(status: int) -> None:
    refusal = Refusal(status, message=f"{KEY} a sentence that nobody else should see")
    refusal = Refusal(
        status, message=refusal.message, headers={"location": "http://127.0.0.1:9/v1/messages"}
    )
    with Brain([refusal, say("never")]) as brain:
        with pytest.raises(ApiError, match=FINAL[status]) as caught:
            ask(brain.url)
        assert len(brain.requests) == 1
    assert KEY not in str(caught.value)
    assert "nobody else" not in str(caught.value)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 520, 529])
def test_what_may_pass_is_asked_again(status: int) -> None:
    with Brain([Refusal(status), Refusal(status), say("at last")]) as brain:
        reply = ask(brain.url)
        assert len(brain.requests) == 3
        assert brain.requests[0].raw == brain.requests[2].raw
    assert reply.text == "at last"


@pytest.mark.parametrize("status", [429, 500, 529])
def test_in_the_end_it_gives_up_with_the_number_of_tries(status: int) -> None:
    with Brain(lambda _: Refusal(status)) as brain:
        with pytest.raises(ApiError, match=rf"\({status}\), 3 times"):
            ask(brain.url)
        assert len(brain.requests) == 3


BREAKS = [
    *("cut", "end", "reset", "stall", "garble", "odd"),
    *("overloaded_error", "api_error", "rate_limit_error", "some_new_error"),
]


@pytest.mark.parametrize(
    ("failing", "after"),
    [(each, after) for each in BREAKS for after in range(9) if each == "cut" or after % 4 == 0],
)
def test_every_break_of_a_stream_at_every_event_is_asked_again(failing: str, after: int) -> None:
    blocks = ("two words and some more words", tool("Read", {"file_path": "a.md"}))
    whole = say(*blocks)
    patience = Patience(connect=1, between=0.15, tries=2, first=0.01, longest=0.01)
    with Brain([say(*blocks, failing=failing, after=after), whole]) as brain:
        transport = Transport(KEY, brain.url, until=time.monotonic() + 10, patience=patience)
        with contextlib.closing(transport):
            reply = transport.send(BODY)
        assert len(brain.requests) == 2
    assert [block["type"] for block in reply.content] == ["text", "tool_use"]
    assert transport.lost.input == (0 if after == 0 else reply.tokens.input)


def test_a_stream_that_lacks_only_its_closing_event_stands() -> None:
    with Brain([say("all is said", failing="end", after=7)]) as brain:
        assert ask(brain.url).text == "all is said"
        assert len(brain.requests) == 1


@pytest.mark.parametrize("kind", ["authentication_error", "invalid_request_error"])
def test_an_error_within_a_stream_that_will_not_pass_is_final(kind: str) -> None:
    with Brain([say("x", failing=kind), say("never")]) as brain:
        with pytest.raises(ApiError):
            ask(brain.url)
        assert len(brain.requests) == 1


def test_a_reset_before_the_answer_and_an_answer_that_is_no_json_are_asked_again() -> None:
    steps: list[Step] = [Hangup(), Refusal(502, raw=b"<html>bad gateway"), say("here")]
    with Brain(steps) as brain:
        assert ask(brain.url).text == "here"


def test_the_server_says_how_long_to_wait() -> None:
    with Brain([Refusal(429, headers={"retry-after": "0.5"}), say("now")]) as brain:
        started = time.monotonic()
        ask(brain.url)
        assert 0.5 <= time.monotonic() - started < 1.5


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    with Brain([Refusal(429, headers={"retry-after": "3600"}), say("never")]) as brain:
        started = time.monotonic()
        with pytest.raises(ApiError, match="no time is left"):
            ask(brain.url, seconds=5)
        assert time.monotonic() - started < 1


SPENT = b"""{"type": "error", "error": {"type": "rate_limit_error", "message": "x",
"details": {"error_code": "enforced_spend_limit_reached"}}}"""


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (Refusal(429, headers={"x-should-retry": "false"}), "429"),
        (Refusal(429, raw=SPENT), "spending limit"),
    ],
)
def test_a_limit_that_will_not_pass_is_not_asked_again(refusal: Refusal, said: str) -> None:
    with Brain([refusal, say("never")]) as brain:
        with pytest.raises(ApiError, match=said):
            ask(brain.url)
        assert len(brain.requests) == 1


def test_a_slow_stream_is_waited_for_but_not_past_the_deadline() -> None:
    slow = say("some words that take their time", pace=0.1)
    with Brain([slow, slow]) as brain:
        assert ask(brain.url).text.startswith("some words")
        started = time.monotonic()
        with pytest.raises(OutOfTimeError):
            ask(brain.url, seconds=0.4)
        assert time.monotonic() - started < 1.0


LONG = "word " * 8_000  # ten times what was asked for


@pytest.mark.parametrize(
    "block",
    [
        LONG,
        thinking(LONG),
        thinking("hm", signature="s" * 200_000),
        tool("Write", {"content": LONG}),
        {"type": "search_result", "text": LONG * 4},
        "世" * 3_000,  # 9,000 bytes
    ],
    ids=["text", "thinking", "signature", "arguments", "beside", "wide"],
)
def test_an_answer_that_goes_on_and_on_is_cut_off_billed_and_not_asked_again(block: Any) -> None:
    with Brain(lambda _: say(block)) as brain:
        transport = Transport(KEY, brain.url, until=time.monotonic() + 10, patience=QUICK)
        with contextlib.closing(transport), pytest.raises(OverlongError, match="beyond the 1,000"):
            transport.send(BODY)
        assert len(brain.requests) == 1
    assert transport.lost.input == brain.requests[0].usage.input  # type: ignore[union-attr]
    assert transport.lost.output <= 1.7 * BODY["max_tokens"]


def test_the_connection_is_given_up_while_the_rest_still_drips() -> None:
    with Brain([say(LONG, pace=0.002)]) as brain:  # 1,667 pieces: more than three seconds
        started = time.monotonic()
        with pytest.raises(OverlongError):
            ask(brain.url, patience=replace(QUICK, between=5))  # a pause is no silence
        assert time.monotonic() - started < 2


def test_the_longest_honest_answer_is_not_cut() -> None:
    words = "internationalisation " * 190  # of some five bytes a token
    with Brain([say(words)]) as brain:
        assert ask(brain.url).text == words


def test_pieces_of_answers_that_break_off_count_together() -> None:
    with Brain(lambda _: say("word " * 700, failing="cut", after=140)) as brain:
        with pytest.raises(OverlongError, match="came to more than the 1,000"):
            ask(brain.url)
        assert len(brain.requests) == 2


def test_silence_before_the_answer_ends_at_the_deadline() -> None:
    with Brain(lambda _: Refusal(500, waits=30)) as brain:
        started = time.monotonic()
        with pytest.raises(OutOfTimeError):
            ask(brain.url, seconds=0.3)
        assert time.monotonic() - started < 1.0


def test_nobody_at_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ApiError, match="cannot be reached, 3 times"):
        ask(f"http://127.0.0.1:{port}")


@pytest.mark.parametrize("url", ["not an address", "ftp://127.0.0.1/"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ApiError, match=r"model\.base_url"):
        ask(url)


@pytest.mark.parametrize(
    ("block", "stop"),
    [
        (torn("Write", '{"file_path": "a.md", "content": "half of'), "max_tokens"),
        (torn("Write", ""), "max_tokens"),
        (torn("Write", '{"file_path": '), "tool_use"),
        (torn("Write", '["no", "object"]'), "tool_use"),
        (torn("Write", "{'file_path': 1}"), "tool_use"),
    ],
)
def test_a_call_without_whole_arguments_is_marked(block: Any, stop: str) -> None:
    with Brain([say(tool("Read", {"file_path": "b"}), block, stop=stop)]) as brain:
        reply = ask(brain.url)
    read, write = reply.calls
    assert reply.broken == {write["id"]}
    assert write["input"] == {}
    assert read["input"] == {"file_path": "b"}


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("7", 7.0),
        ("0.25", 0.25),
        ("-3", 0.0),
        ("Sun, 22 Nov 2026 10:00:30 GMT", 30.0),
        ("Sun, 22 Nov 2026 09:00:00 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        ("nan", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(given: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 22, 10, 0, 0, tzinfo=UTC)
    assert retry_after({"retry-after": given}, now=now) == seconds


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("prompt is too long: 210000 tokens > 200000 maximum", "longer than the model can read"),
        ("Your credit balance is too low to access the API", "no credit left"),
        ("messages.3: secret text of the request", "invalid"),
    ],
)
def test_a_known_400_is_told_in_our_words(message: str, said: str) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
    trouble = refused(400, body, {}, now=datetime(2026, 1, 1, tzinfo=UTC))
    assert said in trouble.sentence
    assert "secret text" not in trouble.sentence
    assert not trouble.may_pass
