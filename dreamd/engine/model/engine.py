"""One dream by a model: a session in processes of its own, behind walls, within limits."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.dream import Brief, Entry, Report
from dreamd.domain.ending import Phase, Usage
from dreamd.domain.estimate import Estimate
from dreamd.domain.prices import Price, price_of
from dreamd.domain.settings import Model
from dreamd.domain.sources import Sources, sources
from dreamd.engine.model import diary, launch
from dreamd.engine.model.bill import Bill
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.estimate import estimate, material
from dreamd.engine.model.failure import failure, mishaps
from dreamd.engine.model.listener import Listener
from dreamd.engine.model.needed import walled_off
from dreamd.engine.model.order import Caps, Order
from dreamd.engine.model.outcome import heard, notes, taken_up
from dreamd.engine.model.parent import answer_tokens, served
from dreamd.engine.model.reasons import Origins, whys
from dreamd.engine.protocol import Progress
from dreamd.errors import DreamdError, HostError, RefusedError, SessionError
from dreamd.host import clock
from dreamd.sandbox.choose import best
from dreamd.text.secrets.secrets import redact

_FOR_NOTHING = (
    "model.dollars is 0, so that no session may cost anything: raise it, or let the rules dream "
    "(engine: rules)"
)
_REMARK = 300  # characters of a session's last word that a receipt keeps


class Purse(Protocol):
    """Where the money of a day comes from, over all memory directories."""

    def left(self, tokens: int, dollars: float) -> tuple[int, float]:
        """Return how much of that the day still has."""
        ...

    def reserve(self, dream: str, tokens: int, dollars: float) -> tuple[int, float]:
        """Set aside what a session may cost; return how much of it the day still has.

        Raises:
            RefusedError: nothing is left.
        """
        ...

    def settle(self, dream: str, tokens: int, dollars: float) -> None:
        """Put down what it did cost, in place of what was set aside."""
        ...


class Access(Struct, frozen=True):
    """How to reach the model: the key, and the variables a worker may need (proxies, paths)."""

    key: str
    environ: Mapping[str, str]
    price: Price | None


class ModelEngine:
    """A tool-use session over the Messages API, which may read anything and write notes only."""

    name = "model"
    repeatable = False

    def __init__(self, model: Model, access: Access, purse: Purse) -> None:
        self._model, self._access, self._purse = model, access, purse
        self._walls = best()
        self.spent = Usage()  # on all sessions so far, also those that failed
        self._bill = Bill()

    @property
    def level(self) -> str:
        """Behind which walls it works."""
        return self._walls.words

    @property
    def said(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the last session, as far as it came."""
        return self._bill.messages

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Hold one session over the stage.

        One that failed is reported as such, with all that it said, did and spent until then.

        Raises:
            RefusedError: the limits, or what the day has left, are too little for one answer.
            ConfigError: a setting takes away what a session needs.
            HostError: the stage cannot be read.
        """
        progress(Phase.ORIENT, "putting together what the model is told")
        order = self._order(brief)
        if order.price is not None and not order.caps.dollars:
            raise RefusedError(_FOR_NOTHING)
        expected = self._estimate(order, brief)
        progress(Phase.ORIENT, expected.words)
        self._bill = bill = Bill(Listener(progress), order.price)
        try:
            ended = self._held(order, bill)
        except launch.FailedSessionError as error:
            ended = {**error.event, "reason": str(error)}
        except SessionError as error:
            ended = {"event": "failed", "kind": "internal", "reason": str(error)}
        if ended.get("ending") == "capped" and not (
            bill.spent.output_tokens or bill.spent.requests
        ):
            raise RefusedError(f"the model gave no answer: {ended.get('reason')}")
        return replace(self._report(brief, ended, bill), estimate=expected)

    def estimate(self, brief: Brief) -> Estimate:
        """Return what a dream would cost; nobody is asked and no key is needed.

        Raises:
            HostError: the day's ledger cannot be read.
        """
        return self._estimate(self._order(brief), brief)

    def _estimate(self, order: Order, brief: Brief) -> Estimate:
        left = self._purse.left(order.caps.tokens, order.caps.dollars)
        return estimate(_within(order, *left), material=material(brief), past=brief.past)

    def recount(self, rows: Sequence[str], spent: Usage) -> Entry:
        """Return an entry for the diary on these changes: one request, with no tools."""
        bill = Bill(price=self._access.price)
        try:
            order = diary.order(self._model, self._access.price, rows, spent)
            entry = diary.entry(self._held(order, bill), bill.spent)
        except DreamdError as error:
            entry = Entry(usage=bill.spent, fault=str(error))
        return replace(entry, conversation=tuple(bill.messages))

    def _held(self, order: Order, bill: Bill) -> launch.Event:
        """Hold a session with what the day still has, and put down what it did cost."""
        token = os.urandom(5).hex()
        dollars = 0.0 if order.price is None else order.caps.dollars
        granted = self._purse.reserve(token, order.caps.tokens, dollars)
        order = _within(order, *granted)
        try:
            return launch.hold(order, self._access.key, self._access.environ, bill)
        finally:
            self.spent += bill.spent
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, bill.spent.tokens, bill.spent.dollars)

    def _order(self, brief: Brief) -> Order:
        model, name, price, answer = self._model, self._model.name, self._access.price, 0
        first = first_message(
            brief, memory=brief.memory, tokens=model.digest_tokens, since=brief.since
        )
        if brief.fork is not None:
            if name != brief.fork["model"]:
                name = brief.fork["model"]
                price = price_of(name)
            answer = answer_tokens(brief.fork, model.output_tokens)
            first = f"{served(brief.fork)}\n\n{first}"
        return Order(
            stage=str(brief.stage),
            memory=str(brief.memory),
            sessions=tuple(map(str, brief.sessions)),
            denied=walled_off(model, self._access.environ, brief),
            level=self._walls.level,
            model=name,
            base_url=model.base_url,
            first=first,
            caps=Caps(
                turns=model.turns,
                tokens=model.tokens,
                dollars=model.dollars,
                seconds=model.seconds,
                output_tokens=answer or model.output_tokens,
            ),
            price=price,
            fork=brief.fork,
        )

    def _report(self, brief: Brief, ended: launch.Event, bill: Bill) -> Report:
        failed, is_dropped = failure(ended, is_edited=bill.edited)
        kept = Report(
            usage=bill.spent,
            failed=failed,
            is_dropped=is_dropped,
            mishaps=tuple(mishaps(ended)),
            conversation=tuple(bill.messages),
        )
        if is_dropped:
            return kept
        after = dict(notes(brief.stage))
        calls = list(ended.get("calls", ()))
        retired = [
            fact
            for call in calls
            if call["tool"] == "Retire"
            for fact in call["facts"].get("retired", ())
        ]
        reasons = tuple(whys(brief.base, after, retired, Origins([*taken_up(brief), *brief.said])))
        reason = str(ended.get("reason", ""))
        return replace(
            kept,
            whys=reasons,
            superseded=tuple((PurePosixPath(each["path"]), each["line"]) for each in retired),
            grounds=_sources(brief, ended),
            capped=reason if ended.get("ending") == "capped" else "",
            remark=redact(" ".join(_last_word(ended, reason).split()))[:_REMARK],
        )


def _last_word(ended: launch.Event, reason: str) -> str:
    """Return what the model said last, or why the session ended without its saying so."""
    said = str(ended.get("remark") or "")
    return said if said and ended.get("ending") != "stopped" else reason


def _within(order: Order, tokens: int, dollars: float) -> Order:
    """Return the order with what the day still has as its limits."""
    return replace(order, caps=replace(order.caps, tokens=tokens, dollars=dollars))


def _sources(brief: Brief, ended: launch.Event) -> Sources:
    """Return where the words of a session may come from: what was said, and what it read."""
    read = [str(each["text"]) for each in ended.get("seen", ()) if each["tool"] != "Sessions"]
    return sources(heard(brief), read, today=clock.local_day(clock.now()))
