"""Real workers: started, ordered, listened to, and looked for when they should be gone."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec.structs
import psutil
from msgspec import Struct, field

from dreamd.engine.model import wire
from dreamd.engine.model.order import Caps, Order, to_json
from dreamd.sandbox.choose import best
from tests.engine.model.session_room import CAPS, HAIKU, KEY

ENVIRONS = "sk-of-the-environment"
ROOT = Path(__file__).parents[3]
_WORKER = (sys.executable, "-m", "dreamd.engine.model.worker")
_NURSERY = """
import gc, os, socket
import dreamd.engine.model.transport
from dreamd.engine.model.troubles import Patience
from dreamd.engine.model.worker import main
from tests.warm import leave

gc.freeze()
line = socket.socket(fileno=0)
while True:
    asked, pipes, _, _ = socket.recv_fds(line, 1, 3)
    if not asked:
        break
    if asked == b"w":
        line.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]).to_bytes(4, signed=True))
        continue
    pid = os.fork()
    if not pid:
        line.detach()
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        os.setsid()
        quick = Patience(connect=1, between=0.5, tries=2, first=0.01, longest=0.05)
        leave(main(patience=quick))
    for pipe in pipes:
        os.close(pipe)
    line.send(pid.to_bytes(4))
"""


def environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


class Nursery:
    """Forks workers from a process that has the SDK loaded: a second less for each."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _NURSERY], stdin=theirs.fileno(), env=environment(), cwd="/"
        )
        theirs.close()

    def fork(self, *pipes: int) -> int:
        socket.send_fds(self._line, [b"f"], list(pipes))
        return int.from_bytes(self._line.recv(4))

    def wait(self) -> int:
        self._line.send(b"w")
        return int.from_bytes(self._line.recv(4), signed=True)

    def close(self) -> None:
        self._line.close()
        self._process.wait(10)


class Running(Struct):
    """A worker, and what it told."""

    pid: int
    stdout: IO[bytes]
    wait: Callable[[], int]
    events: list[dict[str, Any]] = field(default_factory=list)
    code: int | None = None

    def next(self) -> dict[str, Any] | None:
        event = wire.receive(self.stdout)
        if event is not None:
            self.events.append(event)
        return event

    def last(self) -> dict[str, Any]:
        """Its last event, once it is gone."""
        while self.next() is not None:
            pass
        self.code = self.wait()
        return self.events[-1]

    def helpers(self) -> list[psutil.Process]:
        """The helpers, reader first."""
        children = psutil.Process(self.pid).children()
        return sorted(children, key=lambda each: '"writer"' in " ".join(each.cmdline()))


@contextlib.contextmanager
def fresh(given: Order, key: str = KEY) -> Iterator[tuple[Running, IO[bytes]]]:
    """A worker as it is started for good, and its stderr."""
    process = subprocess.Popen(
        _WORKER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment(), "ANTHROPIC_API_KEY": ENVIRONS, "ANTHROPIC_LOG": "debug"},
        cwd="/",
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        try:
            wire.send(process.stdin, {"order": to_json(given), "key": key})
            yield Running(process.pid, process.stdout, process.wait), process.stderr
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def working(
    nursery: Nursery, given: Order | Mapping[str, Any], key: str = KEY
) -> Iterator[Running]:
    """A worker that was given an order; whatever happens it is gone at the end."""
    requests, ask = os.pipe()
    answers, answer = os.pipe()
    pid = nursery.fork(requests, answer, 2)
    os.close(requests)
    os.close(answer)
    with os.fdopen(ask, "wb") as stdin, os.fdopen(answers, "rb") as stdout:
        running = Running(pid, stdout, nursery.wait)
        try:
            said = {"order": to_json(given), "key": key} if isinstance(given, Order) else given
            wire.send(stdin, said)
            yield running
        finally:
            if running.code is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                nursery.wait()


def order(tmp_path: Path, url: str, *, caps: Caps = CAPS, level: str = "", **more: Any) -> Order:
    """An order over a small memory directory and one session."""
    memory, stage, sessions = (tmp_path / name for name in ("memory", "stage", "sessions"))
    for folder in (memory, stage, sessions):
        folder.mkdir(exist_ok=True)
    for folder in (memory, stage):
        (folder / "MEMORY.md").write_text("- [Ports](ports.md) — staging 80\n")
        (folder / "ports.md").write_text(
            "---\nname: ports\ndescription: Ports\nmetadata:\n  type: project\n---\n\n"
            "Staging listens on port 80.\n"
        )
    return Order(
        stage=str(stage),
        memory=str(memory),
        sessions=(str(sessions),),
        denied=(),
        level=level or best().level.value,
        model="claude-haiku-4-5",
        base_url=url,
        first="Here are the notes.",
        caps=caps,
        price=HAIKU,
        **more,
    )


def gone(processes: list[psutil.Process], seconds: float = 2.0) -> bool:
    """Whether these processes are gone, or will be in that time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(each.is_running() and each.status() != "zombie" for each in processes):
            return True
        time.sleep(0.01)
    return False


def capped(**caps: Any) -> Caps:
    return msgspec.structs.replace(CAPS, **caps)
