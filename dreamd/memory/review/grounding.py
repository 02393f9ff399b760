"""What lines that a model wrote are held against: the notes before, and what it heard and read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import date, timedelta
from functools import cache, cached_property
from pathlib import PurePosixPath

from dreamd.domain.evidence import Sources
from dreamd.domain.tree import INDEX
from dreamd.host import clock
from dreamd.memory.faults import Reading
from dreamd.memory.lines import said, split
from dreamd.memory.orders import GRAVE, orders
from dreamd.memory.review.case import Case, Objection
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.markdown.note import frontmatter
from dreamd.text.markdown.pointers import pointers
from dreamd.text.places import Places, denies, stems
from dreamd.text.time.dates import WEEKDAYS
from dreamd.text.time.relative import relative_phrases
from dreamd.text.tokens import lowered, word_set
from dreamd.text.values import Value, ValueKind, found, grounds, meant

_LINK = late(r"!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)")
_QUOTED = late(r"[\"“]([^\"“”]{4,})[\"”]")
_WIKI = late(r"\[\[[^\[\]]*\]\]")
_SMALL = {"zero", "one", "two"}  # `one of them`, `the two services`
_SHOWN = 60  # characters of a value that a sentence repeats
_LABELS = {"name", "title", "type", "pinned", "metadata", "tags", "node_type"}

_Written = tuple[Value, str]  # as a sentence calls it


class Grounding:
    """Judges lines by where their values come from; each line is looked at once."""

    def __init__(self, before: Reading, sources: Sources) -> None:
        self._before, self._sources = before, sources
        self._memory = grounds(before.texts.values())
        entries = before.tree.files.values()
        self._rows = {said(row) for entry in entries for row in split(entry.data).texts}
        self._trusted = (self._memory, sources.people, sources.assistant)
        self._said_at = tuple(Places((each.text,)) for each in self._trusted)  # the assistant last
        self._returned_at = Places((sources.other.text,))
        self._looked, self._heard = cache(self._look), cache(self._hear)
        self._grounds = cache(grounds)

    def ungrounded(self, case: Case) -> Iterator[Objection]:
        """Every number, date, path and name that came was said, or stands in what was read.

        Lines that stood in a note before are fine wherever they stand now. A hook may say what
        its note does, and a description what its own does.
        """
        for path, number, line, summed in self._come(case):
            if what := self._unexplained(self._looked(line)[0], summed, case.after.names):
                what = f"says {what}, which was said and read nowhere"
                yield Objection(path, what, added=(number,))

    def tainted(self, case: Case) -> Iterator[Objection]:
        """Nothing comes that only a tool, a file or a web page says; orders come from people.

        What a file says may come where the line names that file.
        """
        for path, number, line, summed in self._come(case):
            is_named = any(name in lowered(line) for name in self._sources.files)
            if is_named and not any(orders(line)):
                continue
            if what := self._unexplained(self._looked(line)[1], summed, case.after.names):
                what = f"says {what}, which only a tool or a file said, and nobody"
                yield Objection(path, what, added=(number,))
            elif (what := self._heard(line)) and not (
                summed and Places((self._grounds(summed).text,)).say(stems(line), 0.5)
            ):
                yield Objection(path, what, added=(number,))

    def _come(self, case: Case) -> Iterator[tuple[PurePosixPath, int, str, tuple[str, ...]]]:
        """Yield each line (from 0) that no note said before, and the texts that it sums up."""
        for edit, text in case.come():
            words = {n: said(edit.new.texts[n]) for n in edit.added}
            added = [n for n, row in words.items() if row and row not in self._rows]
            if not added:
                continue
            aims = _pointed_to(case, text) if edit.path == INDEX else {}
            rows, name = [bare(row) for row in lines(text)], _named(edit.path)
            head = frontmatter(text)
            body = head.end if head else 0
            labels = {
                number
                for field in (head.fields if head else ())
                if field.key.rpartition(".")[2] in _LABELS or field.key.lower().endswith("id")
                for number in range(field.start, field.end)
                if number == field.start or field.key != "metadata"
            }
            for number in added:
                row = rows[number] if number < len(rows) else ""
                if number >= body:
                    is_heading = row.lstrip().startswith("#")
                    summed = aims.get(number, ())
                    yield edit.path, number, row, (*summed, *([name] if is_heading else ()))
                elif number not in labels and row.strip("-. "):
                    key, colon, value = row.partition(":")
                    shown = value if colon and key.strip().isidentifier() else row
                    whole = "\n".join([name, *rows[body:]])
                    yield edit.path, number, shown.strip(" \"'"), (whole,)

    def _look(self, line: str) -> tuple[list[_Written], list[_Written]]:
        """Return the values of a line that occur nowhere, and those that only tools returned."""
        text = _without_pointers(line)
        doubts: tuple[list[_Written], list[_Written]] = [], []
        for value in found(text):
            written = text[value.start : value.end]
            if _counts(value, written) and not self._is_said(value):
                short = " ".join(written.split())
                short = short if len(short) <= _SHOWN else f"{short[:_SHOWN]}…"
                called = f"the {value.kind.value} {short}"
                doubts[self._sources.other.holds(value)].append((value, called))
        return doubts

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
        if unit in {"", "th"} or any(
            f in each.forms for each in self._trusted for f in value.forms
        ):
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
        with suppress(ValueError):  # `from April on`, `until the end of May`
            day = date.fromisoformat(form)
            if 1 in {day.day, (day + timedelta(1)).day}:
                return any(f"--{form[5:7]}" in each.forms for each in self._trusted)
        return any(rest in each.forms for each in self._trusted)

    @cached_property
    def _days(self) -> frozenset[date]:
        """The days that messages mean, and those that the notes' own words do."""
        days = set(self._sources.days)
        for path, text in self._before.texts.items():
            if phrases := relative_phrases(text):
                told = " ".join(phrase.phrase for phrase in phrases)
                dated = (v for v in found(f"{path.stem}\n{text}") if v.kind is ValueKind.DATE)
                forms = [value.forms[0] for value in dated]
                written = {date.fromisoformat(form) for form in forms if len(form) == 10}
                with suppress(OverflowError):
                    written.add(clock.from_ns(self._before.tree.files[path].mtime_ns).date())
                for day in written:
                    days |= meant(day, told)
        return frozenset(days)

    def _unexplained(
        self, values: list[_Written], summed: tuple[str, ...], names: Collection[PurePosixPath]
    ) -> str:
        """Return the first that neither the texts summed up nor the names of notes have, or ""."""
        for value, called in values:
            known = {each for name in names for each in (lowered(str(name)), lowered(name.name))}
            known |= self._sources.files
            is_named = not known.isdisjoint({value.forms[0], value.forms[0].rpartition("/")[2]})
            if not is_named and not (summed and self._grounds(summed).holds(value)):
                return called
        return ""

    def _hear(self, line: str) -> str:
        """Return why a line is an order that nobody gave, or a tool's words; else nothing."""
        text, people = _without_pointers(line), self._said_at[:2]  # not the assistant
        rest = text
        for match in _QUOTED.finditer(text):  # to the letter, so it is theirs
            words = lowered(match[1]).strip(" .,;:!?…")
            is_whole = denies(words) or GRAVE.isdisjoint(stems(words))  # no denial is cut off
            if is_whole and words.count(" ") > 1 and any(words in each.text for each in people):
                rest = rest.replace(match[0], " ")
        if any(not any(map(order.is_given, people)) for order in orders(rest)):
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
            strange = (w for w in own if not any(w in each.words for each in self._trusted))
            if 2 * sum(word in self._sources.other.words for word in strange) > len(own):
                return True
        share, least = (0.9, 0.34) if has_values else (0.75, 0.5)
        if len(content) < 3 or not self._returned_at.say(content, share):
            return False
        return not any(each.say(content, least) for each in self._said_at)


def names_in(text: str) -> frozenset[str]:
    """Return the proper names of a line that are one word each, in lower case."""
    values = found(_without_pointers(text))
    names = (value.forms[0] for value in values if value.kind is ValueKind.NAME)
    return frozenset(name for name in names if name.isalpha())


def _pointed_to(case: Case, text: str) -> dict[int, list[str]]:
    """Return what the notes tell, with their names, that each line of the index points to."""
    found = defaultdict[int, list[str]](list)
    for pointer in pointers(text):
        goal = case.after.goal(pointer, INDEX)
        if goal is not None and goal != INDEX:
            found[pointer.line].append(f"{_named(goal)}\n{case.after.texts.get(goal, '')}")
    return found


def _named(path: PurePosixPath) -> str:
    """Return the name of a note's file, and the words of it."""
    return f"{path.stem} {path.stem.replace('_', ' ').replace('-', ' ')}"


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
