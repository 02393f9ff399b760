"""Whether each gate is open: rules over what was read, without a clock or a file.

Times are ns since the epoch. A limit of 0 leaves its gate open.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from dreamd.domain.settings import Gates
from dreamd.domain.store import Standing
from dreamd.gates.pause import Pause
from dreamd.gates.wording import HOUR, MINUTE, SECOND, span, when
from dreamd.host.laptop import Battery, Client
from dreamd.text.words import plural

_SOON = 2 * MINUTE  # when to look again at what nobody announces
_AHEAD = 5 * SECOND  # a stamp of ours further ahead is from before the clock was set back
_AT_REST = {"idle", "waiting", "shell"}  # at its prompt, also with a command in the background
# A client says when a turn begins and ends. One that was busy for longer has likely lost count.
_LONGEST_TURN = 6 * HOUR


class Ruling(Struct, frozen=True):
    """What a rule says; the words as in a verdict, `again` in ns since the epoch.

    Words name moments, not ages: a no is given again, as it is, until `again`.
    """

    is_open: bool
    read: str
    opens: str = ""
    again: int | None = None


class Last(Struct, frozen=True):
    """What the lock says: the stamp of the last consolidation, and who dreams since."""

    stamp: int | None = None  # None where there was none
    holder: str = ""  # in words; empty where nobody dreams
    interrupted: str = ""  # the id of a dream that was killed


class Spent(Struct, frozen=True):
    """What model sessions cost today of what they may; no dollars where they do not count."""

    tokens: int
    most_tokens: int
    dollars: float | None
    most_dollars: float
    ends: int  # the next local midnight


class Sessions(Struct, frozen=True):
    """The sessions of a memory as of one pass; stamps are mtimes in ns since the epoch."""

    count: int  # touched since `since` (None: ever)
    since: int | None = None
    newest: int | None = None
    oldest: int | None = None  # looked for only where `since` is None
    unread: tuple[str, ...] = ()  # "there is no transcript directory /x"


def believed(stamp: int | None, now: int) -> int | None:
    """Return a stamp; one ahead counts as now, and one over an hour ahead is no time (None)."""
    return None if stamp is None or stamp - now > HOUR else min(stamp, now)


def switched_on(enabled: bool, _limits: Gates, _now: int) -> Ruling:
    """Open unless dreamd is switched off."""
    if enabled:
        return Ruling(True, "dreamd is switched on")
    opens = "`enabled` is true in config.yaml and DREAMD_ENABLED does not say otherwise"
    return Ruling(False, "dreamd is switched off (`enabled: false`)", opens)


def long_enough_ago(last: Last, limits: Gates, now: int) -> Ruling:
    """Open where the last consolidation began long enough ago, where there was none or no time.

    A stamp over an hour ahead is no time; one less far ahead counts as now. While somebody
    dreams it is closed. A killed dream is none: what counts is the stamp from before it.
    """
    stamp = last.stamp
    if last.holder:
        opens = "that dream has ended"
        return Ruling(False, f"a dream is running: {last.holder}", opens, next_look(limits, now))
    after = f"; dream {last.interrupted} was interrupted since" if last.interrupted else ""
    if stamp is None:
        return Ruling(True, f"memory was never consolidated{after}")
    if believed(stamp, now) is None:
        said = f"the last consolidation is stamped {when(stamp, now)}, over an hour ahead"
        return Ruling(True, f"{said}, which is no time{after}")
    said = f"last consolidated {when(stamp, now)}{after}"
    due = stamp + round(limits.hours * HOUR)
    if now >= due or not limits.hours:
        return Ruling(True, said)
    return Ruling(False, said, f"{limits.hours:g} h have passed since, {when(due, now)}", due)


def rested(pause: Pause, limits: Gates, now: int) -> Ruling:
    """Open unless the sessions were looked at a short while ago, or a dream failed."""
    if not pause.lasts(limits, now):
        return Ruling(True, "nothing asks for a pause")
    opens = f"the wait is over, {when(pause.until, now)}"
    if pause.found:
        return Ruling(False, f"at the last look {pause.found}", opens, pause.until)
    many = f"{pause.failures:,} dreams in a row" if pause.failures > 1 else "the last dream"
    said = f"{many} failed" + (f" ({pause.reason})" if pause.reason else "")
    return Ruling(False, said, f"{opens}, or a dream succeeds by hand", pause.until)


def not_quiet(window: tuple[int, int] | None, limits: Gates, now: int) -> Ruling:
    """Open outside the quiet hours of the local clock."""
    if window is None:
        return Ruling(True, "no hours are quiet")
    begins, ends = window
    if not begins <= now < ends:
        return Ruling(True, f"outside the quiet hours {limits.quiet}")
    opens = f"they are over, {when(ends, now)} (gates.quiet)"
    return Ruling(False, f"these are the quiet hours {limits.quiet}", opens, ends)


def not_loaded(load: float | None, limits: Gates, now: int) -> Ruling:
    """Open where the processors have time: the load of a minute is not above the limit."""
    if load is None:
        return Ruling(True, "no load is too high")
    said = f"a load of {load:.2f} a processor"
    if load <= limits.load:
        return Ruling(True, f"{said}, of {limits.load:g} at most")
    opens = f"it is {limits.load:g} or less (gates.load)"
    return Ruling(False, f"{said}, over {limits.load:g}", opens, now + _SOON)


def powered(battery: Battery | None, limits: Gates, now: int) -> Ruling:
    """Open on mains, or where the battery holds enough; 100 % means on mains only."""
    if battery is None:
        return Ruling(True, "no battery limits it")
    if battery.on_mains is not False:
        return Ruling(True, "on mains" if battery.on_mains else "nobody knows whether on mains")
    said = f"on battery, which holds {battery.percent:.0f} %"
    if limits.battery <= battery.percent and limits.battery < 100:
        return Ruling(True, said)
    enough = f", or the battery holds {limits.battery} %" if limits.battery < 100 else ""
    return Ruling(False, said, f"it is on mains{enough} (gates.battery)", now + _SOON)


def few_passes(begun: Sequence[int], limits: Gates, now: int) -> Ruling:
    """Open where fewer dreams than the limit began by themselves in the last hour, anywhere."""
    most = limits.passes_per_hour
    if not most:
        return Ruling(True, "any number of dreams may begin in an hour")
    lately = sorted(each for each in begun if now - HOUR < each <= now + _AHEAD)
    said = f"{plural(len(lately), 'automatic dream')} in the last hour"
    if len(lately) < most:
        return Ruling(True, f"{said}, of {most:,} at most")
    free = lately[-most] + HOUR
    opens = f"an hour has passed since the first of them, {when(free, now)} (gates.passes_per_hour)"
    return Ruling(False, f"{said}, as many as may ({most:,})", opens, free)


def affordable(spent: Spent | None, _limits: Gates, now: int) -> Ruling:
    """Open where something is left of the day's budget, and where none is known of."""
    if spent is None:
        return Ruling(True, "no day's budget holds it back")
    said = f"{spent.tokens:,} of {spent.most_tokens:,} tokens"
    if spent.dollars is not None:
        said += f", ${spent.dollars:.2f} of ${spent.most_dollars:.2f}"
    is_broke = spent.dollars is not None and spent.dollars >= spent.most_dollars
    if spent.tokens < spent.most_tokens and not is_broke:
        return Ruling(True, f"{said} are spent today")
    opens = f"the day is over, {when(spent.ends, now)} (model.day_tokens, model.day_dollars)"
    said = f"the day's budget for model sessions is used up: {said}"
    return Ruling(False, said, opens, spent.ends)


def enough_sessions(found: Sessions, limits: Gates, now: int) -> Ruling:
    """Open where enough sessions were touched since the last consolidation."""
    said = f"{found.count:,} of {plural(limits.sessions, 'session')}"
    if found.since is not None:
        said += f" since {when(found.since, now)}"
    said = "; ".join((said, *found.unread[:2]))
    lacking = limits.sessions - found.count
    if lacking <= 0:
        return Ruling(True, said)
    opens = f"you held {plural(lacking, 'more session')}"
    return Ruling(False, said, opens, next_look(limits, now))


def idle(activity: tuple[Sequence[Client], Sessions] | None, limits: Gates, now: int) -> Ruling:
    """Open where nobody works, or where memory has waited long enough for that.

    Nobody works where no client that is alive is in a turn and no session was touched for the
    idle time. Memory has waited long enough after so many sessions since the last consolidation,
    or so long a time since it; where there was none, since the oldest session.
    """
    if activity is None:
        return Ruling(True, "whether somebody is working is not asked")
    clients, found = activity
    busy = [each for each in clients if _works(each, limits, now)]
    newest = believed(found.newest, now)
    free = 0 if newest is None else newest + round(limits.idle_minutes * MINUTE)
    if not busy and free <= now:
        last = "" if newest is None else f", and none was touched for {span(now - newest)}"
        return Ruling(True, f"no session is working{last}")
    lacking = limits.cadence_sessions - found.count
    if limits.cadence_sessions and lacking <= 0:
        return Ruling(True, f"{plural(found.count, 'session')} wait, too many to wait for a pause")
    began = found.oldest if found.since is None else found.since
    due = None
    if began is not None and limits.cadence_hours:
        due = began + round(limits.cadence_hours * HOUR)
        if due <= now:
            waited = span(now - began)
            return Ruling(True, f"memory has waited {waited}, too long to wait for a pause")
    opens = f"no session is working and none was touched for {limits.idle_minutes:g} min"
    opens += f", or you held {plural(lacking, 'more session')}" if limits.cadence_sessions else ""
    opens += "" if due is None else f", or it is {when(due, now)}"
    said, again = f"a session was touched {when(newest or 0, now)}", free
    if busy:
        more = f", and {len(busy) - 1} more" if busy[1:] else ""
        said = f"session {busy[0].session[:8]} is working (process {busy[0].pid}){more}"
        again = now + _SOON
    return Ruling(False, said, opens, again if due is None else min(again, due))


def _works(client: Client, limits: Gates, now: int) -> bool:
    """Whether a client that is alive is in the middle of a turn.

    One that says nothing of itself, or is busy for hours on end, is judged by its transcript. A
    word that is not known counts while it is as fresh as a transcript would have to be.
    """
    if not client.status or client.status in _AT_REST:
        return False
    if client.told is None:
        return client.status == "busy"
    longest = _LONGEST_TURN if client.status == "busy" else limits.idle_minutes * MINUTE
    return now - client.told < longest


def nobody_dreams(standing: Standing, limits: Gates, now: int) -> Ruling:
    """Open where nobody holds the lock."""
    if standing.holder is not None:
        said, opens = f"the lock is {standing.verdict}", "the lock is given back"
        return Ruling(False, said, opens, next_look(limits, now))
    return Ruling(True, f"nobody holds the lock: {standing.verdict}")


def next_look(limits: Gates, now: int) -> int:
    """Return when to look again at what nobody announces: after the throttle, at least 1 min."""
    return now + round(max(limits.throttle_minutes, 1) * MINUTE)
