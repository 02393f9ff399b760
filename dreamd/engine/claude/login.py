"""The user's own `claude` program, and the token of their login that it is lent.

The token is lent through `CLAUDE_CODE_OAUTH_TOKEN`, which the program reads in print mode
(https://code.claude.com/docs/en/authentication). It is lent without the one that renews it: a
session can neither renew a login nor, by renewing it, end that of the user.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.errors import ConfigError

_VARIABLE = "CLAUDE_CODE_OAUTH_TOKEN"
_PLACES = (".local/bin/claude", ".claude/local/claude", ".npm-global/bin/claude")  # off the PATH
_LARGEST = 65_536  # bytes of the file of credentials
_SHORTEST = 60.0  # seconds; a login that ends sooner is not worth a session
_RENEW = (
    "use `claude` once to renew it, or set CLAUDE_CODE_OAUTH_TOKEN to what `claude setup-token`"
)


class Login(Struct, frozen=True):
    """A program, a token for it, and for how many seconds from now that holds."""

    program: Path
    token: str
    seconds: float = float("inf")

    __repr__ = object.__repr__  # a token is not shown


def login(environ: Mapping[str, str], home: Path, claude: Path, now: datetime) -> Login:
    """Return the program and the token to lend it; `claude` is the user's own `~/.claude`.

    Raises:
        ConfigError: there is no program, or no login that lasts; the sentence says what to do.
    """
    program = _program(environ, home)
    if program is None:
        raise ConfigError(
            "engine: claude-cli needs the program `claude`, which is neither on the PATH nor in "
            f"{home}/.local/bin: install Claude Code, or set another engine"
        )
    if token := environ.get(_VARIABLE, "").strip():
        return Login(program, _judged(token, _VARIABLE))
    file = claude / ".credentials.json"
    held = _held(file)
    token = _judged(str(held.get("accessToken") or ""), str(file))
    ends = held.get("expiresAt")  # in milliseconds
    if not isinstance(ends, int | float):
        return Login(program, token)
    try:
        left = (datetime.fromtimestamp(ends / 1000, UTC) - now).total_seconds()
    except (OverflowError, OSError, ValueError):
        left = float("inf")
    if left < _SHORTEST:
        raise ConfigError(f"the login in {file} has run out: {_RENEW} gives")
    return Login(program, token, left)


def _program(environ: Mapping[str, str], home: Path) -> Path | None:
    if found := shutil.which("claude", path=environ.get("PATH", "")):
        return Path(found).resolve()
    for place in _PLACES:
        if found := shutil.which(home / place):
            return Path(found).resolve()
    return None


def _held(file: Path) -> Mapping[str, Any]:
    try:
        with file.open("rb") as stream:
            value = json.loads(stream.read(_LARGEST))["claudeAiOauth"]
    except FileNotFoundError:
        raise ConfigError(
            f"engine: claude-cli needs a login, and there is none in {file}: run `claude` and log "
            "in, or set CLAUDE_CODE_OAUTH_TOKEN to what `claude setup-token` gives"
        ) from None
    except OSError as error:
        raise ConfigError(f"the login in {file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError):
        value = None
    if not isinstance(value, Mapping):
        raise ConfigError(f"{file} holds no login of a subscription: {_RENEW} gives")
    return value


def _judged(token: str, place: str) -> str:
    """Return the token if a header may carry it; the sentence otherwise never shows it."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(f"{place} holds no token: {_RENEW} gives")
    return token
