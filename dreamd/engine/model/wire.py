"""How the processes of a session speak: length-prefixed JSON objects over a pipe.

A message is 4 bytes, big-endian and unsigned, then that many bytes of UTF-8 JSON: one object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from dreamd.errors import DreamdError

MOST = 16 * 1024 * 1024  # bytes of one message
_HEAD = 4


class WireError(DreamdError):
    """What came, or was to go, over the pipe is no message."""


def packed(value: Mapping[str, Any]) -> bytes:
    """Return a message as the bytes that cross the pipe.

    A lone surrogate, which UTF-8 cannot carry, crosses as its JSON escape.

    Raises:
        WireError: it is no JSON, or larger than `MOST`.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        try:
            body = text.encode()
        except UnicodeEncodeError:
            body = json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"a message to another process is no JSON: {error}") from error
    if len(body) > MOST:
        raise WireError(f"a message of {len(body):,} bytes to another process; {MOST:,} may go")
    return len(body).to_bytes(_HEAD) + body


def send(stream: IO[bytes], value: Mapping[str, Any]) -> None:
    """Write one message and flush.

    Raises:
        WireError: it is no JSON, or larger than `MOST`; nothing was written.
        OSError: the other end is gone.
    """
    rest = memoryview(packed(value))
    while rest:
        rest = rest[stream.write(rest) :]  # an unbuffered pipe may take a part
    stream.flush()


def receive(stream: IO[bytes]) -> dict[str, Any] | None:
    """Return the next message, None where the other end closed between two messages.

    Raises:
        WireError: the message is cut, too large, or no JSON object.
        OSError: the pipe cannot be read.
    """
    head = _exactly(stream, _HEAD)
    if not head:
        return None
    if len(head) < _HEAD:
        raise WireError("another process ended within the length of a message")
    size = int.from_bytes(head)
    if size > MOST:
        raise WireError(f"a message of {size:,} bytes from another process; {MOST:,} may come")
    body = _exactly(stream, size)
    if len(body) < size:
        raise WireError(f"another process ended after {len(body):,} of {size:,} bytes")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WireError("what another process sent is no JSON") from error
    if not isinstance(value, dict):
        raise WireError("what another process sent is no JSON object")
    return value


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """Return that many bytes, fewer only where the stream ends."""
    parts: list[bytes] = []
    while size:
        part = stream.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
