"""Answers that no honest endpoint gives, byte for byte: none costs a session what it has done."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest

from dreamd.engine.model.reply import Reply
from dreamd.engine.model.transport import Transport
from dreamd.engine.model.troubles import ApiError
from tests.brain import Brain, Refusal
from tests.engine.model.session_room import KEY, QUICK

BODY: dict[str, Any] = {
    "model": "claude-haiku-4-5",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "x" * 8_000}],
}
COUNTED = {"input_tokens": 30, "output_tokens": 1}
DEEP = "[" * 940 + "]" * 940  # Python reads it, and has no room left to do anything with it


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


def ask(*answers: Refusal) -> Reply:
    with Brain(answers) as brain:
        transport = Transport(KEY, brain.url, until=time.monotonic() + 10, patience=QUICK)
        with contextlib.closing(transport):
            return transport.send(BODY)


@pytest.mark.parametrize(
    "count", [None, -1_000_000, True, "12", 30.5, 10**400, [], {}], ids=lambda each: f"{each!s:.9}"
)
def test_what_is_no_count_is_estimated_by_bytes(count: object) -> None:
    words = block(0, '{"type": "text", "text": ""}', '{"type": "text_delta", "text": "%s"}')
    said = [each.replace("%s", "w" * 400) for each in words]
    usage = {"input_tokens": count, "output_tokens": count}
    reply = ask(stream(*said, usage=usage, wrote=count))
    assert not reply.is_counted
    assert 2_000 <= reply.tokens.input <= 2_100  # 8,000 bytes, and what is around them
    assert 100 <= reply.tokens.output <= 110
    assert ask(stream(*said, usage={"cache_read_input_tokens": 7, **COUNTED})).tokens.read == 37


@pytest.mark.parametrize("id_", ["", '"id": null,', '"id": {},', '"id": "",', '"id": "toolu_1",'])
def test_every_call_has_an_id_of_its_own_and_arguments(id_: str) -> None:
    first = block(0, '{"type": "tool_use", "id": "toolu_1", "name": "Glob", "input": {}}')
    reply = ask(stream(*first, *block(1, f'{{"type": "tool_use", {id_} "name": "Glob"}}')))
    one, other = reply.calls
    assert one["id"] == "toolu_1"
    assert other["id"].startswith("toolu_")
    assert other["id"] != "toolu_1"
    assert other["input"] == {}
    assert reply.broken == frozenset()


def test_a_call_of_nothing_is_asked_for_again() -> None:
    nameless = stream(*block(0, '{"type": "tool_use", "id": "toolu_1", "name": null}'))
    whole = stream(*block(0, '{"type": "text", "text": "hi"}'))
    assert ask(nameless, whole).text == "hi"
    with pytest.raises(ApiError, match="a call of the answer names no tool"):
        ask(*[nameless] * QUICK.tries)


def test_half_a_character_is_mended_or_lost_and_the_rest_can_be_sent_on() -> None:
    halves = [
        r'{"type": "text_delta", "text": "a \ud83d"}',
        r'{"type": "text_delta", "text": "\ude00 b"}',
    ]
    alone = r'{"type": "input_json_delta", "partial_json": "{\"pattern\": \"x \\ud83d y\"}"}'
    reply = ask(
        stream(
            *block(0, '{"type": "text", "text": ""}', *halves),
            *block(1, '{"type": "tool_use", "id": "toolu_1", "name": "Grep", "input": {}}', alone),
        )
    )
    assert reply.text == "a \N{GRINNING FACE} b"
    assert reply.calls[0]["input"] == {"pattern": "x \N{REPLACEMENT CHARACTER} y"}
    json.dumps(reply.content, ensure_ascii=False).encode()


def test_what_is_nested_without_end_is_no_call_and_no_answer() -> None:
    torn = json.dumps({"type": "input_json_delta", "partial_json": f'{{"pattern": {DEEP}}}'})
    reply = ask(
        stream(
            *block(0, '{"type": "tool_use", "id": "toolu_1", "name": "Grep", "input": {}}', torn)
        )
    )
    assert reply.broken == {"toolu_1"}
    assert reply.calls[0]["input"] == {}
    odd = stream(*block(0, f'{{"type": "hologram", "x": {DEEP}}}'))
    with pytest.raises(ApiError, match="nested too deep"):
        ask(*[odd] * QUICK.tries)


def test_an_event_that_is_no_object_where_one_belongs_is_called_malformed() -> None:
    odd = stream('{"type": "message_start", "message": [1]}')
    with pytest.raises(ApiError, match="an event of the answer is malformed"):
        ask(*[odd] * QUICK.tries)
