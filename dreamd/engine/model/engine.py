"""The model engine: one tool-use session over the notes in memory, within limits."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.cost import Estimate, Price, price_of
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase, Usage
from dreamd.domain.settings import Model
from dreamd.engine import Progress
from dreamd.engine.model.conversation import Conversation
from dreamd.engine.model.digest import digest
from dreamd.engine.model.fork import served
from dreamd.engine.model.key import denied
from dreamd.engine.model.reader import ReaderProcess
from dreamd.engine.model.reasons import Heard
from dreamd.engine.model.spending import SessionBudget, SessionEnd, SessionPlan, estimate, material
from dreamd.engine.model.toolbox import Toolbox
from dreamd.engine.model.tools.notes import notes_of
from dreamd.errors import HostError, RefusedError, SessionError
from dreamd.ledger.spending import Purse
from dreamd.sandbox import privileges
from dreamd.sandbox.confine import best
from dreamd.sandbox.denied import DenyList
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural

_FOR_NOTHING = (
    "model.dollars is 0, so that no session may cost anything: raise it, or let the rules dream "
    "(engine: rules)"
)
_ROOM_TO_ANSWER = 1_024  # tokens beside those that a fork's parent lets the model think with
_NO_SDK = "the package anthropic cannot be used; install dreamd anew"


class Access(Struct, frozen=True):
    """How to reach the model: the key, the environment, and what the model costs."""

    key: str
    environ: Mapping[str, str]
    price: Price | None
    __repr__ = object.__repr__  # the key is not shown


class ModelEngine:
    """A tool-use session over the Messages API, which may read anything and change notes only."""

    name = "model"
    repeatable = False

    def __init__(self, model: Model, access: Access, purse: Purse) -> None:
        self._model, self._access, self._purse = model, access, purse
        walls = best()
        self._level, self.level = walls.level, walls.words
        self._conversation: Conversation | None = None
        self.spent = Usage()  # on all sessions so far, also those that failed

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last session, as far as it came."""
        return () if self._conversation is None else tuple(self._conversation.own)

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Hold one session over the notes.

        One that failed is reported as such, with all that it said, did and spent until then.

        Raises:
            RefusedError: the limits, or what the day has left, are too little for one answer.
            ConfigError: a setting takes away what a session needs.
            WallsError: the reader cannot be walled in.
        """
        progress(Phase.ORIENT, "putting together what the model is told")
        plan = self._plan(brief)
        if plan.price is not None and not plan.model.dollars:
            raise RefusedError(_FOR_NOTHING)
        expected = self._estimate(plan, brief)
        progress(Phase.ORIENT, expected.words)
        self._conversation = None
        with self._granted(plan) as budget:
            reader = ReaderProcess(brief.memory, brief.sessions, self._denied(brief), self._level)
            with contextlib.closing(reader):
                notes, heard = notes_of(brief.base, brief.memory), Heard(brief)
                tools = Toolbox(reader, notes, heard, plan.unwritten)
                self._conversation = plan.conversation()
                ending = self._held(self._conversation, tools, budget, progress)
        spent = budget.close()
        if ending.ending == "capped" and not spent.output_tokens and not spent.requests:
            raise RefusedError(f"the model gave no answer: {ending.reason}")
        said = "" if ending.ending == "stopped" else self._conversation.remark
        return replace(
            heard.account(tools.notes, said or ending.reason, tools.seen),
            capped=ending.reason if ending.ending == "capped" else "",
            failed=redact(ending.reason) if ending.ending == "failed" else "",
            mishaps=tuple(mishaps(tools, budget.uncounted)),
            usage=spent,
            estimate=expected,
            missed=plan.missed,
        )

    def estimate(self, brief: Brief) -> Estimate:
        """Return what a dream would cost; nobody is asked and no key is needed."""
        return self._estimate(self._plan(brief), brief)

    def _estimate(self, plan: SessionPlan, brief: Brief) -> Estimate:
        tokens, dollars = self._purse.left(plan.model.tokens, plan.model.dollars)
        plan = replace(plan, model=replace(plan.model, tokens=tokens, dollars=dollars))
        return estimate(plan, material=material(brief), past=brief.past)

    @contextlib.contextmanager
    def _granted(self, plan: SessionPlan) -> Iterator[SessionBudget]:
        """Set aside what the day still has for a session, and put down what it did cost.

        Where this process is killed, all that was set aside counts as spent.
        """
        token = os.urandom(5).hex()
        wanted = 0.0 if plan.price is None else plan.model.dollars
        tokens, dollars = self._purse.reserve(token, plan.model.tokens, wanted)
        budget = SessionBudget(replace(plan.model, tokens=tokens, dollars=dollars), plan.price)
        try:
            yield budget
        finally:
            spent = budget.close()
            self.spent += spent
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, spent.tokens, spent.dollars)

    def _held(
        self, conversation: Conversation, tools: Toolbox, budget: SessionBudget, progress: Progress
    ) -> SessionEnd:
        """Return how a session ended.

        It is held in a thread of its own; this one waits, so that a signal ends it at once.
        What the session did until its deadline stands, whatever its thread is waiting for.
        """
        withdraw()
        endings: list[SessionEnd] = []

        def run() -> None:
            try:
                from dreamd.engine.model.api import Api  # noqa: PLC0415 - a second of imports
                from dreamd.engine.model.session import Session  # noqa: PLC0415

                model = self._model
                ready = Api(self._access.key, model.base_url, model.silence)
                with contextlib.closing(ready) as api:
                    session = Session(conversation, api, tools, budget, progress)
                    endings.append(session.hold())
            except SessionError as error:  # of an address that is none
                endings.append(SessionEnd("failed", str(error)))
            except Exception as error:  # noqa: BLE001 - of the import; its text may quote the key
                endings.append(SessionEnd("failed", f"{_NO_SDK}: {type(error).__name__}"))

        thread = threading.Thread(target=run, name="session", daemon=True)
        thread.start()
        thread.join(budget.seconds_left)
        return endings[0] if endings else SessionEnd("capped", budget.time_is_up)

    def _denied(self, brief: Brief) -> tuple[str, ...]:
        return denied(self._model, self._access.environ, brief)

    def _plan(self, brief: Brief) -> SessionPlan:
        model, price = self._model, self._access.price
        kept = DenyList.of(map(Path, self._denied(brief)))
        told = digest(brief, memory=brief.memory, denied=kept)
        first = told.text
        if brief.fork is not None:
            name, thinking = brief.fork["model"], brief.fork.get("thinking") or {}
            price = price if name == model.name else price_of(name)
            most = max(model.output_tokens, thinking.get("budget_tokens", 0) + _ROOM_TO_ANSWER)
            model = replace(model, name=name, output_tokens=most)
            first = f"{served(brief.fork)}\n\n{first}"
        return SessionPlan(model, price, first, brief.fork, told.missed, told.unwritten)


def withdraw() -> None:
    """Let no other process look into this one, which has the key; the SDK reads no settings."""
    if sys.platform == "linux":
        privileges.hide()
    for name in [each for each in os.environ if each.startswith("ANTHROPIC_")]:  # noqa: TID251
        del os.environ[name]  # noqa: TID251 - to clear it


def mishaps(tools: Toolbox, uncounted: int) -> Iterator[str]:
    """Yield what is to be known of a session beside how it ended.

    Of each fault of ours that a tool met its place, and how often; of answers whose tokens the
    endpoint did not count, that they are estimated; what was asked for and is in no note.
    """
    if left := tools.unwritten(tools.notes.now):
        yield f"asked to be remembered, and not written: {'; '.join(map(redact, left))}"
    if uncounted:
        yield (
            f"the endpoint did not count the tokens of {plural(uncounted, 'answer')}: they are "
            "estimated by their bytes"
        )
    for (tool, place), count in tools.faults.items():
        often = f" ({count} times)" if count > 1 else ""
        yield f"the tool {tool} met a fault of its own: {place}{often}"
