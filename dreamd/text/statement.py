"""Turn a sentence of a message into a line that makes sense alone."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses, lead, mood
from dreamd.text.tokens import MARK, WORD, Token, tokens, words

_CUT = lexicon.pattern("task-behind")
_EDGE = " ,;:–—-"
_ANAPHOR = lexicon.of("anaphor")
_POINTS = frozenset({"this", "that", "these", "those"})
_NO_NAMES = lexicon.STOP | lexicon.of("verb") | lexicon.of("polite") | {"always", "never", "ever"}
_RELATIVE = frozenset({"that", "there", "its", "their", "same", "such", "here"})
_ENDS = (".", "!", "?", "…", "`", ")", "'")

_PHRASES = tuple(sorted(word for word in lexicon.of("temporary") if " " in word))
_WORDS = frozenset(word for word in lexicon.of("temporary") if " " not in word)
_UNTIL = lexicon.pattern("until-then")
TROUBLE = tuple(sorted(lexicon.of("trouble")))


def task(low: str, start: int) -> int:
    """Return where the task begins that follows a statement, its end where there is none."""
    cut = _CUT.search(low, start)
    return cut.start() if cut else len(low)


def clean(line: str) -> str:
    """Return a line without greeting and filler, its first letter large, with a full stop."""
    spoken = [token for token in tokens(line) if token.kind != MARK]
    count = lead([token.low for token in spoken])
    denied = (n for n, token in enumerate(spoken[:count]) if _denies(line, token))
    if count := next(denied, count):
        line = line[spoken[count].start :]
    line = " ".join(line.split()).strip(_EDGE)
    if line[:1].islower() and " " in line and "_" not in line.split(" ")[0]:
        line = line[:1].upper() + line[1:]
    return line if line.endswith(_ENDS) else f"{line}."


def _denies(line: str, token: Token) -> bool:
    """Whether a "no" denies what follows: in `no, we …` it is only an answer."""
    return token.low == "no" and line[token.end : token.end + 1] not in {",", ".", "!", ":"}


def leans(text: str) -> bool:
    """Whether a text refers to something that only the words before it name."""
    found = [token for token in tokens(text) if token.kind != MARK]
    for number, token in enumerate(found):
        if token.kind != WORD or token.low not in _ANAPHOR:
            continue
        if any(map(_names, found[:number])):
            return False
        is_named = token.low in _POINTS and any(map(_names, found[number + 1 : number + 2]))
        if not is_named and not (number and token.low in _RELATIVE):
            return True
    return False


def _names(token: Token) -> bool:
    """Whether a token may be what a pronoun means: no stop word, no verb of an order."""
    return token.kind != WORD or token.low not in _NO_NAMES


def is_temporary(low: str, said: Sequence[str]) -> bool:
    """Whether a text in lower case, with these words, says that it holds only for a time."""
    is_phrased = any(f" {phrase}" in f" {low} " for phrase in _PHRASES)
    return is_phrased or not _WORDS.isdisjoint(said) or _UNTIL.search(low) is not None


def otherwise(statement: str) -> str:
    """Return what a sentence is if it is no lasting statement; empty if it is one."""
    found = mood(statement)
    if found is not Mood.STATED:
        return found.value
    if statement.rstrip().endswith("!"):
        return "exclamation"
    low = statement.lower()
    said = words(low)
    if is_temporary(low, said):
        return "state of the moment"
    joined = f" {' '.join(said)} "
    if any(f" {phrase} " in joined for phrase in TROUBLE) and " if " not in joined:
        return "trouble of the moment"
    parts = clauses(statement)
    if not parts or any(part.tense == "past" for part in parts):
        return "state of the moment"
    says = any(part.subject for part in parts) and not leans(statement)
    return "" if says else "says too little alone"
