"""Which sessions there were: a row for each, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.prose import Utterance, one_line
from dreamd.engine.model.digest.section import Section
from dreamd.text.words import plural

NAME = 8  # characters of a session's id that name it
_WORDS = 70  # characters of what was said first


class _Session(Struct):
    """The messages of one session, in order."""

    said: list[Utterance] = field(default_factory=list)


def sessions(heard: Sequence[Utterance], *, are_told: bool = False) -> Section:
    """Return the sessions in which people spoke: day, id, messages, and the first words.

    Where all turns `are_told` elsewhere, first words would only say again what stands there.
    """
    found: dict[str, _Session] = {}
    for each in heard:
        found.setdefault(each.said.session, _Session()).said.append(each)
    room = 0 if are_told else _WORDS
    rows = [_row(name, session.said, room) for name, session in reversed(found.items())]
    lead = f"{plural(len(rows), 'session')}, the newest first: day · id · messages of people"
    lead += " · first words." if room else "."

    def rest(count: int) -> str:
        return f"{plural(len(rows) - count, 'older session')}: Sessions lists what was said."

    return Section("sessions", lead, rows, rest)


def _row(name: str, said: Sequence[Utterance], room: int) -> str:
    days = [each.said.day for each in said if each.said.day]
    day = "no day" if not days else days[0].isoformat()
    if days and days[-1] != days[0]:
        day += f" to {days[-1].isoformat()}"
    first = f" · {one_line(said[0], room)}" if room else ""
    return shown(f"{day} · {name[:NAME]} · {len(said)}{first}")
