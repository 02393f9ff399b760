"""What a hook does after each turn: poke the daemon, or where none runs begin a dream if due.

A person waits for it. It imports nothing that the interpreter has not loaded, and what it cannot do
it leaves: no hook fails because of dreamd.
"""

from __future__ import annotations

import os

from dreamd import paths
from dreamd.host import presence

TYPE_CHECKING = False  # as above
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MINUTE = 60_000_000_000  # nanoseconds
_REST = {b"SessionEnd": _MINUTE}  # between two looks at whether a dream is due, by event
_LONG_REST = 10 * _MINUTE
_PATIENCE = 0.5  # seconds, in which a hook's input comes or does not
_LARGEST = 1 << 22  # bytes of it that are looked at
_PIECE = 1 << 16
_LONGEST_PATH = 4096
_LONGEST_ID = 100
_LONGEST_NAME = 200  # bytes of a file's name


def poke_daemon(environ: Mapping[str, str]) -> None:
    """Poke the daemon; where none runs, let a process of its own see whether a dream is due."""
    try:
        state = _state(environ)
        if state is not None:
            _poke(state, environ)
    except (OSError, ValueError):
        pass  # the next turn is another chance


def news(environ: Mapping[str, str]) -> dict[str, str] | None:
    """Return what a hook says of its session where there is news to tell it, else None."""
    try:
        data, state = _input(), _state(environ)
        if state is None:
            return None
        homes = [f"{state}/stores/{name}" for name in os.listdir(f"{state}/stores")]  # noqa: PTH208
    except (OSError, ValueError):
        return None
    return fields(data) if any(map(_has_news, homes)) else None


def options(told: Mapping[str, str]) -> list[str]:
    """Return what a hook says of its session as options of `dreamd nudge`."""
    return [f"--{key}={told[key]}" for key in ("session", "transcript", "cwd") if key in told]


def _state(environ: Mapping[str, str]) -> str | None:
    home = paths.home_of(environ)
    return None if home is None else paths.state_of(environ, home)


def _poke(state: str, environ: Mapping[str, str]) -> None:
    now = presence.poke(f"{state}/nudge")
    data = _input()  # read in any case: whoever writes it must not meet a closed pipe
    if presence.holder(f"{state}/daemon.lock") is not None:
        return
    place = os.path.dirname(_raw(data, b"transcript_path")) or os.fsencode(os.getcwd())  # noqa: PTH109, PTH120
    mark = f"{state}/nudges/{os.fsdecode(place.replace(b'/', b'-')[-_LONGEST_NAME:])}"
    last, rest = presence.stamp(mark), _REST.get(_raw(data, b"hook_event_name"), _LONG_REST)
    if last is not None and 0 <= now - last < rest:
        return
    presence.poke(mark)
    told = fields(data)
    _detach(["nudge", "--begin", *options(told)], environ)


def _detach(words: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start dreamd in a session of its own, deaf and mute; it goes on when this process ends.

    The folder one stands in is not on its import path (-P): it may be anybody's.
    """
    import sys  # noqa: PLC0415 - once in ten minutes

    command = [sys.executable, "-P", "-m", "dreamd", *words]
    null = [(os.POSIX_SPAWN_OPEN, each, os.devnull, os.O_RDWR, 0) for each in (0, 1, 2)]
    os.posix_spawn(command[0], command, environ, file_actions=null, setsid=True)


def _has_news(home: str) -> bool:
    """Whether a ledger was written to since sessions were last told of it."""
    written = presence.stamp(f"{home}/store.db")
    if written is None:
        return False
    told = presence.stamp(f"{home}/told")
    return told is None or told < written


def _input() -> bytes:
    """Return what a hook was given on stdin, as far as it comes at once."""
    from select import select  # noqa: PLC0415 - built in, yet not on every machine

    try:
        if os.isatty(0):
            return b""
    except OSError:
        return b""
    parts, size = [], 0
    try:
        while select([0], [], [], _PATIENCE)[0] and (part := os.read(0, _PIECE)):
            if size < _LARGEST:
                parts.append(part)
            size += len(part)
            if size > _LARGEST * 16:
                break  # an endless one
    except OSError:
        pass  # closed
    return b"".join(parts)


def _raw(data: bytes, name: bytes) -> bytes:
    """Return what stands behind a name of the hook's input, unread: decoding is not for each turn.

    In a text the quotes around the name would be escaped, so that only a name is found.
    """
    _, found, rest = data.partition(b'"' + name + b'"')
    rest = rest[: _LONGEST_PATH * 2].lstrip(b" :\t\r\n")
    return rest[1:].partition(b'"')[0] if found and rest.startswith(b'"') else b""


def fields(data: bytes) -> dict[str, str]:
    """Return what a hook says of its session, by our names; what makes no sense is left out.

    The names of the client: `session_id`, `transcript_path`, `cwd`, `hook_event_name`.
    """
    if not data.strip():
        return {}
    import json  # noqa: PLC0415 - not where a daemon runs

    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(told, dict):
        return {}
    found = {
        "session": _word(told.get("session_id")),
        "transcript": _path(told.get("transcript_path")),
        "cwd": _path(told.get("cwd")),
        "event": _word(told.get("hook_event_name")),
    }
    return {key: value for key, value in found.items() if value is not None}


def _word(value: object) -> str | None:
    """Return a value that may stand in a command line as one word of an id."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID or not value.isascii():
        return None
    return value if value.replace("-", "").replace("_", "").isalnum() else None


def _path(value: object) -> str | None:
    if not isinstance(value, str) or not value.startswith("/") or len(value) > _LONGEST_PATH:
        return None
    try:
        return None if b"\0" in os.fsencode(value) else value
    except UnicodeEncodeError:  # half a surrogate pair
        return None
