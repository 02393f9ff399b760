"""One session of the program behind walls: started, listened to, and ended whatever happens."""

from __future__ import annotations

import contextlib
import json
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from msgspec import Struct

from dreamd.engine.claude.login import Login
from dreamd.engine.claude.told import Told
from dreamd.errors import SessionError
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, spawn
from dreamd.text.secrets.secrets import redact

_WITHIN = "dreamd.engine.claude.within"
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")
_PASSED = (
    *("PATH", "LANG", "TZ", *_PROXIES, "NO_PROXY", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)
_PORTS = (53, 443)  # names by TCP, and the API
_LONGEST = 16 * 1024 * 1024  # bytes of a line, and
_MOST = 64 * 1024 * 1024  # of all it says
_LAST_WORDS = 300  # characters


class Errand(Struct, frozen=True):
    """What one session is for: the program's arguments, its input, and what it may touch."""

    arguments: tuple[str, ...]
    prompt: str
    stage: Path
    denied: tuple[Path, ...]
    seconds: float
    tokens: int


def hold(
    errand: Errand,
    login: Login,
    environ: Mapping[str, str],
    told: Told,
    heard: Callable[[Told], None],
) -> str:
    """Hold a session; `told` gathers what is said. Return why a limit ended it, else nothing.

    Its configuration, home and temporary files are one folder that is gone afterwards, so none of
    the user's settings, hooks and sessions is there, and nothing of it joins them. However this
    ends, by an exception too, the program and all it started are gone.

    Raises:
        SessionError: it ended without a result, or said nothing, or too much.
        WallsError: the walls cannot be had; nothing was started.
    """
    with tempfile.TemporaryDirectory(prefix="dreamd-claude-", ignore_cleanup_errors=True) as made:
        scratch = Path(made)
        policy = Policy(
            role=Role.CLIENT,
            stage=errand.stage,
            denied=errand.denied,
            level=Level.LANDLOCK,
            scratch=scratch,
            ports=_ports(environ),
        )
        with _started(policy) as helper:
            order = {
                "argv": [str(login.program), *errand.arguments],
                "environ": _environ(environ, login, scratch),
            }
            said = json.dumps(order).encode() + b"\n" + errand.prompt.encode("utf-8", "replace")
            threading.Thread(target=_tell, args=(helper.stdin, said), daemon=True).start()
            lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
            threading.Thread(target=_listen, args=(helper.stdout, lines), daemon=True).start()
            until = time.monotonic() + errand.seconds
            return _follow(errand, told, heard, lines, until) or _judged(told, helper, login)


def _follow(
    errand: Errand,
    told: Told,
    heard: Callable[[Told], None],
    lines: queue.SimpleQueue[bytes | None],
    until: float,
) -> str:
    """Take in lines until the result, or the end of them; return why a limit came first."""
    size = 0
    while told.result is None:
        left = until - time.monotonic()
        if left <= 0:
            if not told.usage.tokens:
                raise SessionError(
                    f"claude said nothing in {errand.seconds:g} seconds (model.seconds)"
                )
            return f"its {errand.seconds:g} seconds were over (model.seconds)"
        try:
            # In short steps: a signal interrupts waiting for a queue only between two of them.
            line = lines.get(timeout=min(left, 0.2))
        except queue.Empty:
            continue
        if line is None:
            return ""
        size += len(line)
        if size > _MOST:
            raise SessionError(f"claude said more than {_MOST:,} bytes")
        told.take(line)
        heard(told)
        if told.result is None and told.usage.tokens > errand.tokens:
            return f"it passed its limit of {errand.tokens:,} tokens (model.tokens)"
    return told.capped


def _judged(told: Told, helper: Helper, login: Login) -> str:
    """Return nothing for a result that is one.

    Raises:
        SessionError: there is none, or it tells of a fault.
    """
    if told.result is None:
        status = helper.stop()
        lines = helper.last_words().splitlines() or ["it said nothing"]
        raise SessionError(
            f"claude ended without a result (status {status}): {_clean(lines[-1], login)}"
        )
    if fault := told.fault:
        raise SessionError(f"claude failed: {_clean(fault, login)}")
    return ""


def _clean(text: str, login: Login) -> str:
    words = " ".join(text.replace(login.token, "[token]").split())
    return redact(words)[:_LAST_WORDS]


@contextlib.contextmanager
def _started(policy: Policy) -> Iterator[Helper]:
    helper = spawn([sys.executable, "-m", _WITHIN], policy)
    try:
        yield helper
    finally:
        helper.stop()


def _environ(environ: Mapping[str, str], login: Login, scratch: Path) -> dict[str, str]:
    """Return the variables that the program starts with; no key for the API is among them."""
    return {name: environ[name] for name in _PASSED if name in environ} | {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "CLAUDE_CONFIG_DIR": str(scratch),
        "CLAUDE_CODE_OAUTH_TOKEN": login.token,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "NO_COLOR": "1",
    }


def _ports(environ: Mapping[str, str]) -> tuple[int, ...]:
    """Return the ports it may connect to: that of the API, and those of proxies."""
    found = set(_PORTS)
    for name in _PROXIES:
        with contextlib.suppress(ValueError):
            found.add(urlsplit(environ.get(name, "")).port or _PORTS[-1])
    return tuple(sorted(found))


def _tell(stream: IO[bytes], said: bytes) -> None:
    rest = memoryview(said)
    with contextlib.suppress(OSError, ValueError):
        while rest:
            rest = rest[stream.write(rest) :]
        stream.close()


def _listen(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with (
        contextlib.suppress(OSError, ValueError),
        open(stream.fileno(), "rb", closefd=False) as buffered,
    ):
        while line := buffered.readline(_LONGEST):
            lines.put(line)
    lines.put(None)
