"""A client that gives up soon, and one laptop with a reader for each module or each test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dreamd.domain.change import Finding
from dreamd.domain.dream import Brief, Report
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree, edited
from dreamd.engine.model.reasons import Heard
from dreamd.engine.model.toolbox import Toolbox
from dreamd.memory.review import review
from dreamd.sandbox.confine import best
from tests.brain import hasten
from tests.engine.model.tools.desk import Desk, Laptop, opened


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for (module, name), value in hasten().items():
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """With the real review of what its notes are like, which the notes as they began precede."""
    with opened(Laptop.at(tmp_path.resolve()), best().level) as found:
        laptop, settings = found.laptop, Settings()

        def judge(report: Report) -> Sequence[Finding]:
            notes = found.tools.notes.base.items()
            base = Tree({path: Entry(text.encode()) for path, text in notes})
            after = edited(base, report.edits, 1)
            return review(base, after, settings=settings, report=report).findings

        memory, sessions = laptop.memory, (laptop.sessions,)
        brief = Brief(Tree(), settings, memory, sessions=sessions, judge=judge)
        found.tools = Toolbox(found.reader, found.tools.notes, Heard(brief))
        yield found


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """For tests that leave everything as it was."""
    with opened(Laptop.at(tmp_path_factory.mktemp("desk").resolve()), best().level) as found:
        yield found
