"""Why each line of a session came or went, and whose words may stand behind it."""

from __future__ import annotations

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd import transcripts
from dreamd.domain.change import EDITED, RETIRED, WRITTEN, Why
from dreamd.domain.dream import Brief, Report
from dreamd.domain.evidence import ASSISTANT, PERSON, AssistantSaid, PersonSaid, Turn, sources
from dreamd.domain.tree import Tree
from dreamd.engine.model.tools.notes import Retired, Texts
from dreamd.errors import HostError
from dreamd.host import clock
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.secrets.secrets import redact

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_SHARED = 0.6  # of a line's weight in rare words that must stand in the message it came from
_LONGEST_QUOTE = 400  # characters
_REMARK = 300  # characters of a session's last word that a receipt keeps


def account(
    brief: Brief,
    after: Texts,
    remark: str,
    retired: Sequence[Retired] = (),
    read: Iterable[str] = (),
) -> Report:
    """Return the reasons and the sources of what a session made of the notes, and its last word.

    `read` is what it was shown beside the sessions.
    """
    taken_up = [  # sentences of the assistant that a person took up
        AssistantSaid(each.quote, each.session, each.message, each.at, each.day)
        for each in (candidate.snippet for candidate in brief.candidates)
        if each.speaker == ASSISTANT
    ]
    said: list[PersonSaid | AssistantSaid] = [*taken_up, *brief.said]
    return Report(
        whys=tuple(_whys(brief.base, after, retired, _Origins(said))),
        superseded=tuple((each.path, each.line) for each in retired),
        grounds=sources(_turns(brief, said), read, today=clock.local_day(clock.now())),
        remark=redact(" ".join(remark.split()))[:_REMARK],
    )


def _turns(brief: Brief, said: Sequence[PersonSaid | AssistantSaid]) -> Iterator[Turn]:
    """Yield all turns of the sessions, and what is told of others whose transcripts are gone."""
    known = set()
    for transcript in transcripts.sessions(brief.sessions):
        with contextlib.suppress(HostError):  # the listing of what was heard tells of it
            for turn in transcripts.turns(transcript):
                known.add(turn.message)
                yield turn
    yield from (each for each in said if each.message not in known)


class _Origins:
    """What was said, to be asked where a line came from: by its rarer words, the last best."""

    def __init__(self, said: Sequence[PersonSaid | AssistantSaid]) -> None:
        self._said = said
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(said):
            for word in set(_words(each.text)):
                self._having[word].append(number)

    def of(self, line: str) -> tuple[str, PersonSaid | AssistantSaid] | None:
        """Return the words that a line most likely stands for, and the message they are from.

        None where no message has most of its words.
        """
        words = frozenset(_words(line))
        whole, found = 0.0, defaultdict[int, float](float)
        for word in words:
            numbers = self._having.get(word, ())
            weight = log(1 + len(self._said) / max(len(numbers), 1))
            whole += weight
            for number in numbers:
                found[number] += weight
        if not found or not whole:
            return None
        best, shared = max(found.items(), key=lambda each: (each[1], each[0]))
        if shared < _SHARED * whole:
            return None
        said = self._said[best]
        quote = max(_SENTENCE.split(said.text), key=lambda part: len(words & set(_words(part))))
        return " ".join(quote.split())[:_LONGEST_QUOTE], said


def _whys(base: Tree, after: Texts, retired: Iterable[Retired], origins: _Origins) -> Iterator[Why]:
    """Yield the reason for every line that came or went."""
    given = {(each.path, each.line): each for each in retired}
    for path in sorted(base.files.keys() | after.keys()):
        old = Counter(map(bare, lines((base.data(path) or b"").decode("utf-8", "replace"))))
        new = Counter(map(bare, lines(after.get(path, ""))))
        for line in new - old:
            yield _came(path, line, origins)
        for line in old - new:
            fact = given.get((path, line))
            rule = f"{RETIRED}{fact.reason}" if fact else EDITED
            yield Why(path, line, "-", rule, quote=fact.source if fact else "")


def _came(path: PurePosixPath, line: str, origins: _Origins) -> Why:
    why = Why(path, line, "+", WRITTEN)
    origin = origins.of(line) if line.strip() else None
    if origin is None:
        return why
    quote, said = origin
    return replace(
        why,
        quote=quote,
        session=said.session,
        message=said.message,
        day=said.day.isoformat() if said.day else "",
        speaker=PERSON if isinstance(said, PersonSaid) else ASSISTANT,
    )


def _words(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text.casefold()) if len(word) > 2 or not word.isascii())
