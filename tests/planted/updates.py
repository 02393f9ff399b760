"""An old note line and a later message: updates, and messages that only look like one.

In SEEN and HELD the message gives a new value of what the line speaks of; ``why`` tells how
strongly its words say that something changed. In OTHERS_SEEN and OTHERS_HELD it replaces nothing;
``why`` names the kind. The HELD halves measure alone: who builds the rules does not read them.
"""

from dataclasses import dataclass

from tests.planted.records import dated, records


@dataclass(frozen=True, slots=True)
class Told:
    line: str
    line_day: str
    said: str
    said_day: str
    new: str = ""
    old: str = ""
    why: str = ""
    language: str = "en"


def told(half: str, name: str) -> list[Told]:
    found = []
    for language, why, lines in records(half, name):
        new, _, old = lines[2].partition(" | ") if len(lines) > 2 else ("", "", "")
        found.append(Told(*dated(lines[0]), *dated(lines[1]), new, old, why, language))
    return found


SEEN = told("seen", "updates")
HELD = told("held", "updates")
OTHERS_SEEN = told("seen", "lookalikes")
OTHERS_HELD = told("held", "lookalikes")
