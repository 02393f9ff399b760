"""Find what people plainly asked to be kept: saves, standing orders and corrections of conduct."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from dreamd.domain.heard import PersonSaid
from dreamd.engine.rules.slots import slots
from dreamd.text import cues, lexicon
from dreamd.text.clause import Mood, clauses, masked
from dreamd.text.late import late
from dreamd.text.sentences import OWN, Sentence, sentences
from dreamd.text.statement import clean, leans, task
from dreamd.text.stems import content, stem
from dreamd.text.tokens import ADDRESS, CODE, WORD, Token, is_foreign, tokens

_FEWEST = 2  # content words of a line
_LONGEST = 400  # characters of a line
_SHORT = 8  # characters behind a cue that say nothing by themselves
_NEIGHBOUR = 200  # characters of a sentence that is taken along
_SARCASM = late(r"/s\b|\blol\b|\bhaha|^(?:sure|oh great|great plan|yeah right)[,.!]")
_ROLE = late(r"\s*(?:you are|act as|you're) (?:an?|the|my) ", re.IGNORECASE)  # a prompt for a model
_NOT_ASKED = late(
    r"\blet'?s (?:also )?(?:note|remember|keep|record|save|add|store)\b|\bin theory\b"
)
_REPORT = lexicon.of("report")
_SELF = frozenset({"i", "we", "i've", "we've"})
_PHRASES = tuple(sorted(w for w in lexicon.of("temporary") if " " in w))
_WORDS = frozenset(w for w in lexicon.of("temporary") if " " not in w)
_UNTIL = late(r"\buntil (?:i|we|you|it|the|this|that|tomorrow|then|monday|friday|next)\b")
_ABOUT_ME = late(r"(?:i|i'm|i've|my|me|mine)\b")
_PLACE = late(
    r"https?://|\b(?:is|are|lives?|lies?|stored|kept|found|documented) (?:in|at|under|on) \S*[/.]"
)


class Asks(StrEnum):
    """What a person asked for, as reasons and receipts name it."""

    SAVE = "explicit save"
    ORDER = "standing order"
    CORRECTION = "correction"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True)
class Request:
    """A line that a person asked to be kept, with the words it comes from.

    `text` makes sense alone; `quote` is the sentence, or the two, that it was taken from. `kind`
    is that of a note: user, feedback, project, reference. `cue` names the row of the table.
    """

    text: str
    quote: str
    asks: Asks
    kind: str
    cue: str
    said: PersonSaid


def requests(said: Iterable[PersonSaid]) -> Iterator[Request]:
    """Yield what each message asks to be kept, in order.

    Left out are questions, plans, suppositions, quoted or pasted text, hearsay, what is
    temporary, and orders about the product rather than about the agent's conduct.
    """
    for message in said:
        yield from of_message(message)


def of_message(said: PersonSaid) -> Iterator[Request]:
    """Yield what one message asks to be kept; each sentence at most once."""
    if _ROLE.match(said.text):
        return
    found = sentences(said.text)
    for number, sentence in enumerate(found):
        if sentence.kind in OWN and len(sentence.text) <= 4 * _LONGEST:
            yield from _of_sentence(said, found, number)


def _of_sentence(said: PersonSaid, found: Sequence[Sentence], number: int) -> Iterator[Request]:
    sentence = found[number]
    shown = masked(sentence.text).replace("’", "'")  # noqa: RUF001
    low = shown.lower()
    found_cues = tuple(cues.find(low))
    if not found_cues or _SARCASM.search(low) or _NOT_ASKED.search(low) or is_foreign(low):
        return
    for cue, match in found_cues:
        if _is_quoted(low[: match.start()]):
            continue
        request = _of_cue(cue, match, said, found, number)
        if request is not None:
            yield request
            return


def _of_cue(
    cue: cues.Cue,
    match: re.Match[str],
    said: PersonSaid,
    found: Sequence[Sentence],
    number: int,
) -> Request | None:
    """The request that one cue opens in a sentence, if what follows is one."""
    asks = Asks[cue.asks.upper()]
    low = match.string
    start, end = _span(cue, match, found[number].text)
    body = found[number].text[start:end].strip(" ,;:–—-")  # noqa: RUF001
    if body[:3].lower() == "to ":
        body = body[3:]
    after = found[number + 1] if number + 1 < len(found) else None
    if asks is Asks.CORRECTION and not body and after:
        body = after.text
    if not body or _is_vetoed(low, body, asks, cue.name):
        return None
    if (
        cue.name == "no always"
        and after
        and after.kind in OWN
        and _LASTS.search(after.text.lower())
    ):
        body = f"{body} {after.text}"
    rest = found[number].text[match.end() : end] if cue.name in _FIXED else body
    line = _alone(body, rest, found, number)
    if line is None or len(line) > _LONGEST or len(content(line)) < _FEWEST:
        return None
    quote = _quote(found, number, line, body)
    return Request(clean(line), quote, asks, kind_of(line, asks), cue.name, said)


def _span(cue: cues.Cue, match: re.Match[str], text: str) -> tuple[int, int]:
    """Where the body of a request begins and ends in its sentence."""
    start = match.end() if cue.asks == "save" or cue.name in _BEHIND else match.start()
    end = task(match.string, max(start + 8, match.end()))
    if cue.asks == "save" and not any(each.verb for each in clauses(text[start:end])):
        start = match.start()  # "keep in mind the layout": the cue is the verb
    return start, end


def _is_quoted(before: str) -> bool:
    """Whether somebody else, or a text, says what follows these words."""
    said = [token.low for token in tokens(before) if token.kind is WORD]
    return not _REPORT.isdisjoint(said) and _SELF.isdisjoint(said)


def _quote(found: Sequence[Sentence], number: int, line: str, body: str) -> str:
    if line == body or not number:
        return found[number].text
    return f"{found[number - 1].text} {found[number].text}"


def _is_vetoed(low: str, body: str, asks: Asks, cue: str) -> bool:
    """Whether a body is no request after all: asked, temporary, of the product, or too little."""
    shown = body.lower().replace("’", "'")  # noqa: RUF001
    words = [token.low for token in tokens(shown) if token.kind is WORD]
    if low.rstrip().endswith("?"):
        return True
    if _is_temporary(shown, words):
        return True
    if asks is Asks.SAVE:
        return _is_asked(body)
    if asks is Asks.PREFERENCE and not {"if", "but", "though", "now"}.isdisjoint(words):
        return True
    return not _is_conduct(body, words, cue)


def _is_temporary(shown: str, words: Sequence[str]) -> bool:
    joined = f" {shown} "
    return (
        any(f" {phrase}" in joined for phrase in _PHRASES)
        or not _WORDS.isdisjoint(words)
        or _UNTIL.search(shown) is not None
    )


def _is_asked(body: str) -> bool:
    found = clauses(body)
    return not found or found[0].mood in {Mood.ASKED, Mood.SUPPOSED}


_CONDUCT = lexicon.of("conduct")
_AGENT = lexicon.of("agent-noun") | {"me", "yourself", "i"}
_PRODUCT = lexicon.of("product")
_DISPLAY = lexicon.of("display")
_SHOULD = late(r"\b(?:should|must|have to|need to|(?:'d like|want|need) you to)\b")
_NEEDS_ORDER = frozenset({"whenever you", "order whenever you", "when naming"})
_NEEDS_NOUN = frozenset({"ensure all", "remember to", "importance of"})
_FIXED = frozenset({"from now on", "want you to always"})  # their words name nothing
_BEHIND = frozenset({"told you", "how often", "again", "no always"})  # what they ask stands behind
_LASTS = late(r"\b(?:always|never|must|in every)\b")
_META = lexicon.of("meta")
_APPLIES = lexicon.of("applies")
_NAMING = frozenset({"quoted", "code"})
_LOOSE = frozenset(
    {"should always", "we always", "told you", "how often", "again", "prefer", "no always"}
)
_UNIVERSAL = lexicon.of("universal")


def _is_conduct(body: str, words: Sequence[str], cue: str) -> bool:
    """Whether an order is about how the agent works or what the repository's conventions are."""
    verbs = _verbs(words)
    if cue == "no always":
        return _PRODUCT.isdisjoint(words)
    if not verbs:
        return False
    if cue == "always never" and not _is_base(body):
        return False
    has_noun = not _AGENT.isdisjoint(words) or any(_is_technical(each) for each in tokens(body))
    if not has_noun and (not _PRODUCT.isdisjoint(words) or verbs[0] in _DISPLAY):
        return False
    if cue in _NEEDS_ORDER:
        is_ordered = any(each.mood is Mood.ORDERED for each in clauses(body))
        return is_ordered or _SHOULD.search(body.lower()) is not None
    if cue in _NEEDS_NOUN:
        return has_noun and (cue == "importance of" or not _UNIVERSAL.isdisjoint(words))
    is_meta = not (_META.isdisjoint(words) or _APPLIES.isdisjoint(words))
    if is_meta and not any(slot.kind in _NAMING for slot in slots(body)):
        return False  # that a rule is to be followed says nothing without the rule
    if cue not in _LOOSE and not has_noun and verbs[0] not in _CONDUCT:
        return False
    return cue != "we always" or words[words.index("we") + 2 :][:1] == verbs[:1]


def _is_base(body: str) -> bool:
    """Whether an imperative follows "always" or "never": `never seen before` is none."""
    words = [token.low for token in tokens(body) if token.kind is WORD]
    at = next((n for n, word in enumerate(words) if word in {"always", "never", "ever"}), None)
    return at is not None and words[at + 1 : at + 2] != [] and words[at + 1] in lexicon.of("verb")


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


def _verbs(words: Sequence[str]) -> list[str]:
    known = _stems()
    return [known[stem(word)] for word in words if stem(word) in known and word not in lexicon.STOP]


def _alone(body: str, rest: str, found: Sequence[Sentence], number: int) -> str | None:
    """Return a line that makes sense alone, with the sentence before it where it needs that.

    `rest` is what stands behind the cue: its own words name nothing.
    """
    if not leans(rest if len(rest) > _SHORT else body):
        return body
    whole = found[number].text
    if whole != body and len(whole) <= _LONGEST and not leans(whole) and rest == body:
        return whole
    if number:
        before = found[number - 1]
        is_near = before.kind in OWN and len(before.text) <= _NEIGHBOUR
        if is_near and not before.text.rstrip().endswith("?") and not leans(before.text):
            return f"{before.text} {body[:1].upper()}{body[1:]}"
    return None


def kind_of(line: str, asks: Asks = Asks.SAVE) -> str:
    """Return the kind of note a line belongs to."""
    low = line.lower()
    if asks is not Asks.SAVE:
        return "feedback"
    first = clauses(line)
    if first and first[0].mood is Mood.ORDERED:
        return "feedback"
    if _ABOUT_ME.match(low):
        return "user"
    return "reference" if _PLACE.search(low) else "project"
