"""Sessions: what was said, by whom and when; conversation instead of records."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.domain.evidence import Turn
from dreamd.engine.model.tools.conversation import cut, folded, heading, speaker
from dreamd.engine.model.tools.opening import refuse_denied
from dreamd.engine.model.tools.page import MOST, pages
from dreamd.engine.model.tools.patience import patience
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.errors import HostError, RefusedError
from dreamd.text.words import plural
from dreamd.transcripts import sessions, turns

_SECONDS = 60
_HEAD = 900  # bytes of a page for what stands above the turns
_NAMED = 3  # sessions whose beginnings are said where a name fits several
_SESSION = "# session "
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class _Wanted(Struct, frozen=True):
    """Which turns are asked for."""

    since: date | None
    until: date | None
    speaker: str
    matching: re.Pattern[str] | None
    session: str

    def place_in(self, turn: Turn) -> int | None:
        """Return where a turn fits (0 if anywhere would do), None if it is not wanted."""
        if self.speaker not in {"all", speaker(turn)}:
            return None
        if (self.since or self.until) and turn.day is None:
            return None
        if self.since and turn.day and turn.day < self.since:
            return None
        if self.until and turn.day and turn.day > self.until:
            return None
        if self.matching is None:
            return 0
        match = self.matching.search(turn.text)
        return match.start() if match else None


class _Shown(Struct, frozen=True):
    """All pages of one question, and what stands above each of them."""

    head: str
    pages: list[list[str]]


_recent: OrderedDict[tuple[Any, ...], _Shown] = OrderedDict()


def run(arguments: Mapping[str, Any], place: Place) -> Answer:
    """Show one page of the turns that are wanted, and say which of how many it is.

    Raises:
        RefusedError: a day is none, or there is no such session or page.
        OutOfTimeError: the pattern is too slow, or the sessions are beyond measure.
    """
    with patience(_SECONDS):
        paths = sessions(place.sessions)
        wanted = _wanted(arguments)
        key = (wanted, *((path, _stamp(path)) for path in paths))
        if key not in _recent:
            _recent[key] = _shown(wanted, paths, place)
            if len(_recent) > 2:
                _recent.popitem(last=False)
    found = _recent[key]
    page = arguments.get("page", 1)
    total = len(found.pages)
    if page > total:
        raise RefusedError(f"There {'is 1 page' if total == 1 else f'are {total} pages'}.")
    rest = f"; page={page + 1} goes on" if page < total else ""
    head = f"[page {page} of {total}: {found.head}{rest}]"
    return Answer("\n".join([head, *found.pages[page - 1]]))


def _wanted(arguments: Mapping[str, Any]) -> _Wanted:
    return _Wanted(
        since=_day(arguments, "since"),
        until=_day(arguments, "until"),
        speaker=arguments.get("speaker", "person"),
        matching=_pattern(arguments.get("matching", "")),
        session=arguments.get("session", "").strip().removesuffix(".jsonl"),
    )


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


def _shown(wanted: _Wanted, paths: tuple[Path, ...], place: Place) -> _Shown:
    """Write out the turns that are wanted; a message that two sessions share stands once."""
    blocks: list[str] = []
    days: list[date] = []
    count = spoken = 0
    unread = 0
    seen: set[str] = set()
    for path in _chosen(wanted.session, paths):
        said: list[str] = []
        try:
            refuse_denied(path, place)
            for turn in turns(path):
                if turn.message in seen:
                    continue
                seen.add(turn.message)
                if (at := wanted.place_in(turn)) is not None:
                    said.append(_block(turn, at))
                    days += [turn.day] if turn.day else []
        except (HostError, RefusedError):
            unread += 1
        if said:
            blocks += [f"{_SESSION}{path.stem}", *said]
            spoken += 1
            count += len(said)
    head = f"{plural(count, 'turn')} in {plural(spoken, 'session')}"
    if days:
        head += f", {min(days)} to {max(days)}"
    if unread:
        head += f"; {plural(unread, 'session')} could not be read to the end"
    if any("characters]" in block for block in blocks):
        head += "; cut turns stand whole in Read of the session's .jsonl"
    return _Shown(head, _continued(pages(blocks, MOST - _HEAD)))


def _continued(found: list[list[str]]) -> list[list[str]]:
    """Let each page begin with the session that it goes on with."""
    session = ""
    for page in found:
        if page and not page[0].startswith(_SESSION):
            page.insert(0, f"{session}, continued")
        session = next((each for each in reversed(page) if each.startswith(_SESSION)), session)
        session = session.removesuffix(", continued")
    return found


def _block(turn: Turn, at: int) -> str:
    """Return a turn under its heading, code folded unless the code is what was looked for."""
    text = turn.text if at else folded(turn.text)
    return f"## {heading(turn)}\n{cut(text, at)}"


def _chosen(session: str, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    if not session:
        return paths
    fitting = [path for path in paths if path.stem.startswith(session)]
    exact = [path for path in fitting if path.stem == session]
    if len(exact) == 1 or len(fitting) == 1:
        return tuple(exact or fitting)
    if fitting:
        named = ", ".join(path.stem for path in fitting[:_NAMED])
        raise RefusedError(f"{len(fitting)} sessions begin with {session[:40]!r}: {named} …")
    raise RefusedError(
        f"There is no session {session[:60]!r} among the {len(paths)} of this project; "
        "leave session out to see them all."
    )


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
