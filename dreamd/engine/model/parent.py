"""Another client's last Messages request, as a session may continue it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from dreamd.engine.model.depth import DEEPEST, is_too_deep
from dreamd.engine.model.tools import TOOLS
from dreamd.errors import UsageError

MOST = 15 * 1024 * 1024  # bytes; it crosses a pipe whose messages have 16 MiB, with more beside it
_CHANGING = ("Edit", "Write")
# Tools of the API's making that the client carries out, so that a call of one can be denied; the
# search among tools only looks. Any other type is carried out by the API itself.
_OF_CLIENT = ("custom", "bash_", "text_editor_", "computer_", "memory_", "tool_search_tool_")
_ROOM_TO_ANSWER = 1_024  # tokens beside those that the parent thinks with
_SHAPE = (("system", str | list), ("tool_choice", dict), ("betas", list), ("thinking", dict))


def parent(path: Path) -> Mapping[str, Any]:
    """Return the body of a request that a session can continue.

    Its model, system prompt, tools and messages are kept as they are; so no tool may be in it
    that the API carries out by itself, for a call of such a one cannot be denied.

    Raises:
        UsageError: it cannot be read, or is no such body; one sentence says why.
    """
    try:
        body = json.loads(_read(path), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"--fork: {path} is no JSON; it should hold the body of a Messages request"
        ) from error
    if lack := _lack(body):
        raise UsageError(f"--fork: {path} is no body of a Messages request: {lack}")
    if refusal := _refusal(body):
        raise UsageError(f"--fork: the request in {path} {refusal}")
    assert isinstance(body, dict)  # noqa: S101 - `_lack` said so
    return body


def thought(body: Mapping[str, Any]) -> int:
    """Return the tokens that a request lets the model think with; its answer needs more."""
    thinking = body.get("thinking")
    budget = thinking.get("budget_tokens") if isinstance(thinking, Mapping) else None
    return budget if isinstance(budget, int) else 0


def answer_tokens(body: Mapping[str, Any], wanted: int) -> int:
    """Return how many tokens an answer may have: as wanted, but never fewer than it needs."""
    budget = thought(body)
    return max(wanted, budget + _ROOM_TO_ANSWER) if budget else wanted


def served(body: Mapping[str, Any]) -> str:
    """Return in words for the model which of the tools that it sees a dream serves."""
    names = {tool["name"] for tool in body.get("tools") or ()}
    ours = ", ".join(tool.name for tool in TOOLS if tool.name in names)
    lacking = [tool.name for tool in TOOLS if tool.name not in names]
    words = f"Of the tools you see, only these are served now: {ours}. Calls of others are denied."
    if lacking:
        words += f" There is no {', no '.join(lacking)} here, whatever is said of them."
    return words


def _read(path: Path) -> bytes:
    try:
        with open(path, "rb", opener=_unhurried) as file:
            seen = os.fstat(file.fileno())
            if not stat.S_ISREG(seen.st_mode):
                raise UsageError(f"--fork: {path} is no regular file")
            data = file.read(MOST + 1)
    except OSError as error:
        raise UsageError(f"--fork: {path} cannot be read: {error.strerror or error}") from error
    if len(data) > MOST:
        raise UsageError(
            f"--fork: {path} has {seen.st_size:,} bytes; a request of at most {MOST:,} is continued"
        )
    return data


def _unhurried(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)  # a named pipe would wait for ever


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _lack(body: object) -> str:
    """Say what a value lacks to be the body of a request; nothing where it is one."""
    if not isinstance(body, dict):
        return "it is no object"
    if not isinstance(body.get("model"), str) or not body["model"].strip():
        return "it names no `model`"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "it has no `messages`"
    if not all(map(_is_message, messages)):
        return "each of its `messages` must have a `role` and a `content`"
    for name, kind in _SHAPE:
        if name in body and not isinstance(body[name], kind):
            return f"its `{name}` is of another kind"
    if not all(map(_is_word, body.get("betas", ()))):
        return "its `betas` are no names"
    if type((body.get("thinking") or {}).get("budget_tokens", 0)) is not int:
        return "the `budget_tokens` of its `thinking` are no whole number"
    return _oddity(body)


def _is_word(value: object) -> bool:
    """Say whether a header may carry a name, and others beside it."""
    return isinstance(value, str) and value.isascii() and value.isprintable() and "," not in value


def _oddity(body: object) -> str:
    """Say what keeps a value from being sent on as it is; nothing where it can be."""
    if is_too_deep(body):
        return f"it is nested deeper than {DEEPEST} levels"
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "a character in it is but half of one (a lone surrogate), which cannot be sent"
    return ""


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("role"), str):
        return False
    content = value.get("content")
    if isinstance(content, list):
        return all(isinstance(each, dict) and _is_block(each) for each in content)
    return isinstance(content, str)


def _is_block(value: Mapping[str, object]) -> bool:
    if value.get("type") == "tool_use":  # is answered by its id, where it is the last
        return isinstance(value.get("id"), str)
    return "type" in value


def _refusal(body: Mapping[str, Any]) -> str:
    """Say why a dream cannot continue a request; nothing where it can."""
    tools = body.get("tools") or []
    if not isinstance(tools, list) or not all(
        isinstance(each, dict) and isinstance(each.get("name"), str) for each in tools
    ):
        return "has tools without a name, such as those of a server, which no dream can deny"
    for tool in tools:
        if not str(tool.get("type") or "custom").startswith(_OF_CLIENT):
            return f"has {tool['name']}, which the API carries out itself, so no dream can deny it"
    for name in ("mcp_servers", "container"):
        if body.get(name):
            return f"has `{name}`, which the API uses by itself, so no dream can deny it"
    if not any(tool["name"] in _CHANGING for tool in tools):
        return f"lists none of the tools that change notes ({', '.join(_CHANGING)})"
    return ""
