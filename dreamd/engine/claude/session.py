"""One session of the program behind walls: started, listened to, and ended whatever happens.

`python -m dreamd.engine.claude.session POLICY` is its first act: it walls itself in, and becomes
the program that it is told by one line of JSON, `{"argv", "environ"}`, on its standard input.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from dreamd.domain.receipt import Phase, Usage
from dreamd.engine.claude.login import Login
from dreamd.engine.model.conversation import announced, is_too_deep
from dreamd.engine.protocol import Progress
from dreamd.errors import SessionError
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, spawn
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural

_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")
_PASSED = (
    *("PATH", "LANG", "TZ", *_PROXIES, "NO_PROXY", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)
_PORTS = (53, 443)  # names by TCP, and the API
_MOST = 64 * 1024 * 1024  # bytes of all it says
_LAST_WORDS = 300  # characters
_PROMPT = "prompt"  # the file in the scratch folder that is the program's own input
_CAPPED = {
    "error_max_budget_usd": "it reached its limit of dollars (model.dollars, model.day_dollars)",
    "error_max_turns": "it reached its limit of requests (model.turns)",
}
_MOST_COUNT = 10**9  # tokens, or dollars; what is more counts nothing
_KINDS = ("input", "output", "cache_read_input", "cache_creation_input")


class Output:
    """All that the program said so far: `assistant` events with a message each, and a `result`.

    Format: `--output-format stream-json` (https://code.claude.com/docs/en/headless).
    """

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.phase = Phase.ORIENT
        self.result: Mapping[str, Any] = {}
        self.capped = ""  # why a limit ended it
        self._used: dict[str, Usage] = {}

    def take(self, line: bytes) -> None:
        """Take one line in; what is no event is passed over."""
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict) or is_too_deep(event):
            return
        if event.get("type") == "result":
            self.result = event
            self.capped = _CAPPED.get(str(event.get("subtype")), "")
        message = event.get("message")
        if event.get("type") not in {"assistant", "user"} or not isinstance(message, dict):
            return
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        blocks = [block for block in blocks if isinstance(block, dict)]
        self.messages.append({"role": message.get("role"), "content": blocks})
        if message.get("role") != "assistant":
            return
        self._used[str(message.get("id"))] = _usage(message.get("usage"))
        for block in blocks:
            if block.get("type") == "tool_use":
                self.counts[str(block.get("name"))] += 1
            elif phase := announced(str(block.get("text") or "")):
                self.phase = phase

    @property
    def usage(self) -> Usage:
        """What was used: as the result says, before it as the messages do."""
        if not self.result:
            return sum(self._used.values(), Usage())
        return _usage(self.result.get("usage"), self.result.get("total_cost_usd"))

    @property
    def fault(self) -> str:
        """What went wrong as the program says; empty where nothing did, or a limit ended it."""
        result = self.result
        if self.capped or not (result.get("is_error") or result.get("subtype") != "success"):
            return ""
        errors = result.get("errors")
        said = errors[0] if isinstance(errors, list) and errors else result.get("result")
        return str(said or result.get("subtype") or "it said nothing")

    @property
    def words(self) -> str:
        """How far it has come: `2/4 · 3 reads · 1 edit · 11.2k tokens`."""
        parts = [f"{list(Phase).index(self.phase) + 1}/{len(Phase)}"]
        parts += [plural(count, tool.lower()) for tool, count in self.counts.items()]
        return " · ".join([*parts, f"{self.usage.tokens / 1000:.1f}k tokens"])


def hold(
    login: Login,
    environ: Mapping[str, str],
    arguments: Sequence[str],
    prompt: str,
    *,
    stage: Path,
    denied: tuple[Path, ...],
    seconds: float,
    tokens: int,
    told: Output,
    progress: Progress,
) -> None:
    """Hold a session; `told` gathers what is said, and why a limit ended it.

    Its configuration, home and temporary files are one folder that is gone afterwards, so none of
    the user's settings, hooks and sessions is there, and nothing of it joins them. However this
    ends, by an exception too, the program and all it started are gone.

    Raises:
        SessionError: it ended without a result, or said nothing, or too much.
        WallsError: the walls cannot be had; nothing was started.
    """
    with tempfile.TemporaryDirectory(prefix="dreamd-claude-", ignore_cleanup_errors=True) as made:
        scratch = Path(made)
        (scratch / _PROMPT).write_text(prompt, "utf-8", "replace")
        walls = (Role.CLIENT, stage, denied, Level.LANDLOCK)
        policy = Policy(*walls, scratch=scratch, ports=_ports(environ))
        argv = [str(login.program), *arguments]
        order = {"argv": argv, "environ": _environ(environ, login, scratch)}
        helper = spawn([sys.executable, "-m", "dreamd.engine.claude.session"], policy)
        try:
            with contextlib.suppress(OSError):  # where it has ended, its last words say why
                helper.stdin.write(json.dumps(order).encode() + b"\n")
            for line in _lines(helper.stdout, time.monotonic() + seconds):
                if line is not None:
                    told.take(line)
                    progress(told.phase, told.words)
                    if not told.result and told.usage.tokens > tokens:
                        told.capped = f"it passed its limit of {tokens:,} tokens (model.tokens)"
                elif told.usage.tokens:
                    told.capped = f"its {seconds:g} seconds were over (model.seconds)"
                else:
                    said = f"claude said nothing in {seconds:g} seconds (model.seconds)"
                    raise SessionError(said)
                if told.result or told.capped:
                    break
            if not told.capped:
                _judge(told, helper, login)
        finally:
            helper.stop()


def _lines(stream: IO[bytes], until: float) -> Iterator[bytes | None]:
    """Yield the lines of a stream; None once the time is over."""
    rest, size = bytearray(), 0
    while (left := until - time.monotonic()) > 0 and select.select([stream], [], [], left)[0]:
        part = os.read(stream.fileno(), 1 << 16)
        if not part:
            return
        size += len(part)
        if size > _MOST:
            raise SessionError(f"claude said more than {_MOST:,} bytes")
        rest += part
        if b"\n" in part:
            *whole, last = bytes(rest).split(b"\n")
            rest = bytearray(last)
            yield from whole
    yield None


def _judge(told: Output, helper: Helper, login: Login) -> None:
    """Raise a SessionError where there is no result, or a fault."""
    if not told.result:
        status = helper.stop()
        last = (helper.last_words().splitlines() or ["it said nothing"])[-1]
        said = f"claude ended without a result (status {status}): {last}"
    elif told.fault:
        said = f"claude failed: {told.fault}"
    else:
        return
    words = " ".join(said.replace(login.token, "[token]").split())
    raise SessionError(redact(words)[:_LAST_WORDS])


def _environ(environ: Mapping[str, str], login: Login, scratch: Path) -> dict[str, str]:
    """Return the variables that the program starts with; no key for the API is among them."""
    return {name: environ[name] for name in _PASSED if name in environ} | {
        **dict.fromkeys(("HOME", "TMPDIR", "CLAUDE_CONFIG_DIR"), str(scratch)),
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


def _usage(value: object, dollars: object = 0) -> Usage:
    counted = value if isinstance(value, Mapping) else {}
    new, out, read, written = (int(_number(counted.get(f"{kind}_tokens"))) for kind in _KINDS)
    return Usage(new, out, read, written, _number(dollars))


def _number(value: object) -> float:
    if isinstance(value, int | float) and 0 <= value <= _MOST_COUNT:
        return float(value)
    return 0.0


def main(argv: list[str]) -> int:
    """Confine this process for good and replace it by the program; return only if that fails."""
    policy = Policy.from_json(argv[-1])
    confine(policy)
    order = json.loads(sys.stdin.buffer.readline())
    program = [str(each) for each in order["argv"]]
    os.dup2(os.open(f"{policy.scratch}/{_PROMPT}", os.O_RDONLY), 0)
    os.chdir(policy.stage)
    try:
        os.execve(program[0], program, dict(order["environ"]))  # noqa: S606 - no shell is wanted
    except OSError as error:
        print(f"{program[0]} cannot be started: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv))
