"""Words by which people praise, thank, cheer and feel, and sentences that do no more than that."""

from __future__ import annotations

import re

from dreamd.domain.prose.concepts import stem, tokens
from dreamd.domain.prose.labelled import LABEL
from dreamd.domain.prose.sentences import sentences
from dreamd.domain.prose.speech import Paragraph
from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS

_PRAISE = """
    amazing awesome cool nice lovely beautiful wonderful fantastic incredible terrific superb
    excellent perfect brilliant fabulous gorgeous stunning breathtaking impressive outstanding
    remarkable magnificent marvelous phenomenal spectacular splendid adorable cute sweet charming
    fun funny hilarious enjoyable exciting thrilling inspiring inspirational inspiration inspire
    motivating motivation motivate encouraging encouragement encourage empowering empower uplifting
    powerful meaningful special precious memorable rewarding fulfilling satisfying refreshing
    relaxing calming calm peaceful peace soothing comforting comfort cozy therapeutic important
    importance essential crucial vital significant valuable value worth worthwhile helpful useful
    interesting fascinating intriguing epic super pretty fine better best worse worst bad awful
    terrible horrible true right wrong different similar same big huge great little tough hard
    difficult challenging challenge possible able
"""
_FEELING = """
    happy happiness glad joy joyful sad upset proud pride grateful thankful gratitude appreciate
    appreciation appreciative blessed bless lucky luck excited excitement thrilled stoked pumped
    psyched eager delight delighted pleased pleasure love loved loving hope hopeful wish believe
    belief care caring kind kindness support supportive understand understanding accept acceptance
    feel feeling emotion emotional heart heartwarming soul spirit mind vibe energy positive
    positivity passion passionate dedication dedicated determined determination strong strength
    stronger courage brave confident confidence admire admirable respect honor honored cherish
    treasure enjoy enjoyed worry worried curious enthusiasm enthusiastic perspective struggle
"""
_COURTESY = """
    thanks thank wow yay haha lol hey hi hello oh aw aww gosh omg whoa phew congrats
    congratulations cheers kudos welcome sorry forward agree absolutely definitely totally
    completely truly quite certainly course exactly indeed hear heard sound seem talk chat share
    sharing tell catch remind reminder remember forget
"""
_LIVING = """
    journey path growth grow progress goal dream life live living world people person others
    everyone someone everything something anything nothing moment memory time day lately recent soon
    later keep stay bring give put take come let together close closer bond connection connect
    connected explore exploring experience discover express expression create creative creativity
    helping awareness difference impact chance opportunity step mean meaning
"""
_WORDS = f"{_PRAISE} {_FEELING} {_COURTESY} {_LIVING}".split()
SLIGHT = frozenset({*_WORDS, *map(stem, _WORDS)})  # concepts that tell next to nothing
_FEWEST = 3  # other concepts in a sentence that tells something all the same
_GIVES = late(  # a figure, a day, or a thing that is shown beside the words
    r"[\d\[\]]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|yesterday|tomorrow|today"
    rf"|tonight|last|next|ago|week|weekend|month|year|years|{'|'.join(WEEKDAYS)})\b",
    re.IGNORECASE,
)
_NAMES = late(r"(?<=[\w,;:)] )(?!I\b)[^\W\d_a-z]")
_OWN = late(r"\W*(?:and |but |so |oh,? |yeah,? |yes,? )?(?:I|We|My|Our)\b", re.IGNORECASE)
_YOURS = late(r"\b(?:you|your|yours|this|that|these|those|it)\b|['’]s\b", re.IGNORECASE)  # noqa: RUF001
_CALLS = late(  # who listens: "Wow Mel, …", "…, Mel!"
    r"^(?:wow|hey|hi|hello|oh|aww?|yeah|yes|thanks|thank you|cool|great|nice|so true),? "
    r"(?-i:[A-Z])\w*[,.!]|^(?-i:[A-Z])\w*,|, (?-i:[A-Z])\w*(?=[.!?]+$)",
    re.IGNORECASE,
)


def only_appraises(sentence: str) -> bool:
    """Whether a sentence says how good or dear something is, or thanks, and hardly anything else.

    One that counts, dates or names something is none, but for the name of who listens; nor one
    with three other words of weight, or with one that somebody says of themself alone.
    """
    if _GIVES.search(sentence):
        return False
    sentence = _CALLS.sub("", sentence)
    concepts = set(tokens(sentence))
    others = len(concepts - SLIGHT)
    if others and _OWN.match(sentence) and not _YOURS.search(sentence):
        return False
    return not others or (
        others < _FEWEST and others < len(concepts) and not _NAMES.search(sentence)
    )


def appraises(statement: str) -> bool:
    """Whether all that somebody says in a chat only appraises; what is of no chat never does."""
    label = LABEL.match(statement)
    if label is None:
        return False
    body = statement[label.end() :]
    return all(only_appraises(body[start:end]) for start, end in _spans(body))


def without_appraisals(statement: str) -> str:
    """Return what somebody says in a chat without the sentences at its ends that only appraise.

    The name stays in front. What is of no chat, or would have nothing left, stays as it is.
    """
    label = LABEL.match(statement)
    if label is None:
        return statement
    body = statement[label.end() :]
    telling = [each for each in _spans(body) if not only_appraises(body[each[0] : each[1]])]
    return label[0] + body[telling[0][0] : telling[-1][1]] if telling else statement


def _spans(body: str) -> list[tuple[int, int]]:
    """Return the columns of each sentence."""
    found: list[tuple[int, int]] = []
    reach = 0
    for each in sentences(Paragraph(body, body)):
        at = body.index(each.text, reach)
        reach = at + len(each.text)
        found.append((at, reach))
    return found
