"""The user's own `claude` program, and the token of their login that it is lent.

The token is lent through `CLAUDE_CODE_OAUTH_TOKEN`, which the program reads in print mode
(https://code.claude.com/docs/en/authentication). It is lent without the one that renews it: a
session can neither renew a login nor, by renewing it, end that of the user.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from dreamd.engine.model.key import word
from dreamd.errors import ConfigError

_VARIABLE = "CLAUDE_CODE_OAUTH_TOKEN"
_PLACES = (".local/bin", ".claude/local", ".npm-global/bin")  # of the program, off the PATH
_SHORTEST = 60.0  # seconds; a login that ends sooner is not worth a session
_RENEW = (
    "run `claude` once to log in, or set CLAUDE_CODE_OAUTH_TOKEN to what `claude setup-token` gives"
)


class Login(msgspec.Struct, frozen=True):
    """A program, a token for it, and for how many seconds from now that holds."""

    program: Path
    token: str
    seconds: float = float("inf")

    __repr__ = object.__repr__  # a token is not shown


class _Token(msgspec.Struct, rename="camel"):
    access_token: str
    expires_at: float | None = None  # in milliseconds


class _Credentials(msgspec.Struct):
    held: _Token = msgspec.field(name="claudeAiOauth")


def login(environ: Mapping[str, str], home: Path, claude: Path, now: datetime) -> Login:
    """Return the program and the token to lend it; `claude` is the user's own `~/.claude`.

    Raises:
        ConfigError: there is no program, or no login that lasts; the sentence says what to do.
    """
    places = [environ.get("PATH"), *(str(home / each) for each in _PLACES)]
    found = shutil.which("claude", path=os.pathsep.join(filter(None, places)))
    if found is None:
        raise ConfigError(
            "engine: claude-cli needs the program `claude`, which is neither on the PATH nor in "
            f"{home}/.local/bin: install Claude Code, or set another engine"
        )
    program = Path(found).resolve()
    if token := environ.get(_VARIABLE, "").strip():
        return Login(program, word(token, _VARIABLE, "token", _RENEW))
    file, why = claude / ".credentials.json", ""
    try:
        held = msgspec.json.decode(file.read_bytes(), type=_Credentials).held
        left = float("inf")
        if held.expires_at is not None:
            left = held.expires_at / 1000 - now.timestamp()
        if left < _SHORTEST:
            why = f"the one in {file} has run out"
    except FileNotFoundError:
        why = f"there is none in {file}"
    except OSError as error:
        why = f"{file} cannot be read: {error.strerror}"
    except (ValueError, RecursionError):
        why = f"{file} holds no login of a subscription"
    if why:
        raise ConfigError(f"engine: claude-cli needs a login, and {why}: {_RENEW}")
    return Login(program, word(held.access_token, str(file), "token", _RENEW), left)
