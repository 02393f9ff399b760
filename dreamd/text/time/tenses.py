"""Decide whether an English clause is about the past, the future, or the general."""

from __future__ import annotations

import re

from dreamd.text.late import late

_PAST = late(
    r"(?i)(?<!['’])\b(?:(?:was|were|had|did)(?:n['’]t)?|(?:re|over|out|mis|under)?(?:went|came|got"  # noqa: RUF001
    r"|saw|met|took|made|gave|said|told|left|lost|felt|found|bought|brought|thought|taught|caught"
    r"|fought|sold|sent|spent|built|kept|slept|wrote|drove|rode|broke|woke|spoke|chose|froze|fell"
    r"|flew|grew|knew|threw|drew|ran|began|swam|sang|drank|ate|won|paid|held|heard|stood"
    r"|understood|led|fed|forgot|became|wore|tore|swore|hid|shot|sat|hung|stuck|struck|dealt|meant)"
    r"|(?!(?:speed|embed|bleed|breed|hundred|kindred|sacred|naked|wicked|rugged)\b)"
    r"[a-z]*[a-df-z]ed|agreed|freed)\b(?!['’]t)"  # noqa: RUF001
)
_PARTICIPLE = late(  # "is used", "a used car", "to be moved", "gets closed"
    r"(?i)(?:\b(?:am|is|are|be|been|being|gets?|getting|an?|the|to|my|our|your|his|her|its|their"
    r"|no|any|all|not|more|most|very|too|so)|['’](?:s|re|m))"  # noqa: RUF001
    r"\s(?:(?:not|also|always|never|usually|often|sometimes|[a-z]+ly)\s)?$"
)
_FINITE = ("was", "were", "had", "did")
_PERFECT = late(r"(?i)\b(?:have|has|haven['’]t|hasn['’]t)\b|['’]ve\b")  # noqa: RUF001
_MOMENT = (  # what somebody does on a day that is fixed already
    r"(?:leav|go|com|mov|fly|start|begin|arriv|travel|travell|return|launch|open|clos|visit|meet"
    r"|retir|graduat|interview|present|expect|driv|releas|shipp|deploy|hav|see|giv|tak|gett|pick"
    r"|host|sign|switch|head|speak|play|submitt|publish|deliver|migrat|join)ing"
)
_WILL = r"(?:will|shall|won['’]t)"  # noqa: RUF001
_FUTURE = late(
    r"(?i)(?:\b(?:i|we|he|she|they|you|it|that|this)(?:['’]ll|\s(?:will|shall|won['’]t))\b"  # noqa: RUF001
    rf"|\b(?:my|our|his|her|their)\s(?:\w+\s){{1,3}}{_WILL}\b"
    rf"|(?:\b(?:am|is|are)|['’](?:m|re|s))\s(?:(?:not|also|finally|definitely)\s)?"  # noqa: RUF001
    rf"(?:going\sto\s\w|{_MOMENT}\b))"
)
_OFTEN = late(
    r"(?i)\b(?<!to\s)(?:always|never|usually|rarely|seldom|hardly\sever|often|sometimes|normally"
    r"|generally|typically)\b"
)


def is_past(clause: str) -> bool:
    """Whether a verb of the clause stands in the simple past, as far as its form can tell."""
    return _past(clause) is not None


def past_verb(clause: str) -> re.Match[str] | None:
    """Return the last verb of a clause in the simple past."""
    return _past(clause)


def is_future(clause: str) -> bool:
    """Whether somebody will do something, or is doing it on a day that is fixed already."""
    return _FUTURE.search(clause) is not None


def is_general(clause: str) -> bool:
    """Whether it says how things always, never or often are, rather than were or will be."""
    if not _OFTEN.search(clause):
        return False
    return not (is_past(clause) or is_future(clause) or _PERFECT.search(clause))


def _past(clause: str) -> re.Match[str] | None:
    found = None
    for match in _PAST.finditer(clause):
        is_sure = match[0].lower().startswith(_FINITE)
        if is_sure or not _PARTICIPLE.search(clause[: match.start()]):
            found = match
    return found
