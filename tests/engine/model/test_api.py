"""The way to the API: what comes back, what is asked again, and what no endpoint can make of it."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from dreamd.domain.receipt import Usage
from dreamd.engine.model.api import Api, OverlongError, Reply
from dreamd.engine.model.conversation import body_size
from dreamd.errors import SessionError
from tests.brain import Brain, Refusal, Step, say, stream, thinking, tool, torn

pytestmark = pytest.mark.usefixtures("hasty")
KEY = "sk-test-0123456789abcdefghij"
SILENCE = 0.3  # seconds
BODY: dict[str, Any] = {
    "model": "claude-haiku-4-5",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "a sentence that nobody else should see"}],
}


@contextlib.contextmanager
def client(*steps: Step, key: str = KEY) -> Iterator[tuple[Brain, Api]]:
    with Brain(steps) as brain, contextlib.closing(Api(key, brain.url, SILENCE)) as api:
        yield brain, api


def ask(*steps: Step) -> Reply:
    with client(*steps) as (_, api):
        return api.ask(BODY)


def failing(*steps: Step, said: str, asked: int) -> Usage:
    """Ask, fail with this sentence after so many requests, and return what was lost."""
    with client(*steps) as (brain, api):
        with pytest.raises(SessionError, match=said) as caught:
            api.ask(BODY)
        assert len(brain.requests) == asked
        assert "nobody else" not in str(caught.value)
        assert KEY not in str(caught.value)
        return api.lost


def test_a_request_is_sent_as_it_is_and_blocks_come_back_as_they_were_sent() -> None:
    words = "Grüße, 世界 — and a line\nmore, long enough to be cut into several pieces. " * 3
    deep = {"file_path": "/m/ä.md", "old_string": 'a"\\\n', "new_string": words, "n": [1, {"x": 2}]}
    step = say(thinking("hm " * 30), words, tool("Edit", deep), tool("Glob", {}))
    with client(step) as (brain, api):
        reply = api.ask(BODY)
        (request,) = brain.requests
    thought, text, edit, glob = reply.content
    assert thought == {"type": "thinking", "thinking": "hm " * 30, "signature": "c2lnbmVk"}
    assert text == {"type": "text", "text": words}
    assert (edit["name"], edit["input"], glob["input"]) == ("Edit", deep, {})
    assert edit["id"] != glob["id"]
    assert (reply.stop, reply.broken, reply.is_counted) == ("tool_use", frozenset(), True)
    assert reply.tokens.output_tokens > 0
    assert reply.tokens.input_tokens > 0
    assert request.body == {**BODY, "stream": True}
    (where,) = [name for name, value in request.headers.items() if KEY in value]
    assert (where, request.headers[where]) == ("authorization", f"Bearer {KEY}")
    assert KEY.encode() not in request.raw
    with client(say("hi"), key="") as (brain, api):
        api.ask(BODY)
    assert brain.requests[0].headers["authorization"] == "Bearer none", "some servers want one"


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
    (Refusal(0), "the connection to the API broke|cannot be reached", 3),
]


@pytest.mark.parametrize(("refusal", "said", "asked"), REFUSALS)
def test_each_refusal_has_its_sentence(refusal: int | Refusal, said: str, asked: int) -> None:
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
def test_every_break_of_a_stream_is_asked_again_billed_and_given_up_in_the_end(how: str) -> None:
    blocks = ("two words and some more words", tool("Read", {"file_path": "a.md"}))
    for after in (0, 4, 8):
        broken = say(*blocks, failing=how, after=after)
        with client(broken, say(*blocks)) as (brain, api):
            reply = api.ask(BODY)
            assert len(brain.requests) == 2
        assert [block["type"] for block in reply.content] == ["text", "tool_use"]
        assert api.lost.input_tokens == (0 if after == 0 else reply.tokens.input_tokens)
    lost = failing(*[say("x", failing=how)] * 2, said=f"{BREAKS[how]}.*, 2 times", asked=2)
    assert lost.input_tokens > 0


def test_some_ends_of_a_stream_are_final_and_a_missing_last_event_is_no_break() -> None:
    for kind in ("authentication_error", "invalid_request_error"):
        failing(say("x", failing=kind), say("never"), said="key|invalid", asked=1)
    assert ask(say("all is said", failing="end", after=7)).text == "all is said"


FLOOD = "word " * 8_000  # ten times what was asked for
FLOODS: list[Any] = [
    FLOOD,
    thinking(FLOOD),
    thinking("hm", signature="s" * 200_000),
    tool("Write", {"content": FLOOD}),
    {"type": "search_result", "text": FLOOD * 4},
    "世" * 3_000,  # 9,000 bytes
]


def test_an_answer_that_goes_on_and_on_is_cut_off_billed_and_not_asked_again() -> None:
    for flood in FLOODS:
        with client(*[say(flood)] * 2) as (brain, api):
            with pytest.raises(OverlongError, match="beyond the 1,000"):
                api.ask(BODY)
            assert len(brain.requests) == 1
        assert api.lost.input_tokens == brain.requests[0].usage.input  # type: ignore[union-attr]
        assert api.lost.output_tokens <= 1.7 * BODY["max_tokens"]


def test_the_longest_honest_answer_is_whole_but_pieces_that_break_off_count_together() -> None:
    words = "internationalisation " * 190  # of some five bytes a token
    assert ask(say(words)).text == words
    broken = say("word " * 900, failing="cut", after=170)
    with client(broken, broken) as (brain, api):
        with pytest.raises(OverlongError, match="came to more than the 1,000"):
            api.ask(BODY)
        assert len(brain.requests) == 1 or api.lost.output_tokens > 1_000


# Answers that no honest endpoint gives, byte for byte


def start(message: str) -> str:
    return f'{{"type": "message_start", "message": {{{message}}}}}'


def end(delta: str, usage: str = "{}") -> tuple[str, str]:
    last = f'{{"type": "message_delta", "delta": {{{delta}}}, "usage": {usage}}}'
    return last, '{"type": "message_stop"}'


def honest(*parts: str) -> Refusal:
    """These events between an honest begin and end."""
    return stream(start('"role": "assistant"'), *parts, *end('"stop_reason": "tool_use"'))


def block(index: int, start: str, *deltas: str) -> list[str]:
    head = f'{{"type": "content_block_start", "index": {index}, "content_block": {start}}}'
    rest = [
        f'{{"type": "content_block_delta", "index": {index}, "delta": {each}}}' for each in deltas
    ]
    return [head, *rest, f'{{"type": "content_block_stop", "index": {index}}}']


def test_every_call_has_an_id_of_its_own_and_arguments() -> None:
    first = block(0, '{"type": "tool_use", "id": "toolu_1", "name": "Glob", "input": {}}')
    for id_ in ("", '"id": null,', '"id": "",', '"id": "toolu_1",'):
        reply = ask(honest(*first, *block(1, f'{{"type": "tool_use", {id_} "name": "Glob"}}')))
        one, other = reply.calls
        assert one["id"] == "toolu_1" != other["id"]
        assert other["id"].startswith("toolu_")
        assert other["input"] == {}
        assert reply.broken == frozenset()


def test_half_a_character_is_mended_or_lost_and_the_rest_can_be_sent_on() -> None:
    halves = [
        r'{"type": "text_delta", "text": "a \ud83d"}',
        r'{"type": "text_delta", "text": "\ude00 b \ud83d"}',
    ]
    reply = ask(honest(*block(0, '{"type": "text", "text": ""}', *halves)))
    assert reply.text == "a \N{GRINNING FACE} b \N{REPLACEMENT CHARACTER}"
    json.dumps(reply.content, ensure_ascii=False).encode()


def test_what_is_no_answer_is_asked_for_again_and_ends_in_a_sentence() -> None:
    nameless = honest(*block(0, '{"type": "tool_use", "id": "toolu_1", "name": null}'))
    for odd, said in (
        (honest('{"type": "message_start", "message": [1]}'), "garbled"),
        (honest('{"type": "message_start"}'), "garbled"),
        (say(torn("Write", "{'file_path': 1}")), "garbled"),
        (nameless, "a call of it names no tool"),
    ):
        failing(odd, odd, said=said, asked=2)
        assert ask(odd, say("hi")).text == "hi"


# Streams as servers of local models write them, by their sources


GLOB = '{"type": "tool_use", "id": "call_7", "name": "Glob", "input": {}}'
THOUGHT = block(
    0, '{"type": "thinking", "thinking": ""}', '{"type": "thinking_delta", "thinking": "hm"}'
)
PATTERN = r'{"type": "input_json_delta", "partial_json": "{\"pattern\": \"*\"}"}'
TEXT = block(0, '{"type": "text", "text": ""}', '{"type": "text_delta", "text": "done"}')
LOCAL: dict[str, tuple[Refusal, str, Usage]] = {
    # llama.cpp: comments while it reads, no `input` in a call, blocks closed in the end
    "llama.cpp": (
        stream(
            start('"id": "x", "role": "assistant", "usage": {"input_tokens": 9}'), ":",
            *THOUGHT[:2],
            *block(1, '{"type": "tool_use", "id": "", "name": "Glob"}', PATTERN)[:2],
            '{"type": "content_block_delta", "index": 0,'
            ' "delta": {"type": "signature_delta", "signature": ""}}',
            '{"type": "content_block_stop", "index": 0}',
            '{"type": "content_block_stop", "index": 1}',
            *end('"stop_reason": "tool_use", "stop_sequence": null', '{"output_tokens": 5}'),
        ),
        "tool_use", Usage(9, 5),
    ),
    # Ollama: what it read is estimated first and counted in the end; no signature
    "Ollama": (
        stream(
            start('"id": "x", "usage": {"input_tokens": 70, "output_tokens": 0}'),
            *THOUGHT, *block(1, GLOB, PATTERN),
            *end('"stop_reason": "tool_use"', '{"input_tokens": 9, "output_tokens": 5}'),
        ),
        "tool_use", Usage(9, 5),
    ),
    "Ollama, unloaded": (
        stream(start('"usage": {"input_tokens": 9}'), *TEXT,
            *end('"stop_reason": ""', '{"input_tokens": 9, "output_tokens": 5}')),
        "end_turn", Usage(9, 5),
    ),
    # vLLM: neither role nor type; null where it has no word for why it stopped
    "vLLM": (
        stream(start('"id": "x", "usage": {"input_tokens": 0, "output_tokens": 0}'), *TEXT,
            *end('"stop_reason": null', '{"input_tokens": 9, "output_tokens": 5}')),
        "end_turn", Usage(9, 5),
    ),
    "vLLM, full": (
        stream(start('"id": "x"'), *block(0, GLOB, PATTERN),
            *end('"stop_reason": null', '{"input_tokens": 9, "output_tokens": 1000}')),
        "max_tokens", Usage(9, 1000),
    ),
    # one that says nothing but the answer
    "mute": (
        stream(start(""), *block(0, '{"type": "tool_use", "name": "Glob"}', PATTERN),
            '{"type": "message_stop"}'),
        "tool_use", Usage(body_size(BODY) // 4, len('Glob{"pattern": "*"}') // 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize("server", LOCAL)
def test_what_servers_of_local_models_leave_out_is_made_up_for(server: str) -> None:
    answer, stop, tokens = LOCAL[server]
    reply = ask(answer)
    assert (reply.stop, reply.tokens) == (stop, tokens)
    assert reply.is_counted is (server != "mute")
    for call in reply.calls:
        assert (call["name"], bool(call["id"])) == ("Glob", True)
        assert call["input"] == ({} if stop == "max_tokens" else {"pattern": "*"})
    assert reply.calls or reply.text == "done"
    json.dumps(reply.content)
