"""A claim in the notes and a later message: denials of it, and messages that only sound like one.

In SEEN and HELD the message contradicts the line. In OTHERS_SEEN and OTHERS_HELD it does not;
``why`` names the kind. The HELD halves measure alone: who builds the rules does not read them.
"""

from dataclasses import dataclass

from tests.planted.records import dated, records


@dataclass(frozen=True, slots=True)
class Denied:
    line: str
    line_day: str
    said: str
    said_day: str
    why: str = ""
    language: str = "en"


def denied(half: str, name: str) -> list[Denied]:
    return [
        Denied(*dated(lines[0]), *dated(lines[1]), why, language)
        for language, why, lines in records(half, name)
    ]


SEEN = denied("seen", "denials")
HELD = denied("held", "denials")
OTHERS_SEEN = denied("seen", "no_denials")
OTHERS_HELD = denied("held", "no_denials")
