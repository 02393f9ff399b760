"""Why each line of a session came or went: the tool that did it, and whose words it stands for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.change import Why
from dreamd.domain.evidence import ASSISTANT, PERSON, AssistantSaid, PersonSaid
from dreamd.domain.tree import Tree
from dreamd.engine.model.tools.notes import Retired, Texts
from dreamd.text.markdown.markdown import bare, lines

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_SHARED = 0.6  # of a line's weight in rare words that must stand in the message it came from
_LONGEST_QUOTE = 400  # characters


class Origin(Struct, frozen=True):
    """The words that a line most likely stands for: a person's, or those that one took up."""

    quote: str
    said: PersonSaid | AssistantSaid


class Origins:
    """What was said, to be asked where a line came from: by its rarer words, the last best."""

    def __init__(self, said: Sequence[PersonSaid | AssistantSaid]) -> None:
        self._said = said
        self._words = [frozenset(_words(each.text)) for each in said]
        known = Counter(word for words in self._words for word in words)
        self._weight = {word: log(1 + len(said) / count) for word, count in known.items()}
        self._having: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            for word in words:
                self._having.setdefault(word, []).append(number)

    def of(self, line: str) -> Origin | None:
        """Return where a line came from; None where no message has most of its words."""
        words = frozenset(_words(line))
        rare = log(1 + len(self._said))
        whole = sum(self._weight.get(word, rare) for word in words)
        found: dict[int, float] = {}
        for word in words:
            for number in self._having.get(word, ()):
                found[number] = found.get(number, 0.0) + self._weight[word]
        if not found or not whole:
            return None
        best, shared = max(found.items(), key=lambda each: (each[1], each[0]))
        if shared < _SHARED * whole:
            return None
        said = self._said[best]
        quote = max(_SENTENCE.split(said.text), key=lambda part: len(words & set(_words(part))))
        return Origin(" ".join(quote.split())[:_LONGEST_QUOTE], said)


def whys(base: Tree, after: Texts, retired: Iterable[Retired], origins: Origins) -> Iterator[Why]:
    """Yield the reason for every line that came or went.

    Args:
        base: the notes before.
        after: the text of every note after.
        retired: the lines that `Retire` took out.
        origins: what was said.
    """
    given = {(each.path, each.line): each for each in retired}
    for path in sorted(base.files.keys() | after.keys()):
        old = Counter(map(bare, lines((base.data(path) or b"").decode("utf-8", "replace"))))
        new = Counter(map(bare, lines(after.get(path, ""))))
        for line in new - old:
            yield _came(path, line, origins)
        for line in old - new:
            fact = given.get((path, line))
            if fact is None:
                yield Why(path, line, "-", "edited by the model")
            else:
                rule = f"retired: {fact.reason}"
                yield Why(path, line, "-", rule, quote=fact.source)


def _came(path: PurePosixPath, line: str, origins: Origins) -> Why:
    origin = origins.of(line) if line.strip() else None
    if origin is None:
        return Why(path, line, "+", "written by the model")
    said = origin.said
    return Why(
        path,
        line,
        "+",
        "written by the model",
        quote=origin.quote,
        session=said.session,
        message=said.message,
        day=said.day.isoformat() if said.day else "",
        speaker=PERSON if isinstance(said, PersonSaid) else ASSISTANT,
    )


def _words(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text.casefold()) if len(word) > 2 or not word.isascii())
