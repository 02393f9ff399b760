"""Sessions in which two people talk, each message led by the name of who says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dreamd.domain.heard import AssistantSaid, PersonSaid, Turn
from dreamd.domain.prose.labelled import LABEL
from dreamd.domain.prose.words import words

_NOBODY = words("user assistant human ai system bot me you claude note summary answer question q a")
_FEWEST = 2  # messages of each
_KNOWN_BY = 3  # letters of a name by which a friend is called at least: Ros for Rosalind


def speakers(turns: Sequence[Turn]) -> tuple[str, str] | None:
    """Return the names of the two people whose chat a session is, None where it is none.

    Every message in the person's place begins with one name and a colon, and every one in the
    assistant's place with another, and each calls the other by name: then both are people, and
    speak of themselves. `Task: …` answered by `Result: …` is none.
    """
    found = []
    for kind in (PersonSaid, AssistantSaid):
        names = set()
        count = 0
        for turn in turns:
            if isinstance(turn, kind):
                label = LABEL.match(turn.text)
                if label is None:
                    return None
                names.add(label["name"])
                count += 1
        if count < _FEWEST or len(names) != 1:
            return None
        found.append(names.pop())
    first, second = found
    is_somebody = not _NOBODY & {first.casefold(), second.casefold()}
    if not is_somebody or first == second:
        return None
    is_called = _calls(turns, PersonSaid, second) and _calls(turns, AssistantSaid, first)
    return (first, second) if is_called else None


def _calls(turns: Sequence[Turn], kind: type[PersonSaid | AssistantSaid], name: str) -> bool:
    """Whether one of them says the other's name, or a short form of it, behind the label."""
    called = re.compile(rf"\b{re.escape(name[:_KNOWN_BY])}")
    return name[0].isupper() and any(
        isinstance(turn, kind) and called.search(turn.text, turn.text.index(": ")) for turn in turns
    )
