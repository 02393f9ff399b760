"""The values that a dream changed, each with the old one and who said it when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dreamd.app.wiring import FoundDream
from dreamd.cli.paint import dim, on_one_line
from dreamd.domain.change import Why
from dreamd.domain.receipt import Outcome
from dreamd.text.late import late

_ASIDE = late(r" \(\d{4}-\d\d-\d\d; previously:? (?P<old>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_RULE = "newer value"
_WAS = "    was: "


def reasons(found: FoundDream) -> tuple[Why, ...]:
    """Return why each line came or went, the held-out ones included; none of a failed dream."""
    from dreamd.state.history import History  # noqa: PLC0415 - git, only when needed

    history = History(found.store.database)
    whys: list[Why] = []
    failed = found.receipt.outcome is Outcome.FAILED and not found.receipt.proposed
    if found.dream is None or failed:
        return ()
    for part in ("dream", "proposal"):
        known = Counter(whys)  # a proposal repeats what the dream itself has
        whys += (Counter(history.whys(found.dream.id, part)) - known).elements()
    return tuple(whys)


def changed(whys: Sequence[Why]) -> Iterator[str]:
    """Yield each line with a newer value, and below it the old one with its day."""
    for why in whys:
        old = _ASIDE.search(why.line) if why.sign == "+" and why.rule == _RULE else None
        if old is not None:  # else a copy: the hook of a pointer, a description
            yield _ASIDE.sub("", why.line).strip(" -")
            yield f"{_WAS}{old['old']} · you said so on {why.day}"


def painted(row: str) -> str:
    """Return a row of such a list, made printable; fainter where it has an old value."""
    said = on_one_line(row)
    return dim(said) if said.lstrip().startswith(_WAS.lstrip()) else said
