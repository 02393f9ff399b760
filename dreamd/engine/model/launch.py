"""Starts the worker of a model session, listens to it, and ends it whatever happens."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from dreamd.engine.model import wire
from dreamd.engine.model.order import Order, to_json
from dreamd.errors import SessionError

_PACKAGES = Path(__file__).parents[3]  # where `dreamd` is imported from
PASSED = (
    *("PATH", "HOME", "LANG", "TZ", "TMPDIR"),
    *("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
_GRACE = 5.0  # seconds beyond the session's own limit before it is ended from outside
_LAST_WORDS = 2_000  # characters of what a worker that died wrote to stderr

Event = Mapping[str, Any]


class FailedSessionError(SessionError):
    """The worker said that the session failed; `event` is what it said, with what was spent."""

    def __init__(self, event: Event) -> None:
        super().__init__(str(event.get("reason") or "the model session failed without a word"))
        self.event = event


def hold(
    order: Order, key: str, environ: Mapping[str, str], heard: Callable[[Event], None]
) -> Event:
    """Hold a session in a worker of its own and return its last event; each goes to `heard`.

    The key goes through a pipe, never into an argument or the environment. However this ends
    (by an exception too: a signal became one), the worker and all it started are gone, and what
    it said to the last, as what it spent, was heard.

    Raises:
        FailedSessionError: the session failed, as the worker says.
        SessionError: the worker died, or went on past its time.
    """
    events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
    try:
        return _held(order, key, environ, heard, events)
    finally:
        with contextlib.suppress(queue.Empty):
            while (event := events.get(timeout=1.0)) is not None:  # None comes at the pipe's end
                heard(event)


def _held(
    order: Order,
    key: str,
    environ: Mapping[str, str],
    heard: Callable[[Event], None],
    events: queue.SimpleQueue[Event | None],
) -> Event:
    with tempfile.TemporaryFile() as said, _worker(environ, said) as worker:
        if worker.stdin is None or worker.stdout is None:
            raise SessionError("the worker of the model session has no pipes")
        threading.Thread(target=_listen, args=(worker.stdout, events), daemon=True).start()
        try:
            wire.send(worker.stdin, {"order": to_json(order), "key": key})
        except OSError as error:
            raise SessionError(f"the model session did not start: {_last(said, key)}") from error
        over = time.monotonic() + order.caps.seconds + _GRACE
        while True:
            event = _next(events, over)
            if event is None:
                events.put(None)
                raise SessionError(f"the model session's worker ended early: {_last(said, key)}")
            heard(event)
            match event.get("event"):
                case "result":
                    return event
                case "failed":
                    raise FailedSessionError(event)


def _next(events: queue.SimpleQueue[Event | None], over: float) -> Event | None:
    while (left := over - time.monotonic()) > 0:
        # In short steps: a signal interrupts waiting for a queue only between two of them.
        with contextlib.suppress(queue.Empty):
            return events.get(timeout=min(left, 0.2))
    raise SessionError("the model session went on past its time limit (model.seconds)")


def _listen(stream: IO[bytes], events: queue.SimpleQueue[Event | None]) -> None:
    with stream, contextlib.suppress(OSError, ValueError, wire.WireError):
        while (event := wire.receive(stream)) is not None:
            events.put(event)
    events.put(None)


@contextlib.contextmanager
def _worker(environ: Mapping[str, str], said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    few = {name: environ[name] for name in PASSED if name in environ}
    worker = subprocess.Popen(
        [sys.executable, "-m", "dreamd.engine.model.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
        env=few | {"PYTHONPATH": str(_PACKAGES), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        start_new_session=True,
    )
    try:
        yield worker
    finally:
        _end(worker)


def _end(worker: subprocess.Popen[bytes]) -> None:
    """End the worker and its process group: asked first, made to half a second later."""
    for number, wait in ((signal.SIGTERM, 0.5), (signal.SIGKILL, 5.0)):
        if worker.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(worker.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.wait(wait)
            break
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)  # what is left of the group
    if worker.stdin is not None:
        with contextlib.suppress(OSError):
            worker.stdin.close()


def _last(said: IO[bytes], key: str) -> str:
    """Return the last line that the worker wrote, without the key."""
    said.seek(0)
    text = said.read()[-_LAST_WORDS:].decode("utf-8", "replace").strip()
    line = text.rsplit("\n", 1)[-1] or "it said nothing"
    return line.replace(key, "[key]") if key else line
