"""One dream by a model: a session in processes of its own, behind walls, within limits."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from dreamd.domain.dream import Brief, Entry, Report
from dreamd.domain.ending import Phase, Usage
from dreamd.domain.prices import Price, price_of
from dreamd.domain.secrets import redact
from dreamd.domain.settings import Model
from dreamd.domain.values import Sources, sources
from dreamd.engine.model import diary, launch
from dreamd.engine.model.bill import Bill, used
from dreamd.engine.model.denied import denied
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.order import Caps, Order
from dreamd.engine.model.outcome import notes, steps, turns
from dreamd.engine.model.parent import answer_tokens, served
from dreamd.engine.model.reasons import Origins, whys
from dreamd.engine.protocol import Progress
from dreamd.errors import DreamdError, HostError, RefusedError
from dreamd.host import clock
from dreamd.sandbox.choose import best

_REMARK = 300  # characters of a session's last word that a receipt keeps


class Purse(Protocol):
    """Where the money of a day comes from, over all memory directories."""

    def reserve(self, dream: str, tokens: int, dollars: float) -> tuple[int, float]:
        """Set aside what a session may cost; return how much of it the day still has.

        Raises:
            RefusedError: nothing is left.
        """
        ...

    def settle(self, dream: str, tokens: int, dollars: float) -> None:
        """Put down what it did cost, in place of what was set aside."""
        ...


@dataclass(frozen=True, slots=True)
class Access:
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

    @property
    def level(self) -> str:
        """Behind which walls it works."""
        return self._walls.words

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Hold one session over the stage.

        Raises:
            SessionError: it failed; what it spent is in the day's ledger.
            RefusedError: the limits, or what the day has left, are too little for one answer.
            HostError: the stage cannot be read.
        """
        progress(Phase.ORIENT, "putting together what the model is told")
        order = self._order(brief)
        ended, spent = self._held(order, _Listener(progress))
        if ended.get("ending") == "capped" and not spent.output_tokens:
            raise RefusedError(f"the model gave no answer: {ended.get('reason')}")
        return self._report(brief, ended, spent)

    def recount(self, rows: Sequence[str], spent: Usage) -> Entry:
        """Return an entry for the diary on these changes: one request, with no tools."""
        try:
            order = diary.order(self._model, self._access.price, rows, spent)
            ended, cost = self._held(order, lambda _event: None)
        except launch.FailedSessionError as error:
            return Entry(usage=used(error.event), fault=str(error))
        except DreamdError as error:
            return Entry(fault=str(error))
        return diary.entry(ended, cost)

    def _held(
        self, order: Order, heard: Callable[[launch.Event], None]
    ) -> tuple[launch.Event, Usage]:
        """Hold a session with what the day still has, and put down what it did cost."""
        token = os.urandom(5).hex()
        dollars = 0.0 if order.price is None else order.caps.dollars
        granted = self._purse.reserve(token, order.caps.tokens, dollars)
        order, bill = _within(order, *granted), Bill(heard)
        try:
            ended = launch.hold(order, self._access.key, self._access.environ, bill)
        finally:
            self.spent += bill.spent
            with contextlib.suppress(HostError):  # then it counts as what it might have cost
                self._purse.settle(token, bill.spent.tokens, bill.spent.dollars)
        return ended, bill.spent

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
            denied=denied(model, self._access.environ),
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

    def _report(self, brief: Brief, ended: launch.Event, spent: Usage) -> Report:
        after = dict(notes(brief.stage))
        calls = list(ended.get("calls", ()))
        retired = [
            fact
            for call in calls
            if call["tool"] == "Retire"
            for fact in call["facts"].get("retired", ())
        ]
        reasons = tuple(whys(brief.base, after, retired, Origins(brief.said)))
        reason = str(ended.get("reason", ""))
        return Report(
            steps=steps(reasons, len(retired)),
            whys=reasons,
            usage=spent,
            superseded=tuple((PurePosixPath(each["path"]), each["line"]) for each in retired),
            grounds=_sources(brief, ended),
            capped=reason if ended.get("ending") == "capped" else "",
            remark=redact(" ".join(_last_word(ended, reason).split()))[:_REMARK],
            conversation=tuple(ended.get("messages", ())),
        )


def _last_word(ended: launch.Event, reason: str) -> str:
    """Return what the model said last, or why the session ended without its saying so."""
    said = str(ended.get("remark") or "")
    return said if said and ended.get("ending") != "stopped" else reason


class _Listener:
    """Says how far a session has come: `gather 2/4 · 7 greps · 2 notes edited · 11.2k tokens`."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __call__(self, event: launch.Event) -> None:
        if event.get("event") != "progress":
            return
        phases = [phase.value for phase in Phase]
        name = event.get("phase") if event.get("phase") in phases else phases[0]
        tools: Mapping[str, int] = event.get("tools") or {}
        parts = [f"{phases.index(str(name)) + 1}/{len(phases)}"]
        parts += [f"{count} {tool.lower()}s" for tool, count in tools.items() if count]
        if event.get("edited"):
            parts.append(f"{event['edited']} notes edited")
        parts.append(f"{int(event.get('tokens') or 0) / 1000:.1f}k tokens")
        if event.get("dollars") is not None:
            parts.append(f"${float(event['dollars']):.2f}")
        self._progress(Phase(str(name)), " · ".join(parts))


def _within(order: Order, tokens: int, dollars: float) -> Order:
    """Return the order with what the day still has as its limits."""
    return replace(order, caps=replace(order.caps, tokens=tokens, dollars=dollars))


def _sources(brief: Brief, ended: launch.Event) -> Sources:
    """Return where the words of a session may come from: what was said, and what it read."""
    read = [str(each["text"]) for each in ended.get("seen", ()) if each["tool"] != "Sessions"]
    return sources(turns(brief.sessions), read, today=clock.local_day(clock.now()))
