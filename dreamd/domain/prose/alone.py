"""Whether words make sense to a stranger who knows only the project."""

from __future__ import annotations

import re

from dreamd.domain.prose.confided import confides
from dreamd.domain.prose.quoted import BLANK
from dreamd.domain.prose.reported import is_hearsay
from dreamd.domain.prose.verbs import COMMANDS
from dreamd.domain.prose.words import words
from dreamd.text.late import late

LONGEST = 400  # characters
_FEWEST = 3  # words
_TOKEN = late(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_][\w'.-]*|\ue000+")
_POINTS = late(
    r"\b(?:(?:the|as)\s+(?:above|below|following|previous|former|latter|attached)|above(?=[.,;:!]|\s*$)"
    r"|below(?=[.,;:!]|\s*$)|as\s+follows|like\s+(?:so|this|that)|this\s+way|that\s+way|such\s+a"
    r"|(?:do|does|doing|did|done|say|use|using|know|remember|want|like|prefer|with|of|to|about|for|than|in|on"
    r"|fix|see|mean|meant|keep|call|\w+ed)\s+(?:this|that|these|those)(?=[.,;:!?]|\s*$)|(?:these|those)\b(?!\s+who)"
    r"|this(?!\s+(?:project|repo|repository|code\s?base|app|application|team|company|workspace|machine"
    r"|laptop|computer|year|month|week|package|library|monorepo|org|organi[sz]ation|is\s+why|summer|winter)\b)"
    r"|(?:that|the\s+first|the\s+second|the\s+last|the\s+other|the\s+same)\s+(?:one|file|part|line|option|thing|error"
    r"|function|code|section|step|way|kind|sort|point|item)\b|here(?!'s)\b|(?:in|from|on)\s+the\s+screenshot|image\s+\d)",
    re.IGNORECASE,
)
_PART = late(  # of what is talked about just now: which file, which function?
    r"the\s+(?:functions?|methods?|class|variables?|files?|lines?|buttons?|fields?|columns?|scripts?|errors?|output"
    r"|snippet|component|modal|image|picture|sentence|paragraph|loop|query|value|string|array|list)\s+"
    r"(?:is|are|was|were|has|have|must|should|shall|will|can|cannot|may|always|never|needs?|returns?)\b",
    re.IGNORECASE,
)
_BARE = late(
    r"(?:it|this|that|they|he|she|these|those|them|there|his|her|their|its|one)(?:'\w+)?\b",
    re.IGNORECASE,
)
_PRONOUNS = words("it them they he she him her one ones so its their his")
_POSSESSIVE = words("its their his")
_PERSONAL = words("he she him her his")  # which only somebody can be
_PERSONS = words(
    "baby boss boy boyfriend brother child client colleague coworker cousin customer dad "
    "daughter doctor father fiance fiancee friend girl girlfriend granddaughter grandfather "
    "grandma grandmother grandpa grandson husband kid landlord man manager mentor mom mother "
    "mum neighbor neighbour nephew niece partner patient sister son spouse student teacher "
    "teammate toddler uncle aunt wife woman"
)
_ARTICLES = words("a an another any some")
_ENDINGS = words("one ones so")  # which point only where they are last
_EMPTY = words(
    "a an and are as at be but by can do does don for from have i if in is m me my never always no "
    "not of on or our please should so than that the they this to use using we when with you your "
    "will must just run make keep put add do prefer like remember stop now future going forward "
    "all again before after every want need take give show tell would rather"
)
_WISH = late(
    r"(?:(?:i'm|i\s+am|we're|we\s+are)\s+(?:trying|planning|hoping|thinking|considering|wondering|looking|going)"
    r"|i\s+(?:want|would\s+like|plan|hope|wish|intend|need)\s+to\b|i'd\s+(?:like|love)\s+to\b|let'?s\b|maybe|perhaps"
    r"|(?:should|could|can|shall|may|would|do|does|did)\s+(?:i|we|you|it|they)\b|what|how|why|who\b|is\s+it|are\s+there|for\s+example|for\s+instance)\b",
    re.IGNORECASE,
)


def stands_alone(text: str, shown: str, *, is_named: bool = False) -> bool:
    """Whether a statement needs nothing that stands outside it; `shown` is it without quotations.

    `is_named`: its pronoun is explained by its own last words.
    """
    if len(text) > LONGEST or shown.rstrip().endswith((":", ",", "?", "？", "…", "...")):  # noqa: RUF001
        return False
    if "[redacted" in text or not text.isprintable() or confides(text):
        return False
    if (
        _POINTS.search(shown)
        or _BARE.match(shown)
        or _PART.match(shown)
        or _WISH.match(shown)
        or is_hearsay(shown)
    ):
        return False
    tokens = _TOKEN.findall(shown)
    size = len(tokens) + sum("'" in token for token in tokens)  # I'm, we're
    return size >= _FEWEST and _says_something(tokens) and (is_named or not _dangles(tokens))


def _says_something(tokens: list[str]) -> bool:
    """Whether there is a word of substance, and not all of it is a quotation."""
    full = [token for token in tokens if token.casefold().split("'")[0] not in _EMPTY]
    return bool(full) and len([token for token in tokens if BLANK not in token]) >= 2


def _dangles(tokens: list[str]) -> bool:
    """Whether a pronoun comes before anything that it could stand for."""
    folded = [token.casefold().split("'")[0].strip(".-") for token in tokens]
    is_somebody = False  # named before
    known = 0  # words of substance before; a name counts twice
    for number, word in enumerate(folded):
        is_last = number + 1 == len(folded)
        if word in _PERSONAL and not is_somebody:
            return True
        if number > 1 and word in {"one", "ones"} and folded[number - 2] in _ARTICLES:
            return known < 3  # "a larger one": what comes before, without what tells it apart
        if word in _PRONOUNS and (is_last or word not in _ENDINGS):
            if word == "it" and not is_last and folded[number + 1] in {"when", "is", "if"}:
                continue
            return known < (1 if word in _POSSESSIVE else 2)
        is_name = tokens[number][0].isupper() and (number > 0 or word not in _EMPTY | COMMANDS)
        is_somebody = is_somebody or (is_name and word != "i") or word in _PERSONS
        known += 2 if number and tokens[number][0].isupper() else word not in _EMPTY
    return False
