"""The rules engine: tidy the notes, and apply what people plainly asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase
from dreamd.domain.tree import Tree
from dreamd.domain.words import plural
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.consolidated import Consolidated, Input, consolidated
from dreamd.engine.rules.orient import Memory, orient
from dreamd.engine.rules.supersede import Suspicion
from dreamd.host import clock, files

_MOST = 5  # suspicions that a report names


class RulesEngine:
    """The built-in engine: the same notes and words give the same notes on any day."""

    name = "rules"
    level = ""
    repeatable = True

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Consolidate the notes of the stage.

        Raises:
            HostError: the stage could not be written.
        """
        progress(Phase.ORIENT, "reading the notes")
        memory = orient(brief.base)
        given = Input(
            brief.said,
            brief.heeded,
            brief.candidates,
            _written(brief.base),
            brief.unread,
            brief.is_late,
        )
        found = consolidated(memory, brief.settings, brief.declined, progress, given)
        _write(brief.stage, brief.base, memory, found.texts)
        suspected = tuple(_sentence(each) for each in found.suspected[:_MOST])
        return Report(
            found.steps,
            found.whys,
            cited=found.cited,
            suspected=suspected,
            held=found.held,
            mishaps=_stopped(found, brief.settings.cpu_seconds),
            missed=found.missed if brief.unread else None,
        )


def _sentence(one: Suspicion) -> str:
    day = f" ({one.change.day.isoformat()})" if one.change.day else ""
    said = " ".join(one.change.sentence.text.split())
    return f'perhaps out of date in {one.path}: "{one.line.strip()}" — you said{day}: "{said}"'


def _stopped(found: Consolidated, seconds: float) -> tuple[str, ...]:
    if not found.is_cut:
        return ()
    rest = plural(len(found.missed), "message") if found.missed else "the rest"
    verb = "waits" if len(found.missed) < 2 else "wait"
    return (f"the dream ended after {seconds:g} s of CPU; {rest} {verb} for the next one",)


def _written(base: Tree) -> dict[PurePosixPath, datetime]:
    return {path: clock.from_ns(entry.mtime_ns) for path, entry in base.files.items()}


def _write(stage: Path, base: Tree, memory: Memory, texts: Mapping[PurePosixPath, str]) -> None:
    for path, text in texts.items():
        if path in memory.notes and memory.notes[path].text == text:
            continue
        mode = base.files[path].mode if path in base.files else 0o600
        with files.faults("write", stage / path):
            files.replace(stage / path, text.encode(), mode=mode, durable=False)
