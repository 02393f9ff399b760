"""What the program says of itself, where it says what cannot be."""

from __future__ import annotations

import json

import pytest

from dreamd.domain.receipt import Usage
from dreamd.engine.claude.told import Told


@pytest.mark.parametrize("count", ["Infinity", "1e400", "NaN", "-5", "1" + "0" * 400, '"7"', "[]"])
def test_what_is_no_count_counts_nothing(count: str) -> None:
    told = Told()
    usage = f'{{"input_tokens": {count}, "output_tokens": 7}}'
    told.take(
        f'{{"type": "result", "subtype": "success", "total_cost_usd": {count}, '
        f'"usage": {usage}}}'.encode()
    )
    assert told.usage == Usage(output_tokens=7)
    assert told.fault == ""


def test_an_event_that_is_nested_without_end_is_passed_over() -> None:
    told = Told()
    message = {"role": "assistant", "content": [{"type": "text", "text": "%"}]}
    line = json.dumps({"type": "assistant", "message": message})
    told.take(line.replace('"%"', "[" * 940 + "]" * 940).encode())
    assert told.messages == []
    told.take(line.encode())
    assert told.messages == [message]
