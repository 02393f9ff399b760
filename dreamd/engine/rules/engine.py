"""One dream by rules: orient, then consolidate and prune until nothing is left to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dreamd.domain.change import Declined, Why
from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase, Step
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Tree
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.dangling import dangling
from dreamd.engine.rules.duplicates import duplicates
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.orient import Memory, changed, orient
from dreamd.engine.rules.overflow import overflow
from dreamd.engine.rules.unreachable import unreachable
from dreamd.host import files

_ROUNDS = 8  # what one rule changes can give another something to do; two rounds are usual


class RulesEngine:
    """The built-in engine: the same notes give the same notes on any day."""

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
        dream = consolidated(memory, brief.settings.budget, brief.declined, progress)
        _write(brief.stage, brief.base, memory, dream.texts)
        return Report(dream.steps, dream.whys)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The texts that a dream leaves, what it did, and why each line came or went."""

    texts: Mapping[PurePosixPath, str]
    steps: tuple[Step, ...]
    whys: tuple[Why, ...]


def consolidated(
    memory: Memory, budget: Budget, declined: Declined, progress: Progress
) -> Consolidated:
    """Apply every rule until none has anything left to do; nothing is read or written."""
    refusals = Refusals(declined)
    before = {path: note.text for path, note in memory.notes.items()}
    counts: Counter[tuple[Phase, str]] = Counter()
    whys: list[Why] = []
    rules: tuple[tuple[Phase, str, Callable[[Memory], Sequence[Edit]]], ...] = (
        (Phase.CONSOLIDATE, "merging duplicates", lambda m: duplicates(m, refusals)),
        (Phase.CONSOLIDATE, "mending pointers", lambda m: dangling(m, refusals)),
        (Phase.CONSOLIDATE, "finding lost notes", lambda m: unreachable(m, budget, refusals)),
        (Phase.PRUNE, "fitting the index", lambda m: overflow(m, budget, refusals)),
    )
    progress(Phase.GATHER, "nothing to gather: the rules read notes only")
    for _ in range(_ROUNDS):
        started = memory
        for phase, words, rule in rules:
            progress(phase, words)
            edits = rule(memory)
            if edits:
                texts = {path: note.text for path, note in memory.notes.items()}
                applied = apply(texts, edits)
                memory = changed(memory, applied.texts)
                whys += applied.whys
                for edit in edits:
                    counts[phase, edit.step] += edit.count
        if memory is started:
            break
    after = {path: note.text for path, note in memory.notes.items()}
    steps = tuple(Step(phase, text, count) for (phase, text), count in counts.items())
    return Consolidated(after, steps, tuple(_lasting(whys, before, after)))


def _lasting(
    whys: Sequence[Why], before: Mapping[PurePosixPath, str], after: Mapping[PurePosixPath, str]
) -> list[Why]:
    """Return the reasons for lines that were there before or are there after, each once."""
    stood = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in before.items()}
    stands = {path: set(text.replace("\r\n", "\n").split("\n")) for path, text in after.items()}
    nothing: set[str] = set()
    return [
        why
        for why in whys
        if why.line in (stood if why.sign == "-" else stands).get(why.path, nothing)
    ]


def _write(stage: Path, base: Tree, memory: Memory, texts: Mapping[PurePosixPath, str]) -> None:
    for path, text in texts.items():
        if path in memory.notes and memory.notes[path].text == text:
            continue
        mode = base.files[path].mode if path in base.files else 0o600
        with files.faults("write", stage / path):
            files.replace(stage / path, text.encode(), mode=mode, durable=False)
