"""Whether the laptop has time for a dream now: rules on what it is doing, without reading it."""

from __future__ import annotations

from dreamd.domain.words import plural
from dreamd.gates.readings import Answer
from dreamd.gates.thresholds import HOUR, MINUTE, SECOND, Thresholds
from dreamd.gates.wording import when

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Day, Network, Window
    from dreamd.host.power import Power

# How long a no is believed. What the laptop is doing changes unannounced, and to look at it
# costs a file or two.
REST = MINUTE
_SOON = 2 * MINUTE  # when to look again at what passes in minutes
_LATER = 5 * MINUTE  # and at what a person must do something about
_AHEAD = 5 * SECOND  # a stamp further ahead is no time


def not_quiet(window: Window | None, _limits: Thresholds, now: int) -> Answer:
    """Open outside the quiet hours; they are those of the local clock, whatever it is set to."""
    if window is None:
        return Answer(True, "no hours are quiet")
    if not window.begins <= now < window.ends:
        return Answer(True, f"outside the quiet hours {window.text}")
    return Answer(
        False,
        f"these are the quiet hours {window.text}",
        f"they are over, {when(window.ends, now)} (gates.quiet)",
        window.ends,
        since=window.begins,
        until=min(window.ends, now + REST),
    )


def not_loaded(load: float | None, limits: Thresholds, now: int) -> Answer:
    """Open where the processors have time: the load of a minute is not above the limit."""
    if not limits.load:
        return Answer(True, "no load is too high")
    if load is None:
        return Answer(True, "the load cannot be read, which holds nothing back")
    said = f"a load of {load:.2f} a processor"
    if load <= limits.load:
        return Answer(True, f"{said}, of {limits.load:g} at most")
    opens = f"it is {limits.load:g} or less (gates.load)"
    return _shut(f"{said}, over {limits.load:g}", opens, now + _SOON, now)


def not_pressed(pressure: float | None, limits: Thresholds, now: int) -> Answer:
    """Open where little work waits for memory, and where the kernel does not say."""
    if not limits.pressure:
        return Answer(True, "no pressure on memory is too high")
    if pressure is None:
        return Answer(True, "the system does not tell of pressure on memory")
    said = f"work waited for memory in {pressure:.0f} % of the last 10 s"
    if pressure <= limits.pressure:
        return Answer(True, said)
    opens = f"it is {limits.pressure:g} % or less (gates.memory_pressure)"
    return _shut(said, opens, now + _SOON, now)


def powered(power: Power | None, limits: Thresholds, now: int) -> Answer:
    """Open on mains, or where the battery holds enough; 100 % means on mains only."""
    if not limits.battery:
        return Answer(True, "any battery will do")
    if power is None:
        return Answer(True, "there is no battery")
    if power.on_mains:
        return Answer(True, "on mains")
    if power.on_mains is None or (power.percent is None and limits.battery < 100):
        return Answer(True, "the battery cannot be read, which holds nothing back")
    said = (
        "on battery" if power.percent is None else f"on battery, which holds {power.percent:.0f} %"
    )
    if limits.battery >= 100:
        return _shut(said, "it is on mains (gates.battery)", now + _LATER, now)
    if power.percent is None or power.percent >= limits.battery:
        return Answer(True, said)
    opens = f"it is on mains, or the battery holds {limits.battery} % (gates.battery)"
    return _shut(said, opens, now + _LATER, now)


def connected(network: Network | None, _limits: Thresholds, now: int) -> Answer:
    """Open where there is a way to the network, and for an engine that needs none."""
    if network is None:
        return Answer(True, "whether there is a network is not asked")
    if not network.is_needed:
        return Answer(True, "this engine needs no network")
    if network.is_there is None:
        return Answer(True, "the routes cannot be read, which holds nothing back")
    if network.is_there:
        return Answer(True, "there is a route to the network")
    opens = "there is one (gates.network)"
    return _shut("there is no route to the network, which a model needs", opens, now + _SOON, now)


def few_passes(begun: tuple[int, ...], limits: Thresholds, now: int) -> Answer:
    """Open where fewer dreams than the limit began by themselves in the last hour, anywhere.

    A stamp ahead was written before the clock was set back, and counts no more.
    """
    if not limits.passes:
        return Answer(True, "any number of dreams may begin in an hour")
    lately = sorted(each for each in begun if now - HOUR < each <= now + _AHEAD)
    by = "itself" if len(lately) == 1 else "themselves"
    said = f"{plural(len(lately), 'dream')} began by {by} in the last hour"
    if len(lately) < limits.passes:
        return Answer(True, f"{said}, of {limits.passes:,} at most")
    free = lately[-limits.passes] + HOUR
    opens = f"an hour has passed since the first of them, {when(free, now)} (gates.passes_per_hour)"
    said += f", as many as may ({limits.passes:,})"
    return Answer(False, said, opens, free, until=min(free, now + REST))


def affordable(day: Day | None, _limits: Thresholds, now: int) -> Answer:
    """Open where something is left of the day's budget, and for an engine that costs nothing."""
    if day is None:
        return Answer(True, "this engine costs nothing")
    if not day.is_known:
        return Answer(True, "what was spent today cannot be read, which holds nothing back")
    spent = f"{day.tokens:,} of {day.most_tokens:,} tokens"
    if day.dollars is not None:
        spent += f", ${day.dollars:.2f} of ${day.most_dollars:.2f}"
    is_spent = day.dollars is not None and day.dollars >= day.most_dollars
    if day.tokens < day.most_tokens and not is_spent:
        return Answer(True, f"{spent} are spent today")
    opens = f"the day is over, {when(day.ends, now)} (model.day_tokens, model.day_dollars)"
    said = f"the day's budget for model sessions is used up: {spent}"
    return Answer(False, said, opens, day.ends, until=min(day.ends, now + REST))


def _shut(read: str, opens: str, again: int, now: int) -> Answer:
    return Answer(False, read, opens, again, until=now + REST)
