"""What lines that a model wrote are held against: the notes before, and what it heard and read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import PurePosixPath

from dreamd.domain.evidence import Sources
from dreamd.memory.faults import Reading
from dreamd.memory.lines import said
from dreamd.memory.review.backing import orders
from dreamd.memory.review.places import Places, stems
from dreamd.text.late import late
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.time.relative import relative_phrases
from dreamd.text.tokens import lowered, word_set
from dreamd.text.values import Grounds, Value, ValueKind, found, grounds, meant

_LINK = late(r"!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)")
_WIKI = late(r"\[\[[^\[\]]*\]\]")
_SMALL = {"zero", "one", "two"}  # `one of them`, `the two services`
_SHOWN = 60  # characters of a value that a sentence repeats

_Written = tuple[Value, str]


class Grounding:
    """Judges lines by where their values come from; each line is looked at once."""

    def __init__(self, before: Reading, sources: Sources) -> None:
        self._before, self._sources = before, sources
        self._memory = grounds(before.texts.values())
        self._rows = {
            said(row.removesuffix(b"\r"))
            for text in before.texts.values()
            for row in text.encode("utf-8", "surrogateescape").split(b"\n")
        }
        self._trusted = (self._memory, sources.people, sources.assistant)
        self._doubts: dict[str, tuple[tuple[_Written, ...], tuple[_Written, ...]]] = {}
        self._hearsay: dict[str, str] = {}
        self._summed: dict[tuple[str, ...], Grounds] = {}
        self._said_at = tuple(Places((each.text,)) for each in self._trusted)
        self._returned_at = Places((sources.other.text,))

    def stood(self, line: bytes) -> bool:
        """Whether a line says nothing, or stood in a note before."""
        text = said(line)
        return not text or text in self._rows

    def ungrounded(
        self, line: str, summed: tuple[str, ...], names: Collection[PurePosixPath]
    ) -> str:
        """Return which value of a line occurs nowhere, as a sentence; nothing where all do.

        `summed` are texts that the line sums up, `names` the notes that it may name.
        """
        unknown, _ = self._look(line)
        for value, written in self._left(unknown, summed, names):
            return f"says {_called(value, written)}, which was said and read nowhere"
        return ""

    def tainted(self, line: str, summed: tuple[str, ...], names: Collection[PurePosixPath]) -> str:
        """Return why a line has only a tool's word for it, as a sentence; else nothing."""
        _, untrusted = self._look(line)
        for value, written in self._left(untrusted, summed, names):
            return f"says {_called(value, written)}, which only a tool or a file said, and nobody"
        if line not in self._hearsay:
            self._hearsay[line] = self._heard(line)
        hearsay = self._hearsay[line]
        if hearsay and summed and Places((self._texts(summed).text,)).say(stems(line), 0.5):
            return ""
        return hearsay

    def _look(self, line: str) -> tuple[tuple[_Written, ...], tuple[_Written, ...]]:
        """Return the values of a line that occur nowhere, and those that only tools returned."""
        if line not in self._doubts:
            text = _without_pointers(line)
            doubts: tuple[list[_Written], list[_Written]] = [], []
            for value in found(text):
                written = text[value.start : value.end]
                if _counts(value, written) and not self._is_said(value):
                    doubts[self._sources.other.holds(value)].append((value, written))
            self._doubts[line] = tuple(doubts[0]), tuple(doubts[1])
        return self._doubts[line]

    def _is_said(self, value: Value) -> bool:
        """Whether a value stands in the notes or in somebody's words, or is a day they meant."""
        if any(each.holds(value) for each in self._trusted):
            return value.kind is not ValueKind.NUMBER or self._is_measured(value)
        form = value.forms[0]
        if value.kind is ValueKind.DATE:
            return any(map(self._is_day, value.forms))
        if value.kind is ValueKind.NAME and form.removesuffix("s") in WEEKDAYS:
            wanted = WEEKDAYS.index(form.removesuffix("s"))
            return any(day.weekday() == wanted for day in self._days)
        is_year = value.kind is ValueKind.NUMBER and form.isdecimal() and len(form) == 4
        return is_year and any(day.year == int(form) for day in self._days)

    def _is_measured(self, value: Value) -> bool:
        """Whether a number was said with its unit, or bare where the unit may be meant.

        So it may near the unit (`2 GB free of 80`), and where the notes measure in it.
        """
        number, _, unit = value.forms[0].partition(" ")
        if unit in {"", "th"}:
            return True
        if any(form in each.forms for each in self._trusted for form in value.forms):
            return True
        is_usual = self._memory.uses(unit)
        return any(each.measures(number, unit, is_usual=is_usual) for each in self._trusted)

    def _is_day(self, form: str) -> bool:
        """Whether a date can be told: from a message's day, or said without its year."""
        if form.startswith("--"):
            return any(day.isoformat()[4:] == form[1:] for day in self._days)
        if any(day.isoformat().startswith(form) for day in self._days):
            return True
        year, rest = int(form[:4]), f"-{form[4:]}"
        if self._days and not any(abs(day.year - year) <= 1 for day in self._days):
            return False
        return any(rest in each.forms for each in self._trusted)

    @cached_property
    def _days(self) -> frozenset[date]:
        """The days that messages mean, and those that the notes' own words do."""
        days = set(self._sources.days)
        for path, text in self._before.texts.items():
            phrases = relative_phrases(text)
            if not phrases:
                continue
            told = " ".join(phrase.phrase for phrase in phrases)
            written = {_day_of(self._before.tree.files[path].mtime_ns)}
            written.update(_dates(f"{path.stem}\n{text}"))
            for day in written:
                days |= meant(day, told)
        return frozenset(days)

    def _left(
        self,
        values: Iterable[_Written],
        summed: tuple[str, ...],
        names: Collection[PurePosixPath],
    ) -> Iterator[_Written]:
        """Yield those that neither the texts that a line sums up nor the notes' names explain."""
        for value, written in values:
            if summed and self._texts(summed).holds(value):
                continue
            if value.kind is ValueKind.PATH and _is_note(value.forms[0], names):
                continue
            yield value, written

    def _texts(self, summed: tuple[str, ...]) -> Grounds:
        if summed not in self._summed:
            self._summed[summed] = grounds(summed)
        return self._summed[summed]

    def _heard(self, line: str) -> str:
        """Return why a line is an order that nobody gave, or a tool's words; else nothing."""
        text = _without_pointers(line)
        people = self._said_at[:2]  # not the assistant
        for order in orders(text):
            if not any(map(order.is_given, people)):
                return "reads like an instruction to an agent, and nobody in a session gave it"
        if self._is_a_tools(text):
            return "says what only a tool or a file said, and nobody in a session"
        return ""

    def _is_a_tools(self, text: str) -> bool:
        """Whether most words of a line are a tool's alone, or stand together in its text alone."""
        content = stems(text)
        if len(content) < 2:
            return False
        has_values = any(_counts(value, "") for value in found(text))
        if not has_values:
            own = [word for word in word_set(text) if stems(word)]
            strange = [
                word for word in own if not any(word in each.words for each in self._trusted)
            ]
            if 2 * sum(word in self._sources.other.words for word in strange) > len(own):
                return True
        share, least = (0.9, 0.34) if has_values else (0.75, 0.5)
        if len(content) < 3 or not self._returned_at.say(content, share):
            return False
        return not any(each.say(content, least) for each in self._said_at)


def names_in(text: str) -> frozenset[str]:
    """Return the proper names of a line that are one word each, in lower case."""
    return frozenset(
        value.forms[0]
        for value in found(_without_pointers(text))
        if value.kind is ValueKind.NAME and value.forms[0].isalpha()
    )


def _without_pointers(line: str) -> str:
    """Return a line with the words of its links; where they lead outside, that too."""

    def told(match: re.Match[str]) -> str:
        is_note = match[2].partition("#")[0].endswith(".md") and "://" not in match[2]
        return match[1] if is_note else f"{match[1]} {match[2]}"

    return _LINK.sub(told, _WIKI.sub(" ", line))


def _counts(value: Value, written: str) -> bool:
    """Whether a value must have a source."""
    if value.kind is ValueKind.QUOTE or (value.kind is ValueKind.CODE and not value.parts):
        return False
    return not (value.kind is ValueKind.NUMBER and lowered(written) in _SMALL)


def _called(value: Value, written: str) -> str:
    short = " ".join(written.split())
    return f"the {value.kind.value} {short if len(short) <= _SHOWN else f'{short[:_SHOWN]}…'}"


def _is_note(form: str, names: Collection[PurePosixPath]) -> bool:
    return any(form in {lowered(str(name)), lowered(name.name)} for name in names)


def _dates(text: str) -> Iterator[date]:
    for value in found(text):
        if value.kind is ValueKind.DATE and len(value.forms[0]) == 10:
            yield date.fromisoformat(value.forms[0])


def _day_of(stamp: int) -> date:
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=stamp // 1000)).date()
    except OverflowError:
        return date(1970, 1, 1)
