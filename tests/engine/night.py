"""A dream over texts, without a disk: what the rules make of notes."""

from __future__ import annotations

from pathlib import PurePosixPath

from dreamd.domain.change import Declined
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, consolidated
from dreamd.engine.rules.orient import orient

INDEX = PurePosixPath("MEMORY.md")


def quiet(phase: Phase, words: str) -> None:
    del phase, words


def sleep(
    texts: dict[str, str], *, budget: Budget | None = None, declined: Declined | None = None
) -> Consolidated:
    tree = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return consolidated(
        orient(tree), Settings(budget=budget or Budget()), declined or Declined(), quiet
    )


def dream(
    texts: dict[str, str], *, budget: Budget | None = None, declined: Declined | None = None
) -> dict[str, str]:
    """All notes after one dream, by name."""
    result = sleep(texts, budget=budget, declined=declined)
    return {**texts, **{str(path): text for path, text in result.texts.items()}}


def counts(result: Consolidated) -> dict[str, int]:
    return {step.text: step.count for step in result.steps}
