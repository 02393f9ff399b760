"""Names and values that people said and no note has."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from msgspec import Struct

from dreamd.domain.budget import notes
from dreamd.domain.evidence import PersonSaid
from dreamd.domain.tree import Tree
from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.prose import Utterance, around, recent
from dreamd.engine.model.digest.section import Section
from dreamd.engine.model.digest.values import has_values, values
from dreamd.text.late import late
from dreamd.text.time.dates import MONTHS, WEEKDAYS
from dreamd.text.tokens import tokens
from dreamd.text.words import plural

_PARTS = late(r"[^\W_]+")
_NAME = late(
    r"(?<![\w.@/-])(?:"
    r"[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*|[A-Z]{2,}[\w-]*"  # PostgreSQL, iPhone, AWS
    r"|[\w-]+\.[a-z]{2,4}(?:\b(?!\.))|[\w.-]+/[\w./-]*\w"  # auth.py, src/app
    r"|(?<=[a-z0-9,;)] )[A-Z][a-z]+(?:\s[A-Z][a-z]+){0,2}"  # Maria Lopez, not first in a sentence
    r")(?![\w@])"
)
_NO_NAMES = {"ok", "api", "url", "json", "html", "css", "http", "https", "todo", "ui", "id", "faq"}
_NO_NAMES |= {"pdf", "csv", *WEEKDAYS, *MONTHS}
_NO_NAMES |= {short for each in (*WEEKDAYS, *MONTHS) for short in (each[:3], each[:4])}
_AROUND = 60  # characters on either side of a value
_FEWEST = 3  # letters of a name
_WORK = 5_000_000  # bytes of messages looked through: the newest, two seconds


class _New(Struct):
    """A name or a value, how many messages have it, the last of them, and how it was said."""

    text: str
    last: PersonSaid
    times: int
    said: str


def novel(heard: Sequence[Utterance], tree: Tree, told: Container[str] = frozenset()) -> Section:
    """Return names and values that stand in no note, those said in most messages first.

    Words around one stand with it unless the message that said it last is among those `told`
    whole elsewhere.
    """
    written = "\n".join(notes(tree).values())
    known = _tokens(written)
    facts = {(value.kind, value.key) for row in written.split("\n") for value in values(row)}
    found: dict[str, _New] = {}
    for each in reversed([*recent(heard, _WORK)]):
        mentioned = dict(_mentions(each, known, facts))
        for key, (text, said) in mentioned.items():
            new = found.setdefault(key, _New(text, each.said, 0, said))
            new.times += 1
            new.last, new.said = each.said, said
    ranked = sorted(found.values(), key=lambda new: -new.times)  # the first said comes first
    rows = [shown(_row(new, told)) for new in ranked]
    lead = (
        "Names and values that stand in no note, those said in most messages first: "
        "what · messages · last day · words around it, where no turn below has them whole."
    )

    def rest(count: int) -> str:
        return f"{plural(len(rows) - count, 'other')}, said more rarely or later, did not fit here."

    return Section("unknown", lead, rows, rest)


def _row(new: _New, told: Container[str]) -> str:
    day = new.last.day.isoformat() if new.last.day else "no day"
    row = f"{new.text} · {new.times} · {day}"
    return row if new.last.message in told else f"{row} · {new.said}"


def _tokens(text: str) -> set[str]:
    """Return the tokens of a text in lower case, and the parts of those that have some."""
    whole = {token.low.strip("`") for token in tokens(text)}
    return {*whole, *(part for token in whole for part in _PARTS.findall(token))}


def _mentions(
    utterance: Utterance, known: set[str], facts: set[tuple[str, str]]
) -> Iterator[tuple[str, tuple[str, str]]]:
    for text in utterance.sentences:
        for match in _NAME.finditer(text):
            name = match[0]
            if (
                len(name) >= _FEWEST
                and name.casefold() not in _NO_NAMES
                and not _is_known(name, known)
            ):
                yield name.casefold(), (name, around(text, *match.span(), _AROUND))
        if not has_values(text):
            continue
        for value in values(text):
            is_telling = value.kind != "number" or len(value.key) > 1
            if is_telling and (value.kind, value.key) not in facts:
                said = text[value.start : value.end]
                key = f"{value.kind} {value.key}"
                yield key, (said, around(text, value.start, value.end, _AROUND))


def _is_known(name: str, known: set[str]) -> bool:
    low = name.lower()
    return low in known or known.issuperset(_PARTS.findall(low))
