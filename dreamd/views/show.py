"""The page of one dream: what it changed, moved and held back, and on whose word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.app.wiring import FoundDream
from dreamd.domain.change import EDITED, RETIRED, WITHIN, WRITTEN, Verb, Why
from dreamd.domain.cost import count, money
from dreamd.domain.receipt import Kind, Receipt
from dreamd.text.late import late
from dreamd.text.tokens import word_set
from dreamd.text.words import plural
from dreamd.views import held_back, sentence, when

_EXAMPLES = 8  # shown of lines that moved from one note to another
_TITLES = ("Changed", "Written", "Removed", "Moved", "Tidied")
_BEGUN = {"hand": "by hand", "gated": "begun with --gated", "precommit": "begun by pre-commit"}
_ASIDE = late(r" \(\d{4}-\d\d-\d\d; previously:? (?P<old>[^()]*(?:\([^()]*\)[^()]*)*)\)")
WAS = "    was: "
_KEYS = "name|title|description|type|tags|metadata|node_type|moved_from|pinned"
_FRONTMATTER = late(rf"---$|(?:{_KEYS}):(?: |$)")
_ALIKE = 0.7  # of the words of the shorter of two lines
_At = tuple[PurePosixPath, str]  # a line of a note, stripped
_Having = dict[tuple[str, bool | None], list[_At]]  # by line; by word, and whether of a session

Row = tuple[int, str, str]  # its indent, what it says, and "bold", "dim" or ""


class LineChange(Struct, frozen=True):
    """One change as a person sees it: a line that came or went, moved, or took another's place.

    `whys` are all the reasons of the line that came, else of the one that went.
    """

    came: Why | None
    went: Why | None
    whys: tuple[Why, ...]

    @property
    def why(self) -> Why:
        """The first of its reasons."""
        return self.whys[0]

    @property
    def is_move(self) -> bool:
        """Whether a line stands unchanged in another place."""
        return bool(self.came and self.went and self.came.line.strip() == self.went.line.strip())

    @property
    def is_of_session(self) -> bool:
        """Whether a session with a model made it, where there was one; the rest is of rules."""
        return self.why.rule.startswith((WRITTEN, EDITED, RETIRED, WITHIN))

    @property
    def is_link(self) -> bool:
        """Whether it is an entry of the index."""
        return self.why.line.lstrip().startswith("- [")

    @property
    def is_frame(self) -> bool:
        """Whether it is a line of a frontmatter, or a heading: no fact."""
        text = self.why.line.strip()
        return text.startswith("#") or bool(_FRONTMATTER.match(text))


def entries(whys: Iterable[Why]) -> list[LineChange]:
    """Return the lines that came and went, each once, as changes."""
    came, went = dict[_At, list[Why]](), dict[_At, list[Why]]()
    for why in whys:
        if why.sign != "=" and (text := why.line.strip()):
            (came if why.sign == "+" else went).setdefault((why.path, text), []).append(why)
    having: _Having = defaultdict(list)
    gone = {text for _, text in went}
    for at, (why, *_) in came.items():
        having[at[1], None].append(at)
        for word in _words(at[1]) if at[1] not in gone else ():  # else it has moved
            having[word, why.rule == WRITTEN].append(at)
    pairs, alone = dict[_At, Why](), list[LineChange]()
    for some in went.values():
        found = _partners(some[0], having)
        to = next((at for at in found if at in came and at not in pairs), None)
        if to is not None:
            pairs[to] = some[0]
        else:
            alone.append(LineChange(None, some[0], tuple(some)))
    return [LineChange(some[0], pairs.get(at), tuple(some)) for at, some in came.items()] + alone


def _partners(why: Why, having: _Having) -> Iterator[_At]:
    """Yield the lines that may have come for one that went, the surest first.

    The same line in another place has moved. Else it is the line that its reason names, or one
    that says most of the same words: of a session any, of the rules one in the note to go to.
    """
    text, is_of_session = why.line.strip(), why.rule.startswith((EDITED, RETIRED))
    if why.moved_to is not None or not _FRONTMATTER.match(text):
        yield from sorted(having.get((text, None), ()), key=lambda at: at[0] != why.moved_to)
    yield why.path, why.quote.strip()
    words = _words(text)
    shared = Counter(at for word in words for at in having.get((word, is_of_session), ()))
    ranked = [
        (count / min(len(words), len(_words(at[1]))) + 0.1 * (at[0] == why.path), at)
        for at, count in shared.items()
        if count > 1 and (is_of_session or at[0] == why.moved_to != why.path)
    ]
    yield from (at for likeness, at in sorted(ranked, reverse=True) if likeness >= _ALIKE)


def _words(line: str) -> frozenset[str]:
    """Return the words of a line that say something; none of frontmatter."""
    if _FRONTMATTER.match(line):
        return frozenset()
    return frozenset(w for w in word_set(line) if len(w) > 3 or not w.isalpha() or not w.isascii())


def costs(receipt: Receipt) -> str:
    """Return what a model's dream cost: dollars, requests, and tokens by kind."""
    usage, estimate = receipt.usage, receipt.estimate
    if not usage.tokens:
        return ""
    is_priced = bool(usage.dollars) or (estimate is not None and estimate.dollars is not None)
    cost = f"cost {money(usage.dollars)}" if is_priced else "cost not known: no price of the model"
    if estimate is not None and estimate.tokens is not None:
        dollars, tokens = estimate.dollars, f"{count(estimate.tokens)} tokens"
        cost += f" (estimated {tokens if dollars is None else money(dollars)})"
    said = [
        cost,
        *([plural(usage.requests, "request")] if usage.requests else []),
        f"{count(usage.input_tokens + usage.cache_write_tokens)} tokens new",
        f"{count(usage.cache_read_tokens)} from the cache",
        f"{count(usage.output_tokens)} written",
    ]
    return " · ".join(said)


def changed_values(whys: Sequence[Why]) -> Iterator[str]:
    """Yield each line with a newer value, and below it the old one and who said so when."""
    for why in whys:
        old = _ASIDE.search(why.line) if (why.sign, why.rule) == ("+", "newer value") else None
        if old is not None:  # else a copy: the hook of a pointer, a description
            yield _ASIDE.sub("", why.line).strip(" -")
            yield f"{WAS}{old['old']} · you said so on {why.day}"


def page(found: FoundDream, did: Sequence[Why], held: Sequence[Why]) -> Iterator[Row]:
    """Yield the page of a transaction: what it did, what it holds back, what to do next."""
    receipt = found.receipt
    about = [
        when(receipt.started),
        _BEGUN.get(receipt.trigger, f"begun by a {receipt.trigger}" * bool(receipt.trigger)),
        f"{receipt.engine} engine" if receipt.engine else "",
        f"{receipt.seconds:.1f} s",
        "" if receipt.usage.tokens else "no tokens",
    ]
    yield 0, f"{receipt.kind} {receipt.dream}  {' · '.join(filter(None, about))}", "bold"
    yield 0, receipt.memory, "dim"
    yield 0, sentence(receipt.reason), ""
    yield from ((0, said, "dim") for said in [costs(receipt)] if said)
    every, parts = entries(did), dict[str, list[LineChange]]()
    is_mixed = any(each.is_of_session and each.why.rule != WITHIN for each in every)
    for entry in sorted(every, key=lambda each: (not each.is_of_session, each.is_link)):
        by = f" by the {'model' if entry.is_of_session else 'rules'}" if is_mixed else ""
        parts.setdefault(_title(entry) + by, []).append(entry)
    marks = {each.path: f" ({each.verb})" for each in receipt.changes if each.verb != Verb.CHANGED}
    for title in sorted(parts, key=lambda each: _TITLES.index(each.split()[0])):
        yield from _part(title, parts[title], marks)
    named = {str(why.path) for why in did}
    for change in (each for each in receipt.changes if each.path not in named):
        yield 2, f"{change.path}: {change.verb}, -{change.removed} +{change.added}", ""
    again = [LineChange(why, None, (why,)) for why in did if why.sign == "="]
    yield from _part("Said again; the notes have it already", again)
    if dream := found.dream:
        how = f"{'undone' if dream.undone else dream.proposal} since"
        how = f"`dreamd accept {dream.id}` takes it" if dream.waits else how
        yield from _part(f"Held back ({how})", entries(held))
    known = tuple(f": {why.held}" for why in held if why.held)
    noticed = [f"· {each}" for each in receipt.noticed if not each.endswith(known)]
    for each in (*[""] * bool(noticed), *noticed, "", *_next(found)):
        yield 0, each, ""


def _title(entry: LineChange) -> str:
    """Return the part of the page in which a change stands."""
    if entry.is_move:
        return "Moved"
    if not entry.is_of_session and not (entry.came and entry.why.quote):
        return "Tidied"
    if entry.came and entry.went:
        return "Changed"
    return "Written" if entry.came else "Removed"


def _part(title: str, some: Sequence[LineChange], marks: Mapping[str, str] = {}) -> Iterator[Row]:
    """Yield a part of the page, note by note; of a note its facts, then its frame in one row."""
    if some:
        yield from ((0, each, "bold") for each in ("", title))
    notes, is_moved = dict[str, list[LineChange]](), title.startswith("Moved")
    for entry in some:
        at = str(entry.why.path)
        if is_moved and entry.went:
            was = entry.went.path
            at = f"{was} → {at}" if was != entry.why.path else f"within {at}"
        notes.setdefault(at, []).append(entry)
    for at, found in notes.items():
        frame = [each.why for each in found if each.is_frame and not (is_moved or each.went)]
        facts = [each for each in found if is_moved or each.went or not each.is_frame]
        more = f": {plural(len(facts), 'line')}, unchanged" if is_moved else marks.get(at, "")
        yield 2, at + more, ""
        for each in facts[: _EXAMPLES if is_moved else None]:
            yield from _told(each, title)
        if is_moved and len(facts) > _EXAMPLES:
            yield 4, f"and {len(facts) - _EXAMPLES} more", "dim"
        if frame:
            yield 4, f"frontmatter and headings: {' · '.join(w.line.strip() for w in frame)}", "dim"
            yield from ((6, f"held back: {why.held}", "dim") for why in frame if why.held)


def _told(entry: LineChange, title: str) -> Iterator[Row]:
    """Yield a change: the line, what it was, where that comes from, why it is held back."""
    why, went, is_move = entry.why, entry.went, entry.is_move
    is_tidied, is_held = _title(entry) == "Tidied", title.startswith("Held")
    label = [why.rule] if is_tidied else []
    label += [f"would move here from {went.path}"] if went and is_move and is_held else []
    label += ["would go" if is_held else "removed"] * (not entry.came and (is_tidied or is_held))
    yield 4, ": ".join([*label, why.line.strip().removeprefix("- ")]), ""
    if is_move and not is_held:
        return
    if went and entry.came and not is_move:
        at = f" in {went.path}" if went.path != why.path else ""
        yield 6, f"was{at}: {went.line.strip().removeprefix('- ')}", "dim"
    said = [went.rule, went.origin] if went and went.rule.startswith(RETIRED) else []
    rule = "" if entry.is_of_session or is_tidied else f"{why.rule}: "
    named = [replace(each, session=each.session[:8]) for each in entry.whys if each.quote]
    said += [rule + each.origin for each in named]
    said += [f"held back: {each.held}" for each in (*entry.whys, went) if each and each.held]
    yield from ((6, each, "dim") for each in dict.fromkeys(said))


def _next(found: FoundDream) -> Iterator[str]:
    dream, id_ = found.dream, found.receipt.dream
    if dream is None:
        return
    if dream.undone:
        yield f"It was undone; `dreamd redo {id_}` does it again."
        return
    if dream.changed and dream.receipt.kind is not Kind.FORGET:
        yield f"`dreamd diff {id_}` has every line; `dreamd undo {id_}` takes it back."
    if dream.waits:
        yield held_back(id_)
