"""Start a helper behind walls with nothing of ours but pipes, and end it with all it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import msgspec

import dreamd
from dreamd.errors import WallsError
from dreamd.sandbox.policy import Policy

PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_LAST_WORDS: Final = 64 * 1024  # bytes; what a pipe holds


class Helper:
    """A process behind walls; `stdin` and `stdout` are unbuffered pipes to it."""

    def __init__(self, started: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
        assert started.stdin is not None  # noqa: S101 - they are pipes by construction
        assert started.stdout is not None  # noqa: S101
        self.stdin, self.stdout = started.stdin, started.stdout
        self.pid = started.pid  # also that of its process group and session
        self._process, self._errors, self._words = started, errors, b""

    def stop(self) -> int:
        """Kill it and all it started, wait for its end, and return its exit status.

        Nothing behind walls can leave its group. Called again it does nothing.
        """
        if self._process.returncode is None:
            self._process.kill()
            with contextlib.suppress(ProcessLookupError):  # it has not led its own group yet
                os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()
        self.last_words()
        for pipe in (self.stdin, self.stdout, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()
        return int(self._process.returncode)

    def last_words(self) -> str:
        """Return what it has written to stderr, of which a pipe holds 64 KiB; also once stopped."""
        if not self._errors.closed:
            self._words += self._errors.read(_LAST_WORDS) or b""
        return self._words[:_LAST_WORDS].decode("utf-8", "replace").strip()


def spawn(argv: Sequence[str], policy: Policy) -> Helper:
    """Start a helper whose last argument is the policy, to be given to `confine` at once.

    It inherits no file, no environment beyond a few variables, and no terminal; it stands in `/`
    in a session of its own and is killed when the thread that called this ends.

    Raises:
        WallsError: it cannot be started.
    """
    policy = msgspec.structs.replace(policy, parent=os.getpid())
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)  # a helper that says much must not hang on it
    errors = os.fdopen(reading, "rb", buffering=0)
    try:
        started = subprocess.Popen(
            [*argv, policy.to_json()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=writing,
            bufsize=0,
            cwd="/",
            env=environment(),
            start_new_session=True,
        )
    except OSError as error:
        errors.close()
        raise WallsError(f"cannot start {argv[0]}: {error.strerror or error}") from error
    finally:
        os.close(writing)
    return Helper(started, errors)


def environment() -> dict[str, str]:
    """Return all that a helper and its commands know of ours: no key can be among it."""
    found = {
        "PATH": PATH,
        "LANG": "C.UTF-8",
        "HOME": str(Path.home()),  # what `~` means, and where Python's user packages are
        "PYTHONSAFEPATH": "1",  # a json.py in the directory it stands in is not imported
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    ours = Path(dreamd.__file__).parent.parent
    if ours.name not in {"site-packages", "dist-packages"}:
        found["PYTHONPATH"] = str(ours)  # run from its source
    return found
