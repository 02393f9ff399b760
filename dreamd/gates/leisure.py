"""Whether nobody is working, or has been for so long that a dream waits no more: one pure rule."""

from __future__ import annotations

from dreamd.domain.words import plural
from dreamd.gates.moment import REST
from dreamd.gates.readings import Answer
from dreamd.gates.rules import BELIEVED
from dreamd.gates.thresholds import HOUR, MINUTE, Thresholds
from dreamd.gates.wording import limit, span, when

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Leisure, Recent
    from dreamd.host.working import Client

_AT_REST = {"idle", "waiting", "shell"}  # at its prompt, also with a command in the background
# A client says when a turn begins and ends. One that was busy for longer has likely lost count.
_LONGEST_TURN = 6 * HOUR
_SOON = 2 * MINUTE  # a turn tells nobody when it ends


def at_leisure(leisure: Leisure | None, limits: Thresholds, now: int) -> Answer:
    """Open where nobody works, or where memory has waited long enough for that.

    Nobody works where no client that is alive is in a turn and no session was touched for the
    idle time. Memory has waited long enough after so many sessions since the last consolidation,
    or so long a time since it; where there was none, since the oldest session.
    """
    if leisure is None:
        return Answer(True, "whether somebody is working is not asked")
    busy = [each for each in leisure.clients if is_working(each, limits, now)]
    newest = _believed(leisure.recent, now)
    free = None if newest is None else newest + limits.idle
    if not busy and (free is None or free <= now):
        return Answer(True, _idle(newest, now))
    recent = leisure.recent
    enough, due = limits.cadence_sessions, _due(recent, limits)
    if enough and recent.count >= enough:
        return Answer(True, f"{plural(recent.count, 'session')} wait, too many to wait for a pause")
    if due is not None and due <= now:
        waited = span(now - due + limits.cadence)
        return Answer(True, f"memory has waited {waited}, too long to wait for a pause")
    if busy:
        said = f"session {busy[0].session[:8]} is working (process {busy[0].pid})"
        said += f", and {len(busy) - 1} more" if len(busy) > 1 else ""
        again, until = now + _SOON, now + REST
    else:
        assert free is not None  # noqa: S101 - or it were idle
        said = f"a session was touched {when(newest or 0, now)}"
        again, until = free, min(free, now + max(limits.throttle, REST))
    if due is not None:
        again, until = min(again, due), min(until, due)
    return Answer(False, said, _opens(recent, limits, due, now), again, until=until)


def is_working(client: Client, limits: Thresholds, now: int) -> bool:
    """Whether a client that is alive is in the middle of a turn.

    One that tells nothing of itself is judged by its transcript alone, as is one that has been
    busy for hours on end; a word that is not known counts as long as it is as fresh as a
    transcript would have to be.
    """
    if not client.status or client.status in _AT_REST:
        return False
    if client.told is None:
        return client.status == "busy"
    longest = _LONGEST_TURN if client.status == "busy" else limits.idle
    return now - client.told < longest


def _believed(recent: Recent, now: int) -> int | None:
    """Return when a session was touched last; a stamp ahead counts as now, or is no time."""
    if recent.newest is None or recent.newest - now > BELIEVED:
        return None
    return min(recent.newest, now)


def _due(recent: Recent, limits: Thresholds) -> int | None:
    since = recent.oldest if recent.since is None else recent.since
    return None if since is None or not limits.cadence else since + limits.cadence


def _idle(newest: int | None, now: int) -> str:
    if newest is None:
        return "no session is working"
    return f"no session is working, and none was touched for {span(now - newest)}"


def _opens(recent: Recent, limits: Thresholds, due: int | None, now: int) -> str:
    opens = f"no session is working and none was touched for {limit(limits.idle)}"
    if limits.cadence_sessions:
        lacking = limits.cadence_sessions - recent.count
        opens += f", or {plural(lacking, 'more session')} were touched"
    if due is not None:
        opens += f", or it is {when(due, now)}"
    return opens
