"""Why each line of a session came or went, and whose words may stand behind it."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from math import log
from pathlib import PurePath, PurePosixPath

from msgspec.structs import replace

from dreamd import transcripts
from dreamd.domain.change import EDITED, RETIRED, WRITTEN, Finding, Why
from dreamd.domain.dream import Brief, Report
from dreamd.domain.evidence import (
    ASSISTANT,
    PERSON,
    AssistantSaid,
    PersonSaid,
    Sources,
    Turn,
    sources,
)
from dreamd.domain.tree import Tree
from dreamd.engine.model.tools.notes import Notes, Retired, Texts
from dreamd.errors import HostError
from dreamd.host import clock
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.secrets.secrets import redact

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_SHARED = 0.6  # of a line's weight in rare words that must stand in the message it came from
_LONGEST_QUOTE = 400  # characters
_SPEAKER = re.compile(r"\**[A-Z][\w'’.-]{1,30}(?: [A-Z][\w'’.-]{1,30})?\**: ")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ASIDE = re.compile(r"\([^()]*\d{4}-\d\d-\d\d[^()]*\)|\d{4}-\d\d-\d\d")
_QUOTE = re.compile(r"\"([^\"]+)\"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'")
_ORDER = re.compile(  # to an agent, or about its memory
    r"\b(?:you|your|please|agents?|assistant|ai|claude|notes?|memor(?:y|ies))\b"
    r"|^(?:always |never )?(?:forget|remove|delete|drop|erase|retire|ignore)\b"
)
_NAME = re.compile(r"[.-]{0,2}\w+(?:[.-]+\w+)*")
_LEAD = re.compile(r".{0,80}?(?::|\s[-–—])\s")
_CUT = re.compile(r"\[?(?:…|\.\.\.)\]?")
_MARKS = str.maketrans("“”„«»‘’", '"""""\'\'', "*`")
_EDGES = " \"'`.,;:!?()[]–—-"
_SHORTEST = 8  # characters of words that are looked for
_MOSTLY = 0.4  # of a source that must be what is looked for
_LEADS = 5  # of a source that may stand before what it quotes: a session, a day, a name
_SHORTEST_NAME = 4  # characters of a file's name
_REMARK = 300  # characters of a session's last word that a receipt keeps

Excerpt = tuple[str, str]  # a path or command, and what was shown of it


class Heard:
    """What a session may draw on: what its brief tells, and all turns, read when first needed."""

    def __init__(self, brief: Brief) -> None:
        taken_up = [  # sentences of the assistant that a person took up
            AssistantSaid(each.quote, each.session, each.message, each.at, each.day)
            for each in (candidate.snippet for candidate in brief.candidates)
            if each.speaker == ASSISTANT
        ]
        self._brief = brief
        self._said: list[PersonSaid | AssistantSaid] = [*taken_up, *brief.said]
        self._sources: tuple[int, Sources] | None = None  # and of how many texts that were read
        self.budget = brief.settings.budget

    def account(self, notes: Notes, remark: str, read: Sequence[Excerpt]) -> Report:
        """Return what a session made of the notes, with reasons and sources, and its last word.

        `read` is what it was shown beside the sessions.
        """
        return replace(
            self._report(notes, read),
            whys=tuple(_whys(self._brief.base, notes, _Origins(self._said))),
            remark=redact(" ".join(remark.split()))[:_REMARK],
        )

    def findings(self, notes: Notes, read: Sequence[Excerpt]) -> Sequence[Finding]:
        """Return what the review would find in a session's notes as they are now."""
        return self._brief.judge(self._report(notes, read))

    def _report(self, notes: Notes, read: Sequence[Excerpt]) -> Report:
        superseded = tuple((each.path, each.line) for each in notes.retired)
        return Report(superseded=superseded, grounds=self._grounds(read), edits=notes.edits)

    def bears_out(self, retired: Sequence[Retired], base: Texts, read: Sequence[Excerpt]) -> bool:
        """Whether the source of lines retired at once stands in a message, a note or a file.

        What a tool returned or an assistant answered is no person's word, unless the assistant is
        one, who begins with a name; and no line is its own source.
        """
        gone = {each.line for each in retired}
        rows = (row for text in base.values() for row in text.split("\n") if row not in gone)
        spoken = (
            (turn.text, turn.day)
            for turn in self._turns
            if isinstance(turn, PersonSaid)
            or (isinstance(turn, AssistantSaid) and _SPEAKER.match(turn.text))
        )
        said = [*spoken, *((row, None) for row in rows)]
        return all(_is_found(source, said, read) for source in {each.source for each in retired})

    @cached_property
    def _turns(self) -> tuple[Turn, ...]:
        """All turns of the sessions, and what is told of others whose transcripts are gone."""
        found = list[Turn]()
        for transcript in transcripts.sessions(self._brief.sessions):
            with contextlib.suppress(HostError):  # the listing of what was heard tells of it
                found += transcripts.turns(transcript)
        known = {each.message for each in found}
        return (*found, *(each for each in self._said if each.message not in known))

    def _grounds(self, read: Sequence[Excerpt]) -> Sources:
        if self._sources is None or self._sources[0] != len(read):
            today = clock.local_day(clock.now())
            texts = [text for _, text in read]
            self._sources = len(read), sources(self._turns, texts, today=today)
        return self._sources[1]


class _Origins:
    """What was said, to be asked where a line came from: by its rarer words, the last best."""

    def __init__(self, said: Sequence[PersonSaid | AssistantSaid]) -> None:
        self._said = said
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(said):
            for word in set(_words(each.text)):
                self._having[word].append(number)

    def of(self, line: str) -> tuple[str, PersonSaid | AssistantSaid] | None:
        """Return the words that a line most likely stands for, and the message they are from.

        None where no message has most of its words.
        """
        words = frozenset(_words(line))
        whole, found = 0.0, defaultdict[int, float](float)
        for word in words:
            numbers = self._having.get(word, ())
            weight = log(1 + len(self._said) / max(len(numbers), 1))
            whole += weight
            for number in numbers:
                found[number] += weight
        if not found or not whole:
            return None
        best, shared = max(found.items(), key=lambda each: (each[1], each[0]))
        if shared < _SHARED * whole:
            return None
        said = self._said[best]
        quote = max(_SENTENCE.split(said.text), key=lambda part: len(words & set(_words(part))))
        return " ".join(quote.split())[:_LONGEST_QUOTE], said


def _whys(base: Tree, notes: Notes, origins: _Origins) -> Iterator[Why]:
    """Yield the reason for every line that came or went."""
    given = {(each.path, each.line): each for each in notes.retired}
    for path in sorted(base.files.keys() | notes.now.keys()):
        old = Counter(map(bare, lines((base.data(path) or b"").decode("utf-8", "replace"))))
        new = Counter(map(bare, lines(notes.now.get(path, ""))))
        for line in new - old:
            yield _came(path, line, origins)
        for line in old - new:
            fact = given.get((path, line))
            rule = f"{RETIRED}{fact.reason}" if fact else EDITED
            yield Why(path, line, "-", rule, quote=fact.source if fact else "")


def _came(path: PurePosixPath, line: str, origins: _Origins) -> Why:
    why = Why(path, line, "+", WRITTEN)
    origin = origins.of(line) if line.strip() else None
    if origin is None:
        return why
    quote, said = origin
    return replace(
        why,
        quote=quote,
        session=said.session,
        message=said.message,
        day=said.day.isoformat() if said.day else "",
        speaker=PERSON if isinstance(said, PersonSaid) else ASSISTANT,
    )


def _words(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text.casefold()) if len(word) > 2 or not word.isascii())


def _is_found(
    source: str, messages: Iterable[tuple[str, date | None]], files: Iterable[Excerpt] = ()
) -> bool:
    """Whether one text holds the words that a source quotes, white space and case aside.

    They follow a colon or stand in quotes, else they are all of it but its days; `…` stands for
    what is left out. A message has one of the days that the source names. A file counts if the
    source names it, and if its words state something: nobody is to do what a file says.
    """
    folded = _folded(source)
    days, names = set(_DAY.findall(folded)), set(_NAME.findall(folded))
    ways = [way for way in _ways(_ASIDE.sub(" ", folded)) if _is_telling(way)]
    said = (text for text, day in messages if not (days and day) or day.isoformat() in days)
    if any(_stands(way, text) for text in map(_folded, said) for way in ways):
        return True
    stated = [way for way in ways if not _ORDER.search(" ".join(way))]
    named = (text for where, text in files if names & _named(where))
    return any(_stands(way, text) for text in map(_folded, named) for way in stated)


def _named(where: str) -> set[str]:
    """Return the names of files in a path or a command."""
    found = (PurePath(word).name for word in where.casefold().split())
    return {name for name in found if len(name) >= _SHORTEST_NAME}


def _ways(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the parts, in order, that one text must hold: a list for each way to read a source."""
    least = _MOSTLY * len(text.strip(_EDGES))
    rows = [[found for each in _QUOTE.findall(text) for found in each]]
    for _ in range(_LEADS):
        rows.append(_CUT.split(text))
        lead = _LEAD.match(text)
        text = text[lead.end() :] if lead else ""
    for row in rows:
        parts = tuple(filter(None, (part.strip(_EDGES) for part in row)))
        if sum(map(len, parts)) >= least:
            yield parts


def _is_telling(parts: tuple[str, ...]) -> bool:
    said = " ".join(parts)
    return len(said) >= _SHORTEST and (" " in said or not said.isascii())


def _stands(parts: tuple[str, ...], text: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
    return True


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_MARKS).casefold().split())
