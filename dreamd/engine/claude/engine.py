"""One dream by the user's own `claude` program: for people with a login and no key."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase, Usage
from dreamd.domain.settings import Model
from dreamd.engine import Progress
from dreamd.engine.claude.login import Login
from dreamd.engine.claude.session import PROMPT, Output, lines
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.fork import served
from dreamd.engine.model.key import denied
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.reasons import Heard
from dreamd.errors import HostError, RefusedError, SessionError
from dreamd.host import files
from dreamd.ledger.spending import Purse
from dreamd.sandbox.confine import with_network
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import Helper, spawn
from dreamd.text.secrets.secrets import redact

_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")
_PASSED = (
    *("PATH", "LANG", "TZ", *_PROXIES, "NO_PROXY", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)
_PORTS = (53, 443)  # names by TCP, and the API
_LAST_WORDS = 300  # characters
_TOOLS = ("Read", "Grep", "Glob", "Edit", "Write")
_EDITING = ("Edit", "Write")


class ClaudeEngine:
    """A session of `claude -p` over the stage, which may read what a model may, and no more.

    Making one raises WallsError where the walls are not to be had.
    """

    name = "claude-cli"
    repeatable = False
    in_memory = False

    def __init__(
        self, model: Model, login: Login, environ: Mapping[str, str], purse: Purse
    ) -> None:
        self._model, self._login, self._environ = model, login, environ
        self._purse = purse
        self.level = with_network().words
        self._told = Output()

    @property
    def spent(self) -> Usage:
        """What the last session used until now."""
        return self._told.usage

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last session, as far as it came."""
        return self._told.messages

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Hold one session over the stage.

        One that failed is reported as such, with all that it said, did and spent until then.
        RefusedError where nothing is left of the day's budget.
        """
        progress(Phase.ORIENT, "putting together what claude is told")
        self._told = told = Output()
        token, failed, is_dropped = os.urandom(5).hex(), "", False
        tokens, dollars = self._purse.reserve(token, self._model.tokens, self._model.dollars)
        try:
            if dollars <= 0:
                raise RefusedError("claude was not asked: model.dollars leaves it nothing")
            self._hold(brief, tokens, dollars, progress)
        except SessionError as error:
            failed, is_dropped = redact(str(error)), not told.result  # else its own word
            if is_dropped and any(told.counts[each] for each in _EDITING):
                failed += "; what it had begun in the notes is dropped"
        finally:
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, told.usage.tokens, told.usage.dollars)
        remark = str(told.result.get("result") or told.capped)
        return replace(
            Report() if is_dropped else Heard(brief).account(_notes(brief.stage), remark),
            usage=told.usage,
            failed=failed,
            is_dropped=is_dropped,
            capped=told.capped,
        )

    def _hold(self, brief: Brief, tokens: int, dollars: float, progress: Progress) -> None:
        """Hold a session; `_told` gathers what is said, and why a limit ended it.

        Its configuration, home and temporary files are one folder that is gone afterwards, so none
        of the user's settings, hooks and sessions is there, and nothing of it joins them. However
        this ends, by an exception too, the program and all it started are gone. It is a
        SessionError if there is no result, or nothing was said, or too much.
        """
        told, seconds = self._told, min(self._model.seconds, self._login.seconds)
        known = served({"tools": [{"name": name} for name in _TOOLS]})
        temporary = tempfile.TemporaryDirectory(prefix="dreamd-claude-", ignore_cleanup_errors=True)
        with temporary as made:
            scratch = Path(made)
            prompt = f"{known}\n\n{first_message(brief, memory=brief.stage)}"
            (scratch / PROMPT).write_text(prompt, "utf-8", "replace")
            unread = tuple(map(Path, denied(self._model, self._environ, brief)))
            walls = (Role.CLIENT, brief.stage, unread, Level.LANDLOCK)
            policy = Policy(*walls, scratch=scratch, ports=_ports(self._environ))
            argv = [str(self._login.program), *_arguments(self._model, dollars)]
            order = {"argv": argv, "environ": _lent(self._environ, self._login, scratch)}
            helper = spawn([sys.executable, "-m", "dreamd.engine.claude.session"], policy)
            try:
                with contextlib.suppress(OSError):  # where it has ended, its last words say why
                    helper.stdin.write(json.dumps(order).encode() + b"\n")
                for line in lines(helper.stdout, time.monotonic() + seconds):
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
                    _judge(told, helper, self._login)
            finally:
                helper.stop()

    def estimate(self, brief: Brief) -> Estimate:
        """Return the limits; what the program's own requests will hold nobody knows before."""
        del brief
        tokens, dollars = self._purse.left(self._model.tokens, self._model.dollars)
        return Estimate(model=self._model.name, most_tokens=tokens, most_dollars=dollars)


def _arguments(model: Model, dollars: float) -> tuple[str, ...]:
    """Return the arguments of print mode (https://code.claude.com/docs/en/cli-reference).

    A program too old to know one of them ends with an error, and does nothing without it.
    """
    tools = ",".join(_TOOLS)
    return (
        *("--print", "--output-format", "stream-json", "--verbose"),
        *("--model", model.name, "--system-prompt", SYSTEM),
        *("--tools", tools, "--allowedTools", tools),
        *("--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"),
        "--no-session-persistence",
        *("--max-turns", str(model.turns), "--max-budget-usd", f"{dollars:.4f}"),
    )


def _notes(stage: Path) -> dict[PurePosixPath, str]:
    """Return the text of every note of the stage; links and odd files are none."""
    with files.faults("read", stage):
        return {
            PurePosixPath(path.relative_to(stage)): path.read_bytes().decode("utf-8", "replace")
            for path in sorted(stage.rglob("*.md"))
            if "/." not in f"/{path.relative_to(stage)}"
            and path.is_file()
            and not path.is_symlink()
        }


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


def _lent(environ: Mapping[str, str], login: Login, scratch: Path) -> dict[str, str]:
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
