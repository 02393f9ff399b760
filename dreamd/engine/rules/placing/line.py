"""Write what a person said as one line of a note, with its day and without any Markdown."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from dreamd.engine.rules import days
from dreamd.engine.rules.orient import Memory
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.markdown.pointers import pointers_in
from dreamd.text.secrets.secrets import redact
from dreamd.text.time.relative import DatedPhrase, dated_phrases, is_anchored

# What opens a block, a nested list, a checkbox or a link definition at the start of an item; the
# backslash that keeps it from doing so goes behind the digits of a number, else before all.
_OPENS = late(
    r"\A(?:(\d{1,9})(?=[.)](?:\s|$))"
    r"|(?=(?:#{1,6}|[-*+])(?:\s|$)|[>|]|`{3}|~{3}|\[[^\]]?\]\s|\[[^\]]*\]:))"
)
_COMMENT = late(r"(?<!\\)<(?=!--)")
_POSSESSIVE = late(r"['’]s\b")  # noqa: RUF001
_ANY_DAY = date(2001, 1, 1)


def line(text: str, day: date | None, path: PurePosixPath, memory: Memory) -> str | None:
    """Return the words of a new line for the note `path`, without a list marker.

    The day comes last in brackets, unless the line names it. A relative date gets what it means
    beside it ("yesterday (2026-05-10)"), or where nobody can say, the day on which it was said
    ("next Friday (said 2026-05-11)"); without a day such a line is None, for it would mislead.
    Secrets are redacted, links to no note become plain text, all other words stay.
    """
    shown = (letter if letter.isprintable() or letter > "\x9f" else " " for letter in redact(text))
    words = " ".join("".join(shown).encode("utf-8", "replace").decode().split())
    words = _unlinked(_OPENS.sub(r"\1\\", _COMMENT.sub(r"\\<", words)), path, memory)
    if day is None or not words:
        return words if words and not _relative(words, _ANY_DAY) else None
    for one in reversed(_relative(words, day)):
        behind = _POSSESSIVE.match(words, one.phrase.end)
        at = behind.end() if behind else one.phrase.end
        means = one.means.words if one.means else f"said {day.isoformat()}"
        words = f"{words[:at]} ({means}){words[at:]}"
    is_named = day.isoformat() in {str(each.day) for each in days.find(words)}
    words = words if is_named else f"{words} ({day.isoformat()})"
    return None if _relative(words, day) else words


def _relative(text: str, day: date) -> list[DatedPhrase]:
    """Return the relative dates of a text that have no date in brackets beside them."""
    return [each for each in dated_phrases(text, day) if not is_anchored(text, each.phrase)]


def _unlinked(words: str, path: PurePosixPath, memory: Memory) -> str:
    """Return the words with a backslash before each link that leads to no note."""
    item = (Block(0, 1, BlockKind.ITEM),)
    for _ in range(len(words)):
        found = pointers_in([words], item, path)
        loose = [each.start for each in found if memory.destination(each, path) is None]
        if not loose:
            break
        words = f"{words[: loose[-1]]}\\{words[loose[-1] :]}"
    return words
