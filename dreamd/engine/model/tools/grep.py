"""Grep: the lines that fit a regular expression; files and transcripts as Read shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from dreamd.engine.model.tools.finding import files, fitting, is_file, top
from dreamd.engine.model.tools.page import MOST, count_within
from dreamd.engine.model.tools.patience import OutOfTimeError, patience
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.engine.model.tools.source import Source, source
from dreamd.errors import HostError, RefusedError
from dreamd.text.words import plural

SECONDS = 15.0
LINE = 500  # characters of a line that are shown around its match
_LONGEST = 1_000  # characters of a pattern
_ENOUGH = 20_000  # entries after which the search ends


class _Search(Struct):
    """What was found so far, as entries to be shown."""

    mode: str
    before: int
    after: int
    numbered: bool
    entries: list[str] = field(default_factory=list)
    lines: int = 0
    files: int = 0
    passed_over: int = 0
    at: str = ""


def run(arguments: Mapping[str, Any], place: Place) -> Answer:
    """Search, for a limited time, and say what is lacking: entries left out, files not reached.

    What a file hides when it is shown (secrets, escape sequences) is not found in it either.

    Raises:
        RefusedError: the pattern is none, or there is no such file or directory.
    """
    pattern = _compiled(arguments["pattern"], fold=arguments.get("-i", False))
    around = arguments.get("-C", 0)
    search = _Search(
        mode=arguments.get("output_mode", "files_with_matches"),
        before=arguments.get("-B", around),
        after=arguments.get("-A", around),
        numbered=arguments.get("-n", True),
    )
    lacking = ""
    try:
        with patience(SECONDS):
            for each in _sources(arguments, place, search):
                _look(each, pattern, search)
                if len(search.entries) > _ENOUGH:
                    lacking = f"[stopped after {_ENOUGH:,} entries; narrow the pattern]"
                    break
    except OutOfTimeError:
        lacking = (
            f"[stopped after {SECONDS:.0f} s in {search.at or 'the first file'}: not everything "
            "was searched; give a simpler pattern or a narrower path]"
        )
    return Answer(_shown(search, arguments, lacking))


def _compiled(pattern: str, *, fold: bool) -> re.Pattern[str]:
    if not pattern or len(pattern) > _LONGEST:
        raise RefusedError(f"pattern must have 1 to {_LONGEST:,} characters.")
    try:
        return re.compile(pattern, re.IGNORECASE if fold else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise RefusedError(
            f"{pattern[:60]!r} is no regular expression ({error}); put \\ before a sign that is "
            "meant as itself."
        ) from error


def _sources(arguments: Mapping[str, Any], place: Place, search: _Search) -> Iterator[Source]:
    start = top(arguments.get("path"), place)
    if is_file(start, place):
        yield source(start, place)
        return
    fits = fitting(arguments["glob"].removeprefix("./")) if "glob" in arguments else None
    for file in files(start, place):
        if fits is None or fits.fullmatch(file.below):
            try:
                yield source(file.path, place)
            except (RefusedError, HostError):
                search.passed_over += 1  # binary, too large, unreadable


def _look(file: Source, pattern: re.Pattern[str], search: _Search) -> None:
    """Add what fits in one file to what was found."""
    search.at = file.name
    hits: dict[int, int] = {}
    for at, row in enumerate(file.rows):
        if match := pattern.search(row):
            hits[at] = match.start()
            if len(hits) > _ENOUGH:
                break
    if not hits:
        return
    search.files += 1
    search.lines += len(hits)
    match search.mode:
        case "count":
            search.entries.append(f"{file.name}:{len(hits)}")
        case "content":
            search.entries += _content(file, hits, search)
        case _:
            search.entries.append(file.name)


def _content(file: Source, hits: Mapping[int, int], search: _Search) -> Iterator[str]:
    last = -1
    shown = sorted(
        {
            line
            for at in hits
            for line in range(
                max(0, at - search.before), min(len(file.rows), at + search.after + 1)
            )
        }
    )
    for line in shown:
        if (search.before or search.after) and last >= 0 and line > last + 1:
            yield "--"
        sign = ":" if line in hits else "-"
        number = f"{sign}{line + 1}" if search.numbered else ""
        yield f"{file.name}{number}{sign}{_around(file.rows[line], hits.get(line, 0))}"
        last = line


def _around(row: str, at: int) -> str:
    """Return a line, or of a long one what stands around a match, saying what is left out."""
    if len(row) <= LINE:
        return row
    start = max(0, min(at - LINE // 4, len(row) - LINE))
    before = f"[{start:,} characters before] " if start else ""
    rest = len(row) - start - LINE
    return f"{before}{row[start : start + LINE]}{f' [+{rest:,} characters]' if rest else ''}"


def _shown(search: _Search, arguments: Mapping[str, Any], lacking: str) -> str:
    first = arguments.get("offset", 0)
    entries = [" ".join(each.splitlines()) for each in search.entries[first:]]
    limit = min(arguments.get("head_limit", len(entries)), len(entries))
    count = count_within(entries[:limit], MOST - 800)
    notes = [lacking] if lacking else []
    if not search.entries:
        notes.insert(0, "Nothing fits.")
    elif not entries:
        notes.insert(0, f"[there are {plural(len(search.entries), 'entry')}; offset is past them]")
    if count < len(entries):
        total = len(search.entries)
        notes.insert(
            0,
            f"[entries {first + 1:,}-{first + count:,} of {total:,}; not shown: "
            f"{total - count - first:,} more (offset={first + count})]",
        )
    if search.passed_over:
        what = plural(search.passed_over, "file")
        notes.append(f"[{what} not searched: no text, over 10 MB, or unreadable]")
    if search.mode == "count" and search.entries:
        notes.append(f"[{plural(search.lines, 'line')} in {plural(search.files, 'file')}]")
    return "\n".join([*entries[:count], *notes])
