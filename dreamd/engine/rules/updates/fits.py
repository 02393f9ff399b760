"""Whether a newer value that people told may be one of what an older one is of."""

from __future__ import annotations

from dreamd.engine.rules.updates.again import has_changed, is_again
from dreamd.engine.rules.updates.alike import (
    Weights,
    is_granted,
    is_restated,
    may_follow,
)
from dreamd.engine.rules.updates.apart import is_apart, is_at_another, is_own
from dreamd.engine.rules.updates.confined import is_confined, was_confined
from dreamd.engine.rules.updates.contrary import is_against
from dreamd.engine.rules.updates.cues import is_step
from dreamd.engine.rules.updates.given import Given
from dreamd.engine.rules.updates.once import are_of_events
from dreamd.engine.rules.updates.quantities import Quantity, is_same
from dreamd.engine.rules.updates.statements import Statement
from dreamd.engine.rules.updates.two_things import are_together, is_difference, is_of_other_day


def fits(new: Statement, old: Given, weights: Weights, above: frozenset[str] = frozenset()) -> bool:
    """Whether a newer value may surely be one of what an older one is of.

    Where nothing says that it is new, it must be told of the very same thing, as one's own or
    in words of a change. `above` are the words of the headings above the older one.
    """
    mine, cue = new.value, new.cue
    if cue.was is None and are_together(mine, old, is_plain=cue.is_plain):
        return False
    if (cue.is_plain or cue.is_named) and are_of_events(mine, old):
        return False
    if cue.was is None and (is_confined(mine, old, above) or was_confined(mine, old)):
        return False
    if cue.is_plain:
        if is_of_other_day(mine, old) or is_difference(mine) != is_difference(old):
            return False
        return _is_said_again(new, old, weights) and may_follow(mine, old, is_named=False)
    if is_step(old.text, old.quantity, old.since):
        return False
    was = cue.was
    if was is not None and not _was(was, mine, old):
        return False
    if was is None and (is_against(mine, old) or is_at_another(mine, old)):
        return False
    if was is None and not cue.is_named and is_apart(mine, old):
        return False
    return may_follow(mine, old, is_named=was is not None)


def _was(was: Quantity, new: Given, old: Given) -> bool:
    """Whether an older value is what a newer one was before; "from 30 to 60 seconds": 30 s."""
    if not was.unit and new.quantity.unit != old.quantity.unit:
        return False
    return was.is_of_kind(old.quantity) and is_same(was, old.quantity)


def _is_said_again(new: Statement, old: Given, weights: Weights) -> bool:
    mine = new.value
    if is_restated(mine, old) or (new.cue.is_known and is_granted(mine, old, weights)):
        return True
    return new.is_told and (is_own(mine) or has_changed(mine)) and is_again(mine, old)
