"""Sentences that tell of one thing by a clause of its own, read as plain ones."""

from __future__ import annotations

import re
from collections.abc import Callable

from dreamd.domain.prose.words import words

_LEADING = words(
    "the a an my our your in on at behind under by from with after before for every all"
)
WHO = "I|we|you|he|she|they|it|the|an?|my|our|your|his|her|their"
Rewriting = tuple[str, str | Callable[[re.Match[str]], str]]


def because(match: re.Match[str]) -> str:
    """Return "because A, B" for "A, so B"."""
    first, _, rest = match[1].partition(" ")
    first = first.casefold() if first.casefold() in _LEADING else first
    return f"because {first} {rest}, {match[2]}"


def _behind(match: re.Match[str]) -> str:
    """Return what stands before "is where" behind what stands after it."""
    first, _, rest = match[1].partition(" ")
    return f"{match[2]} {first.casefold() if first.casefold() in _LEADING else first} {rest}"


_ONE = "one|command|person|team|tool|thing|service|script|file|place|day|time"
CLEFTS: tuple[Rewriting, ...] = (  # what is told of by its own clause
    (rf"^it(?:'s| is| was) ([^,;]+?),? (?:who|which|that)(?= (?!{WHO}\b)[a-z]+)", r"\1"),
    (
        r"^it(?:'s| is| was) ((?:in|on|at|by|from|after|before|because of|for) [^,;]+?),? that\b",
        r"\1",
    ),
    (rf"\b(?:is|are) the (?:{_ONE}) (?:that|which|who)(?= (?!{WHO}\b)[a-z])", ""),
    (
        (
            r"^([^,;.]+?) (?:is|are|was) (?:what|where|how|when) ((?:the|we|I|you|our|my|all"
            r"|every) "
            r"[^,;.]+)"
        ),
        _behind,
    ),
    (
        r"^([^,;.]+?) (?:is|are|was) why ((?:the|we|I|you|our|my|all|every) [^,;.]+)",
        r"\2 because of \1",
    ),
    (r"^what ((?:we|I|you|the \w+) [^,;.]+?) (?:is|are) (?=\w)", r"\1 "),
    (r"^([^,;.]+?) is the only one (?:with|who has|that has)\b", r"only \1 has"),
    (r"^([^,;.]+?) is the only one (?:who|that)(?= [a-z])", r"only \1"),
    (r"^(?:nobody|no one|no-one) (?:but|except) ", "only "),
    (r"^one (?=should|must|may)", ""),
    (r"^should ((?:the|an?|our|my) [^,;.]+?) ([a-z]+),", r"when \1 \2,"),
    (r"^([`\w.-]+) is used (to|for) (?=[a-z])", r"use \1 \2 "),
    (r"\bunder (?:any|no) circumstances\b", ""),
    (r"^(\S+) is the name of ([^,;.]+)", r"\2 is \1"),
    (
        (
            r"\ban? (?:man|woman|person|guy|lady|tool|service|company|place|repo|script)(?= "
            r"(?:named|called)\b)"
        ),
        "",
    ),
)
