"""Lines of notes, and what a person types weeks later, in other words or inside a request.

In SEEN and HELD the message gives a newer value of what the line says, in OTHERS_SEEN and
OTHERS_HELD a value of something else. Written by somebody who did not look at the rules.
"""

from dataclasses import dataclass

from tests.planted.records import dated, records


@dataclass(frozen=True, slots=True)
class Later:
    line: str
    line_day: str
    said: str
    said_day: str


def laters(half: str, name: str) -> list[Later]:
    return [Later(*dated(line), *dated(said)) for _, _, (line, said) in records(half, name)]


SEEN = laters("seen", "talk_free")
HELD = laters("held", "talk_free")
OTHERS_SEEN = laters("seen", "talk_free_lookalikes")
OTHERS_HELD = laters("held", "talk_free_lookalikes")
