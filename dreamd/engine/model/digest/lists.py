"""What is listed above the turns: open requests, and claims that may deserve a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dreamd.domain.change import Heeded
from dreamd.domain.dream import Brief
from dreamd.domain.evidence import ASSISTANT, NOTE, Candidate, Snippet
from dreamd.engine.model.digest.notes import Lines, Section, shown
from dreamd.engine.model.digest.turns import newest, without_assent
from dreamd.engine.model.page import cut
from dreamd.engine.rules.requests import Asks, Request, lasts, requests
from dreamd.text import lexicon
from dreamd.text.statement import otherwise
from dreamd.text.stems import content
from dreamd.text.words import plural

_LONGEST = 400  # characters of a row
_WORK = 1_000_000  # bytes of messages looked through closely for requests: a second
MOST_ASKED, _MOST_CLAIMS = 20, 8
_LOOKED_AT = 2_000  # claims, the best
_FEWEST = 4  # content words of a claim
_CUES = lexicon.pattern("asks-a-lot")


def asked(brief: Brief, lines: Lines) -> list[Request]:
    """Return what people asked to be remembered and no dream has settled, the newest first.

    Settled is what a dream drew on, what the user took back, and what a line says.
    """
    found: dict[str, Request] = {}
    cued = [each for each in brief.said if _CUES.search(each.text.lower())]
    for each in requests(reversed(newest(cued, _WORK))):
        is_open = each.asks is not Asks.STATED and not _is_settled(
            brief.heeded, each.said.message, each.quote
        )
        if is_open and not lines.say(each.text):
            found.setdefault(each.text.casefold(), each)
    return list(found.values())


def _is_settled(heeded: Heeded, message: str, quote: str) -> bool:
    return message in heeded.declined or heeded.drew_on(message, quote) is not None


def wishes(found: Iterable[Request]) -> Section:
    """Return requests whose turns are not shown below."""
    rows = [
        shown(f"{each.said.day or 'no day'} · {each.asks} · {cut(each.quote, _LONGEST)}")
        for each in found
    ]
    lead = (
        "Asked for earlier, and in no note yet, the newest first. Write each, unless it no longer "
        "holds: day · what a program takes it for · words."
    )
    return Section("asked", lead, rows)


def claims(brief: Brief, lines: Lines) -> list[Candidate]:
    """Return statements that may deserve a line, the best first.

    Each was said on two days or more, or stands in a daily note, or had no room in a session yet.
    None is advice, a task, a plan or a state of the moment, stands in a note, or is settled.
    """
    unread = {*brief.unread}
    found: dict[str, Candidate] = {}
    for each in brief.candidates[:_LOOKED_AT]:
        snippet = each.snippet
        is_noted = snippet.speaker == NOTE
        is_due = each.days > 1 or is_noted or snippet.message in unread
        if not is_due or snippet.speaker == ASSISTANT or not _is_stated(snippet):
            continue
        stands = lines.verbatim(snippet.statement)
        if stands is not None and not (is_noted and str(stands.path) == snippet.session):
            continue
        if not _is_settled(brief.heeded, snippet.message, snippet.quote):
            found.setdefault(snippet.statement.casefold(), each)
    return list(found.values())


def _is_stated(snippet: Snippet) -> bool:
    """Whether a claim says what lasts: no question, task, state of the moment or assent."""
    said = snippet.statement
    is_odd = said.startswith(("[", "*")) or snippet.quote.rstrip().endswith("?")
    is_other = is_odd or otherwise(said) or not lasts(said)
    return not is_other and len(content(said)) >= _FEWEST and bool(without_assent(said))


def deserving(found: Iterable[Candidate], told: Collection[str]) -> Section:
    """Return the claims whose turns are not shown below, with their days and counts."""
    rows = [_claimed(each) for each in found if each.snippet.message not in told][:_MOST_CLAIMS]
    lead = (
        "A program's guess at what else deserves a line; half of it does not: "
        "day · times said, questions it answers · what was said."
    )
    return Section("deserving", lead, rows)


def _claimed(candidate: Candidate) -> str:
    snippet = candidate.snippet
    facts = ["daily notes"] if snippet.speaker == NOTE else []
    facts.append(often(candidate))
    facts += [plural(candidate.queries, "question")] if candidate.queries else []
    said = cut(snippet.statement, _LONGEST)
    return shown(f"{snippet.day or 'no day'} · {', '.join(facts)} · {said}")


def often(candidate: Candidate) -> str:
    """Return how often a claim was said."""
    days = f" on {plural(candidate.days, 'day')}" if candidate.days > 1 else ""
    return f"said {candidate.sightings} times{days}" if candidate.sightings > 1 else "once"
