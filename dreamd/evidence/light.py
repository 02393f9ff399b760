"""Light sleep: what people stated and what they asked, taken out of what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from dreamd.domain.evidence import ASSISTANT, NOTE, PERSON, ClaimKind, Query, Snippet
from dreamd.domain.heard import AssistantSaid, Noted, PersonSaid, ToolReturned, Turn
from dreamd.domain.prose.concepts import tags
from dreamd.domain.prose.cued import vocabulary
from dreamd.domain.prose.private import is_private
from dreamd.domain.prose.speech import Paragraph, paragraphs
from dreamd.domain.prose.whole import as_sentence
from dreamd.domain.prose.words import words
from dreamd.evidence.asking import asking
from dreamd.evidence.chat import speakers
from dreamd.evidence.firmness import firmness, kind
from dreamd.evidence.foreign import is_own as is_foreign_own
from dreamd.evidence.runs import Run, fitting, runs, singly
from dreamd.evidence.stated import begins_asking
from dreamd.evidence.subject import subject, value
from dreamd.evidence.taken_up import taken_up
from dreamd.text.late import late

VERSION = 9  # raised whenever the same talk gives other evidence: it is read anew then

_SHORTEST = 10  # characters of a statement
_LONGEST_REPLY = 4_000  # characters; a longer one is no acceptance
_LEAST_FIRM = 0.34  # below it stand troubles, talk of the work at hand, wishes without a figure
_LEAST_FIRM_ADVICE = 0.03
_ANSWER = 60  # characters; an answer in a few words is about what was asked
_OWN = words("i me my mine we our ours us myself")
_SOMEBODY = late(  # and what they do
    r"(?!(?:The|This|That|These|Those|It|When|If|In|On|At|For|User|There|Here|Also|Now|And|But|So"
    r"|As|What|How|Then)\b)[A-Z][a-z]+(?:\s[A-Z][a-z]+)?(?:['’]s\s|,?\s+(?:has|is|was|had|seems?"  # noqa: RUF001
    r"|thinks?|wants?|prefers?|works?|lives?|likes?|will|said|told|and|who|[a-z]{2,}ed)\b)"
)
_TO_KNOW = late(  # what is told so that it is known
    r"(?:(?:fyi|heads[\s-]up|just\sso\syou\sknow|so\syou\sknow|for\s(?:context|the\srecord|your\sinformation)|(?:good|bad)\snews(?!,?\s(?:it|that|this|we|i)\b)"
    r"|by\sthe\sway|btw|ps|p\.s\.|note\sthat|remember\sthat|in\scase\sit\smatters)[,:]?\s)",
    re.IGNORECASE,
)
_THE = late(r"the\s", re.IGNORECASE)
_WHO_ASKS = late(r"as\s+an?\s|having\s|with\s(?=.*\d)", re.IGNORECASE)
_ASKS = late(
    r"(?:what|how|why|who|which|when|where|can|could|would|will|should|do|does|did|is|are|was|were"
    r"|has|have|any)\b(?!,)",
    re.IGNORECASE,
)
_WONDERS = late(r"\b(?:wondering|unsure|curious|sure)\b", re.IGNORECASE)
_DID = late(  # "as I did on June 2 when I baked": what was done is told behind "when"
    r"(?:^|(?<=[.!?]\s))(?:I|[Ww]e)\sdid\b,?\s?(?P<day>(?:on|in|at|last|over|during)\s[^,.!?]*?(?:,\s\d{4})?)?,?\s?\bwhen\s"
    r"(?=(?:I|we)\b(?!\s(?:was|were)\b))"
)
_WITH = late(  # all there is
    r"with\s(?=(?:my|our|the|\d[\d.,]*)\s(?!.*\b(?:i|we|it|he|she|they)\b)(?!.*,\s(?:my|our|the)\b)[^!?]*$)",
    re.IGNORECASE,
)
_TODAY = late(  # which day it is, and no more
    r"(?:(?:given|considering|since|as)\s)?(?:that\s)?(?:today(?:'s\sdate)?(?:\s\([^)]*\))?\sis|it(?:'s|\sis)(?:\snow)?)\s"
    r"(?:[A-Za-z]+day,?\s)?(?:the\s)?[A-Za-z]*\.?\s?\d[^a-z]{0,12}(?:\stoday)?[.]?$",
    re.IGNORECASE,
)
_FIGURE = late(r"\d")
_WIDE = late(r"[\u3040-\u30ff\u3400-\u9fff]")
_HIDDEN = late("[\x00-\x1f\x7f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def light(turns: Iterable[Turn]) -> Iterator[Snippet | Query]:
    """Yield what was stated and what was asked, in the order in which it was said.

    Heard are people, and of the assistant what a person took up. In a session that is a chat of
    two people both are heard. `turns` are whole sessions, or what is new in them.
    """
    for _, session in groupby(turns, key=lambda turn: turn.session):
        said = tuple(session)
        names = speakers(said)
        yield from _of_chat(said, names) if names else _of_session(said)


def noted(said: Noted) -> Iterator[Snippet]:
    """Yield what a part of a daily note states, whoever it is about; fragments state nothing."""
    for paragraph in paragraphs(said.text):
        for run in singly(paragraph):
            yield from _snippets(paragraph, run, said, "")


def _of_session(turns: Sequence[Turn]) -> Iterator[Snippet | Query]:
    before = ""
    answer: AssistantSaid | None = None
    for turn in turns:
        if isinstance(turn, AssistantSaid):
            answer = turn
        elif isinstance(turn, PersonSaid):
            if answer and len(turn.text) <= _LONGEST_REPLY:
                yield from _advice(answer, turn, before)
            yield from _of_person(turn, turn.text)
            before, answer = turn.text, None


def _of_chat(turns: Sequence[Turn], names: tuple[str, str]) -> Iterator[Snippet | Query]:
    for turn in turns:
        if not isinstance(turn, ToolReturned):
            name = names[isinstance(turn, AssistantSaid)]
            yield from _of_person(turn, turn.text[len(name) + 1 :].strip(), f"{name}: ")


def _advice(answer: AssistantSaid, reply: PersonSaid, before: str) -> Iterator[Snippet]:
    """Yield what the person took up of an answer; it is of the day on which they did."""
    for line in taken_up(answer.text, reply.text, before):
        said = AssistantSaid(answer.text, answer.session, answer.message, reply.at, reply.day)
        yield from _snippet(as_sentence(line), line, ClaimKind.ADVICE, said)


def _of_person(said: Turn, text: str, label: str = "") -> Iterator[Snippet | Query]:
    """Yield what a person's message states and asks; `label` says who speaks, in a chat."""
    for paragraph in paragraphs(text):
        asked: list[str] = []
        for run in runs(paragraph, asked, is_chat=bool(label)):
            yield from _snippets(paragraph, run, said, label)
        for question in asked:
            yield Query(question, said.session, said.message, said.at, said.day)


def _snippets(paragraph: Paragraph, run: Run, said: Turn | Noted, label: str) -> Iterator[Snippet]:
    quote = paragraph.text[run.start : run.reach]
    for start, end in fitting(paragraph.shown, run):
        text = paragraph.text[start:end].strip(" ,;:—-")
        is_own = label or isinstance(said, Noted) or _is_own(text)
        if _width(text) >= _SHORTEST and is_own and not _TODAY.match(text):
            statement = label + _with_mark(text)
            yield from _snippet(statement, quote, kind(statement), said)


def _snippet(statement: str, quote: str, what: ClaimKind, said: Turn | Noted) -> Iterator[Snippet]:
    concepts = tags(statement)
    is_advice = what is ClaimKind.ADVICE
    least = _LEAST_FIRM_ADVICE if is_advice else _LEAST_FIRM
    is_hidden = _HIDDEN.search(statement) is not None or is_private(statement)
    if concepts and firmness(statement, what) >= least and not is_hidden:
        yield Snippet(
            statement,
            quote,
            what,
            subject(concepts),
            value(statement),
            concepts,
            NOTE if isinstance(said, Noted) else ASSISTANT if is_advice else PERSON,
            said.session,
            said.message,
            said.at,
            said.day,
        )


def _with_mark(text: str) -> str:
    """Return a statement with its end mark; what asks on its way stays a question.

    "I did on June 2 when I baked rye" is "On June 2 I baked rye", "With our oven in repair" alone
    is "Our oven in repair".
    """
    text = _DID.sub(lambda found: f"{found['day']} " if found["day"] else "", text)
    said = as_sentence(_WITH.sub("", text, 1) if _WITH.match(text) else text)
    if text.endswith("?"):
        return said[:-1]
    asks = asking(text, 0)
    is_direct = asks and not _WONDERS.search(text, asks.start, asks.end)
    is_asked = _ASKS.match(text) or is_direct
    return f"{said.removesuffix('.')}?" if is_asked else said


def _width(text: str) -> int:
    """Return how long a text is: a letter of a script without spaces says as much as two."""
    return len(text) + len(_WIDE.findall(text))


def _is_own(text: str) -> bool:
    """Whether a statement is the person's: in the first person, of somebody, or an answer."""
    is_answer = len(text) <= _ANSWER and _FIGURE.search(text) and not _THE.match(text)
    is_own = not _OWN.isdisjoint(vocabulary(text))
    is_told = any(each.match(text) for each in (_SOMEBODY, _WHO_ASKS, _TO_KNOW))
    return bool(is_own or is_foreign_own(text) or begins_asking(text) or is_told or is_answer)
