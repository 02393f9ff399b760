"""Whether a dream is due, from what was read: rules without a clock or a file."""

from __future__ import annotations

from dreamd.domain.lease import Standing
from dreamd.domain.words import plural
from dreamd.gates.readings import Answer, Last, Pause, Touched
from dreamd.gates.thresholds import HOUR, MINUTE, SECOND, Thresholds
from dreamd.gates.wording import limit, span, step, when

BELIEVED = HOUR  # a stamp that lies further ahead is no time
_TOLD = 2  # folders named one by one
_GLANCE = 10 * SECOND  # how long a running dream is believed to run, where nothing hangs on it


def switched_on(enabled: bool, _limits: Thresholds, _now: int) -> Answer:
    """Open unless dreamd is switched off."""
    if enabled:
        return Answer(True, "dreamd is switched on")
    return Answer(
        False,
        "dreamd is switched off (`enabled: false`)",
        "`enabled` is true in config.yaml and DREAMD_ENABLED does not say otherwise",
    )


def long_enough_ago(last: Last, limits: Thresholds, now: int) -> Answer:
    """Open where the last consolidation began long enough ago, where there was none or no time.

    A stamp over an hour ahead is no time; one less far ahead counts as now. While somebody
    dreams it is closed. A killed dream is none: what counts is the stamp from before it.
    """
    after = f"; dream {last.interrupted} was interrupted since" if last.interrupted else ""
    if last.holder:
        said, opens = f"a dream is running: {last.holder}", "that dream has ended"
        shut = last.is_plain and last.stamp is not None and now - last.stamp < limits.rest
        until = now + _GLANCE if shut else now
        return Answer(False, said, opens, next_look(limits, now), since=now, until=until)
    if last.is_ahead:
        said = "the stamp of the last consolidation lies over an hour ahead, which is no time"
        return Answer(True, said + after)
    if last.stamp is None:
        return Answer(True, "memory was never consolidated" + after)
    at = when(last.stamp, now)
    if last.stamp - now > BELIEVED:
        said = f"the last consolidation is stamped {at}, over an hour ahead, which is no time"
        return Answer(True, said + after, until=last.stamp - BELIEVED)
    age = max(now - last.stamp, 0)
    if age < MINUTE:
        said, since, until = "less than a minute ago", last.stamp - BELIEVED, MINUTE
    else:
        unit = step(age)
        since = last.stamp + age // unit * unit
        said, until = f"{span(age)} ago", age // unit * unit + unit
    said = f"last consolidated {said} ({at}){after}"
    due = last.stamp + limits.rest
    if age >= limits.rest:
        return Answer(True, said, since=due) if limits.rest else Answer(True, said)
    opens = f"{limit(limits.rest)} have passed since, {when(due, now)}"
    return Answer(False, said, opens, due, since, min(last.stamp + until, due))


def since(last: Last, now: int) -> int | None:
    """Return the stamp since which sessions count, None for ever; one ahead counts as now."""
    if last.stamp is None or last.stamp - now > BELIEVED:
        return None
    return min(last.stamp, now)


def stands(pause: Pause, limits: Thresholds, now: int) -> bool:
    """Whether a pause still lasts; one that could not have come about is no pause.

    None is longer than the longest back-off, or the throttle where that is longer; 2 s more
    are what file systems round by.
    """
    longest = max(limits.throttle, limits.longest_backoff) + 2 * SECOND
    return now < pause.until <= now + longest


def rested(pause: Pause | None, limits: Thresholds, now: int) -> Answer:
    """Open unless sessions were counted a short while ago, or a dream failed."""
    if pause is None or not stands(pause, limits, now):
        if not limits.throttle:
            return Answer(True, "sessions are counted at every turn")
        return Answer(True, f"no count of sessions in the last {limit(limits.throttle)}")
    if pause.failed:
        if pause.failures > 1:
            said = f"{pause.failures:,} dreams in a row failed"
        else:
            said = "the last dream failed"
        said += f" ({pause.reason})" if pause.reason else ""
        opens = f"the wait is over, {when(pause.until, now)}, or a dream succeeds by hand"
        return Answer(False, said, opens, pause.until, until=pause.until)
    age = now - pause.began
    said = "less than a minute" if age < MINUTE else span(age)
    unit = max(step(age), MINUTE)
    found = f": {pause.found}" if pause.found else ""
    return Answer(
        False,
        f"sessions were last counted {said} ago{found}",
        f"{limit(limits.throttle)} have passed since that count, {when(pause.until, now)}",
        pause.until,
        until=min(now + unit - max(age, 0) % unit, pause.until),
    )


def enough_sessions(touched: Touched, limits: Thresholds, now: int) -> Answer:
    """Open where enough sessions were touched since the last consolidation."""
    said = f"{touched.count} of {plural(limits.sessions, 'session')}"
    if touched.since is not None:
        said += f" since {when(touched.since, now)}"
    if touched.passed_over:
        said += _own(touched.passed_over)
    if not touched.folders:
        said += "; no transcript directory belongs to this memory"
    said = "; ".join((said, *touched.unread[:_TOLD]))
    if len(touched.unread) > _TOLD:
        said += f"; {len(touched.unread) - _TOLD:,} more could not be read either"
    lacking = limits.sessions - touched.count
    if lacking <= 0:
        return Answer(True, said)
    more = "1 more session was" if lacking == 1 else f"{lacking:,} more sessions were"
    return Answer(False, said, f"{more} touched", touched.again)


def nobody_dreams(standing: Standing, limits: Thresholds, now: int) -> Answer:
    """Open where nobody holds the lock."""
    if standing.holder is not None:
        opens = "the lock is given back"
        return Answer(False, f"the lock is {standing.verdict}", opens, next_look(limits, now))
    said = f"nobody holds the lock: {standing.verdict}"
    if standing.interrupted is not None:
        said += f"; dream {standing.interrupted.dream} was interrupted and is recovered first"
    return Answer(True, said)


def next_look(limits: Thresholds, now: int) -> int:
    """Return when to look again at what nobody announces: after the throttle, at least 1 min."""
    return now + max(limits.throttle, MINUTE)


def _own(passed_over: int) -> str:
    if passed_over == 1:
        return "; one more is the asker's own, which does not count"
    return f"; {passed_over:,} more are the asker's own, which do not count"
