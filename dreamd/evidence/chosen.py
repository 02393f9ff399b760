"""What of an answer is of the option that a person took, and not of another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dreamd.text.late import late

_SENTENCES = late(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_OTHER = late(  # what may be taken beside or instead of what was advised
    r"(?:[-•*\s(]*)(?:(?:you\s(?:can|could|may|might)\s+)?also\s+(?:consider|look\s+(?:at|into)|worth)|(?:you\s(?:can|could|may|might)\s+)?consider\s+(?:also|instead)"
    r"|alternative(?:ly|s)?\b|as\s+an\s+alternative|an(?:other)?\s+(?:alternative|option|choice|possibility)\b"
    r"|other\s+(?:options|alternatives|choices)|or\s+(?:you\s+(?:can|could|may|might)|consider|use|try)\b"
    r"|if\s+(?:you\s+prefer|that\s+does(?:n['’]t|\s+not)))",  # noqa: RUF001
    re.IGNORECASE,
)
_ADVISES = late(  # in the assistant's first person
    r"(?:[^.:!?]{0,60}?\b)?(?:i(?:['’]d|\s+would)?\s+(?:(?:strongly|highly|also|generally|really|personally)\s+)?"  # noqa: RUF001
    r"(?:recommend|suggest|advise|propose|go\s+with|pick|choose|prefer|lean\s+towards?)"
    r"|my\s+(?:recommendation|suggestion|advice|pick|choice)\b(?:\s+(?:is|would\s+be))?)\s*[:,]?\s+",
    re.IGNORECASE,
)
_DOING = late(
    r"(?!(?:string|thing|nothing|something|everything|anything|spring)\b)[a-z]{2,}ing\s+\w"
)
_NAME = late(r"`[^`\n]+`|\b(?:[A-Z][\w.+#-]*\w|[a-z]+[A-Z]\w*)")
_TAKES = late(
    r"\b(?:go(?:ing)?\s+(?:for|with)|choos(?:e|ing)|chose|pick(?:ed|ing)?|opt(?:ed|ing)?\s+for|settl(?:e|ed|ing)\s+(?:on|for)|decided\s+(?:on|for)"
    r"|use|using|take|stick(?:ing)?\s+(?:with|to)|prefer|like)\s+(?:to\s+use\s+|using\s+)?(?:the\s+)?(?P<what>[^.,;:!?\n]{2,60})",
    re.IGNORECASE,
)
_LABEL = late(r"(?P<label>[^:.!?]{2,50}?)(?::\s|\s[–—-]\s)")  # noqa: RUF001
_MANY = late(r"\b(?:options?|alternatives?|choices|candidates)\b", re.IGNORECASE)


def of_chosen(pieces: Iterable[str], advice: str, reply: str) -> Iterator[str]:
    """Yield what of pieces of advice may count as taken up, each as a run of whole sentences.

    No sentence that only offers another option, unless the reply names it; where the reply takes
    one of several options by its name, no piece that is headed by another. What the assistant
    recommends in its first person is left out; of "I recommend using …" the deed stays.
    """
    listed = list(pieces)
    said = reply.casefold()
    labels = [_label(each) for each in listed]
    taken = _taken(reply) if _MANY.search(advice) else ""
    is_chosen = any(label and label in taken for label in labels)
    for piece, label in zip(listed, labels, strict=True):
        if is_chosen and label and label not in said:
            continue
        yield from _runs(piece, said)


def _label(piece: str) -> str:
    found = _LABEL.match(piece)
    return found["label"].strip(" *_`").casefold() if found else ""


def _taken(reply: str) -> str:
    """Return the words that name what a reply takes."""
    return "\n".join(each["what"].casefold() for each in _TAKES.finditer(reply))


def _runs(piece: str, said: str) -> Iterator[str]:
    """Yield the sentences of a piece that may be taken up, those that follow each other as one."""
    run: list[str] = []
    others = _SENTENCES.split(piece)
    for sentence in others:
        kept = _kept(sentence, [each for each in others if each is not sentence], said)
        if kept == sentence:
            run.append(sentence)
            continue
        if run:
            yield " ".join(run)
        run = [kept] if kept else []
    if run:
        yield " ".join(run)


def _kept(sentence: str, others: list[str], said: str) -> str:
    """Return a sentence as it may be taken up; "" where it is another option or a mere "I"."""
    if _OTHER.match(sentence):
        known = " ".join(others)
        names = {each.strip("`").casefold() for each in _NAME.findall(_without_first(sentence))}
        if not any(name in said for name in names if name not in known.casefold()):
            return ""
    if found := _ADVISES.match(sentence):
        rest = sentence[found.end() :]
        return f"{rest[:1].upper()}{rest[1:]}" if _DOING.match(rest) else ""
    return sentence


def _without_first(sentence: str) -> str:
    found = _OTHER.match(sentence)
    return sentence[found.end() :] if found else sentence
