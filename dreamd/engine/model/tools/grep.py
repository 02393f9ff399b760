"""Grep: the lines that fit a regular expression; files and transcripts as Read shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct, field

from dreamd.engine.model.page import MOST, around_match, size
from dreamd.engine.model.tools.dispatch import Answer, OutOfTimeError, patience
from dreamd.engine.model.tools.glob import files, fitting, is_file, top
from dreamd.engine.model.tools.open import ReadingPlace, ShownFile, source
from dreamd.errors import HostError, RefusedError
from dreamd.text.words import plural

SECONDS = 15.0
LINE = 500  # characters of a line that are shown around its match
_LONGEST = 1_000  # characters of a pattern
_ENOUGH = 20_000  # entries after which the search ends


class _Search(Struct):
    """What was found so far, as entries to be shown, each with the file that it stands in."""

    entries: list[tuple[str, str]] = field(default_factory=list)
    lines: int = 0
    files: int = 0
    passed_over: int = 0
    at: str = ""


def grep(arguments: Mapping[str, Any], place: ReadingPlace) -> Answer:
    """Search, for a limited time, and say what is lacking: entries left out, files not reached.

    What a file hides when it is shown (secrets, escape sequences) is not found in it either.
    """
    pattern = _compiled(arguments["pattern"], fold=arguments.get("-i", False))
    search, lacking = _Search(), ""
    try:
        with patience(SECONDS):
            for each in _sources(arguments, place, search):
                search.at = each.name
                _look(each, pattern, arguments, search)
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


def _sources(
    arguments: Mapping[str, Any], place: ReadingPlace, search: _Search
) -> Iterator[ShownFile]:
    start = top(arguments.get("path"), place)
    if is_file(start, place):
        yield source(start, place)
        return
    fits = fitting(arguments.get("glob", "**").removeprefix("./"))
    for below, path in files(start, place):
        if fits.fullmatch(below):
            try:
                yield source(path, place)
            except (RefusedError, HostError):
                search.passed_over += 1  # binary, too large, unreadable


def _look(
    file: ShownFile, pattern: re.Pattern[str], arguments: Mapping[str, Any], search: _Search
) -> None:
    """Add what fits in one file to what was found."""
    found = ((at, pattern.search(row)) for at, row in enumerate(file.rows))
    hits = dict(islice(((at, match.start()) for at, match in found if match), _ENOUGH + 1))
    search.files += bool(hits)
    search.lines += len(hits)
    match arguments.get("output_mode"):
        case "count":
            search.entries += [("", f"{file.name}:{len(hits)}")] if hits else []
        case "content":
            search.entries += ((file.name, row) for row in _content(file, hits, arguments))
        case _:
            search.entries += [("", file.name)] if hits else []


def _content(
    file: ShownFile, hits: Mapping[int, int], arguments: Mapping[str, Any]
) -> Iterator[str]:
    around = arguments.get("-C", 0)
    before, after = arguments.get("-B", around), arguments.get("-A", around)
    near = {line for at in hits for line in range(at - before, at + after + 1)}
    last = -1
    for line in sorted(each for each in near if 0 <= each < len(file.rows)):
        if (before or after) and last >= 0 and line > last + 1:
            yield "--"
        number = f"{line + 1}{':' if line in hits else '-'}" if arguments.get("-n", True) else ""
        mark = file.marks[line] if file.marks else ""
        yield f"{number}{mark}{around_match(file.rows[line], hits.get(line, 0), LINE)}"
        last = line


def _shown(search: _Search, arguments: Mapping[str, Any], lacking: str) -> str:
    first = arguments.get("offset", 0)
    entries = search.entries[first:]
    rows, count, used, last = list[str](), 0, 0, ""
    for name, entry in entries[: arguments.get("head_limit")]:
        parts = (entry,) if name == last else (name, entry)
        more = [" ".join(each.splitlines()) for each in parts]
        used += sum(size(each) + 1 for each in more)
        if used > MOST - 800:  # room for the last lines
            break
        rows += more
        count, last = count + 1, name
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
    if arguments.get("output_mode") == "count" and search.entries:
        notes.append(f"[{plural(search.lines, 'line')} in {plural(search.files, 'file')}]")
    return "\n".join([*rows, *notes])
