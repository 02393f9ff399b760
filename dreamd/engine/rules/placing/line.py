"""A claim as one line of a note: the person's words, the day they were said, and no Markdown."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from dreamd.domain.superseded import current
from dreamd.engine.rules import days
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.placing.known import MARKER, unescaped
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import FENCE, Block, BlockKind
from dreamd.text.markdown.pointers import pointers_in
from dreamd.text.time.relative import (
    DatedPhrase,
    RelativePhrase,
    dated_phrases,
    is_anchored,
    relative_phrases,
)

# What would open a block, a nested list, a checkbox or a link definition at the start of an item;
# the backslash goes before the last character of the group.
_OPENS = late(
    r"(?P<lead>#{1,6}(?=\s|$)|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$)|[>|]|\[(?=[^\]]?\]\s|[^\]]*\]:))"
)
_OWN_DAY = late(r"\s\((?:said )?\d{4}-\d\d-\d\d\)")
_COMMENT = late(r"(?<!\\)<(?=!--)")
_YEARS = range(1900, 2100)  # that are known for years where they stand alone
_POSSESSIVE = late(r"['’]s\b")  # noqa: RUF001


def written(statement: str, day: date | None, path: PurePosixPath, memory: Memory) -> str | None:
    """Return the words of a line for a note, without a list marker.

    The day comes last in brackets, unless that very day is named. A relative date has beside it
    what it means ("yesterday (2026-05-10)"), or where that is not sure the day on which it was
    said ("next Friday (said 2026-05-11)"). None where it has a relative date and no day is known:
    nobody could tell later what was meant. A pointer that would lead nowhere from `path` is no
    pointer there, and no character opens a block; all words stay.
    """
    said = " ".join(_printable(statement).split())
    if not said:
        return None
    line = _unlinked(_closed(said), path, memory)
    if day is None:
        return None if _relative(line) else line
    found = _told(line, day)
    own = f"({day.isoformat()})"
    if not found:
        return line if _names(line, day) else f"{line} {own}"
    dated = anchored(line, day)
    if dated is None:
        return None
    last = _beside(found[-1], day)
    return dated if last == own or last == _said(day) else f"{dated} {own}"


def anchored(line: str, day: date | None) -> str | None:
    """Return a line said on a day with, beside each relative date, what it means in brackets.

    None where it has one and the day is not known, or nobody can say.
    """
    for one in reversed(_told(line, day) if day else ()):
        after = _POSSESSIVE.match(line, one.phrase.end)
        at = after.end() if after else one.phrase.end
        line = f"{line[:at]} {_beside(one, day or date.min)}{line[at:]}"
    return None if _relative(line) else line


def _beside(told: DatedPhrase, day: date) -> str:
    """Return what stands in brackets behind a relative date that was said on a day."""
    means = told.means
    if means is None or means.first.year not in _YEARS:
        return _said(day)
    return f"({means.words})"


def _said(day: date) -> str:
    return f"(said {day.isoformat()})"


def _printable(text: str) -> str:
    """Return the text without control characters, and with what is no character replaced."""
    text = "".join(letter if letter.isprintable() or letter > "\x9f" else " " for letter in text)
    return text.encode("utf-8", "replace").decode()


def _closed(said: str) -> str:
    """Return the words so that they open no block inside a list item."""
    said = _COMMENT.sub(r"\\<", said)
    if FENCE.fullmatch(said):
        return f"\\{said}"
    if match := _OPENS.match(said):
        at = match.end("lead") - 1 if said[0].isdigit() else 0
        return f"{said[:at]}\\{said[at:]}"
    return said


def _unlinked(said: str, path: PurePosixPath, memory: Memory) -> str:
    """Return the words with a backslash before each link that leads to no note."""
    item = (Block(0, 1, BlockKind.ITEM),)
    for _ in range(len(said)):
        loose = [
            pointer
            for pointer in pointers_in([said], item, path)
            if memory.destination(pointer, path) is None
        ]
        if not loose:
            return said
        at = loose[-1].start
        said = f"{said[:at]}\\{said[at:]}"
    return said


def _told(line: str, day: date) -> list[DatedPhrase]:
    """Return the relative dates without an absolute one beside them, as columns of the line."""
    row = f"- {line}"
    return [
        DatedPhrase(_moved(one.phrase), one.means)
        for one in dated_phrases(row, day)
        if not is_anchored(row, one.phrase)
    ]


def _relative(line: str) -> bool:
    """Whether a relative date stands in a line, and no absolute one beside it."""
    row = f"- {line}"
    return any(not is_anchored(row, one) for one in relative_phrases(row))


def _moved(one: RelativePhrase) -> RelativePhrase:
    return RelativePhrase(one.start - 2, one.end - 2, one.phrase)


def _names(line: str, day: date) -> bool:
    return Day(day.year, day.month, day.day) in {each.day for each in days.find(line)}


def statement_of(row: str) -> str:
    """Return the plain words of a line as `written` gave it, without its day and its full stop.

    Of a line that was brought up to date since, only what it says of today; nothing where it is
    all past.
    """
    words = current(MARKER.sub("", row, count=1))
    said = plain(unescaped(_OWN_DAY.sub("", words)))
    return said.rstrip(".:; ")
