"""Sessions: what was said, by whom and when; conversation instead of records."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.domain.evidence import Turn
from dreamd.engine.model.page import MOST, around_match, folded, pages
from dreamd.engine.model.tools.dispatch import Answer, patience
from dreamd.engine.model.tools.open import ReadingPlace, moment, speaker, turn_rows
from dreamd.errors import HostError, RefusedError
from dreamd.text.words import plural
from dreamd.transcripts import sessions as transcripts
from dreamd.transcripts import turns

_SECONDS = 60
_CAP = 900  # characters of a turn that are shown
_HEAD = 900  # bytes of a page for what stands above the turns
_NAMED = 3  # sessions whose beginnings are said where a name fits several
_SHORT = 8  # characters of a session's name, where they are enough
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class _Wanted(Struct, frozen=True):
    """Which turns are asked for."""

    since: date | None
    until: date | None
    speaker: str
    matching: re.Pattern[str] | None

    def place_in(self, turn: Turn) -> int | None:
        """Return where a turn fits (0 if anywhere would do), None if it is not wanted."""
        if self.speaker not in {"all", speaker(turn)}:
            return None
        if (self.since or self.until) and not (
            turn.day and (self.since or turn.day) <= turn.day <= (self.until or turn.day)
        ):
            return None
        if self.matching is None:
            return 0
        match = self.matching.search(turn.text)
        return match.start() if match else None


def sessions(arguments: Mapping[str, Any], place: ReadingPlace) -> Answer:
    """Show one page of the turns that are wanted, and say which of how many it is."""
    wanted = _Wanted(
        since=_day(arguments, "since"),
        until=_day(arguments, "until"),
        speaker=arguments.get("speaker", "person"),
        matching=_pattern(arguments.get("matching", "")),
    )
    with patience(_SECONDS):
        paths = transcripts(place.sessions)
        paths = _chosen(arguments.get("session", "").strip().removesuffix(".jsonl"), paths)
        allowed = tuple(path for path in paths if not place.denied.holds(path))
        said, found = _shown(wanted, allowed, place.memory, len(paths) - len(allowed))
    page, total = arguments.get("page", 1), len(found)
    if page > total:
        raise RefusedError(f"There {'is 1 page' if total == 1 else f'are {total} pages'}.")
    rest = f"; page={page + 1} goes on" if page < total else ""
    head = f"[page {page} of {total}: {said}{rest}]"
    return Answer("\n".join([head, *found[page - 1]]))


def _day(arguments: Mapping[str, Any], name: str) -> date | None:
    said = arguments.get(name)
    if said is None:
        return None
    try:
        if _DAY.fullmatch(said):
            return date.fromisoformat(said)
    except ValueError:
        pass
    raise RefusedError(f"Sessions: {name} must be a day like 2026-03-27, not {said[:40]!r}.")


def _pattern(said: str) -> re.Pattern[str] | None:
    """Return what to look for; what is no regular expression is looked for as it stands."""
    if not said:
        return None
    try:
        return re.compile(said, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError):
        return re.compile(re.escape(said), re.IGNORECASE)


@lru_cache(maxsize=2)  # of one question the pages are asked for one by one, and stay the same
def _shown(
    wanted: _Wanted, paths: tuple[Path, ...], memory: Path, unread: int
) -> tuple[str, list[list[str]]]:
    """Return what stands above each page, and the pages of the turns that are wanted.

    A message that two sessions share stands once.
    """
    blocks: list[str] = []
    days: list[date] = []
    count, spoken, seen = 0, 0, set[str]()
    short = Counter(path.stem[:_SHORT] for path in paths)
    for path in paths:
        name = path.stem[:_SHORT] if short[path.stem[:_SHORT]] == 1 else path.stem
        nearer = min(str(path), os.path.relpath(path, memory), key=len)
        said, day, row = count, "", 1
        try:
            for turn in turns(path):
                at = None if turn.message in seen else wanted.place_in(turn)
                seen.add(turn.message)
                if at is not None:
                    if day != f"{turn.day}":
                        day = f"{turn.day}"
                        blocks.append(f"# {moment(turn)}, session {name}")
                    blocks.append(_block(turn, at, wanted, f"{nearer} offset={row}"))
                    days += [turn.day] if turn.day else []
                    count += 1
                row += len(turn_rows(turn))
        except HostError:
            unread += 1
        spoken += count > said
    head = f"{plural(count, 'turn')} in {plural(spoken, 'session')}"
    head += f", {min(days)} to {max(days)}" if days else ""
    head += f"; {plural(unread, 'session')} could not be read to the end" if unread else ""
    return head, _continued(pages(blocks, MOST - _HEAD))


def _continued(found: list[list[str]]) -> list[list[str]]:
    """Let each page begin with the day and the session that it goes on with."""
    above = ""
    for page in found:
        if page and not page[0].startswith("# "):
            page.insert(0, f"{above}, continued")
        for each in page:
            above = each.removesuffix(", continued") if each.startswith("# ") else above
    return found


def _block(turn: Turn, at: int, wanted: _Wanted, where: str) -> str:
    """Return a turn, its first line marked; code folded unless it is what was looked for.

    Where it is cut, it says how to read it whole.
    """
    text = turn.text if at else "\n".join(folded(turn.text))
    rest = f" [whole: Read {where}]" if len(text) > _CAP else ""
    who = speaker(turn) if wanted.speaker == "all" else ""
    return re.sub(r"\n(?!\n)", "\n  ", f"{who}> {around_match(text, at, _CAP)}{rest}")


def _chosen(session: str, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    fitting = [path for path in paths if path.stem.startswith(session)]
    exact = [path for path in fitting if path.stem == session]
    if not session or len(exact) == 1 or len(fitting) == 1:
        return tuple(exact or fitting)
    if fitting:
        named = ", ".join(path.stem for path in fitting[:_NAMED])
        raise RefusedError(f"{len(fitting)} sessions begin with {session[:40]!r}: {named} …")
    raise RefusedError(
        f"There is no session {session[:60]!r} among the {len(paths)} of this project; "
        "leave session out to see them all."
    )
