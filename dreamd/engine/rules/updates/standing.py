"""The values that stand in the notes, looked up by kind and the words beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from dreamd.engine.rules.updates.alike import Weights, may_copy
from dreamd.engine.rules.updates.claimed import Claimed
from dreamd.engine.rules.updates.denials import Denial
from dreamd.engine.rules.updates.fits import fits
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.holding import Holding
from dreamd.engine.rules.updates.label_named import Labels
from dreamd.engine.rules.updates.likely import WORDS
from dreamd.engine.rules.updates.lines import Line
from dreamd.engine.rules.updates.mark import DAY, ENDS
from dreamd.engine.rules.updates.maybe import Candidate, likeliest
from dreamd.engine.rules.updates.quantities import has_quantities, is_same
from dreamd.engine.rules.updates.stands import Stands, stated
from dreamd.engine.rules.updates.statements import Statement
from dreamd.engine.rules.updates.subjects import is_other_copy
from dreamd.engine.rules.updates.switches import MOST, Switch, uses
from dreamd.engine.rules.updates.topics import topic
from dreamd.engine.rules.updates.turns import Turn
from dreamd.engine.rules.updates.two_things import is_over

New = Statement | Switch | Turn | Denial
UNKNOWN = -1
_LEAST = 0.85  # of the weight of one word that stands nowhere else
_LEAST_NAMED = 0.75  # of that, where the person called the value new: then there was an older
_LEAST_COPY = 0.45  # of that, for another line with the very value that was replaced
_CLOSE = 0.6  # share of the best one's weight that others need to be meant as well
_SHARED = 2  # words at least, where nothing says that a value is new
_COMMON = 200  # values; a word beside more of them finds none


class Standing:
    """Lines with values, to be asked which of them a newer value replaces."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._lines: list[Line] = []
        self._folded: list[str] = []
        self._values: list[Stands] = []
        self._gone: set[int] = set()
        self._since: list[int] = []
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._labels = Labels()
        self._claimed = Claimed()
        self._holding = Holding()

    def add(self, line: Line, since: int = UNKNOWN, beside: frozenset[str] = frozenset()) -> None:
        """Let the values of a line be found from now on, under the next number.

        `since` is the number of what was said last where this dream placed it, else `UNKNOWN`.
        `beside` are further words of what was said with it.
        """
        number = len(self._lines)
        self._lines.append(line)
        self._folded.append(line.current.casefold())
        self._since.append(since)
        if not has_quantities(line.current) and ":" not in line.current:
            return
        for text in ENDS.split(line.current):
            own = DAY.search(text)  # when it was said, which is no value of it
            for value in stated(text, beside, line.above):
                if own and not value.label and value.value.quantity.start >= own.start():
                    continue
                self._labels.add(value)
                place = len(self._values)
                self._values.append(replace(value, line=number))
                for word in _words(value.value):
                    self._places[value.value.quantity.kind, word].append(place)

    def line(self, number: int) -> Line:
        """Return a line by its number."""
        return self._lines[number]

    def since(self, number: int) -> int:
        """Return the number of what was said last on a line, `UNKNOWN` of one found there."""
        return self._since[number]

    def remove(self, line: int) -> None:
        """Let nothing of a line be found any more."""
        self._gone.add(line)

    def replaced(self, new: Statement, *, only_placed: bool = False) -> tuple[Stands, ...]:
        """Return the value that a newer one replaces, with every copy of it, the best one first.

        Of several older values of one thing the newest is the one that stood. None where none is
        old enough, alike enough, or where the person said that another value stood before.
        A line without a day whose note was written since may be a copy, and is nothing else.
        `only_placed`: only of what was said in this dream.
        """
        near = [
            (self._weight(new, each), each)
            for each in self._near(new)
            if self._precedes(each.line, new, only_placed=only_placed)
            or (self._lines[each.line].day is None and not only_placed)
        ]
        least = _LEAST_NAMED if new.cue.is_named else _LEAST
        found = [
            (w, each)
            for w, each in near
            if each.is_told and not each.is_vague and w >= least and self._fits(new, each)
            if self._precedes(each.line, new, only_placed=only_placed)
        ]
        if not found:
            return ()
        most = max(weight for weight, _ in found)
        close = [(w, each) for w, each in found if w >= _CLOSE * most]
        last = min(close, key=lambda each: (self._age(each[1].line)[:2], -each[0], each[1].line))[1]
        same = last.value.quantity
        copies = {last.line: last}
        for weight, each in sorted(near, key=lambda each: -each[0]):
            is_copy = each.value.quantity.is_of_kind(same) and is_same(each.value.quantity, same)
            shared = new.value.every & each.value.every
            if new.cue.is_plain and len(shared) < WORDS and not self._fits(new, each):
                continue
            if is_other_copy(last.value, each.value):
                continue
            if is_copy and weight >= _LEAST_COPY and may_copy(new.value, each.value):
                copies.setdefault(each.line, each)
        last_first = sorted(copies.values(), key=lambda each: self._age(each.line))
        return (last, *(each for each in last_first if each is not last))

    def perhaps(
        self, new: Statement, *, only_placed: bool = False
    ) -> tuple[float, tuple[Stands, ...]]:
        """Return the likeliest value that a newer one may replace, with every copy, and how likely.

        See `likeliest`; `only_placed`: of what was said in this dream, and only by its words.
        """
        near = [
            Candidate(each, self._lines[each.line].current, self._age(each.line))
            for each in self._near(new, _SHARED if new.cue.is_plain else 1)
            if self._precedes(each.line, new, only_placed=only_placed)
        ]
        return likeliest(new, near, self._weights, only_words=only_placed)

    def using(self, new: Switch, *, only_placed: bool = False) -> tuple[tuple[int, str], ...]:
        """Return the lines that say of what was left that it is used, the newest first.

        Each with the sentence that says so.
        """
        found = [
            (number, sentence)
            for number in self._having(new.old)
            if self._precedes(number, new, only_placed=only_placed)
            and uses(self._lines[number].current, new)
            and (sentence := self._sentence(number, new))
        ]
        return tuple(sorted(found, key=lambda each: self._age(each[0])))[:MOST]

    def holding(self, new: Turn, *, only_placed: bool = False) -> list[tuple[int, str, str]]:
        """Return the lines that tell what is over, what each calls it, and in which sentence."""
        for line in self._lines[len(self._holding) :]:
            self._holding.add(line.current)
        found = [
            each
            for each in self._holding.of(new)
            if each[0] not in self._gone and self._precedes(each[0], new, only_placed=only_placed)
        ]
        found.sort(key=lambda each: self._age(each[0]))
        return [each for each in found if each[1] == found[0][1]][:MOST]

    def denied(self, new: Denial, *, only_placed: bool = False) -> int | None:
        """Return the line that claims what was denied since, the newest; None where none does."""
        return min(self._denied(new, only_placed=only_placed), key=self._age, default=None)

    def ended(self, new: Denial, *, only_placed: bool = False) -> list[tuple[int, str]]:
        """Return the lines that claim what is over by now and nothing else, the newest first.

        Each with the sentence that does.
        """
        found = [
            (number, sentence)
            for number in self._denied(new, only_placed=only_placed)
            if (sentence := self._claimed.says_only(number, new))
        ]
        return sorted(found, key=lambda each: self._age(each[0]))[:MOST]

    def _denied(self, new: Denial, *, only_placed: bool) -> list[int]:
        for line in self._lines[len(self._claimed) :]:
            self._claimed.add(line.current)
        return [
            number
            for number in self._claimed.of(new)
            if number not in self._gone and self._precedes(number, new, only_placed=only_placed)
        ]

    def _fits(self, new: Statement, each: Stands) -> bool:
        above = telling(" ".join(self._lines[each.line].above))
        return fits(new, each.value, self._weights, above)

    def _sentence(self, number: int, new: Switch) -> str:
        text = self._lines[number].current
        return next((each for each in ENDS.split(text) if uses(each, new)), text)

    def _having(self, name: str) -> Iterator[int]:
        folded = name.casefold()
        for number, text in enumerate(self._folded):
            if folded in text and number not in self._gone:
                yield number

    def _near(self, new: Statement, least: int = 1) -> Iterator[Stands]:
        """Yield the values of a kind whose sentences share words of weight, `least` of them."""
        kind = new.value.quantity.kind
        numbers: Counter[int] = Counter()
        for word in _words(new.value):
            places = self._places.get((kind, word), ())
            if len(places) <= _COMMON:
                numbers.update(places)
        for number in sorted(numbers):
            each = self._values[number]
            if numbers[number] < least or each.line in self._gone:
                continue
            if is_over(each.value, self._lines[each.line].day, new):
                continue
            if self._labels.may_mean(new.value, each):
                yield each

    def _weight(self, new: Statement, old: Stands) -> float:
        found = self._weights.shared(new.value, old.value)
        return max(found, 1.0) if old.label else found  # all that it is called was named

    def _precedes(self, number: int, new: New, *, only_placed: bool) -> bool:
        """Whether a line stood before something was said; in doubt it did not."""
        line, said = self._lines[number], new.said
        if self._since[number] != UNKNOWN:
            return self._since[number] < new.number
        if only_placed:
            return False
        if line.day is not None:
            return said.day is not None and line.day < said.day
        if said.at is None or line.edited is None:
            return False
        return line.edited < said.at.astimezone()

    def _age(self, number: int) -> tuple[int, int, int]:
        day = self._lines[number].day
        return (-self._since[number], -(day.toordinal() if day else 0), number)


def _words(value: Given) -> frozenset[str]:
    """Return the words by which a value is found: of weight, of its topic, and its unit."""
    return value.every | {*topic(value), f"={value.quantity.unit}"}
