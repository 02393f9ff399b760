"""Updates by the way in long talk, among other notes and messages, and what is none.

Of each, the older line stands among six others of which one or two give a value of the same kind,
and the message that counts among others that are as long. HELD halves measure alone. AGAIN and
APART are single sentences: the same thing said again with another value, and another thing.
"""

from dataclasses import dataclass

from tests.planted.records import HERE, dated, records
from tests.planted.updates import Told, told

_BESIDE = tuple((HERE / "long_beside.txt").read_text("utf-8").splitlines())
_TALK = tuple(
    line.replace("\\n", "\n") for line in (HERE / "long_talk.txt").read_text("utf-8").splitlines()
)
_LINES = 6


@dataclass(frozen=True, slots=True)
class Talk:
    told: Told
    lines: tuple[str, ...]
    said: tuple[str, ...]


def talks(half: str, name: str) -> list[Talk]:
    found = []
    for number, (language, why, lines) in enumerate(records(half, name)):
        new, _, old = lines[2].partition(" | ")
        one = Told(*dated(lines[0]), *dated(lines[1]), new.strip("-"), old, why, language)
        alike = lines[3:]
        other = [_BESIDE[(number * 3 + at) % len(_BESIDE)] for at in range(_LINES - len(alike))]
        rows = (*other[:2], *alike[:1], one.line, *other[2:], *alike[1:])
        beside = [_TALK[(number + at) % len(_TALK)] for at in range(1 + number % 3)]
        found.append(Talk(one, rows, (*beside[:1], one.said, *beside[1:])))
    return found


SEEN = talks("seen", "long_updates")
HELD = talks("held", "long_updates")
OTHERS_SEEN = talks("seen", "long_lookalikes")
OTHERS_HELD = talks("held", "long_lookalikes")
AGAIN = told("seen", "long_again")
APART = told("seen", "long_apart")
