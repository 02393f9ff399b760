"""One dream by rules: orient, gather, then consolidate and prune until nothing is left to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from dreamd.domain.attention import Attention
from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase
from dreamd.domain.heard import PersonSaid
from dreamd.domain.tree import Tree
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.consolidated import Heard, consolidated
from dreamd.engine.rules.noticing import Noticing, attention
from dreamd.engine.rules.orient import Memory, orient
from dreamd.engine.rules.promote.promote import without_asked
from dreamd.host import clock, files


class RulesEngine:
    """The built-in engine: the same notes give the same notes on any day."""

    name = "rules"
    level = ""
    repeatable = True

    @property
    def attention(self) -> Attention:
        """How it reads a message by itself."""
        return attention()

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Consolidate the notes of the stage.

        Raises:
            HostError: the stage could not be written.
        """
        progress(Phase.ORIENT, "reading the notes")
        memory = orient(brief.base)
        progress(Phase.GATHER, "reading what was said")
        noticing = Noticing(brief.noticed)
        asked = tuple(noticing.claims(_unheeded(brief)))
        candidates = without_asked(brief.candidates, asked)
        edited = _edited(brief.base)
        heard = Heard(asked, brief.heeded, candidates, brief.said, edited, noticing, brief.since)
        budget = brief.settings.budget
        dream = consolidated(memory, budget, brief.declined, progress, heard)
        _write(brief.stage, brief.base, memory, dream.texts)
        return Report(dream.steps, dream.whys, cited=dream.cited)


def _edited(base: Tree) -> dict[PurePosixPath, datetime]:
    return {path: clock.from_ns(entry.mtime_ns) for path, entry in base.files.items()}


def _unheeded(brief: Brief) -> Iterator[PersonSaid]:
    return (said for said in brief.said if said.message not in brief.heeded.taken)


def _write(stage: Path, base: Tree, memory: Memory, texts: Mapping[PurePosixPath, str]) -> None:
    for path, text in texts.items():
        if path in memory.notes and memory.notes[path].text == text:
            continue
        mode = base.files[path].mode if path in base.files else 0o600
        with files.faults("write", stage / path):
            files.replace(stage / path, text.encode(), mode=mode, durable=False)
