"""Another client's last Messages request, as a session may continue it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from dreamd.engine.model.conversation import is_too_deep
from dreamd.engine.model.tools import BY_NAME
from dreamd.errors import UsageError
from dreamd.host import files

_MOST = 15 * 1024 * 1024  # bytes
_CHANGING = {"Edit", "Write"}
# Tools of the API's making that the client carries out, so that a call of one can be denied; the
# search among tools only looks. Any other type is carried out by the API itself.
_OF_CLIENT = ("custom", "bash_", "text_editor_", "computer_", "memory_", "tool_search_tool_")
_HEADER = r"^[!-+\--~]+$"  # what may stand in a header, and others beside it


class _Tool(msgspec.Struct):
    name: str
    type: str | None = None


class _Thinking(msgspec.Struct):
    budget_tokens: int = 0


class _Request(msgspec.Struct):
    """As much of a request as a dream relies on; the API judges the rest."""

    model: Annotated[str, msgspec.Meta(min_length=2)]
    messages: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]
    tools: list[_Tool] = []
    betas: list[Annotated[str, msgspec.Meta(pattern=_HEADER)]] = []
    thinking: _Thinking | None = None
    tool_choice: dict[str, Any] | None = None
    mcp_servers: Any = None
    container: Any = None


def parent(path: Path) -> Mapping[str, Any]:
    """Return the body of a request that a session can continue.

    Its model, system prompt, tools and messages are kept as they are; so no tool may be in it
    that the API carries out by itself, for a call of such a one cannot be denied.

    Raises:
        UsageError: it cannot be read, or is no such body; one sentence says why.
    """
    try:
        data = files.content(path, _MOST + 1)
        if len(data) > _MOST:
            raise UsageError(f"--fork: {path} has more than {_MOST:,} bytes")
        body = msgspec.json.decode(data)
        request = msgspec.convert(body, _Request)
    except OSError as error:
        raise UsageError(f"--fork: {path} cannot be read: {error.strerror or error}") from error
    except msgspec.ValidationError as error:
        raise UsageError(f"--fork: {path} is no body of a Messages request: {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"--fork: {path} is no JSON; it should hold the body of a Messages request"
        ) from error
    if refusal := "is nested too deep" if is_too_deep(body) else _refusal(request):
        raise UsageError(f"--fork: the request in {path} {refusal}")
    return dict(body)


def served(body: Mapping[str, Any]) -> str:
    """Return in words for the model which of the tools that it sees a dream serves."""
    names = {tool["name"] for tool in body.get("tools") or ()}
    ours = ", ".join(name for name in BY_NAME if name in names)
    lacking = [name for name in BY_NAME if name not in names]
    words = f"Of the tools you see, only these are served now: {ours}. Calls of others are denied."
    if lacking:
        words += f" There is no {', no '.join(lacking)} here, whatever is said of them."
    return words


def _refusal(request: _Request) -> str:
    """Say why a dream cannot continue a request; nothing where it can."""
    for tool in request.tools:
        if not (tool.type or "custom").startswith(_OF_CLIENT):
            return f"has {tool.name}, which the API carries out itself, so no dream can deny it"
    for name in ("mcp_servers", "container"):
        if getattr(request, name):
            return f"has `{name}`, which the API uses by itself, so no dream can deny it"
    if not _CHANGING & {tool.name for tool in request.tools}:
        return f"lists none of the tools that change notes ({', '.join(sorted(_CHANGING))})"
    return ""
