"""Words that tell that something was so and is so no longer: "no longer", "stopped", "any more"."""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late

_WE = r"\b(?:i|we)"
_IT = r"\b(?P<{}>(?:the|our|my)\s(?:[\w-]+\s){{0,3}}?[\w-]+|(?-i:[A-Z])[\w-]+)"
_DOING = r"[a-z]{2,}(?:ing|ed)"
_ANY_MORE = r"\s(?:any\s?more|any\slonger)(?=\s*(?:[.,;!?]|$)|\s(?:and|but|so|since|because|as)\b)"
_REST = r"[^,;.!?]{2,120}?"
ENDED = cued(
    rf"(?:{_WE}|{_IT.format('it')})\s(?:now\s)?no\slonger\s(?P<does>(?!than\b)[a-z]{{2,}})\s(?P<object>.+)"
    rf"|(?:{_WE}(?:'m|'re|\sam|\sare)|{_IT.format('what')}\s(?:is|are))\s(?:now\s)?no\slonger\s(?P<verb>{_DOING})\s(?P<rest>.+)"
    rf"|(?:{_WE}\s(?:do\snot|don't)|{_IT.format('whose')}\s(?:does\snot|doesn't|do\snot|don't))"
    rf"\s(?P<did>[a-z]{{2,}})\s(?P<deed>{_REST}){_ANY_MORE}"
    rf"|(?:{_WE}(?:(?:'m|'re|\sam|\sare)\snot|\saren't)|{_IT.format('its')}\s(?:isn't|aren't|is\snot|are\snot))"
    rf"\s(?P<done>{_DOING})\s(?P<that>{_REST}){_ANY_MORE}"
    rf"|(?:{_WE}(?:'ve|\shave)?|{_IT.format('which')}(?:\s(?:has|have))?)\s(?:(?:just|now|recently|finally|already|also)\s)?"
    r"(?:stopped|quit|ceased)\s(?P<doing>[a-z]{2,}ing)\s(?P<before>.+)"
    r"|\bthere(?:'s|\sis|\sare)\sno\slonger\s(?:an?\s|any\s)?(?P<none>.+)"
    rf"|\bthere\s(?:isn't|aren't|is\snot|are\snot)\s(?:an?|any)\s(?P<more>{_REST}){_ANY_MORE}"
    rf"|(?:{_WE}\shave|{_IT.format('who')}\s(?:has|have))\sno\s(?P<nothing>{_REST}){_ANY_MORE}",
    "longer anymore more stopped quit ceased",
)
_LIMITED = late(  # of a time, a part, a degree or a case only, or so again by now
    r"\b(?:to(?:day|night|morrow)|this\s(?:week|weekend|month|year|morning|afternoon|evening|time|season|summer|winter|spring"
    r"|autumn|fall|quarter|sprint|session)|for\s(?:now|the\s(?:moment|time)|an?|\d+|some|several|many|two|three|the\s(?:next|rest))"
    r"|at\sthe\smoment|right\snow|currently|temporarily|sometimes|usually|mostly|lately"
    r"|(?:on|at|during|over|in)\s(?:the\s)?(?:\w+\s)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|week\sdays|holidays?|nights?"
    r"|mornings?|evenings?|afternoons?|vacations?|summer|winter|spring|autumn|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)"
    r"|until|till|unless|while|when|whenever|if|except|besides|apart|without|such|than|so\s\w+|as\s\w+\sas|enough|too|better|worse|only"
    r"|just|all|every|everything|both|whole|entire|other|another|further|else|many|much|fully|exclusively|(?<!any\s)more"
    r"|again|resum\w+|re-?enabl\w+|restor\w+|restart\w+|fixed|back\son)\b",
    re.IGNORECASE,
)
_AHEAD = late(  # what only will be, or was once
    r"\b(?:from|starting|soon|next|once|when|whenever|after|by|until|if|in|back|then|tomorrow|eventually|later|suppose|say|imagine"
    r"|sure|wonder\w*|whether|that\s(?:way|case))\b",
    re.IGNORECASE,
)


def is_limited(text: str, start: int) -> bool:
    """Whether what is told from a column on to be over is so of a time, a part or a case only."""
    return _LIMITED.search(text, start) is not None


def is_over(text: str, start: int) -> bool:
    """Whether the words that begin at a column, as `ENDED` finds them, tell that it is over now.

    Not what will be over, what was over once, and what is so of a time or a part only.
    """
    return not is_limited(text, start) and _AHEAD.search(text, 0, start) is None
