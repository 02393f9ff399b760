"""The way to the API: what comes back, what is asked again, and what no endpoint can make of it."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from typing import Any

import pytest

from dreamd.engine.model.api import Api, ApiError, OverlongError, Reply
from dreamd.engine.model.spending import Tokens
from tests.brain import Brain, Hangup, Refusal, Step, say, thinking, tool, torn

pytestmark = pytest.mark.usefixtures("hasty")
KEY = "sk-test-0123456789abcdefghij"
BODY: dict[str, Any] = {
    "model": "claude-haiku-4-5",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "a sentence that nobody else should see"}],
}


def ask(*steps: Step, body: dict[str, Any] = BODY) -> Reply:
    with Brain(steps) as brain, contextlib.closing(Api(KEY, brain.url)) as api:
        return api.ask(body)


def failing(*steps: Step, said: str, asked: int) -> Tokens:
    """Ask, fail with this sentence after so many requests, and return what was lost."""
    with Brain(steps) as brain, contextlib.closing(Api(KEY, brain.url)) as api:
        with pytest.raises(ApiError, match=said) as caught:
            api.ask(BODY)
        assert len(brain.requests) == asked
        assert "nobody else" not in str(caught.value)
        assert KEY not in str(caught.value)
        return api.lost


def test_a_request_is_sent_as_it_is_and_blocks_come_back_as_they_were_sent() -> None:
    words = "Grüße, 世界 — and a line\nmore, long enough to be cut into several pieces. " * 3
    deep = {"file_path": "/m/ä.md", "old_string": 'a"\\\n', "new_string": words, "n": [1, {"x": 2}]}
    step = say(thinking("hm " * 30), words, tool("Edit", deep), tool("Glob", {}))
    with Brain([step]) as brain, contextlib.closing(Api(KEY, brain.url)) as api:
        reply = api.ask(BODY)
        (request,) = brain.requests
    thought, text, edit, glob = reply.content
    assert thought == {"type": "thinking", "thinking": "hm " * 30, "signature": "c2lnbmVk"}
    assert text == {"type": "text", "text": words}
    assert (edit["name"], edit["input"], glob["input"]) == ("Edit", deep, {})
    assert edit["id"] != glob["id"]
    assert (reply.stop, reply.broken, reply.is_counted) == ("tool_use", frozenset(), True)
    assert reply.tokens.output > 0
    assert reply.tokens.input > 0
    assert request.body == {**BODY, "stream": True}
    (where,) = [name for name, value in request.headers.items() if KEY in value]
    assert where in {"authorization", "x-api-key"}
    assert KEY.encode() not in request.raw


SPENT = b"""{"type": "error", "error": {"type": "rate_limit_error", "message": "x",
"details": {"error_code": "enforced_spend_limit_reached"}}}"""
HUSH = f"{KEY} a sentence that nobody else should see"
REFUSALS: list[tuple[int | Refusal, str, int]] = [
    (400, "invalid", 1),
    (401, "the key is not accepted", 1),
    (402, "cannot pay", 1),
    (403, "may not do this", 1),
    (404, "does not know the model", 1),
    (413, "too large", 1),
    (422, "refused the request", 1),
    (307, "sends elsewhere", 1),
    (408, r"waited too long for the request \(408\)", 3),
    (409, "collided", 3),
    (429, "rate limit is reached", 3),
    (500, r"failed \(500\); try again later", 3),
    (529, "overloaded", 3),
    (Refusal(429, headers={"x-should-retry": "false"}), "429", 1),
    (Refusal(429, raw=SPENT), "spending limit", 3),
    (Refusal(400, message="prompt is too long: 210000 tokens"), "longer than the model can", 1),
    (Refusal(400, message="Your credit balance is too low"), "no credit left", 1),
    (Refusal(502, raw=b"<html>bad gateway"), r"failed \(502\)", 3),
    (Hangup(), "the connection to the API broke|cannot be reached", 3),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("refusal", "said", "asked"), REFUSALS)
def test_each_refusal_has_a_sentence_and_some_are_asked_again(
    refusal: int | Refusal, said: str, asked: int
) -> None:
    if isinstance(refusal, int):
        headers = {"location": "http://127.0.0.1:9/v1/messages"}
        refusal = Refusal(refusal, message=HUSH, headers=headers)
    failing(*[refusal] * 3, said=said, asked=asked)
    if asked == 3:
        assert ask(refusal, refusal, say("at last")).text == "at last"


def test_the_server_says_how_long_to_wait() -> None:
    started = time.monotonic()
    ask(Refusal(429, headers={"retry-after": "0.5"}), say("now"))
    assert 0.5 <= time.monotonic() - started < 1.5


BREAKS = {
    "cut": "connection to the API broke",
    "end": "broke off: it ended before",
    "reset": "connection to the API broke",
    "stall": "fell silent",
    "garble": "garbled",
    "odd": "garbled",
    "overloaded_error": "overloaded",
    "api_error": "failed",
    "rate_limit_error": "rate limit",
    "some_new_error": "failed",
}


@pytest.mark.parametrize("how", BREAKS)
def test_every_break_of_a_stream_at_every_event_is_asked_again_billed_and_given_up_in_the_end(
    how: str,
) -> None:
    blocks = ("two words and some more words", tool("Read", {"file_path": "a.md"}))
    for after in range(9) if how == "cut" else (0, 4, 8):
        broken = say(*blocks, failing=how, after=after)
        with Brain([broken, say(*blocks)]) as brain:
            api = Api(KEY, brain.url)
            reply = api.ask(BODY)
            api.close()
            assert len(brain.requests) == 2
        assert [block["type"] for block in reply.content] == ["text", "tool_use"]
        assert api.lost.input == (0 if after == 0 else reply.tokens.input)
    lost = failing(*[say("x", failing=how)] * 2, said=f"{BREAKS[how]}.*, 2 times", asked=2)
    assert lost.input > 0


def test_some_ends_of_a_stream_are_final_and_a_missing_last_event_is_no_break() -> None:
    for kind in ("authentication_error", "invalid_request_error"):
        failing(say("x", failing=kind), say("never"), said="key|invalid", asked=1)
    assert ask(say("all is said", failing="end", after=7)).text == "all is said"


FLOOD = "word " * 8_000  # ten times what was asked for


@pytest.mark.parametrize(
    "block",
    [
        FLOOD,
        thinking(FLOOD),
        thinking("hm", signature="s" * 200_000),
        tool("Write", {"content": FLOOD}),
        {"type": "search_result", "text": FLOOD * 4},
        "世" * 3_000,  # 9,000 bytes
    ],
    ids=["text", "thinking", "signature", "arguments", "beside", "wide"],
)
def test_an_answer_that_goes_on_and_on_is_cut_off_billed_and_not_asked_again(block: Any) -> None:
    with Brain(lambda _: say(block)) as brain, contextlib.closing(Api(KEY, brain.url)) as api:
        with pytest.raises(OverlongError, match="beyond the 1,000"):
            api.ask(BODY)
        assert len(brain.requests) == 1
    assert api.lost.input == brain.requests[0].usage.input  # type: ignore[union-attr]
    assert api.lost.output <= 1.7 * BODY["max_tokens"]


def test_the_longest_honest_answer_is_whole_but_pieces_that_break_off_count_together() -> None:
    words = "internationalisation " * 190  # of some five bytes a token
    assert ask(say(words)).text == words
    broken = say("word " * 900, failing="cut", after=170)
    with Brain(lambda _: broken) as brain, contextlib.closing(Api(KEY, brain.url)) as api:
        with pytest.raises(OverlongError, match="came to more than the 1,000"):
            api.ask(BODY)
        assert len(brain.requests) == 1 or api.lost.output > 1_000


def test_what_is_underway_is_counted_before_it_is_answered() -> None:
    """So that it is billed where the session is stopped meanwhile."""
    with Brain([Refusal(400, waits=5)]) as brain, contextlib.closing(Api(KEY, brain.url)) as api:

        def asking() -> None:
            with contextlib.suppress(ApiError):
                api.ask(BODY)

        asked = threading.Thread(target=asking)
        asked.start()
        assert brain.arrived.acquire(timeout=5)
        assert api.lost.input > 20
        brain.closing.set()
        asked.join()
        assert api.lost == Tokens()


def test_an_address_where_nobody_is_or_that_is_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        nobody = f"http://127.0.0.1:{server.getsockname()[1]}"
    for url, said in (
        (nobody, "cannot be reached: look at the network"),
        ("not an address", r"model\.base_url"),
        ("ftp://127.0.0.1/", r"model\.base_url"),
    ):
        with pytest.raises(ApiError, match=said):
            Api(KEY, url).ask(BODY)


@pytest.mark.parametrize(
    ("arguments", "stop"),
    [
        ('{"file_path": "a.md", "content": "half of', "max_tokens"),
        ("", "max_tokens"),
        ('["no", "object"]', "tool_use"),
    ],
)
def test_a_call_without_whole_arguments_is_marked(arguments: str, stop: str) -> None:
    reply = ask(say(tool("Read", {"file_path": "b"}), torn("Write", arguments), stop=stop))
    read, write = reply.calls
    assert reply.broken == {write["id"]}
    assert write["input"] == {}
    assert read["input"] == {"file_path": "b"}


# Answers that no honest endpoint gives, byte for byte

COUNTED = {"input_tokens": 30, "output_tokens": 1}


def stream(*parts: str, usage: object = COUNTED, wrote: object = 20) -> Refusal:
    """An answer of these events as they stand on the line, between an honest begin and end."""
    begin = {"type": "message_start", "message": {"role": "assistant", "usage": usage}}
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": wrote},
    }
    lines = [json.dumps(begin), *parts, json.dumps(end), '{"type": "message_stop"}']
    raw = "".join(f"event: {json.loads(each)['type']}\ndata: {each}\n\n" for each in lines)
    return Refusal(200, raw=raw.encode(), headers={"content-type": "text/event-stream"})


def block(index: int, start: str, *deltas: str) -> list[str]:
    head = f'{{"type": "content_block_start", "index": {index}, "content_block": {start}}}'
    rest = [
        f'{{"type": "content_block_delta", "index": {index}, "delta": {each}}}' for each in deltas
    ]
    return [head, *rest, f'{{"type": "content_block_stop", "index": {index}}}']


@pytest.mark.parametrize(
    "count", [None, -1_000_000, 30.5, 10**400, []], ids=lambda each: f"{each!s:.9}"
)
def test_what_is_no_count_is_estimated_by_bytes(count: object) -> None:
    long = {**BODY, "messages": [{"role": "user", "content": "x" * 8_000}]}
    words = block(0, '{"type": "text", "text": ""}', '{"type": "text_delta", "text": "%s"}')
    said = [each.replace("%s", "w" * 400) for each in words]
    usage = {"input_tokens": count, "output_tokens": count}
    reply = ask(stream(*said, usage=usage, wrote=count), body=long)
    assert not reply.is_counted
    assert 2_000 <= reply.tokens.input <= 2_100  # 8,000 bytes, and what is around them
    assert 100 <= reply.tokens.output <= 110
    honest = {"cache_read_input_tokens": 7, **COUNTED}
    assert ask(stream(*said, usage=honest)).tokens.read == 37


@pytest.mark.parametrize("id_", ["", '"id": null,', '"id": "",', '"id": "toolu_1",'])
def test_every_call_has_an_id_of_its_own_and_arguments(id_: str) -> None:
    first = block(0, '{"type": "tool_use", "id": "toolu_1", "name": "Glob", "input": {}}')
    reply = ask(stream(*first, *block(1, f'{{"type": "tool_use", {id_} "name": "Glob"}}')))
    one, other = reply.calls
    assert one["id"] == "toolu_1"
    assert other["id"].startswith("toolu_")
    assert other["id"] != "toolu_1"
    assert other["input"] == {}
    assert reply.broken == frozenset()


def test_half_a_character_is_mended_or_lost_and_the_rest_can_be_sent_on() -> None:
    halves = [
        r'{"type": "text_delta", "text": "a \ud83d"}',
        r'{"type": "text_delta", "text": "\ude00 b \ud83d"}',
    ]
    reply = ask(stream(*block(0, '{"type": "text", "text": ""}', *halves)))
    assert reply.text == "a \N{GRINNING FACE} b \N{REPLACEMENT CHARACTER}"
    json.dumps(reply.content, ensure_ascii=False).encode()


NAMELESS = stream(*block(0, '{"type": "tool_use", "id": "toolu_1", "name": null}'))


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (stream('{"type": "message_start", "message": [1]}'), "garbled"),
        (stream('{"type": "message_start"}'), "garbled"),
        (say(torn("Write", "{'file_path': 1}")), "garbled"),
        (NAMELESS, "a call of it names no tool"),
    ],
)
def test_what_is_no_answer_is_asked_for_again_and_ends_in_a_sentence(odd: Step, said: str) -> None:
    failing(odd, odd, said=said, asked=2)
    assert ask(odd, say("hi")).text == "hi"
