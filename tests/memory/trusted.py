"""Reviews of a dream by an engine that must show where it has its lines from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from dreamd.domain.dream import Report
from dreamd.domain.evidence import Sources, sources
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.memory.review import Reviewed, review
from dreamd.text.values import found
from tests.memory.edits import MEMORY, turns
from tests.memory.test_review import tree

SOURCES = sources(turns())


def values(text: str) -> frozenset[str]:
    """Return the values of a text, each in one form however it is written."""
    return frozenset(value.forms[0] for value in found(text))


def judge(
    changes: Mapping[str, str | None],
    *,
    before: Mapping[str, str] = MEMORY,
    given: Sources = SOURCES,
    retired: Sequence[tuple[str, str]] = (),
) -> tuple[Reviewed, list[Finding]]:
    """Review a dream that makes these changes; the faults of before are left out."""
    verdict = review(
        tree(before),
        tree({**before, **changes}),
        settings=Settings(),
        report=Report(
            grounds=given, superseded=tuple((PurePosixPath(p), line) for p, line in retired)
        ),
    )
    return verdict, [each for each in verdict.findings if each.severity is not Severity.FAULT]


def added(line: str, note: str = "rent-tracker.md") -> dict[str, str]:
    """Return the change that puts a line at the end of a note."""
    is_marked = line[:1] in set("-#|>123456789") and line[1:2] in {" ", ".", "#"}
    return {note: f"{MEMORY[note]}{line if is_marked else f'- {line}'}\n"}
