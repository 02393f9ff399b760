"""One dream by the user's own `claude` program: for people with a login and no key."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase, Usage
from dreamd.domain.settings import Model
from dreamd.engine.claude.login import Login
from dreamd.engine.claude.session import Output, hold
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.fork import served
from dreamd.engine.model.key import denied
from dreamd.engine.model.prompt import SYSTEM
from dreamd.engine.model.reasons import account
from dreamd.engine.protocol import Progress
from dreamd.errors import HostError, RefusedError, SessionError
from dreamd.host import files
from dreamd.ledger.spending import Purse
from dreamd.sandbox.choose import with_network
from dreamd.text.secrets.secrets import redact

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
        token, capped, failed, is_dropped = os.urandom(5).hex(), "", "", False
        tokens, dollars = self._purse.reserve(token, self._model.tokens, self._model.dollars)
        try:
            if dollars <= 0:
                raise RefusedError("claude was not asked: model.dollars leaves it nothing")
            known = served({"tools": [{"name": name} for name in _TOOLS]})
            capped = hold(
                self._login,
                self._environ,
                _arguments(self._model, dollars),
                f"{known}\n\n{first_message(brief, memory=brief.stage)}",
                stage=brief.stage,
                denied=tuple(map(Path, denied(self._model, self._environ, brief))),
                seconds=min(self._model.seconds, self._login.seconds),
                tokens=tokens,
                told=told,
                heard=lambda said: progress(said.phase, said.words),
            )
        except SessionError as error:
            failed, is_dropped = redact(str(error)), not told.result  # else its own word
            if is_dropped and any(told.counts[each] for each in _EDITING):
                failed += "; what it had begun in the notes is dropped"
        finally:
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, told.usage.tokens, told.usage.dollars)
        remark = str(told.result.get("result") or capped)
        return replace(
            Report() if is_dropped else account(brief, _notes(brief.stage), remark),
            usage=told.usage,
            failed=failed,
            is_dropped=is_dropped,
            capped=capped,
        )

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
    found = {}
    with files.faults("read", stage):
        for path in sorted(stage.rglob("*.md")):
            name = PurePosixPath(path.relative_to(stage))
            is_hidden = any(part.startswith(".") for part in name.parts)
            if not is_hidden and path.is_file() and not path.is_symlink():
                found[name] = path.read_bytes().decode("utf-8", "replace")
    return found
