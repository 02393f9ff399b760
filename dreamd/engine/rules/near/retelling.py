"""How one thing is told in another order: moves that change nothing of what is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.wording import BY, CLAUSES, FOR, LOOSE, OF

_APART = frozenset({",", ";", ".", ":", "—", "–", "-", "("})  # noqa: RUF001
PARTING = _APART | {"and"}
_MODALS = {"must", "should", "may", "can", "will"}
_FIGURES = frozenset("-0123456789")
_HOLDS = {"hold", "hous", "contain"}  # "the tin holds the pills": these are in it
_FROM = "from"
_VON = {"von", "vom"}
_OWNERS = {OF, LOOSE, FOR, _FROM}
_OWNED, _OWNING = 3, 4  # terms of what has an owner, and of the owner
Terms = tuple[Term, ...]


def retellings(one: Terms, other: Terms) -> Iterator[tuple[Terms, Terms]]:
    """Yield two lines as they stand, and with one of them told as the other is.

    What is done to something becomes what somebody does to it; "the B of A" is "A's B", "A is
    the B" is "the B is A", "A, our B" is "our B A", and "when A, B" is "B when A".
    """
    plain = _joined(one, other), _joined(other, one)
    voices = [(_active(plain[0], each), _active(plain[1], each)) for each in (PARTING, _APART)]
    for mine, theirs in dict.fromkeys([plain, *voices]):
        owned = _owned(mine, theirs), _owned(theirs, mine)
        for each in dict.fromkeys(((mine, theirs), owned)):
            yield each
            for turned in _turned(*each):
                yield turned, each[1]
            for turned in _turned(each[1], each[0]):
                yield each[0], turned


def _joined(terms: Terms, others: Terms) -> Terms:
    """Return terms with "when" and its like as a term of its own before the clause it opens.

    In "to A and B", "to" leads both if it does so in the other line.
    """
    led = {(each.key, each.head) for each in others if each.head}
    found: list[Term] = []
    for term in terms:
        head = term.listed if (term.key, term.listed) in led else term.head
        if head in CLAUSES:
            found.append(Term(head, head, opens=".", place=-1))
            found.append(replace(term, head="", opens=""))
        else:
            found.append(replace(term, head=head))
    return tuple(found)


def _start(terms: Sequence[Term], place: int, parting: frozenset[str]) -> int:
    """Return where the clause begins that a term stands in."""
    while place and terms[place].opens not in parting:
        place -= 1
    return place + (terms[place].key in CLAUSES)


def _active(terms: Terms, parting: frozenset[str]) -> Terms:
    """Return a line with what is done to something behind who does it, if told, and the verb."""
    found = list(terms)
    for verb in [term for term in terms if term.is_passive]:
        if verb not in found:
            continue  # it became part of who does something: "sent by approved staff"
        place = found.index(verb)
        start = _start(found, place, parting)
        doing, rest = _agent(found[place + 1 :])
        told, beside = _divided(found[start:place])
        modals = [each for each in told if each.key in _MODALS]
        done_to = [each for each in told if each.key not in _MODALS]
        deed = replace(verb, is_passive=False)
        found = [*found[:start], *beside, *doing, *modals, deed, *done_to, *rest]
    return tuple(found)


def _agent(terms: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """Return who does something, told behind the verb with "by", and the rest."""
    for start, term in enumerate(terms):
        if term.opens in PARTING:
            break
        if term.head != BY or term.key[:1] in _FIGURES or _is_when(term):
            continue
        stop = start + 1
        while stop < len(terms) and not _is_apart(terms[stop]):
            stop += 1
        who = [replace(term, head="", opens="", is_doer=True), *terms[start + 1 : stop]]
        return who, [*terms[:start], *terms[stop:]]
    return [], list(terms)


def _is_apart(term: Term) -> bool:
    return bool(term.opens and term.head != OF) or _is_when(term)


def _is_when(term: Term) -> bool:
    return is_time(term) and not term.is_first  # but "the nightly job"


def _divided(terms: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """Return the terms of the sentence itself and those of phrases that stand beside it."""
    bare: list[Term] = []
    beside: list[Term] = []
    is_beside = False
    for n, term in enumerate(terms):
        if _is_when(term):
            beside.append(term)
            is_beside = False
            continue
        if term.head not in {"", OF}:
            is_beside = True
        elif n and (term.is_first or term.opens or term.key in _MODALS) and term.head != OF:
            is_beside = False
        (beside if is_beside else bare).append(term)
    return bare, beside


def _owned(one: Terms, other: Terms) -> Terms:
    """Return a line with "the B of A" as "A's B" where the other line has it so."""
    keys = [term.key for term in other]
    for place in range(1, len(one)):
        if one[place].head not in _OWNERS or one[place].opens != "prep":
            continue
        for start, stop, is_whole in _names(one, place):
            told = [term.key for term in (*one[place:stop], *one[start:place])]
            size = len(told)
            for at in range(len(keys) - size + 1):
                if keys[at : at + size] != told or not _is_name(other[at : at + size], is_whole):
                    continue
                if _is_owned_by(one[start : place + 1], other[at : at + stop - place]):
                    owner = replace(one[place], head=one[start].head, opens=one[start].opens)
                    thing = replace(one[start], head="", opens="")
                    moved = (owner, *one[place + 1 : stop], thing, *one[start + 1 : place])
                    return _owned((*one[:start], *moved, *one[stop:]), other)
    return one


def _is_owned_by(terms: Terms, owner: Terms) -> bool:
    """Whether what "for", "from" and so on lead may be before what they stand behind.

    "The key for the shed" is the shed key and no shed's, "the light in the shed" the shed's light;
    a letter from Ana is hers.
    """
    *thing, last = terms
    if not _VON.isdisjoint(last.led):
        return False  # no German name owns what stands behind it without an ending
    if last.head == OF:
        return True
    if (
        last.is_said
        or owner[0].head != thing[0].head
        or any(t.is_passive or t.key in _MODALS for t in thing)
    ):
        return False
    is_owner = any(each.is_owner for each in owner)
    if last.head == LOOSE:
        return not any(each.is_owner and each.is_capital for each in owner)
    return is_owner if last.head == _FROM else not is_owner


def _is_name(terms: Terms, is_whole: bool) -> bool:
    """Whether terms follow each other; "the first novel's draft" is not its first draft."""
    is_one = all(each.opens in {"", "and"} for each in terms[1:])
    return is_one and (is_whole or not any(each.is_owner for each in terms))


def _names(terms: Terms, place: int) -> Iterator[tuple[int, int, bool]]:
    """Yield from where to where "the B of A" may reach, and whether that is all of B."""
    for stop in range(min(place + _OWNING, len(terms)), place, -1):
        if any(each.opens not in {"", "and"} for each in terms[place + 1 : stop]):
            continue
        for start in range(place - 1, max(place - 1 - _OWNED, -1), -1):
            begins = terms[start].is_first or terms[start].opens or terms[start].head
            yield start, stop, bool(begins or not start)
            if begins:
                break


def _is_apposed(terms: Terms, place: int, stop: int) -> bool:
    """Whether what a comma sets off says who or what somebody is: "Nora, our nurse, …"."""
    part = terms[place:stop]
    is_closed = stop < len(terms) and terms[stop].opens in _APART
    return is_closed and not (part[0].head or any(is_time(each) for each in part))


def _is_begun(terms: Terms, place: int) -> bool:
    """Whether a name begins at a place behind a phrase: "in May Nora, …", "in May the coach, …"."""
    return terms[place].is_first or terms[place].is_capital


def _is_clause(terms: Terms, place: int) -> bool:
    return bool(place) and terms[place - 1].key in CLAUSES


def _turned(terms: Terms, other: Terms) -> Iterator[Terms]:
    """Yield a line with what something is before it, and with its clauses in another order."""
    known = {each.key for each in other if each.is_told or each.is_value}
    for place in range(1, len(terms)):
        stop = place + 1
        while stop < len(terms) and terms[stop].opens not in PARTING:
            stop += 1
        term, near = terms[place], _start(terms, place - 1, PARTING)
        starts: list[int] = []
        if term.is_told:
            begins = [n for n in range(place) if not n or terms[n].opens in PARTING]
            starts = [n for n in begins if terms[n].key in known]
        elif term.opens == ":" or (
            term.opens == "," and (terms[near].opens == "," or _is_apposed(terms, place, stop))
        ):
            begins = [n for n in range(near, place) if n == near or _is_begun(terms, n)]
            starts = [n for n in begins if not terms[n].head and not _is_clause(terms, n)]
        for start in starts:
            yield (*terms[:start], *terms[place:stop], *terms[start:place], *terms[stop:])
        if term.key in _HOLDS and not (term.is_passive or term.head or term.opens):
            first, last = _start(terms, place - 1, PARTING), place + 1
            if last < stop:
                where = replace(terms[first], head=LOOSE, opens="prep")
                yield (
                    *terms[:first],
                    *terms[last:stop],
                    where,
                    *terms[first + 1 : place],
                    *terms[stop:],
                )
    for place in [n for n, term in enumerate(terms) if term.key in CLAUSES]:
        parted = [n for n in range(2, len(terms)) if terms[n].opens == ","]
        for stop in [place] if place else (parted or range(2, len(terms))):
            yield (*terms[stop:], *terms[:stop])
