"""Where the words of a dream may come from, by who spoke."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec import Struct

from dreamd.domain.heard import AssistantSaid, PersonSaid, ToolReturned, Turn
from dreamd.text.values import Grounds, grounds, meant


class Sources(Struct, frozen=True, eq=False):
    """Where what a dream writes may come from, by who spoke.

    `people` is what people said, `assistant` what the assistant answered, `other` what only
    tools, files and web pages returned. `days` are those that can be told from a message's day:
    that day itself, what `yesterday` meant in it, and the day of the dream.
    """

    people: Grounds
    assistant: Grounds
    other: Grounds
    days: frozenset[date] = frozenset()


def sources(
    turns: Iterable[Turn], read: Iterable[str] = (), *, today: date | None = None
) -> Sources:
    """Return where a dream's words may come from: these turns of sessions, and texts it read.

    `today` is the day of the dream, which it may write too: `as of 2026-03-27`.
    """
    said: dict[type, list[str]] = {PersonSaid: [], AssistantSaid: [], ToolReturned: []}
    days: set[date] = set() if today is None else {today}
    for turn in turns:
        said[type(turn)].append(turn.text)
        if turn.day is not None and not isinstance(turn, ToolReturned):
            days |= meant(turn.day, turn.text)
    return Sources(
        people=grounds(said[PersonSaid]),
        assistant=grounds(said[AssistantSaid]),
        other=grounds([*said[ToolReturned], *read]),
        days=frozenset(days),
    )
