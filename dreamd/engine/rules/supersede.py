"""Replace the value of a line where a person plainly replaced it; list what is only likely.

Every copy of the old value is treated alike: lines, hooks of pointers, descriptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.dating import resolved
from dreamd.engine.rules.edit import Edit, Place, Refusals, Source
from dreamd.engine.rules.facts import Fact, Index
from dreamd.engine.rules.named import sentence_of
from dreamd.engine.rules.pairs import Proof, like
from dreamd.engine.rules.proofs import is_copy, proved
from dreamd.engine.rules.slots import Slot
from dreamd.text.late import late
from dreamd.text.secrets import secrets

RULE = "newer value"
STEP = "brought {value} up to date"
_OWN_DAY = late(r"(?<!\s)\s*\((?:[a-z]+ )?\d{4}-\d\d-\d\d\)(?=[\s.]*$)")
_ONE = late(r"(?i)^(one \w{0,40}[^\Ws])s\b")  # of many
_COPIED = "{copy of a value} changed with it"


class Suspicion(Struct, frozen=True):
    """A line that a sentence may contradict, which nobody can prove."""

    path: PurePosixPath
    line: str
    change: Change


class Superseded(Struct, frozen=True):
    """The edits that bring lines up to date, and what is only suspected."""

    edits: Mapping[Place, Edit] = field(default_factory=dict)
    suspected: tuple[Suspicion, ...] = ()
    used: frozenset[tuple[str, str]] = frozenset()  # messages and sentences that replaced a line


def superseded(index: Index, told: Iterable[Change], refusals: Refusals) -> Superseded:
    """Return how changes, in the order in which they were said, bring lines up to date.

    A line that bears a later day than the message, or stands in a note written after it without
    a day of its own, is not changed.
    """
    edits: dict[Place, Edit] = {}
    suspected: dict[Place, Suspicion] = {}
    used: set[tuple[str, str]] = set()
    for change in told:
        if (change.said.message, change.sentence.text) in used:
            continue
        proof, likely = proved(change, index)
        for fact in likely:
            suspected[fact.path, fact.number] = Suspicion(fact.path, fact.row, change)
        if proof is None:
            continue
        found = list(_edits(proof, change, index, refusals))
        if found:
            used.add((change.said.message, change.sentence.text))
        edits |= found
    left = [
        each
        for at, each in suspected.items()
        if at not in edits and (each.change.said.message, each.change.sentence.text) not in used
    ]
    return Superseded(edits, tuple(left), frozenset(used))


def _edits(
    proof: Proof, change: Change, index: Index, refusals: Refusals
) -> Iterator[tuple[Place, Edit]]:
    """Yield the edit of the line, and of every copy that gives the same thing the old value."""
    quote = (change.quote or change.sentence.text).encode("utf-8", "replace").decode()
    day = change.day.isoformat() if change.day else ""
    source = Source(quote, change.said.session, change.said.message, day)
    for fact in (each for each in index.facts if is_copy(each, proof)):
        row = fact.prefix + _rendered(fact, proof, change, day)
        place, step = (fact.path, fact.number), STEP if fact is proof.fact else _COPIED
        found = () if secrets.find(row) else refusals.swap(place, fact.row, row, (RULE, step))
        yield from ((place, replace(edit, source=source)) for edit in found)


def _rendered(fact: Fact, proof: Proof, change: Change, day: str) -> str:
    """Return a line with the new value; the old one stays behind `previously`, with its day."""
    slot = proof.old if fact is proof.fact else like(fact.values, proof.old)
    if slot is None:
        return fact.text
    is_whole = proof.measure or slot.kind == "name"
    end = slot.behind if is_whole and slot.behind else slot.end
    old = fact.text[slot.start : end].strip("`" if slot.kind == "quoted" else "`'\"")
    said = sentence_of(change, fact)
    said = resolved(said, change.day) if change.day else said
    if not proof.new:
        bare = _OWN_DAY.sub("", fact.text).strip().rstrip(".")
        return f"{said} {_aside(day, f': {bare}', fact)}"
    value = proof.new if end == slot.end else proof.measure or proof.new
    new = _dressed(value, fact.text[slot.start : end], proof.old)
    text = fact.text[: slot.start] + _ONE.sub(r"\1", new + fact.text[end:])
    if fact.kind in {"hook", "description"}:
        return text
    if fact.kind == "cell":
        return fact.text[: slot.start] + f"{new} (previously {old})" + fact.text[end:]
    return f"{_OWN_DAY.sub('', text).rstrip()} {_aside(day, f' {old}', fact)}"


def _aside(day: str, old: str, fact: Fact) -> str:
    """Return what stands behind a changed line: its day, the old value, and those before it."""
    before = f", {fact.day.isoformat()}" if fact.day else ""
    said = f"previously{old}{before}{fact.older}"
    return f"({day}; {said})" if day else f"({said})"


def _dressed(new: str, old: str, slot: Slot) -> str:
    """Return a new value dressed like the old one: in backticks, quotes, with a capital."""
    plain = new.strip("`'\"")
    if old.startswith("`") and slot.kind != "number":
        return f"`{plain}`"
    if old[:1] in {"'", '"'} and slot.kind == "quoted":
        return f"{old[0]}{plain}{old[0]}"
    if slot.kind == "weekday" and not old.endswith("s"):
        return plain.removesuffix("s")  # "every Thursday"
    return plain if not new.startswith("`") else new
