"""What deserves to be remembered: claims that passed every gate of the evidence, in no note yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import NOTE, Candidate
from dreamd.engine.model.digest.fence import shown
from dreamd.engine.model.digest.section import Section
from dreamd.engine.rules.known import known
from dreamd.engine.rules.orient import Memory
from dreamd.text.statement import otherwise
from dreamd.text.words import plural

_MOST = 2_000  # claims looked at, the best; more of them fill 100,000 tokens


def open_claims(
    candidates: Sequence[Candidate], memory: Memory, heeded: Heeded
) -> tuple[Candidate, ...]:
    """Return the candidates that are still open, the best first.

    None that stands in the notes (but for the daily one it comes from), that a past dream drew
    on, or whose message the user took back; nor a task, a plan or a state of the moment.
    """
    notes = known(memory)
    found = []
    for each in candidates:
        snippet = each.snippet
        row = notes.find(snippet.statement)
        stands = row is not None and str(row.path) != snippet.session
        used = heeded.drew_on(snippet.message, snippet.quote) is not None
        if not (stands or used or snippet.message in heeded.declined):
            found += [] if otherwise(snippet.statement) else [each]
        if len(found) == _MOST:
            break
    return tuple(found)


def deserving(claims: Sequence[Candidate], told: str) -> Section:
    """Return claims word for word, but for those that stand in what is `told` elsewhere.

    Each with its day, how often and on how many days it was said, and how many questions of
    people it answers.
    """
    known = told.casefold()
    rows = [row for each in claims for row in _rows(each, known)]
    lead = (
        "What deserves to be remembered by how often it was said and asked about, and stands in "
        "no note and in no other part of this message, the best first: day · times said, questions "
        "it answers · what was said."
    )

    def rest(count: int) -> str:
        return f"{plural(len(rows) - count, 'more claim')} did not fit here."

    return Section("deserving", lead, rows, rest)


def _rows(candidate: Candidate, known: str) -> Iterator[str]:
    snippet = candidate.snippet
    words = shown(snippet.statement)
    if words.rstrip(".!?").casefold() not in known:
        day = snippet.day.isoformat() if snippet.day else "no day"
        yield f"{day} · {', '.join(_facts(candidate))} · {words}"


def _facts(candidate: Candidate) -> Iterator[str]:
    if candidate.snippet.speaker == NOTE:
        yield "daily notes"
    if candidate.sightings > 1:
        days = f" on {plural(candidate.days, 'day')}" if candidate.days > 1 else ""
        yield f"{candidate.sightings} times{days}"
    else:
        yield "once"
    if candidate.queries:
        yield plural(candidate.queries, "question")
