"""What the gates of the moment read: each only where its limit is set."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from dreamd.domain.verdict import Cost
from dreamd.gates import recency, rules
from dreamd.gates.surroundings import Leisure, Window
from dreamd.host import clock

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Day, Network
    from dreamd.gates.turn import Turn
    from dreamd.host.power import Power

_NOTHING = Cost()
_A_FILE = Cost(reads=1)


def hours(turn: Turn) -> tuple[Window | None, Cost]:
    """Return the quiet hours that last or come next, by the local time of the moment."""
    if turn.limits.quiet is None:
        return None, _NOTHING
    begins, ends = turn.limits.quiet
    text = f"{_clock(begins)}-{_clock(ends)}"
    today = clock.local(turn.now).date()
    over_midnight = timedelta(days=ends < begins)
    for day in (today - timedelta(days=1), today, today + timedelta(days=1)):
        end = clock.at_local(day + over_midnight, ends)
        if turn.now < end:
            break
    return Window(clock.at_local(day, begins), end, text), Cost(stats=1)


def load(turn: Turn) -> tuple[float | None, Cost]:
    """Return the load."""
    return (turn.around.load(), _A_FILE) if turn.limits.load else (None, _NOTHING)


def pressure(turn: Turn) -> tuple[float | None, Cost]:
    """Return the pressure on memory."""
    return (turn.around.pressure(), _A_FILE) if turn.limits.pressure else (None, _NOTHING)


def passes(turn: Turn) -> tuple[tuple[int, ...], Cost]:
    """Return when dreams began by themselves lately."""
    return (turn.around.passes(), _A_FILE) if turn.limits.passes else ((), _NOTHING)


def day(turn: Turn) -> tuple[Day | None, Cost]:
    """Return what of the day's budget is spent."""
    spent = turn.around.day_left()
    return spent, _NOTHING if spent is None else _A_FILE


def network(turn: Turn) -> tuple[Network | None, Cost]:
    """Return whether there is a network."""
    if not turn.limits.network:
        return None, _NOTHING
    found = turn.around.has_network()
    return found, Cost(reads=2) if found.is_needed else _NOTHING


def power(turn: Turn) -> tuple[Power | None, Cost]:
    """Return what the laptop runs on."""
    if not turn.limits.battery:
        return None, _NOTHING
    return turn.around.power(), _A_FILE


def leisure(turn: Turn) -> tuple[Leisure | None, Cost]:
    """Return which clients are alive, and when sessions were touched; but the asker's own."""
    if not turn.limits.idle:
        return None, _NOTHING
    alive = turn.around.working_sessions()
    others = tuple(each for each in alive if each.session not in turn.skip)
    touched, cost = recency.recent(
        turn.folders(),
        since=rules.since(turn.last, turn.now),
        grace=turn.limits.grace,
        skip=turn.skip,
    )
    return Leisure(others, touched), replace(cost, reads=len(alive))


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
