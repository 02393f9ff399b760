"""One dream by a model: a session in processes of its own, behind walls, within limits."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from dreamd import transcripts
from dreamd.domain.change import Why
from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase, Step, Usage
from dreamd.domain.heard import Turn
from dreamd.domain.prices import Price
from dreamd.domain.secrets import redact
from dreamd.domain.settings import Model
from dreamd.domain.values import Sources, sources
from dreamd.engine.model import launch
from dreamd.engine.model.digest import first_message
from dreamd.engine.model.order import Caps, Order
from dreamd.engine.model.reasons import Origins, whys
from dreamd.engine.protocol import Progress
from dreamd.errors import HostError, RefusedError
from dreamd.host import files
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
        token = os.urandom(5).hex()
        tokens, dollars = order.caps.tokens, order.caps.dollars
        if self._access.price is None:
            dollars = 0.0
        granted = self._purse.reserve(token, tokens, dollars)
        spent = _spent({})
        try:
            order = _within(order, *granted)
            ended = launch.hold(order, self._access.key, self._access.environ, _Listener(progress))
            spent = _spent(ended)
        except launch.FailedSessionError as error:
            spent = _spent(error.event)
            raise
        finally:
            self._purse.settle(token, _all_tokens(spent), spent.dollars)
        if ended.get("ending") == "capped" and not spent.output_tokens:
            raise RefusedError(f"the model was not asked: {ended.get('reason')}")
        return self._report(brief, ended, spent)

    def _order(self, brief: Brief) -> Order:
        model = self._model
        first = first_message(
            brief, memory=brief.memory, tokens=model.digest_tokens, since=brief.since
        )
        return Order(
            stage=str(brief.stage),
            memory=str(brief.memory),
            sessions=tuple(map(str, brief.sessions)),
            denied=tuple(filter(None, [*model.denied.split(":"), model.key_file])),
            level=self._walls.level,
            model=model.name,
            base_url=model.base_url,
            first=first,
            caps=Caps(
                turns=model.turns,
                tokens=model.tokens,
                dollars=model.dollars,
                seconds=model.seconds,
                output_tokens=model.output_tokens,
            ),
            price=self._access.price,
        )

    def _report(self, brief: Brief, ended: launch.Event, spent: Usage) -> Report:
        after = dict(_notes(brief.stage))
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
            steps=_steps(reasons, len(retired)),
            whys=reasons,
            usage=spent,
            superseded=tuple((PurePosixPath(each["path"]), each["line"]) for each in retired),
            grounds=_sources(brief, ended),
            capped=reason if ended.get("ending") == "capped" else "",
            remark=redact(" ".join(str(ended.get("remark", reason)).split()))[:_REMARK],
            conversation=tuple(ended.get("messages", ())),
        )


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


def _spent(event: launch.Event) -> Usage:
    """Return what a session used, as its worker counted it."""
    usage: Mapping[str, Any] = event.get("usage") or {}
    return Usage(
        input_tokens=int(usage.get("input_tokens") or 0),
        output_tokens=int(usage.get("output_tokens") or 0),
        cache_read_tokens=int(usage.get("cache_read_tokens") or 0),
        cache_write_tokens=int(usage.get("cache_write_tokens") or 0),
        dollars=float(usage.get("dollars") or 0.0),
    )


def _all_tokens(usage: Usage) -> int:
    return (
        usage.input_tokens
        + usage.output_tokens
        + usage.cache_read_tokens
        + usage.cache_write_tokens
    )


def _sources(brief: Brief, ended: launch.Event) -> Sources:
    """Return where the words of a session may come from: what was said, and what it read."""
    read = [str(each["text"]) for each in ended.get("seen", ()) if each["tool"] != "Sessions"]
    return sources(_turns(brief.sessions), read)


def _turns(sessions: Iterable[Path]) -> Iterator[Turn]:
    for transcript in transcripts.sessions(sessions):
        with contextlib.suppress(HostError):  # the listing of what was heard tells of it
            yield from transcripts.turns(transcript)


def _notes(stage: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the text of every note of the stage; links and odd files are none."""
    with files.faults("read", stage):
        for folder, names, found in os.walk(stage):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(found):
                path = Path(folder) / name
                if name.endswith(".md") and modes.S_ISREG(path.lstat().st_mode):
                    text = path.read_bytes().decode("utf-8", "replace")
                    yield PurePosixPath(path.relative_to(stage)), text


def _steps(reasons: Iterable[Why], retired: int) -> tuple[Step, ...]:
    counted = Counter(why.sign for why in reasons if why.line.strip())
    steps = [
        Step(Phase.CONSOLIDATE, "wrote {line}", counted["+"]),
        Step(Phase.PRUNE, "took out or rewrote {line}", counted["-"] - retired),
        Step(Phase.PRUNE, "retired {line} with its source", retired),
    ]
    return tuple(step for step in steps if step.count > 0)
