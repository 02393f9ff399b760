"""Sessions in which two people talk, each message led by the name of who says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dreamd.domain.heard import AssistantSaid, PersonSaid, Turn
from dreamd.domain.prose.words import words

_LABEL = re.compile(r"(?P<name>[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2}): ")  # noqa: RUF001
_NOBODY = words("user assistant human ai system bot me you claude note summary answer question q a")
_FEWEST = 2  # messages of each


def speakers(turns: Sequence[Turn]) -> tuple[str, str] | None:
    """Return the names of the two people whose chat a session is, None where it is none.

    Every message in the person's place begins with one name and a colon, and every one in the
    assistant's place with another: then both are people, and speak of themselves.
    """
    found = []
    for kind in (PersonSaid, AssistantSaid):
        led = [_LABEL.match(turn.text) for turn in turns if isinstance(turn, kind)]
        names = {label["name"] if label else "" for label in led}
        if len(led) < _FEWEST or len(names) != 1:
            return None
        found.append(names.pop())
    first, second = found
    is_somebody = first and second and not _NOBODY & {first.casefold(), second.casefold()}
    return (first, second) if is_somebody and first != second else None
