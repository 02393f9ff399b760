"""Three versions of one note become one: nothing a side wrote is lost unseen, and live wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from dreamd.memory.lines import CRLF, LF, Hunk, Line, Lines, hunks, join, shown, split
from dreamd.memory.slots import Side, is_sentence, said, side, weave

MOST_BYTES = 1 << 20  # what is larger is not merged as text

BOTH_REWROTE = "the same line was rewritten since"
REWRITTEN_GONE = "the lines it rewrites were removed since"
EDITED_SINCE = "it was edited since, so the edit stands"
SAID_NOWHERE_ELSE = "nothing else would say it any more, so it stays"
FILE_GONE = "the file was removed since"
FILE_EDITED = "the file was edited since, so it stays"
NOT_TEXT = "the file holds a NUL byte and was changed since, so it stays whole as it is"
TOO_LARGE = "the file is larger than 1 MiB and was changed since, so it stays whole as it is"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Dropped:
    """One line of theirs that did not make it, or one that theirs removed and that stays.

    `sign` is "+" for a line that is lost (`number` counts from 1 in theirs), "-" for a removal
    that did not take place as meant (`number` counts in base). Number 0 means the whole file.
    """

    line: str
    number: int
    sign: Literal["+", "-"]
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The bytes that result, None for no file, and what of theirs did not make it."""

    data: bytes | None
    dropped: tuple[Dropped, ...] = ()

    @property
    def is_whole(self) -> bool:
        """No line that theirs wrote was lost."""
        return all(each.sign == "-" for each in self.dropped)


def merge3(
    base: bytes | None,
    live: bytes | None,
    theirs: bytes | None,
    *,
    held: AbstractSet[bytes] = frozenset(),
) -> Merged:
    """Carry what theirs changed of base over to live; None means that there is no file.

    Never fails. With live = base the result is theirs, with theirs = base or live it is live,
    for any bytes. Text is merged line by line, ends of lines and of the file on their own:
    a line of base stays if both kept it, what either side inserted stays, theirs before live's.
    Where both rewrote one line, or live removed every line that theirs rewrote, live stands.
    What live and theirs both say is in the result: if the sides removed different copies of a
    line, or its new place is lost, it stays where live has it. `held` names what else (as
    `slots.said` gives it) must stay where live has it.
    """
    if theirs in (base, live):
        return Merged(live)
    if live == base and not held:
        return Merged(theirs)
    if theirs is None:
        return Merged(live, (Dropped("", 0, "-", SAID_NOWHERE_ELSE if held else FILE_EDITED),))
    whole = _why_whole(base, live, theirs)
    if live is None:
        if whole:
            return Merged(None, (Dropped("", 0, "+", FILE_GONE),))
        lost = tuple(written(base, theirs, FILE_GONE))
        return Merged(None, lost or (Dropped("", 0, "-", FILE_GONE),))
    if whole:
        return Merged(live, (Dropped("", 0, "+", whole),))
    return _merge_text(split(base or b""), split(live), split(theirs), held)


def insertions_only(base: bytes | None, theirs: bytes | None) -> bytes | None:
    """Return theirs with every line and the file it removed put back where it stood.

    A sentence that theirs moved within the file stays at its old place only. Where either
    version is no text, base stands. Merged over any live version, nothing of base is removed.
    """
    if base is None or theirs == base:
        return theirs
    if theirs is None or _why_whole(base, theirs):
        return base
    before, after = split(base), split(theirs)
    changes = hunks(before.texts, after.texts)
    moved = Counter(text for hunk in changes for text in before.texts[hunk.start : hunk.stop])
    kept = list(zip(before.texts, before.ends, strict=True))
    result: list[Line] = []
    done = 0
    for hunk in changes:
        result += kept[done : hunk.stop]
        done = hunk.stop
        for n in range(hunk.first, hunk.last):
            text = after.texts[n]
            if moved[text] and is_sentence(text):
                moved[text] -= 1
            else:
                result.append((text, after.ends[n]))
    result += kept[done:]
    default = next((style for style in (before.style, after.style) if style in (LF, CRLF)), LF)
    return join([*((text, end or default) for text, end in result[:-1]), *result[-1:]])


def written(base: bytes | None, theirs: bytes, reason: str) -> Iterator[Dropped]:
    """Report every line of theirs that base has not, as lost for a reason."""
    after = split(theirs).texts
    for hunk in hunks(split(base or b"").texts, after):
        for n in range(hunk.first, hunk.last):
            yield Dropped(shown(after[n]), n + 1, "+", reason)


def _why_whole(*versions: bytes | None) -> str:
    """Say why these versions cannot be merged line by line; nothing if they can."""
    present = [data for data in versions if data is not None]
    if any(b"\0" in data for data in present):
        return NOT_TEXT
    return TOO_LARGE if any(len(data) > MOST_BYTES for data in present) else ""


@dataclass(slots=True)
class _Draft:
    """A merge in the making: the lines of base that stay, and what comes in around them.

    `coming` maps 2k to what comes before base line k, and 2k + 1 to what comes in its place.
    """

    base: Lines
    live: Side
    theirs: Side
    stays: list[bool]
    coming: dict[int, list[Line]] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)

    def drop(self, hunk: Hunk, rewrites: Iterable[Hunk], reason: str) -> None:
        """Let live stand where theirs rewrote; what live wrote there as well is not lost."""
        for k in range(hunk.start, hunk.stop):
            self.stays[k] = self.live.place[k] is not None
            if self.stays[k]:
                self.keep(k, reason)
        here = Counter(
            text for each in rewrites for text in self.live.lines.texts[each.first : each.last]
        )
        for n in range(hunk.first, hunk.last):
            text = self.theirs.lines.texts[n]
            if here[text]:
                here[text] -= 1
            else:
                self.dropped.append(Dropped(shown(text), n + 1, "+", reason))

    def hold(self, what: AbstractSet[bytes]) -> None:
        """Let every line that says one of these stay where live has it."""
        for k, text in enumerate(self.base.texts):
            if not self.stays[k] and self.live.place[k] is not None and said(text) in what:
                self.stays[k] = True
                self.keep(k, SAID_NOWHERE_ELSE)

    def keep(self, line: int, reason: str) -> None:
        """Report that theirs could not remove a line of base."""
        self.dropped.append(Dropped(shown(self.base.texts[line]), line + 1, "-", reason))

    def lines(self) -> list[Line]:
        """Return the lines in order, those of base with their ends merged three-way."""
        result: list[Line] = []
        for k, text in enumerate(self.base.texts):
            result += self.coming.get(2 * k, ())
            result += self.coming.get(2 * k + 1, ())
            if self.stays[k]:
                was = self.base.ends[k] or None
                theirs = was if self.theirs.place[k] is None else self.theirs.end(k)
                result.append((text, _attribute(was, self.live.end(k), theirs) or b""))
        return result + self.coming.get(2 * len(self.base.texts), [])


def _merge_text(base: Lines, live: Lines, theirs: Lines, held: AbstractSet[bytes]) -> Merged:
    mine, other = side(base, live), side(base, theirs)
    both = zip(mine.place, other.place, strict=True)
    draft = _Draft(base, mine, other, [i is not None and j is not None for i, j in both])
    style = _attribute(base.style or None, mine.style or None, other.style or None)
    rewrites: dict[int, Hunk] = {}  # of each base line that live rewrote
    for hunk in mine.hunks:
        if hunk.first < hunk.last:
            rewrites |= dict.fromkeys(range(hunk.start, hunk.stop), hunk)
    for hunk in other.hunks:
        span = range(hunk.start, hunk.stop)
        edited = [k for k in span if k in rewrites]
        if hunk.first == hunk.last:
            for k in edited:
                draft.keep(k, EDITED_SINCE)
        elif edited:
            draft.drop(hunk, dict.fromkeys(rewrites[k] for k in edited), BOTH_REWROTE)
        elif span and all(mine.place[k] is None for k in span):
            draft.drop(hunk, (), REWRITTEN_GONE)
        else:
            draft.coming[2 * hunk.start + bool(span)] = other.written(hunk, style)
    for hunk in mine.hunks:
        at = _live_at(hunk, len(base.texts))
        draft.coming[at] = weave(draft.coming.get(at, ()), mine.written(hunk, style))
    draft.hold(held)
    in_both = {said(text) for text in live.texts} & {said(text) for text in theirs.texts}
    draft.hold(in_both - {said(text) for text, _ in draft.lines()} - {b""})
    terminated = _attribute(base.is_terminated, live.is_terminated, theirs.is_terminated)
    default = style if style in (LF, CRLF) else LF
    data = _close(draft.lines(), default, is_terminated=bool(terminated))
    return Merged(data, tuple(draft.dropped))


def _live_at(hunk: Hunk, size: int) -> int:
    """Return where live's lines come in among `size` lines of base.

    Where the old ones stood, but more lines than there were at the end hold an appended note,
    which stays last.
    """
    if hunk.start == hunk.stop:
        return 2 * hunk.start
    has_more = hunk.last - hunk.first > hunk.stop - hunk.start
    return 2 * hunk.stop - (hunk.stop < size or not has_more)


def _attribute(base: _T | None, live: _T | None, theirs: _T | None) -> _T | None:
    """Merge one value three-way; None has no opinion."""
    if live is None or theirs is None:
        return next((value for value in (live, theirs, base) if value is not None), None)
    return theirs if live == base else live


def _close(lines: Sequence[Line], default: bytes, *, is_terminated: bool) -> bytes:
    """Join lines so that each but the last has an end, and the last one as it is wanted."""
    if not lines:
        return b""
    text, end = lines[-1]
    # A blank last line is its end and nothing else, so it keeps it.
    last = (end or default) if is_terminated or not text else b""
    return join([*((text, end or default) for text, end in lines[:-1]), (text, last)])
