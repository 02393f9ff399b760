"""What the assistant advised and the person took up: said again in the person's next words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamd.evidence.tags import tags

_ACCEPTS = re.compile(
    r"\s*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|perfect|awesome|cool|nice|thanks|thank\s+you|got\s+it|alright|exactly|right"
    r"|absolutely|definitely|sounds)\b|that(?:'s|\s+is|\s+sounds|\s+makes|\s+looks|\s+works|\s+helps)\b|this\s+(?:looks|sounds|is)\b"
    r"|let's\b|i(?:'ll|\s+will|'m\s+going|\s+think\s+i|\s+like|'ve\s+decided|\s+decided|\s+appreciate)\b)",
    re.IGNORECASE,
)
_REJECTS = re.compile(
    r"\b(?:but\s+(?:that|it|this)\b|not\s+what\b|don't\s+(?:think|like|want)|wrong|(?:doesn't|didn't|not)\s+work|incorrect|instead)",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[^.!?\n]*\?")  # who asks after a thing has not taken it up
_FENCE = re.compile(r"^[ \t]*(?P<mark>```|~~~).*?(?:^[ \t]*(?P=mark)|\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)]|#{1,6})[ \t]+")
_EMPHASIS = re.compile(r"\*\*|__")
_SHORTEST, _LONGEST = 30, 400  # characters of one piece of advice
_HEARD = 2_000  # characters of the person's answer that are looked at
_SHARED = 3  # words of the advice that the person says, and did not say before
_MOST = 4  # pieces of advice of one answer


def taken_up(advice: str, reply: str, before: str) -> Iterator[str]:
    """Yield the lines of an assistant's answer that a person took up in their reply.

    `before` is what the person said before the answer: its words are the person's already. Only
    where the reply accepts and does not reject; a line is taken up where the person says words of
    it that are new, and not in a question. The best lines only, in the order of the answer.
    """
    if not _ACCEPTS.match(reply) or _REJECTS.search(reply, 0, _HEARD):
        return
    new = set(tags(_ASKED.sub(" ", reply[:_HEARD]))) - set(tags(before[:_HEARD]))
    if len(new) < _SHARED:
        return
    ranked = []
    for number, line in enumerate(_lines(advice)):
        concepts = set(tags(line))
        shared = len(concepts & new)
        if shared >= _SHARED:
            ranked.append((-shared, len(concepts), number, line))
    for *_, line in sorted(sorted(ranked)[:_MOST], key=lambda each: each[2]):
        yield line


def _lines(advice: str) -> Iterator[str]:
    for row in _FENCE.sub("", advice).split("\n"):
        if len(row) < _SHORTEST:
            continue
        marker = _ITEM.match(row)
        said = row[marker.end() :] if marker else row
        if "**" in said or "__" in said:
            said = _EMPHASIS.sub("", said)
        line = " ".join(said.split())
        if _SHORTEST <= len(line) <= _LONGEST and line[-1] not in ":?" and "|" not in line:
            yield line
