"""How a claim of the evidence is told: its score term by term, its gates, who said it when."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.evidence import NOTE, Snippet
from dreamd.domain.words import plural
from dreamd.engine.rules.promote.fates import Became, Fate
from dreamd.evidence.behind import Behind
from dreamd.evidence.verdict import Gate
from dreamd.insight import Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SIGHTINGS = 8  # shown of one claim, the newest
_ANSWERS = 3  # questions shown that it answers


def told(
    seen: Seen, weights: Mapping[str, float], *, above: Collection[str] = frozenset()
) -> list[str]:
    """Return a claim as a person reads it; `above` are the lines printed before it, stripped."""
    claim = seen.judged
    lines = [on_one_line(f"{claim.claim.snippet.statement}"), f"  {fate(seen.became, above)}"]
    parts = [f"{name} {value:.2f} x {weights[name]:.2f}" for name, value in claim.terms.items()]
    score = f"{claim.score:.3f} = {' + '.join(parts)}"
    if seen.tier:
        lines.insert(1, f"  {seen.tier}: no score and no gate is asked of it, and once is enough")
        lines.append(f"  it would score {score}")
        lines += [f"  {turn}"] if (turn := _turns(seen.became)) else []
    else:
        lines.append(f"  score {score}")
        lines.append(f"  gates: {', '.join(map(_gate, seen.gates))}")
    if seen.wanting:
        lines.append(f"  it would pass if it had {'; or '.join(seen.wanting)}")
    elif not seen.is_open:
        lines.append("  nothing that is said a few times more would let it pass these gates")
    shown = claim.claim.sightings[-_SIGHTINGS:]
    sightings = [on_one_line(f"  {_sighting(each)}") for each in shown]
    fresh = [each for each in sightings if each.strip() not in above]
    lines += fresh
    if len(fresh) < len(sightings):
        lines.append(f"  said as above, in {plural(len(sightings) - len(fresh), 'message')}")
    if more := len(claim.claim.sightings) - len(shown):
        lines.append(f"  and {plural(more, 'older sighting')}")
    best = sorted(claim.answers, key=lambda each: -each[1])[:_ANSWERS]
    lines += [on_one_line(f'  answers ({how:.2f}): "{query.text}"') for query, how in best]
    return lines


def fate(became: Became, above: Collection[str] = frozenset()) -> str:
    """Return in words what became of a claim; a line that is printed `above` it is not repeated."""
    by = f" by dream {became.dream}" if became.dream else ""
    line = became.line.strip()
    line = "the line above" if line in above else line
    match became.fate:
        case Fate.STANDS:
            return on_one_line(f"stands in {became.path}: {line}")
        case Fate.PAST:
            return on_one_line(f"stands in {became.path} as past: {line}")
        case Fate.TURNED_DOWN:
            return f"was written{by}, and taken back: it does not come again"
        case Fate.DRAWN_ON:
            return f"does not stand: its message was drawn on{by}, and none is drawn on twice"
        case Fate.ASKED:
            return (
                "does not stand yet: it was asked for, and the next dream by rules that has room "
                "for it writes it"
            )
        case Fate.NEXT:
            return "does not stand yet: the next dream by rules writes it, as far as can be told"
        case Fate.NO_ROOM:
            return (
                f"passes every gate and has no room: by what they say for each byte it is number "
                f"{became.rank} of those that wait; a larger budget.memory_bytes, or notes with "
                "less in them, would let it in"
            )
        case Fate.ASIDE:
            return "is no line of its own: another one says all of it, or it was only asked"
        case Fate.CLOSED:
            return "is not written: a gate is closed to it"


def _turns(became: Became) -> str:
    """Return what would change that a claim which was asked for stands or does not, if anything."""
    match became.fate:
        case Fate.STANDS:
            return (
                "it goes when you edit the line or `dreamd undo` the dream that wrote it, and is "
                "past when you tell a newer value"
            )
        case Fate.TURNED_DOWN:
            return f"if you undid it, `dreamd redo {became.dream}` brings it back"
        case Fate.DRAWN_ON:
            return "said again on another day it is written anew, unless a line says it by then"
        case Fate.ASKED:
            return "`dreamd forget` with words of it, before that, keeps it out"
        case _:
            return ""


def _gate(gate: Gate) -> str:
    verdict = "open" if gate.is_open else f"closed, needs {gate.least - gate.value:.3g} more"
    return f"{gate.name} {gate.value:.3g} of {gate.least:g} ({verdict})"


def _sighting(snippet: Snippet) -> str:
    if snippet.speaker == NOTE:
        return f'noted on {snippet.day} in {snippet.session}: "{snippet.quote}"'
    day = f"on {snippet.day} " if snippet.day else ""
    return f'said {day}by the {snippet.speaker} in session {snippet.session}: "{snippet.quote}"'


def unread(behind: Behind) -> str:
    """Return in words what of the transcripts the evidence does not know."""
    if not behind.new:
        return "all transcripts are read"
    return (
        f"{behind.new} of {plural(behind.transcripts, 'transcript')} with something new, "
        f"{common.size(behind.bytes)} not yet read: `dreamd dream` reads on"
    )


def as_json(seen: Seen) -> dict[str, Any]:
    """Return all that is known of a claim."""
    claim, became = seen.judged, seen.became
    snippet = claim.claim.snippet
    return {
        "statement": snippet.statement,
        "kind": snippet.kind.value,
        "tier": seen.tier or None,
        "subject": snippet.subject,
        "value": snippet.value,
        "tags": list(snippet.tags),
        "score": round(claim.score, 6),
        "terms": {name: round(value, 6) for name, value in claim.terms.items()},
        "gates": [
            {"gate": g.name, "value": round(g.value, 6), "least": g.least, "open": g.is_open}
            for g in seen.gates
        ],
        "open": seen.is_open,
        "wanting": list(seen.wanting),
        "turns": (_turns(became) or None) if seen.tier else None,
        "fate": became.fate.value,
        "path": str(became.path) if became.path else None,
        "line": became.line,
        "dream": became.dream or None,
        "rank": became.rank or None,
        "sightings": [
            {
                "quote": each.quote,
                "day": each.day.isoformat() if each.day else None,
                "at": each.at.isoformat() if each.at else None,
                "speaker": each.speaker,
                "session": each.session,
                "message": each.message,
            }
            for each in claim.claim.sightings
        ],
        "answers": [
            {"text": query.text, "relevance": round(how, 6)} for query, how in claim.answers
        ],
    }


def unread_as_json(behind: Behind) -> dict[str, int]:
    """Return what of the transcripts is not read, in numbers."""
    return {"transcripts": behind.transcripts, "new": behind.new, "bytes": behind.bytes}
