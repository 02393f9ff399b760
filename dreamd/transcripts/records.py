"""The records on one line of a transcript: mostly one, sometimes two, sometimes a wreck."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

Record = dict[str, Any]

_DECODER = json.JSONDecoder(strict=False)  # a raw control character is no reason to lose a line
_BETWEEN = " \t\r\n,\ufeff"
_HEAD = '{"parentUuid"'  # how the client begins a record; nothing nested in one begins so


def records(line: bytes) -> tuple[list[Record], bool]:
    """Return the records on a line, and whether all of it could be read.

    Two records may stand on one line (the client writes from several places at once), with or
    without a space or comma between them; runs of NUL bytes (a crash leaves them) are passed
    over; bytes that are no UTF-8 become U+FFFD. After a record that was cut short, the next
    one is looked for by its usual first key. What is no object is passed over.
    """
    try:
        value = _strict()(line)
    except (ValueError, RecursionError):
        return _salvaged(line)
    return [value] if isinstance(value, dict) else [], True


@cache
def _strict() -> Callable[[bytes], Any]:
    """Return the fast decoder, which takes one sound record and nothing else."""
    import msgspec  # noqa: PLC0415 - 20 ms, which only who reads a transcript should pay

    return msgspec.json.Decoder().decode


def _salvaged(line: bytes) -> tuple[list[Record], bool]:
    """Return what `records` does, for any line, slowly."""
    text = line.replace(b"\0", b"").decode(errors="replace")
    found: list[Record] = []
    is_whole = True
    at = 0 if text[:1] == "{" else _next(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):  # cut short; nested, or a number, beyond measure
            is_whole = False
            at = text.find(_HEAD, at + 1)
            if at < 0:
                break
            continue
        if isinstance(value, dict):
            found.append(value)
        at = _next(text, at)
    return found, is_whole


def _next(text: str, at: int) -> int:
    """Return where the next record may begin: past white space, commas and byte order marks."""
    while at < len(text) and text[at] in _BETWEEN:
        at += 1
    return at
