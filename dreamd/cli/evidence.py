"""`evidence`: what dreams know of the talk: how much, its themes, and what may be remembered."""

from __future__ import annotations

import argparse
from collections import Counter

from dreamd import app as wiring
from dreamd.app import App
from dreamd.cli import common
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.store import Store
from dreamd.domain.words import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from dreamd.engine.model.digest.suspicion import Suspicion
    from dreamd.evidence.rem import Dreamt
    from dreamd.insight import Insight, Seen

_THEMES, _CANDIDATES, _CONTRADICTIONS = 20, 30, 10
_TRUTHS = 2  # shown of a theme
_SUSPECTED = 200  # contradictions looked for where all are to be told


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `evidence`."""
    del name
    common.memory_option(parser, positional=True)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--themes", action="store_true", help="what is spoken of, by how likely it is to last"
    )
    which.add_argument(
        "--candidates",
        action="store_true",
        help="every claim with its score, its gates and what became of it, the best first",
    )
    which.add_argument(
        "--contradictions",
        action="store_true",
        help="the lines left open, and what was said that seems to contradict a line of the notes",
    )
    common.most_option(parser, "how many to print (with --json: all)")
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what the evidence holds; nothing is read into it by looking."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments), may_be_gone=True)
    from dreamd.cli import claims  # noqa: PLC0415 - SQLite and the language: 60 ms
    from dreamd.insight import insight  # noqa: PLC0415

    seen = insight(store, app.folders(store), app.loaded.settings)
    if not arguments.json:
        print(on_one_line(str(store.memory)))
        print(claims.unread(seen.behind))
    if arguments.themes:
        return _themes(seen, arguments)
    if arguments.candidates:
        return _candidates(app, seen, arguments)
    if arguments.contradictions:
        return _contradictions(seen, arguments)
    if arguments.json:
        common.answer(_summary(store, seen))
    else:
        print("\n".join(_page(seen)))
    return 0


def _summary(store: Store, seen: Insight) -> dict[str, Any]:
    from dreamd.cli.claims import unread_as_json  # noqa: PLC0415

    return {
        "memory": str(store.memory),
        "claims": len(seen.claims),
        "sightings": seen.sightings,
        "messages": len(seen.said),
        "queries": len(seen.queries),
        "days": [day.isoformat() for day in seen.days],
        "tiers": dict(Counter(each.tier for each in seen.claims if each.tier)),
        "open": sum(each.is_open for each in seen.claims if not each.tier),
        "fates": dict(Counter(each.became.fate.value for each in seen.claims)),
        "unread": unread_as_json(seen.behind),
    }


def _page(seen: Insight) -> list[str]:
    span = f" ({seen.days[0]} to {seen.days[-1]})" if seen.days else ""
    counts = (
        plural(len(seen.claims), "claim"),
        plural(seen.sightings, "sighting"),
        f"{plural(len(seen.said), 'message')} of people",
        plural(len(seen.queries), "thing") + " asked",
        f"{plural(len(seen.days), 'day')}{span}",
    )
    lines = [", ".join(counts)]
    if not seen.claims:
        return [*lines, "nothing was stated yet: a dream takes it out of the transcripts"]
    fates = Counter(each.became.fate.value for each in seen.claims)
    tiers = Counter(each.tier for each in seen.claims if each.tier)
    if tiers:
        named = ", ".join(f"{count:,} {name}" for name, count in sorted(tiers.items()))
        lines.append(f"{tiers.total():,} of them need to pass no gate: {named}")
    passing = sum(each.is_open for each in seen.claims if not each.tier)
    others = "the others" if tiers else "them"
    lines.append(f"{passing:,} of {others} {'passes' if passing == 1 else 'pass'} every gate")
    lines += [f"  {count:6,} {name}" for name, count in sorted(fates.items())]
    return [*lines, dim("`--themes`, `--candidates` and `--contradictions` show them")]


def _themes(seen: Insight, arguments: argparse.Namespace) -> int:
    from dreamd.evidence.rem import dreamt  # noqa: PLC0415 - only where it is asked for

    found = dreamt([each.judged for each in seen.claims])
    if arguments.json:
        common.answer({"themes": [_theme_as_json(each) for each in found]})
        return 0
    for theme in found[: _most(arguments, _THEMES)]:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in theme.parts.items())
        print(
            f"{theme.confidence:.2f}  {bold(on_one_line(theme.word))}  "
            f"{plural(len(theme.claims), 'claim')}, {theme.truths} likely to last ({parts})"
        )
        for claim, how in theme.claims[:_TRUTHS]:
            print(on_one_line(f"      {how:.2f} {claim.claim.snippet.statement}"))
    return _and_more(len(found), _most(arguments, _THEMES), "theme")


def _theme_as_json(theme: Dreamt) -> dict[str, Any]:
    return {
        "concept": theme.concept,
        "word": theme.word,
        "confidence": round(theme.confidence, 6),
        "terms": {name: round(value, 6) for name, value in theme.parts.items()},
        "claims": [
            {"statement": claim.claim.snippet.statement, "confidence": round(how, 6)}
            for claim, how in theme.claims
        ],
    }


def _candidates(app: App, seen: Insight, arguments: argparse.Namespace) -> int:
    from dreamd.cli import claims  # noqa: PLC0415 - as above

    if arguments.json:
        every: list[Seen] = list(seen.claims)
        common.answer({"candidates": [claims.as_json(each) for each in every]})
        return 0
    weights = app.loaded.settings.evidence.weights
    most = _most(arguments, _CANDIDATES)
    for each in seen.claims[:most]:
        print("\n".join(["", *claims.told(each, weights)]))
    return _and_more(len(seen.claims), most, "claim")


def _contradictions(seen: Insight, arguments: argparse.Namespace) -> int:
    from dreamd.domain.undecided import undecided  # noqa: PLC0415
    from dreamd.engine.model.digest.contradictions import suspicions  # noqa: PLC0415
    from dreamd.engine.model.digest.oldlines import old_lines  # noqa: PLC0415
    from dreamd.engine.model.digest.prose import utterances  # noqa: PLC0415

    unsure = undecided(seen.notes)
    most = _most(arguments, _SUSPECTED if arguments.json else _CONTRADICTIONS)
    open_ones = [each for each in seen.said if each.message not in seen.heeded]
    found = suspicions(utterances(open_ones), old_lines(seen.notes), most)
    if arguments.json:
        common.answer(
            {
                "undecided": [each.as_json() for each in unsure],
                "contradictions": [_suspicion_as_json(each) for each in found],
            }
        )
        return 0
    for line in unsure:
        print(on_one_line(f"left open  {line.path}:{line.number}: {line.text}"))
    if not found and not unsure:
        print("Nothing that was said seems to contradict a line of the notes.")
    for each in found:
        day = f"on {each.message.day} " if each.message.day else ""
        print(f"\n{each.score:.1f}  {on_one_line(each.old)} -> {on_one_line(each.new)} ?")
        print(on_one_line(f"  {each.line.path}:{each.line.number}: {each.line.text}"))
        print(on_one_line(f'  said {day}in session {each.message.session}: "{each.said}"'))
    return 0


def _suspicion_as_json(each: Suspicion) -> dict[str, Any]:
    return {
        "score": round(each.score, 6),
        "old": each.old,
        "new": each.new,
        "path": str(each.line.path),
        "number": each.line.number,
        "line": each.line.text,
        "said": each.said,
        "day": each.message.day.isoformat() if each.message.day else None,
        "session": each.message.session,
        "message": each.message.message,
    }


def _most(arguments: argparse.Namespace, usual: int) -> int:
    most: int | None = arguments.most
    return usual if most is None else most


def _and_more(count: int, shown: int, noun: str) -> int:
    if count > shown:
        print(dim(f"and {plural(count - shown, noun)} more (`-n {count}` prints all)"))
    return 0
