"""The rules engine: read the notes of a dream, have them consolidated, and write what changed."""

from __future__ import annotations

from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase
from dreamd.engine import Progress
from dreamd.engine.rules.consolidated import Consolidated, Input, consolidated
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.supersede import Suspicion
from dreamd.host import clock
from dreamd.text.words import plural

_MOST = 20  # suspicions that a report names


class RulesEngine:
    """The built-in engine: the same notes and words give the same notes on any day."""

    name = "rules"
    level = ""
    repeatable = True

    def dream(self, brief: Brief, progress: Progress) -> Report:
        """Consolidate the notes."""
        progress(Phase.ORIENT, "reading the notes")
        memory = orient(brief.base)
        written = {path: clock.from_ns(e.mtime_ns) for path, e in brief.base.files.items()}
        recurs, unread = brief.candidates, brief.unread
        given = Input(brief.said, brief.heeded, recurs, written, unread, brief.is_late)
        found = consolidated(memory, brief.settings, brief.declined, progress, given)
        return Report(
            found.steps,
            found.whys,
            cited=found.cited,
            suspected=tuple(map(_sentence, found.suspected[:_MOST])),
            held=found.held,
            mishaps=_stopped(found, brief.settings.cpu_seconds),
            missed=found.missed if unread else None,
            edits={
                path: text.encode()
                for path, text in found.texts.items()
                if path not in memory.notes or memory.notes[path].text != text
            },
        )


def _stopped(found: Consolidated, seconds: float) -> tuple[str, ...]:
    if not found.is_cut:
        return ()
    rest = plural(len(found.missed), "message") if found.missed else "the rest"
    return (f"the dream ended after {seconds:g} s of CPU and left {rest} for the next one",)


def _sentence(one: Suspicion) -> str:
    day = f" ({one.change.day.isoformat()})" if one.change.day else ""
    said = " ".join(one.change.sentence.text.split())
    return f'perhaps out of date in {one.path}: "{one.line.strip()}" — you said{day}: "{said}"'
