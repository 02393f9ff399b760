"""A dream over claims as values: what a person said in which message, and on which day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.dream import Report
from dreamd.domain.finding import Severity
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.gather.cue import Cue
from dreamd.engine.rules.orient import orient
from dreamd.memory.review import review
from tests.engine.night import quiet

INDEX = "MEMORY.md"


def save(statement: str, *, day: int | None = 11, message: str = "", hour: int = 9) -> Claim:
    return claim(Cue.SAVE, statement, day=day, message=message, hour=hour)


def rule(statement: str, *, day: int | None = 11, message: str = "", hour: int = 9) -> Claim:
    return claim(Cue.INSTRUCTION, statement, day=day, message=message, hour=hour)


def claim(
    cue: Cue, statement: str, *, day: int | None = 11, message: str = "", hour: int = 9
) -> Claim:
    at = None if day is None else datetime(2026, 5, day, hour, tzinfo=UTC)
    said = PersonSaid(
        statement,
        session="5e55",
        message=message or f"{statement} {day} {hour}",
        at=at,
        day=at.date() if at else None,
    )
    return Claim(cue, statement, statement, said)


def tree(texts: dict[str, str]) -> Tree:
    return Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})


def heard(
    texts: dict[str, str],
    claims: Iterable[Claim],
    *,
    budget: Budget | None = None,
    declined: Declined | None = None,
    heeded: Heeded | None = None,
) -> Consolidated:
    found = Heard(tuple(claims), heeded or Heeded())
    notes = orient(tree(texts))
    return consolidated(notes, budget or Budget(), declined or Declined(), quiet, found)


def after(
    texts: dict[str, str],
    claims: Iterable[Claim],
    *,
    budget: Budget | None = None,
    declined: Declined | None = None,
    heeded: Heeded | None = None,
) -> dict[str, str]:
    """All notes after one dream, by name."""
    result = heard(texts, claims, budget=budget, declined=declined, heeded=heeded)
    return {**texts, **{str(path): text for path, text in result.texts.items()}}


def objections(
    texts: dict[str, str], result: Consolidated, budget: Budget | None = None
) -> list[str]:
    """What the review of that dream mends or holds out."""
    files = {**texts, **{str(path): text for path, text in result.texts.items()}}
    settings = Settings(budget=budget or Budget())
    report = Report(result.steps, result.whys)
    verdict = review(tree(texts), tree(files), settings=settings, report=report)
    ours = {Severity.HELD_OUT, Severity.MENDED}
    return [str(finding) for finding in verdict.findings if finding.severity in ours]
