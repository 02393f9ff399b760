"""dreamd without its start-up: forked from one process that has dreamd and the SDK loaded.

What runs is the command itself, in a process of its own, with the reader of a model's session
started as ever; only the interpreter and its imports are shared, a failing API is asked again at
once, and a note that was just written is soon at rest. So hundreds of dreams can be struck one by
one.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, NoReturn

from msgspec import Struct

ROOT = Path(__file__).parents[1]
_MOST = 1 << 16  # bytes of what is asked
_LATE = ("encodings.ascii", "msgspec", "yaml")  # not at first needed


class Command(Struct):
    """A command underway."""

    pid: int
    out: IO[bytes]
    err: IO[bytes]
    line: socket.socket

    def ended(self) -> tuple[int, str, str]:
        """Its exit code (minus the signal that ended it), and what it said."""
        self.line.send(b"%d" % self.pid)
        code = int(self.line.recv(16))
        said = []
        for stream in (self.out, self.err):
            with stream:
                stream.seek(0)
                said.append(stream.read().decode("utf-8", "surrogateescape"))
        return code, said[0], said[1]

    def close(self) -> None:
        """End it, where it has not been waited for."""
        if not self.out.closed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self.out.close()
        self.err.close()


class Warm:
    """The process that commands are forked from."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(60)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm"],
            stdin=theirs.fileno(),
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        )
        theirs.close()
        self._underway: list[Command] = []

    def end(self) -> None:
        for command in self._underway:
            command.close()
        self._line.close()
        self._process.wait(10)

    def start(
        self, words: Sequence[str], environ: Mapping[str, str], cwd: Path, stdin: str = ""
    ) -> Command:
        out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - Command's
        with tempfile.TemporaryFile() as given:
            given.write(stdin.encode())
            given.seek(0)
            asked = {"words": list(words), "environ": dict(environ), "cwd": str(cwd)}
            said = json.dumps(asked).encode()
            assert len(said) < _MOST
            socket.send_fds(self._line, [said], [each.fileno() for each in (given, out, err)])
        command = Command(int(self._line.recv(16)), out, err, self._line)
        self._underway.append(command)
        return command


@cache
def warm() -> Warm:
    """The one of this process; it ends with it."""
    made = Warm()
    atexit.register(made.end)
    return made


def _become(streams: Sequence[int], environ: Mapping[str, str], cwd: str) -> None:
    """Be a process that was started with these streams and nothing else open."""
    for ended_by in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ended_by, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    high = [os.dup(stream) for stream in streams]
    for number, stream in enumerate(high):
        os.dup2(stream, number)
    os.closerange(3, 1 << 10)
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)


def leave(code: int) -> NoReturn:
    """End as the interpreter does, but for taking the modules apart, which costs 0.3 s."""
    threading._shutdown()  # type: ignore[attr-defined] # what the interpreter calls at its end
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if not stream.closed:
            stream.flush()
    os._exit(code)


def _serve() -> None:
    import dreamd
    from dreamd import cli
    from dreamd.memory import scan
    from dreamd.text.late import Late
    from tests.brain import hasten

    for module in pkgutil.walk_packages(dreamd.__path__, "dreamd."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
    for name in _LATE:
        importlib.import_module(name)
    for each in gc.get_objects():
        if isinstance(each, Late):
            each.search  # noqa: B018 - compiles it once for all children
    from dreamd.text.stems import stem

    stem("warm")
    for (where, name), value in hasten().items():
        setattr(where, name, value)
    scan.QUIET_NS //= 20
    line = socket.socket(fileno=os.dup(0))
    gc.collect()
    gc.freeze()  # no child looks through what all of them share
    while True:
        asked, streams, _, _ = socket.recv_fds(line, _MOST, 3)
        if not asked:
            return
        if asked.isdigit():
            code = os.waitstatus_to_exitcode(os.waitpid(int(asked), 0)[1])
            line.send(b"%d" % code)
            continue
        pid = os.fork()
        if not pid:
            said = json.loads(asked)
            _become(streams, said["environ"], said["cwd"])
            time.tzset()
            sys.argv = [str(Path(cli.__file__).parents[1] / "__main__.py"), *said["words"]]
            leave(cli.main())
        for stream in streams:
            os.close(stream)
        line.send(b"%d" % pid)


if __name__ == "__main__":
    _serve()
