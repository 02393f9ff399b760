"""What the program says, line by line; and the first act of its process.

`python -m dreamd.engine.claude.session POLICY` walls itself in, and becomes the program that it
is told by one line of JSON, `{"argv", "environ"}`, on its standard input.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import IO, Any

from dreamd.domain.receipt import Phase, Usage
from dreamd.engine.model.conversation import announced, is_too_deep
from dreamd.errors import SessionError
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Policy
from dreamd.text.words import plural

_MOST = 64 * 1024 * 1024  # bytes of all it says
PROMPT = "prompt"  # the file in the scratch folder that is the program's own input
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


def lines(stream: IO[bytes], until: float) -> Iterator[bytes | None]:
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
    os.dup2(os.open(f"{policy.scratch}/{PROMPT}", os.O_RDONLY), 0)
    os.chdir(policy.stage)
    try:
        os.execve(program[0], program, dict(order["environ"]))  # noqa: S606 - no shell is wanted
    except OSError as error:
        print(f"{program[0]} cannot be started: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv))
