"""What a change has left: sizes, pointers that lead nowhere, what nobody can reach or find now."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from dreamd.domain.budget import index_sizes
from dreamd.domain.settings import Budget
from dreamd.engine.model.page import shortened
from dreamd.engine.model.tools.notes import Notes, Texts
from dreamd.text.markdown import INDEX
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.markdown.pointers import called, pointers, resolve, unreachable
from dreamd.text.time.dates import has_date
from dreamd.text.time.relative import is_anchored, relative_phrases
from dreamd.text.tokens import word_set
from dreamd.text.words import plural

_NAMED = 12  # entries of each kind that are listed
_LINE = 160  # characters of a line that is quoted
_KEPT = 0.8  # of a gone line's words that one line must have, with all its values, to stand for it
_SILENT = {BlockKind.FRONTMATTER, BlockKind.BLANK, BlockKind.RULE}
_THOUSANDS = re.compile(r"(?<=\d)[,\u202f\u00a0](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|_+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/-]\d+)*")
_CODE = re.compile(r"(?<!`)`([^`\n]{2,80})`(?!`)")
_PATH = re.compile(r"(?<![\w/.-])(?:~|\.{1,2})?/?[\w.-]+(?:/[\w.-]+)+")
_CAMEL = re.compile(r"\b[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z]{2,}[A-Za-z0-9]*\b")
_CAPITAL = re.compile(r"(?<![.!?:;(\"“*_#|>\]-]\s)(?<!^)(?<=[\w,'’)] )[A-Z][a-z][\w'’-]+")


def aftermath(former: Notes, notes: Notes) -> str:
    """Return what the notes are like after a change, and what of it needs a look."""
    before, now = former.now, notes.now
    parts = [
        _sizes(now),
        _headed("Dangling pointers", _dangling(now), "pointer"),
        _headed("Notes no pointer leads to", map(str, unreachable(now)), "note"),
        _headed("Relative dates in new lines", _relative(before, now), "line"),
        _headed("Lost values (in no note any more)", _lost(before, notes), "line"),
    ]
    return "\n".join(filter(None, parts))


def gone(old: str, new: str, now: Texts) -> tuple[str, ...]:
    """Return the lines of an old text whose words stand in no one line any more."""
    stated = Counter(_stated(old))
    left = stated - Counter(_stated(new))
    if not left:
        return ()
    rows = list(dict.fromkeys(row for text in now.values() for row in _stated(text)))
    places: Mapping[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for word in word_set(row):
            places[word].append(number)
    return tuple(line for line in left if not _stands(line, rows, places))


def _stands(line: str, rows: Sequence[str], places: Mapping[str, list[int]]) -> bool:
    wanted = word_set(line)
    if not wanted:
        return True
    shared = Counter(number for word in wanted for number in places.get(word, ()))
    return any(
        count >= _KEPT * len(wanted) and not lost(line, tokens(rows[number]))
        for number, count in shared.items()
    )


def _stated(text: str) -> Iterator[str]:
    """Yield the lines of a note that state something, without line ends."""
    rows = [bare(row) for row in lines(text)]
    for block in blocks(rows):
        if block.kind not in _SILENT:
            yield from (row for row in rows[block.start : block.end] if word_set(row))


def _sizes(now: Texts) -> str:
    budget = Budget()
    index = index_sizes(now.get(INDEX, ""), budget)
    total = sum(len(text.encode("utf-8", "replace")) for text in now.values())
    over = ""
    if index.index_lines > budget.index_lines or index.index_bytes > budget.index_bytes:
        over = f" OVER ITS LIMIT: a conversation sees {index.index_seen} lines of it."
    return (
        f"Memory: {plural(len(now), 'note')}, {total:,} bytes. {INDEX}: {index.index_lines} of "
        f"{budget.index_lines} lines, {index.index_bytes:,} of {budget.index_bytes:,} bytes.{over}"
    )


def _dangling(now: Texts) -> Iterator[str]:
    wiki_names = called(now)
    for path, text in now.items():
        for pointer in pointers(text, path):
            if resolve(pointer, now.keys(), path, wiki_names) is None:
                yield f"{path}:{pointer.line + 1} to {pointer.target}"


def _relative(before: Texts, now: Texts) -> Iterator[str]:
    for path, text in now.items():
        old = before.get(path, "")
        if text == old:
            continue
        known = set(old.split("\n"))
        for number, row in enumerate(text.split("\n"), 1):
            if row in known:
                continue
            for phrase in relative_phrases(row):
                if not is_anchored(row, phrase) and not has_date(row):
                    yield f"{path}:{number} {phrase.phrase!r}"


def _lost(before: Texts, notes: Notes) -> Iterator[str]:
    """Yield the values of lines that stood in the base or before, and now stand in no note."""
    retired = {(each.path, each.line) for each in notes.retired}
    base, now = notes.base, notes.now
    known = standing(now.values())
    for path in sorted({*base, *before}):
        text = now.get(path, "")
        if text == base.get(path, "") and text == before.get(path, ""):
            continue
        rows = set(text.split("\n"))
        old = dict.fromkeys([*_stated(base.get(path, "")), *_stated(before.get(path, ""))])
        for line in old:
            if line in rows or (path, line) in retired:
                continue
            if found := lost(line, known):
                yield f"{', '.join(found)} of {path}: {shortened(line.strip(), _LINE)}"


def _headed(what: str, entries: Iterable[str], noun: str) -> str:
    """Return a heading with its entries, "" if there are none."""
    found = listed(list(entries), noun, _NAMED)
    return f"{what}:\n{found}" if found else ""


def listed(entries: Sequence[str], noun: str, most: int) -> str:
    """Return the first entries, a line each, and how many more there are."""
    more = len(entries) - most
    rest = [f"- and {plural(more, noun)} more"] if more > 0 else []
    return "\n".join([*(f"- {each}" for each in entries[:most]), *rest])


def values(line: str) -> tuple[str, ...]:
    """Return the numbers, code, paths and names of a line, each once, as they are written."""
    text = _THOUSANDS.sub("", line)
    found: dict[str, None] = {}
    for pattern in (_NUMBER, _CODE, _PATH, _CAMEL, _CAPITAL):
        for match in pattern.finditer(text):
            value = (match[1] if pattern is _CODE else match[0]).strip(".,:;'’-")
            if value:
                found[value] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, folded; thousands need no comma."""
    return frozenset(_TOKEN.findall(_THOUSANDS.sub("", text).casefold()))


def standing(texts: Iterable[str]) -> frozenset[str]:
    """Return the words and numbers that stand in any of these texts."""
    return frozenset[str]().union(*map(tokens, texts))


def lost(line: str, standing: frozenset[str]) -> tuple[str, ...]:
    """Return the values of a line of which some part stands nowhere any more."""
    return tuple(value for value in values(line) if not tokens(value) <= standing)
