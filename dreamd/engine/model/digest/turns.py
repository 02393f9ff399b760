"""What people said, turn by turn, the oldest first: most of what a dream has to gather."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.inventory import NAME
from dreamd.engine.model.digest.prose import Utterance, one_line
from dreamd.engine.model.digest.section import Section
from dreamd.text.tokens import words
from dreamd.text.words import plural

LONGEST = 600  # characters of a turn
_SMALL = words(
    "ok okay k yes yep yeah no nope thanks thank you thx great continue go on ahead please sure "
    "cool nice perfect hi hello hey bye done good awesome right it that so very much a lot for the "
    "help let let's do this that's sounds looks lgtm proceed next hmm"
)


def turns(heard: Sequence[Utterance], *, are_told: bool = False) -> Section:
    """Return people's turns with code folded, each cut at 600 characters.

    Thanks and go-aheads are left out. A row with day and session stands before the turns that
    share them. Where all fit, as `are_told` knows, nobody needs to ask for them again.
    """
    spoken = [each for each in heard if not is_small(each)]
    rows: list[str] = []
    days: list[str] = []  # of each row
    left: list[int] = []  # turns from each row on
    done = 0
    for (day, name), group in groupby(spoken, key=_place):
        rows.append(shown(f"{day}, session {name}"))
        days.append(day)
        left.append(len(spoken) - done)
        for each in group:
            rows.append(shown(f"- {one_line(each, LONGEST)}"))
            days.append(day)
            left.append(len(spoken) - done)
            done += 1
    small = len(heard) - len(spoken)
    lead = f"What people said, the oldest first, {plural(len(spoken), 'turn')}"
    lead += f" ({plural(small, 'short one')} left out: thanks, go-aheads)" if small else ""
    lead += ". These are all: Sessions would show them again." if are_told else "."

    def rest(count: int) -> str:
        asked = f'Sessions with since "{days[count]}"' if days[count] != _NO_DAY else "Sessions"
        return f"{plural(left[count], 'more turn')} did not fit here: {asked} shows them."

    return Section("turns", lead, rows, rest)


def whole(heard: Sequence[Utterance]) -> frozenset[str]:
    """Return the messages that `turns`, where all of it fits, has from first word to last."""
    return frozenset(
        each.said.message
        for each in heard
        if not is_small(each) and sum(map(len, each.pieces)) + len(each.pieces) - 1 <= LONGEST
    )


_NO_DAY = "no day"


def _place(each: Utterance) -> tuple[str, str]:
    day = each.said.day
    return (day.isoformat() if day else _NO_DAY), each.said.session[:NAME]


def is_small(utterance: Utterance) -> bool:
    """Whether a turn says nothing but thanks, a greeting or a go-ahead."""
    if sum(map(len, utterance.pieces)) > 120:
        return False
    return set(words(" ".join(utterance.pieces))) <= {*_SMALL}
