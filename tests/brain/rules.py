"""What the Messages API refuses in a request, as far as a session could get it wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.brain.caching import marks_of

_FIELDS = {
    *("model", "max_tokens", "messages", "system", "tools", "stream", "tool_choice", "thinking"),
    *("metadata", "stop_sequences", "context_management", "service_tier", "cache_control"),
}


def fault(body: Mapping[str, Any]) -> str | None:
    """Why the API would answer 400, None where it would not."""
    if unknown := set(body) - _FIELDS:
        return f"{min(unknown)}: Extra inputs are not permitted"
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        return "max_tokens: Input should be greater than or equal to 1"
    if (body.get("thinking") or {}).get("budget_tokens", 0) >= body["max_tokens"]:
        return "`max_tokens` must be greater than `thinking.budget_tokens`."
    if marks_of(body) > 4:
        return "A maximum of 4 blocks with cache_control may be provided."
    names = [tool["name"] for tool in body.get("tools", ())]
    if len(set(names)) < len(names):
        return "tools: Tool names must be unique."
    messages: Sequence[Mapping[str, Any]] = body["messages"]
    if not messages or messages[0]["role"] != "user":
        return "messages: first message must use the user role"
    waiting: set[str] = set()  # the calls that no result answers yet
    for number, message in enumerate(messages):
        role, content, has_text = message["role"], message["content"], False
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks:
            return f"messages.{number}: content must not be empty"
        calls: set[str] = set()
        for block in blocks:
            match block["type"]:
                case "text":
                    has_text = True
                    if not block["text"].strip():
                        return f"messages.{number}: text must contain non-whitespace text"
                case "tool_result":
                    if role != "user" or has_text or block["tool_use_id"] not in waiting:
                        return f"messages.{number}: unexpected tool_result"
                    waiting.discard(block["tool_use_id"])
                case "tool_use":
                    if role != "assistant" or not isinstance(block["input"], dict):
                        return f"messages.{number}: tool_use.input: Input should be a dictionary"
                    calls.add(block["id"])
        if waiting:
            break
        waiting = calls
    return f"tool_use ids without tool_result: {sorted(waiting)}" if waiting else None
