"""The steps of a plan that an answer lays out, on one line behind what they are for."""

from __future__ import annotations

import re

from dreamd.domain.late import late
from dreamd.domain.prose.concepts import tags

_FEWEST, _MOST = 3, 8  # steps of a plan
_LONGEST = 300  # characters of the line
_HEARD = 2_000  # characters of what the person said before
_HELP = r"help\s+(?:you\s+)?(?:to\s+)?"
_LEAD = late(  # "Here are some tips on how to ask Ana for advice:"
    rf"\bhere(?:'s|\s+is|\s+are)\b[^.:!?\n]{{0,90}}?\b(?:(?:how\s+)?to\s+(?:{_HELP})?"
    rf"|that\s+(?:can|may|might|could|will)\s+{_HELP})(?P<aim>(?!(?:your?|the|an?|my|our|consider)\s)[a-z][^:.!?\n]{{9,160}}):\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_POINTS = late(  # at what stands elsewhere
    r"\b(?:this|these|that|those|it|its|them|they|he|she|her|his|him|such)\b", re.IGNORECASE
)
_STEP = late(  # "1. **Prepare Questions**: Think of …", "### Step 2: Call"
    r"^[ \t]?(?:#{1,6}[ \t]+)?(?:step[ \t]+)?\d{1,2}[.:)][ \t]+(?:\*\*)?"
    r"(?P<head>[^\W\d_][^:*\n]{2,70}?)(?:\*\*)?[ \t]*(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)


def outline(advice: str, before: str) -> str | None:
    """Return what a plan is for and its numbered heads on one line, None where there is none.

    "To ask Ana for advice: Prepare Questions; Be Clear; Follow Up", in the words of the answer.
    What it is for makes sense alone, and speaks of what the person said `before`.
    """
    lead = _LEAD.search(advice)
    if lead is None or _POINTS.search(lead["aim"]):
        return None
    if set(tags(lead["aim"])).isdisjoint(tags(before[:_HEARD])):
        return None
    steps = (found["head"].strip(" .") for found in _STEP.finditer(advice, lead.end()))
    heads = {head.casefold(): head for head in steps}
    line = f"To {lead['aim'].strip()}: {'; '.join(heads.values())}"
    return line if _FEWEST <= len(heads) <= _MOST and len(line) <= _LONGEST else None
