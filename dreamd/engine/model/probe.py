"""One request for one token, in a process of its own, to see whether a key is accepted.

`python -m dreamd.engine.model.probe` reads `{"key", "base_url", "model"}` from its standard input
and writes `{"trouble", "tokens"}` to its standard output, both in messages of `wire.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from msgspec import Struct

from dreamd.domain.settings import Model
from dreamd.engine.model import launch, wire
from dreamd.engine.model.spending import Tokens
from dreamd.errors import SessionError

MOST_TOKENS = 64  # that a probe may cost: a question of one word, and one token
_SECONDS = 30.0
_GRACE = 10.0  # for a second of imports on a machine that is busy


class Probed(Struct, frozen=True):
    """What the endpoint said: nothing is in the way, or a sentence; and what it cost."""

    trouble: str
    tokens: Tokens


def probe(model: Model, key: str, environ: Mapping[str, str]) -> Probed:
    """Ask the endpoint for one token.

    The key goes through a pipe, never into an argument or the environment.

    Raises:
        SessionError: the process that asks did not come to an end.
    """
    given = {"key": key, "base_url": model.base_url, "model": model.name}
    few = {name: environ[name] for name in launch.PASSED if name in environ}
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "dreamd.engine.model.probe"],
            input=wire.packed(given),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=few | paths | {"PYTHONDONTWRITEBYTECODE": "1"},
            cwd="/",
            timeout=_SECONDS + _GRACE,
            check=False,
        )
        said = wire.receive(BytesIO(done.stdout)) or {}
        return Probed(str(said["trouble"]), Tokens(**said["tokens"]))
    except (OSError, subprocess.TimeoutExpired, wire.WireError) as error:
        raise SessionError(f"the endpoint could not be asked: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise SessionError("the process that asks the endpoint ended early") from error


def main() -> int:
    """Ask as told on standard input, and tell."""
    until = time.monotonic() + _SECONDS
    import signal  # noqa: PLC0415 - in the child only

    from dreamd.sandbox import privileges  # noqa: PLC0415

    if sys.platform == "linux":
        privileges.die_with_parent(signal.SIGKILL)
        privileges.hide()
    answers, told = sys.stdout.buffer, wire.receive(sys.stdin.buffer)
    if told is None:
        return 1
    wire.send(answers, _asked(told, until))
    return 0


def _asked(told: Mapping[str, Any], until: float) -> dict[str, Any]:
    from msgspec.structs import asdict  # noqa: PLC0415 - in the child only

    from dreamd.engine.model.transport import Transport  # noqa: PLC0415
    from dreamd.engine.model.troubles import Patience  # noqa: PLC0415

    body = {
        "model": told["model"],
        "max_tokens": 1,
        "messages": [{"role": "user", "content": "Hi"}],
    }
    lost = Tokens()
    try:
        transport = Transport(
            told["key"], told["base_url"], until=until, patience=Patience(tries=1)
        )
        try:
            return {"trouble": "", "tokens": asdict(transport.send(body).tokens)}
        finally:
            lost = transport.lost
            transport.close()
    except SessionError as error:
        return {"trouble": str(error), "tokens": asdict(lost)}


if __name__ == "__main__":
    sys.exit(main())
