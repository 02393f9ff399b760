"""Carry out tool calls: on the notes in memory, or by the reader, and keep account."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from dreamd.domain.budget import index_sizes, limits
from dreamd.domain.change import Finding, Severity
from dreamd.domain.cost import money
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.model.page import MOST, shortened, within
from dreamd.engine.model.reader import ReaderProcess
from dreamd.engine.model.reasons import Heard
from dreamd.engine.model.spending import SessionBudget
from dreamd.engine.model.tools import BY_NAME
from dreamd.engine.model.tools.dispatch import Answer, answered, place_of
from dreamd.engine.model.tools.notes import Changed, Notes, Texts
from dreamd.engine.model.tools.open import absolute, inside
from dreamd.errors import RefusedError
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural
from dreamd.transcripts.plain import plain

_MOST_SEEN = 4 * 1024 * 1024  # characters of results kept to judge what is grounded
_REFUSAL = 500  # characters on arguments that are none
_NAMED = 12  # findings of each kind that are listed
_QUOTED = 160  # characters of a line that is quoted
_LOOKING_AT_PATHS = ("Read", "Grep", "Glob")
_NOUNS = {"Bash": "command", "Sessions": "session"}
_GONE = {"vanished", "gone", "reachable"}  # rules whose findings are about lines that went
_NUMBER = re.compile(r"^ *\d+[\t:-]", re.MULTILINE)  # of the line, which is no value of it
_ON_DISK = "\n[Your changes of notes are not on disk yet: Read and Grep show them, Bash does not.]"
_HEADS = {
    Severity.HELD_OUT: "The review would hold this back; put it right:",
    Severity.MENDED: "The review would put this right by itself:",
}
_UNFOUND = (
    "Nothing is retired: {} was looked for in all messages of people, in the notes and the files "
    "that you read, and stands in none. Give the words as they were said, with the day of that "
    "message, or words of a file with its name."
)


class Toolbox:
    """Sends each call where its tool works.

    `notes` are as they are now, `seen` is what the model was shown that it did not write itself,
    by path, `counts` how often each tool was called, `faults` how often which tool met a fault of
    its own, and where. `unwritten` returns what people asked to be remembered and these notes do
    not say. A lost reader ends the session.
    """

    def __init__(
        self,
        reader: ReaderProcess,
        notes: Notes,
        heard: Heard,
        unwritten: Callable[[Texts], Sequence[str]] = lambda _notes: (),
    ) -> None:
        self._reader = reader
        self._heard = heard
        self.unwritten = unwritten
        self.notes = notes
        self.seen: list[tuple[str, str]] = []
        self.counts: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self._room = _MOST_SEEN
        self._told: set[tuple[str, PurePosixPath, str]] = set()  # findings, each told once

    @property
    def _has_changed(self) -> bool:
        return self.notes.now != self.notes.base

    def call(self, call: Mapping[str, Any]) -> Answer:
        """Carry out a `tool_use` block; a call that cannot be is answered, not raised.

        Raises:
            SessionError: the reader is gone, or did not answer in time.
        """
        name = call.get("name")
        tool = BY_NAME.get(str(name))
        if tool is None:
            known = ", ".join(BY_NAME)
            return Answer(f"There is no tool {name!s:.60} here; call one of {known}.", True)
        self.counts[tool.name] += 1
        try:
            arguments = tool.checked(call["input"])
        except RefusedError as error:
            return Answer(str(error)[:_REFUSAL], is_error=True)
        if tool.home == "notes":
            answer = answered(tool.name, arguments, self.notes)
            if isinstance(answer, Changed) and answer.notes is not self.notes:
                answer = self._taken(answer)
        else:
            answer = self._reader.ask(tool.name, arguments, self.notes.now)
            named = (arguments.get(each) for each in ("file_path", "path", "command"))
            where = next(filter(None, named), "")
            if self._is_source(tool.name, where, answer):
                is_numbered = tool.name in {"Read", "Grep"} and arguments.get("-n", True)
                text = _NUMBER.sub("", answer.text) if is_numbered else answer.text
                self.seen.append((where, text[: self._room]))
                self._room -= len(self.seen[-1][1])
            if tool.name == "Bash" and self._has_changed:
                answer = replace(answer, text=answer.text + _ON_DISK)
        if answer.fault:
            self.faults[tool.name, answer.fault] += 1
        return answer

    def _taken(self, answer: Changed) -> Answer:
        """Take a change over, and say what the notes are like then: sizes, and new findings."""
        fresh = answer.notes.retired[len(self.notes.retired) :]
        if fresh and not self._heard.bears_out(fresh, self.notes.base, self.seen):
            source = repr(shortened(fresh[0].source, _QUOTED))
            return Answer(redact(_UNFOUND.format(source)), is_error=True)
        self.notes = answer.notes
        said, fault = [answer.text, sizes(self.notes.now, self._heard.budget)], ""
        try:
            said += self._findings()
        except Exception as error:  # noqa: BLE001 - the change stands, and is reviewed in the end
            fault = place_of(error)
        return Answer(within(redact(plain("\n".join(said))), MOST), fault=fault)

    def _findings(self) -> Iterator[str]:
        """Yield what the review finds in the notes as they are, each finding once in a session."""
        found = self._heard.findings(self.notes, self.seen)
        for severity, head in _HEADS.items():
            rows, known, more = list[str](), 0, 0
            for each in found:
                if each.severity is not severity or each.rule == "line-end":
                    continue
                line = self._line(each)
                key = (each.rule, each.path, line or each.message)
                if key in self._told:
                    known += 1
                elif len(rows) == _NAMED:
                    more += 1
                else:
                    self._told.add(key)
                    rows.append(f"- {each}{f': {shortened(line, _QUOTED)}' if line else ''}")
            yield from [head, *rows] if rows else []
            yield from [f"- and {plural(more, 'finding')} more"] if more else []
            if known:
                yield f"[told before and still there: {plural(known, 'finding')}]"

    def _line(self, finding: Finding) -> str:
        """Return the line that a finding is about; one that went is counted as it was before."""
        texts = self.notes.base if finding.rule in _GONE else self.notes.now
        lines = texts.get(finding.path, "").split("\n")
        return lines[finding.line - 1].strip() if 0 < finding.line <= len(lines) else ""

    def _is_source(self, name: str, where: str, answer: Answer) -> bool:
        """Say whether a result is a source: it holds nothing that the model wrote in this session.

        What Sessions shows is known as what was said.
        """
        if answer.is_error or name == "Sessions":
            return False
        if not self._has_changed or name not in _LOOKING_AT_PATHS or not where:
            return not self._has_changed
        memory = self.notes.memory
        path = absolute(where, memory)
        is_around = memory.resolve().is_relative_to(path.resolve())
        return not is_around and inside(path, memory) is None


def so_far(phase: Phase, tools: Toolbox, budget: SessionBudget) -> str:
    """Return how far a session is: `2/4 · 7 greps · 2 notes edited · 11.2k tokens · $0.01`."""
    parts = [f"{list(Phase).index(phase) + 1}/{len(Phase)}"]
    parts += [plural(n, _NOUNS.get(tool, tool.lower())) for tool, n in tools.counts.items()]
    if edited := len(tools.notes.edits):
        parts.append(f"{plural(edited, 'note')} edited")
    parts.append(f"{budget.spent.tokens / 1000:.1f}k tokens")
    if budget.price is not None:
        parts.append(money(budget.spent.cost(budget.price)))
    return " · ".join(parts)


def sizes(now: Texts, budget: Budget) -> str:
    """Return what notes measure beside their limits, and how much is to be given up."""
    memory = sum(len(text.encode("utf-8", "replace")) for text in now.values())
    index = index_sizes(now.get(INDEX, ""), budget)
    said: dict[PurePosixPath, list[str]] = {PurePosixPath(): [], INDEX: []}
    for each in limits(replace(index, files=len(now), memory_bytes=memory), budget):
        more = f": give up {each.value - each.most:,}" if each.is_exceeded else ""
        if more or each.unit != "UTF-16 units":
            said[each.path].append(f"{each.value:,} of {each.most:,} {each.unit}{more}")
    whole, of_index = (", ".join(each) for each in said.values())
    return f"Memory: {whole}. {INDEX}: {of_index}."
