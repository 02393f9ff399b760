"""Find what people plainly asked to be kept: saves, orders, corrections, and firm statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.rules.slots import slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses, masked
from dreamd.text.sentences import OWN, Sentence, sentences
from dreamd.text.statement import TROUBLE, clean, is_temporary, leans, task
from dreamd.text.stems import content, stem
from dreamd.text.tokens import ADDRESS, CODE, WORD, Token, is_foreign, tokens, words

_FEWEST = 2  # content words of a line
_LONGEST = 400  # characters of a line
_PASTED = 2  # sentences behind the name of a source that count as its words
_SHORT = 8  # characters behind a cue that say nothing by themselves
_TELLING = 12  # content words of a line that says enough alone
_NEIGHBOUR = 200  # characters of a sentence that is taken along
_SARCASM = lexicon.pattern("sarcasm")
_ROLE = lexicon.pattern("role")
_NOT_ASKED = lexicon.pattern("not-asked")
_REPORT, _SELF = lexicon.of("report"), frozenset({"i", "we", "i've", "we've"})
_ABOUT_ME, _PLACE = lexicon.pattern("about-me"), lexicon.pattern("place")


class Asks(StrEnum):
    """What a person asked for, as reasons and receipts name it."""

    SAVE = "explicit save"
    ORDER = "standing order"
    CORRECTION = "correction"
    PREFERENCE = "preference"
    STATED = "plain statement"


class Request(Struct, frozen=True):
    """A line that a person asked to be kept, with the words it comes from.

    `text` makes sense alone; `quote` is the sentence, or the two, that it was taken from. `kind`
    is that of a note: user, feedback, project, reference.
    """

    text: str
    quote: str
    asks: Asks
    kind: str
    said: PersonSaid


def requests(said: Iterable[PersonSaid]) -> Iterator[Request]:
    """Yield what each message asks to be kept or states firmly, in order.

    Left out are questions, plans, suppositions, quoted or pasted text, hearsay, what is
    temporary, orders about the product rather than about the agent's conduct, and statements
    about the screen, a change or the task at hand. A sentence gives one line at most.
    """
    for message in said:
        found = () if _ROLE.match(message.text[:_LONGEST].lower()) else sentences(message.text)
        for number, sentence in enumerate(found):
            if sentence.kind in OWN and len(sentence.text) <= 4 * _LONGEST:
                yield from _of_sentence(message, found, number)


def _of_sentence(said: PersonSaid, found: Sequence[Sentence], number: int) -> Iterator[Request]:
    sentence = found[number]
    shown = masked(sentence.text).replace("’", "'")
    low = shown.lower()
    found_cues = tuple(lexicon.find(low))
    if not found_cues or _SARCASM.search(low) or _NOT_ASKED.search(low) or is_foreign(low):
        return
    leads = [each.text.lower() for each in found[max(0, number - _PASTED) : number]]
    for cue, match in found_cues:
        before = low[: match.start()].rstrip().removesuffix("please").rstrip()
        if any(_SOURCE.search(each) for each in (*leads, before)) or _is_theirs(low, before):
            continue  # pasted: "from CONTRIBUTING.md: …", "Slack from Tomas: …"
        if request := _of_cue(cue, match, said, found, number):
            yield request
            return


def _of_cue(
    cue: lexicon.Cue,
    match: re.Match[str],
    said: PersonSaid,
    found: Sequence[Sentence],
    number: int,
) -> Request | None:
    """The request that one cue opens in a sentence, if what follows is one."""
    text = found[number].text
    start, end = _span(cue, match, text)
    body = text[start:end].strip(" ,;:–—-")
    after = found[number + 1] if number + 1 < len(found) else None
    if cue.asks == "correction" and after and not body.strip(".!"):
        body = after.text
    if not body or match.string.rstrip().endswith("?") or _is_vetoed(body, cue):
        return None
    if cue.name == "no always" and after and _LASTS.search(after.text.lower()):
        body = f"{body} {after.text}"
    is_fixed = "fixed" in cue.how
    rest = text[match.end() : end] if is_fixed else body
    whole = text[: match.start()] + text[match.end() :] if is_fixed else text
    line = _alone(body, rest, whole, found, number)
    if line is None or len(line) > _LONGEST or len(content(line)) < _FEWEST:
        return None
    asks = Asks[cue.asks.upper()]
    is_joined = number > 0 and line not in {body, text}
    quote = f"{found[number - 1].text} {text}" if is_joined else text
    return Request(clean(line), quote, asks, kind_of(line, asks), said)


def _span(cue: lexicon.Cue, match: re.Match[str], text: str) -> tuple[int, int]:
    """Where the body of a request begins and ends in its sentence."""
    start = match.end() if "behind" in cue.how else match.start()
    if "whole" in cue.how:
        start = 0
    end = task(match.string, max(start + 8, match.end()))
    if cue.asks == "save" and not any(each.verb for each in clauses(text[start:end])):
        if not match[0].endswith("that "):
            start = match.start()  # "keep in mind the layout": the cue is the verb
        elif _IN.match(match.string, start):
            end = start  # "note that in the logbook": a task
    return start, end


def _is_theirs(low: str, before: str) -> bool:
    """Whether somebody else says what follows, or a product does it: `when the user clicks …`."""
    said = {token.low for token in tokens(before)}
    is_quoted = not _REPORT.isdisjoint(said) and _SELF.isdisjoint(said)
    return is_quoted or (_CASE.match(low) is not None and not _PRODUCT.isdisjoint(said))


def _is_vetoed(body: str, cue: lexicon.Cue) -> bool:
    """Whether a body is no request after all: asked, temporary, of the product, or too little."""
    shown = body.lower().replace("’", "'")
    words = [token.low for token in tokens(shown) if token.kind is WORD]
    if is_temporary(shown, words):
        return True
    found = clauses(body)
    if cue.asks == "save":
        return not found or found[0].mood in {Mood.ASKED, Mood.SUPPOSED}
    if cue.asks == "stated" or "lasting" in cue.how:
        return not lasts(body, is_firm="firm" in cue.how)
    if cue.asks == "preference" and not {"if", "but", "though", "now"}.isdisjoint(words):
        return True
    then = clauses(body.partition(", ")[2]) if "whole" in cue.how else ()
    is_ordered = any(each.mood is Mood.ORDERED for each in (*found, *then))
    if "reason" in cue.how:
        is_here = _is_at_hand(body) or _HERE.search(shown) is not None
        return ("ordered" in cue.how and not is_ordered) or leans(body) or is_here
    return "same" not in cue.how and not _is_conduct(body, words, cue, is_ordered=is_ordered)


_CONDUCT = lexicon.of("conduct")
_NOUN = lexicon.of("agent-noun")
_AGENT = _NOUN | {"me", "yourself", "i"}
_PRODUCT = lexicon.of("product")
_DISPLAY = lexicon.of("display")
_HERE = lexicon.pattern("here")
_CASE = lexicon.pattern("case")
_SOURCE = lexicon.pattern("source")
_WHENEVER = lexicon.pattern("whenever")
_SHOULD = lexicon.pattern("should")
_IN = lexicon.pattern("preposition-first")
_NEVER = frozenset({"always", "never", "ever", "circumstances"})
_META = frozenset(stem(word) for word in lexicon.of("meta"))
_APPLIES = frozenset(stem(word) for word in lexicon.of("applies"))
_LASTS = lexicon.pattern("at-all-times")
_THIS_RULE = lexicon.pattern("this-rule")
_NAMING = frozenset({"quoted", "code"})
_NOW, _TASK_BEHIND = lexicon.pattern("of-the-moment"), lexicon.pattern("order-behind")
_PASSING = lexicon.pattern("no-state")
_AT_HAND = lexicon.of("screen") | lexicon.of("at-hand")


def _is_at_hand(text: str) -> bool:
    """Whether a text is about what is worked on: the screen, a task, a change, this machine."""
    low = text.lower()
    said = f" {' '.join(words(low))} "
    if any(f" {each} " in said for each in _AT_HAND):
        return True
    return _NOW.search(low) is not None or _TASK_BEHIND.search(low) is not None


def lasts(text: str, *, is_firm: bool = False) -> bool:
    """Whether a text states what holds until it is taken back, and makes sense alone.

    A firm one may say so in the words of a plan or of doubt: `it may never …`.
    """
    found = clauses(text)
    if not found or leans(text) or any(each.mood in {Mood.ASKED, Mood.REPORTED} for each in found):
        return False
    main = found[0]
    low = f" {' '.join(main.words)} "
    is_past = main.tense == "past" and main.verb != "agreed"
    if is_past or _PASSING.search(low) or any(f" {each} " in low for each in TROUBLE):
        return False
    is_sure = lexicon.of("hedge").isdisjoint(word for each in found for word in each.words)
    return is_sure and (is_firm or main.mood is Mood.STATED) and not _is_at_hand(text)


def _is_conduct(body: str, words: Sequence[str], cue: lexicon.Cue, *, is_ordered: bool) -> bool:
    """Whether an order is about how the agent works or what the repository's conventions are."""
    stems = {stem(word) for word in words}
    is_meta = not (_META.isdisjoint(stems) or _APPLIES.isdisjoint(stems))
    if is_meta and not any(slot.kind in _NAMING for slot in slots(body)):
        return False  # that a rule is to be followed says nothing without the rule
    if cue.name == "no always":
        return _PRODUCT.isdisjoint(words)
    known = _stems()
    verbs = [known[stem(w)] for w in words if stem(w) in known and w not in lexicon.STOP]
    if not verbs or (cue.name == "always never" and not _is_base(words)):
        return False
    has_noun = not _AGENT.isdisjoint(words) or any(_is_technical(each) for each in tokens(body))
    if not has_noun and (not _PRODUCT.isdisjoint(words) or verbs[0] in _DISPLAY):
        return False
    if "ordered" in cue.how:
        low = body.lower()
        head = _WHENEVER.split(low)[0] or low  # "whenever we need to" orders nothing
        return is_ordered or _SHOULD.search(head) is not None
    if "noun" in cue.how:
        return not _NOUN.isdisjoint(words)
    if "loose" not in cue.how and not has_noun and verbs[0] not in _CONDUCT:
        return False
    return cue.name != "we always" or words[words.index("we") + 2 :][:1] == verbs[:1]


def _is_base(words: Sequence[str]) -> bool:
    """Whether an imperative follows "always" or "never": `never seen before` is none."""
    places = [number for number, word in enumerate(words) if word in _NEVER]
    return any(not lexicon.of("verb").isdisjoint(words[at + 1 : at + 2]) for at in places)


def _is_technical(token: Token) -> bool:
    """Whether a token names code: a code span, a path, an identifier."""
    text = token.text
    return token.kind in {CODE, ADDRESS} or (
        token.kind is WORD
        and ("_" in text or not (text.islower() or text.istitle() or text.isupper()))
    )


@cache
def _stems() -> dict[str, str]:
    return {stem(word): word for word in lexicon.of("verb") | _CONDUCT}


def _alone(body: str, rest: str, whole: str, found: Sequence[Sentence], number: int) -> str | None:
    """Return a line that makes sense alone, with the sentence before it where it needs that.

    `rest` and `whole` are the line and its sentence without words of the cue that name nothing.
    """
    text = found[number].text
    if not _leans(rest if len(rest) > _SHORT else body):
        return body
    if text != body and len(text) <= _LONGEST and not _leans(whole):
        return text
    before = found[number - 1] if number else None
    if before is None or before.kind not in OWN or len(before.text) > _NEIGHBOUR:
        return None
    low = before.text.lower()
    is_asked = low.rstrip().endswith("?") or is_temporary(low, low.split())
    if not {"this", "whatever"}.isdisjoint(low.split()):  # it leans too
        return body if len(content(body)) > _TELLING else None
    if is_asked or len(content(before.text)) < _FEWEST or leans(before.text.rpartition(": ")[2]):
        return None
    return f"{before.text} {body[:1].upper()}{body[1:]}"


def _leans(text: str) -> bool:
    return leans(text) or _THIS_RULE.search(text.lower()) is not None


def kind_of(line: str, asks: Asks = Asks.SAVE) -> str:
    """Return the kind of note a line belongs to."""
    low = line.lower()
    is_ordered = any(part.mood is Mood.ORDERED for part in clauses(line)[:1])
    if is_ordered or asks not in {Asks.SAVE, Asks.STATED}:
        return "feedback"
    if _ABOUT_ME.match(low):
        return "user"
    return "reference" if _PLACE.search(low) else "project"
