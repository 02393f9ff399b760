"""Messages between the processes of a session."""

from __future__ import annotations

import io
import json
import os
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.engine.model.wire import MOST, WireError, packed, receive, send

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.text(), _VALUES, max_size=4), max_size=5))
def test_what_is_sent_is_received_in_order(values: list[dict[str, Any]]) -> None:
    stream = io.BytesIO()
    for value in values:
        send(stream, value)
    stream.seek(0)
    assert [receive(stream) for _ in values] == values
    assert receive(stream) is None


def test_the_form_is_four_bytes_of_length_then_json() -> None:
    assert packed({"a": "é"}) == b"\x00\x00\x00\x0a" + '{"a":"é"}'.encode()


def test_a_lone_surrogate_crosses() -> None:
    value = {"text": "odd \ud83d half"}
    assert receive(io.BytesIO(packed(value))) == value


@pytest.mark.parametrize("cut", range(1, 13))
def test_every_cut_within_a_message_is_an_error_and_not_an_end(cut: int) -> None:
    whole = packed({"a": 1234})
    assert len(whole) == 14
    with pytest.raises(WireError):
        receive(io.BytesIO(whole[:cut]))


@pytest.mark.parametrize(
    "body", [b"[]", b'"x"', b"{", b"\xff", b"1", b"", b"[" * 100_000 + b"]" * 100_000]
)
def test_what_is_no_json_object_is_an_error(body: bytes) -> None:
    with pytest.raises(WireError):
        receive(io.BytesIO(len(body).to_bytes(4) + body))


def test_a_length_beyond_the_most_is_refused_before_it_is_read() -> None:
    with pytest.raises(WireError, match="16,777,217"):
        receive(io.BytesIO((MOST + 1).to_bytes(4)))


def test_the_largest_message_crosses_a_pipe_and_one_byte_more_writes_nothing() -> None:
    reading, writing = os.pipe()
    value = {"text": "x" * (MOST - len(json.dumps({"text": ""}, separators=(",", ":"))))}
    got: list[Any] = []
    with os.fdopen(reading, "rb", buffering=0) as source:
        thread = threading.Thread(target=lambda: got.append(receive(source)))
        thread.start()
        with os.fdopen(writing, "wb", buffering=0) as sink:
            with pytest.raises(WireError):
                send(sink, {"text": value["text"] + "x"})
            send(sink, value)
        thread.join()
    assert got == [value]


@pytest.mark.parametrize("value", [{"a": {1}}, {"a": float("nan")}])
def test_what_json_cannot_say_is_an_error(value: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        send(io.BytesIO(), value)
