"""The steps of a plan that an answer lays out, on one line behind what they are for."""

from __future__ import annotations

import re
from collections.abc import Callable

from dreamd.domain.prose.verbs import COMMANDS
from dreamd.domain.prose.words import words
from dreamd.text.late import late

_FEWEST, _MOST = 3, 8  # steps of a plan
_LONGEST_HEAD = 70  # characters
_LONGEST = 300  # characters of the line
_TAKEN, _WORDS = 2, 2  # so many steps the person says so many words of
_HELP = r"help\s+(?:you\s+)?(?:to\s+)?"
_LEAD = late(  # "Here are some tips on how to ask Ana for advice:"
    r"\bhere(?:'s|\s+is|\s+are)\s+(?:(?!(?:not|no|common|wrong|bad)\b)[\w-]+\s+){0,4}?"
    r"(?:steps?|tips?|ways?|plan|guide|advice|suggestions?|ideas|guidelines|techniques|practices|strateg(?:y|ies))"
    r"(?:\s+and\s+\w+)?\s+(?:you\s+can\s+(?:take|use|follow)\s+|for\s+(?:me|you)\s+)?"
    rf"(?:(?:(?:on\s+)?how\s+)?to\s+(?:{_HELP})?|(?:that|which)\s+(?:(?:can|may|might|could|will)\s+)?{_HELP})"
    r"(?P<aim>(?!(?:you|your|the|an?|my|our|\w+ing|not|never|consider|evaluate|decide|determine|choose|compare"
    r"|weigh|assess)\s)[a-z][^:.!?\n]{9,160}):\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_POINTS = late(  # at what stands elsewhere
    r"\b(?:this|these|that|those|it|its|them|they|he|she|her|his|him|such|both|above|below|same|yours|someone"
    r"|the\s+(?:situation|problem|issue|matter|event|goal|task|process)(?!\s+(?:of|with|that|in|at|on)\b))\b",
    re.IGNORECASE,
)
_ROW = late(
    r"^[ \t]?(?:#{1,6}[ \t]+)?(?:\*\*)?(?:step[ \t]+)?(?P<number>\d{1,2})[.:)][ \t]", re.MULTILINE
)
_HEAD = late(
    r"[ \t]*(?:\*\*)?(?P<head>[^\W\d_][^*\n]*?)(?:\*\*[ \t]*(?::|$)|:\*\*|:(?=\s)|[ \t]*$)",
    re.MULTILINE,
)
_CHOICES = late(  # of which one is taken
    r"^[ \t#*]*(?:option|method|alternative|approach|version)\s+(?:\d|[a-z]\b)",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY = late(r"(?:optional|(?:day|step|week|phase|part)\s+\w+)$|.*(?:\?|\d{4})", re.IGNORECASE)
_DOES = COMMANDS | words(  # with which a step of a plan begins
    "acknowledge acquire adapt adjust agree align allocate analyse analyze anticipate arrange "
    "arrive assess assign attend audit balance batch block bond book boost borrow budget buy "
    "calculate calm cancel categorise categorize celebrate challenge change clarify clear "
    "collect commit communicate complete conduct configure connect cook cool cover cultivate "
    "customise customize cut dedicate delegate demonstrate develop discuss divide dress earn "
    "eat embrace encourage engage enjoy enroll establish evaluate examine exchange exercise "
    "expand experiment explore fast feed file finalise finalize find fix freeze gather get "
    "grow guide heat help highlight hire hold hydrate identify implement improve incorporate "
    "increase integrate invest invite involve join journal kick knead know launch learn let "
    "leverage list listen maintain make manage map measure meditate meet minimise minimize "
    "mix monitor negotiate network observe offer optimise optimize order organise organize "
    "outline own pace pack paint participate partner pay plan plant play practice practise "
    "prepare preserve proof proofread propose protect prune publish reach recap record reduce "
    "refine reflect register regulate rehearse reinforce relax repair request research "
    "reserve rest revise reward rinse roll save scan schedule score secure seek select sell "
    "serve set shape sign sketch sleep soak speed spend sprinkle stage steam stir strengthen "
    "stretch study submit support survey sync take taste think trade train transfer "
    "transition trim understand use utilise utilize vary visit volunteer warm wash watch "
    "water weigh whisk"
)
_INTENDS = late(  # to do it
    r"\b(?:i'll|i\s+will|we'll|we\s+will|i(?:'m|\s+am)\s+going\s+to|we(?:'re|\s+are)\s+going\s+to|let's|i\s+plan\s+to)\b",
    re.IGNORECASE,
)
DENIES = (  # what is turned down, or was tried, or is in doubt
    r"no|not|never|neither|nor|none|nah|nope|\w+n't|cannot|skip\w*|avoid\w*|revert\w*|hate\w*"
    r"|declin\w+|rather|pointless|useless|allergic|already|tried|might|wonder\w*"
)
_TURNS_DOWN = late(  # or limits, or tells of what is over
    rf"\b(?:{DENIES}|without|drop\w*|stop\w*|instead|but|though|however|although|did|maybe|(?-i:may)|if|unsure"
    r"|too\s+\w+|leave\w*|withdr\w+|failed|rewrite|shorter|except|only|think\s+about|rest\s+of"
    r"|the\s+rest)\b",
    re.IGNORECASE,
)
_ELSEWHERE = late(
    r"\b(?:separate(?:ly)?|by\s+the\s+way|btw|new\s+topic|(?:on\s+)?another\s+(?:note|thing|topic|question)|unrelated)\b",
    re.IGNORECASE,
)
_SENTENCE = late(r"[^.!?\n]+")
Roots = Callable[[str], set[str]]


def outline(advice: str, reply: str, before: set[str], roots: Roots) -> str | None:
    """Return what a plan is for and its steps on one line, None where it was not taken up.

    "To ask Ana for advice: Prepare Questions; Be Clear; Follow Up", in the words of the answer.
    It was where the person says that they will do several of its steps, and turns none down; the
    words they said `before` are what it is for, which makes sense alone. One list, whole, numbered
    from one on, whose steps tell what to do.
    """
    lead = _LEAD.search(advice)
    if lead is None or _POINTS.search(lead["aim"]) or roots(lead["aim"]).isdisjoint(before):
        return None
    heard = _ELSEWHERE.split(reply, 1)[0]
    willing = " ".join(each for each in _SENTENCE.findall(heard) if _INTENDS.search(each))
    if not willing or _TURNS_DOWN.search(heard) or _CHOICES.search(advice):
        return None
    steps = _steps(advice, lead.end())
    heads = [head for head, _ in steps]
    line = f"To {lead['aim'].strip()}: {'; '.join(heads)}"
    if not _FEWEST <= len(steps) <= _MOST or len(line) > _LONGEST:
        return None
    done = sum(head.split()[0].casefold() in _DOES for head in heads)
    if 3 * done < 2 * len(heads):
        return None
    new = roots(willing) - before
    return line if sum(len(roots(said) & new) >= _WORDS for _, said in steps) >= _TAKEN else None


def _steps(advice: str, start: int) -> list[tuple[str, str]]:
    """Return the head of each step of the one list there is, and all that it says.

    Nothing where a number is missing or comes twice, or a head tells nothing or is too long.
    """
    rows = list(_ROW.finditer(advice, start))
    found = []
    for n, row in enumerate(rows):
        end = rows[n + 1].start() if n + 1 < len(rows) else len(advice)
        head = _HEAD.match(advice, row.end(), end)
        said = head["head"].strip(" .:") if head else ""
        if int(row["number"]) != n + 1 or not 0 < len(said) <= _LONGEST_HEAD or _EMPTY.match(said):
            return []
        found.append((said, advice[row.end() : end]))
    return found
