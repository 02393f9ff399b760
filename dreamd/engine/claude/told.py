"""What the program says as it goes on: its events, one JSON object a line.

Format: `--output-format stream-json` (https://code.claude.com/docs/en/headless): `assistant`
events with a message of the API each, and one `result` at the end.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from dreamd.domain.receipt import Phase, Usage
from dreamd.engine.model.conversation import announced, is_too_deep
from dreamd.text.words import plural

_CAPPED = {
    "error_max_budget_usd": "it reached its limit of dollars (model.dollars, model.day_dollars)",
    "error_max_turns": "it reached its limit of requests (model.turns)",
}
_MOST_COUNT = 10**9  # tokens, or dollars; what is more counts nothing
_KINDS = ("input", "output", "cache_read_input", "cache_creation_input")


class Told:
    """All that was said so far."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.phase = Phase.ORIENT
        self.result: Mapping[str, Any] | None = None
        self._used: dict[str, Usage] = {}

    def take(self, line: bytes) -> None:
        """Take one line in; what is no event is passed over."""
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict) or is_too_deep(event):
            return
        match event.get("type"):
            case "assistant" | "user":
                self._hear(event.get("message"))
            case "result":
                self.result = event

    @property
    def usage(self) -> Usage:
        """What was used: as the result says, before it as the messages do."""
        if self.result is None:
            return sum(self._used.values(), Usage())
        return _usage(self.result.get("usage"), _number(self.result.get("total_cost_usd")))

    @property
    def capped(self) -> str:
        """Why a limit of the program's ended it; empty where none did."""
        return _CAPPED.get(str((self.result or {}).get("subtype")), "")

    @property
    def fault(self) -> str:
        """What went wrong as the program says; empty where nothing did, or a limit ended it."""
        result = self.result or {}
        if self.capped or not (result.get("is_error") or result.get("subtype") != "success"):
            return ""
        errors = result.get("errors")
        said = errors[0] if isinstance(errors, list) and errors else result.get("result")
        return str(said or result.get("subtype") or "it said nothing")

    @property
    def remark(self) -> str:
        """The last word."""
        return str((self.result or {}).get("result") or "")

    @property
    def words(self) -> str:
        """How far it has come: `2/4 · 3 reads · 1 edit · 11.2k tokens`."""
        parts = [f"{list(Phase).index(self.phase) + 1}/{len(Phase)}"]
        parts += [plural(count, tool.lower()) for tool, count in self.counts.items()]
        return " · ".join([*parts, f"{self.usage.tokens / 1000:.1f}k tokens"])

    def _hear(self, message: object) -> None:
        if not isinstance(message, dict) or not isinstance(message.get("content"), list):
            return
        blocks = [block for block in message["content"] if isinstance(block, dict)]
        self.messages.append({"role": message.get("role"), "content": blocks})
        if message.get("role") != "assistant":
            return
        self._used[str(message.get("id"))] = _usage(message.get("usage"), 0.0)
        for block in blocks:
            if block.get("type") == "tool_use":
                self.counts[str(block.get("name"))] += 1
            elif phase := announced(str(block.get("text") or "")):
                self.phase = phase


def _usage(value: object, dollars: float) -> Usage:
    counted = value if isinstance(value, Mapping) else {}
    new, out, read, written = (int(_number(counted.get(f"{kind}_tokens"))) for kind in _KINDS)
    return Usage(new, out, read, written, dollars)


def _number(value: object) -> float:
    if isinstance(value, int | float) and 0 <= value <= _MOST_COUNT:
        return float(value)
    return 0.0
