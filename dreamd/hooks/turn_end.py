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
_LARGEST = 1 << 26  # bytes; no writer goes on for longer
_PIECE = 1 << 16
_LONGEST_PATH = 4096
_LONGEST_ID = 100
_LONGEST_NAME = 200  # bytes of a file's name


def poke_daemon(environ: Mapping[str, str]) -> None:
    """Poke the daemon; where none runs, let a process of its own see whether a dream is due."""
    try:
        if (state := _state(environ)) is not None:
            _poke(state, environ)
    except (OSError, ValueError):
        pass  # the next turn is another chance


def news(environ: Mapping[str, str]) -> list[str] | None:
    """Return options of `dreamd nudge` where there is news for a session, else None."""
    try:
        data, state = _input(), _state(environ)
        if state is None:
            return None
        homes = os.listdir(f"{state}/stores")  # noqa: PTH208
    except (OSError, ValueError):
        return None
    return _options(data) if any(_has_news(f"{state}/stores/{home}") for home in homes) else None


def _state(environ: Mapping[str, str]) -> str | None:
    home = paths.home_of(environ)
    return None if home is None else paths.state_of(environ, home)


def _poke(state: str, environ: Mapping[str, str]) -> None:
    now = presence.poke(f"{state}/nudge")
    data = _input()  # read in any case: whoever writes it must not meet a closed pipe
    if presence.holder(f"{state}/daemon.lock") is not None:
        return
    place = os.path.dirname(_raw(data, b"transcript_path"))  # noqa: PTH120 - no pathlib here
    place = place or os.fsencode(os.getcwd())  # noqa: PTH109
    mark = f"{state}/nudges/{os.fsdecode(place.replace(b'/', b'-')[-_LONGEST_NAME:])}"
    last, rest = presence.stamp(mark), _REST.get(_raw(data, b"hook_event_name"), _LONG_REST)
    if last is not None and 0 <= now - last < rest:
        return
    presence.poke(mark)
    _detach(["nudge", "--begin", *_options(data)], environ)


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
    """Return what a hook was given on stdin, as far as it comes at once; "" from a closed one."""
    from select import select  # noqa: PLC0415 - built in, yet not on every machine

    parts, size = [], 0
    try:
        while (
            size < _LARGEST and select([0], [], [], _PATIENCE)[0] and (part := os.read(0, _PIECE))
        ):
            parts.append(part)
            size += len(part)
    except OSError:
        pass
    return b"".join(parts)


def _raw(data: bytes, name: bytes) -> bytes:
    """Return what stands behind a name of the hook's input, unread: decoding is not for each turn.

    In a text the quotes around the name would be escaped, so that only a name is found.
    """
    _, found, rest = data.partition(b'"' + name + b'"')
    rest = rest[: _LONGEST_PATH * 2].lstrip(b" :\t\r\n")
    return rest[1:].partition(b'"')[0] if found and rest.startswith(b'"') else b""


def _options(data: bytes) -> list[str]:
    """Return what a hook says of its session as options; what makes no sense is left out."""
    import json  # noqa: PLC0415 - not where a daemon runs

    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return []
    if not isinstance(told, dict):
        return []
    session, *places = (told.get(name) for name in ("session_id", "transcript_path", "cwd"))
    words = [f"--session={session}"] if _is_word(session) else []
    named = zip(("transcript", "cwd"), places, strict=True)
    return words + [f"--{name}={path}" for name, path in named if _is_path(path)]


def _is_word(value: object) -> bool:
    """Whether a value may stand in a command line as one word of an id."""
    if not isinstance(value, str) or len(value) > _LONGEST_ID or not value.isascii():
        return False
    return value.replace("-", "").replace("_", "").isalnum()


def _is_path(value: object) -> bool:
    if not isinstance(value, str) or not value.startswith("/") or len(value) > _LONGEST_PATH:
        return False
    try:
        return b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:  # half a surrogate pair
        return False
