"""`why --line` and `why --candidates`: where a line came from, what dreams did with a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import PurePosixPath

from dreamd import receipts
from dreamd.app import App, Found
from dreamd.cli import common
from dreamd.cli.log import when
from dreamd.cli.paint import on_one_line
from dreamd.cli.values import reasons
from dreamd.domain import budget
from dreamd.domain.change import Why
from dreamd.domain.evidence import NOTE
from dreamd.domain.store import Store
from dreamd.domain.words import plural
from dreamd.errors import EvidenceError, HostError, UsageError
from dreamd.explain import Explained, Talk
from dreamd.memory.scan import scan

_SENTENCES = 5  # that are shown of what was said with these words


def candidates(app: App, store: Store, most: int, *, as_json: bool) -> int:
    """Print what people stated that is in no note, best first, with verdict and reason."""
    talk = Talk(store, app.folders(store), app.loaded.settings)
    found = [each for each in talk.candidates() if each.verdict != "stands"]
    shown = found[:most] if most else found
    if as_json:
        common.answer({"candidates": [_candidate(each) for each in shown], "count": len(found)})
        return 0
    for each in shown:
        one = each.candidate
        if one is None:
            continue
        counts = f"{plural(one.sightings, 'time')}, {plural(one.days, 'day')}"
        print(on_one_line(f"{one.score:.2f}  {each.text}"))
        print(on_one_line(f"      {counts}, last {each.day or 'on no known day'}: {each.reason}"))
    if len(found) > len(shown):
        print(f"{len(found) - len(shown)} more; -n 0 shows all.")
    if not found:
        print("Nothing that people said is a candidate.")
    for remark in talk.remarks:
        print(on_one_line(remark))
    return 0


def _candidate(each: Explained) -> dict[str, object]:
    one = each.candidate
    terms = {} if one is None else {name: round(value, 4) for name, value in one.terms.items()}
    return {
        "statement": each.text,
        "verdict": each.verdict,
        "reason": each.reason,
        "score": round(one.score, 4) if one else 0.0,
        "terms": terms,
        "sightings": one.sightings if one else 0,
        "sessions": one.sessions if one else 0,
        "days": one.days if one else 0,
        "questions": one.queries if one else 0,
        "session": each.session,
        "message": each.message,
        "day": each.day,
        "speaker": each.speaker,
    }


def line(app: App, store: Store, text: str, *, as_json: bool) -> int:
    """Print each line with these words once, with its source; then what was said with them.

    Raises:
        UsageError: there are no words.
    """
    wanted = " ".join(text.split()).casefold()
    if not wanted:
        raise UsageError("--line: give some words of the line")
    told: list[tuple[Found, Why]] = []
    for dream in reversed(receipts.past(receipts.read(store.database))):
        found = Found(store, dream.receipt, dream)
        told += [
            (found, why)
            for why in reasons(found)
            if wanted in " ".join(why.line.split()).casefold()
        ]
    standing = _standing(store, wanted)
    said, fault = _said(app, store, wanted)
    if as_json:
        common.answer(
            {
                "line": text,
                "found": [_json(found, why) for found, why in told],
                "stands": [{"path": str(path), "line": line} for path, line in standing],
                "said": [_sentence(each) for each in said],
                "reason": fault,
            }
        )
        return 0
    _print(text, told, standing, said, fault)
    return 0


def _print(
    text: str,
    told: Sequence[tuple[Found, Why]],
    standing: Sequence[tuple[PurePosixPath, str]],
    said: Sequence[Explained],
    fault: str,
) -> None:
    if not told:
        print(f'No dream wrote, moved or removed a line with "{on_one_line(text)}" in it.')
        for path, line in standing:
            print(on_one_line(f"It is in {path}; you or your client wrote it: {line}"))
    for found, whys in _by_line(told):
        print("\n".join(_told(found, whys)))
    for each in said[:_SENTENCES]:
        print(on_one_line(f'You said on {each.day or "no known day"}: "{each.text}"'))
        print(on_one_line(f"  {each.verdict}: {each.reason}"))
    if len(said) > _SENTENCES:
        print(f"{plural(len(said) - _SENTENCES, 'sentence')} more with these words.")
    if fault:
        print(on_one_line(f"What was said cannot be searched: {fault}"))
    elif not said:
        print("Nobody said a sentence with these words.")


def _said(app: App, store: Store, wanted: str) -> tuple[list[Explained], str]:
    try:
        talk = Talk(store, app.folders(store), app.loaded.settings)
    except (EvidenceError, HostError) as error:
        return [], str(error)
    return list(islice(talk.sentences(wanted), 50)), "; ".join(talk.remarks)


def _sentence(each: Explained) -> dict[str, object]:
    return {
        "text": each.text,
        "verdict": each.verdict,
        "reason": each.reason,
        "session": each.session,
        "message": each.message,
        "day": each.day,
    }


def _by_line(told: Sequence[tuple[Found, Why]]) -> Iterable[tuple[Found, list[Why]]]:
    """Return with each line that a dream wrote or removed all that it came from, in order."""
    by_line: dict[tuple[object, ...], tuple[Found, list[Why]]] = {}
    for found, why in told:
        line = (found.receipt.dream, why.path, why.line, why.sign, why.moved_to)
        by_line.setdefault(line, (found, []))[1].append(why)
    return by_line.values()


def _standing(store: Store, wanted: str) -> list[tuple[PurePosixPath, str]]:
    """Return the lines of the notes, as they are now, that hold these words."""
    if not store.memory.is_dir():
        return []
    return [
        (path, line.strip())
        for path, text in budget.notes(scan(store.memory)).items()
        for line in text.splitlines()
        if wanted in " ".join(line.split()).casefold()
    ]


def _json(found: Found, why: Why) -> dict[str, object]:
    return {
        "dream": found.receipt.dream,
        "started": found.receipt.started,
        "undone": bool(found.dream and found.dream.undone),
        "path": str(why.path),
        "sign": why.sign,
        "line": why.line,
        "rule": why.rule,
        "moved_to": str(why.moved_to) if why.moved_to else None,
        "quote": why.quote,
        "session": why.session,
        "message": why.message,
        "day": why.day,
        "speaker": why.speaker,
    }


def _told(found: Found, whys: Sequence[Why]) -> list[str]:
    """Return a line that a dream wrote or removed, once, and all that it came from."""
    why = whys[0]
    verb = {"+": "written", "-": "removed", "=": "said once more"}[why.sign]
    if why.moved_to == why.path:
        verb = "merged with a line that stays"
    elif why.moved_to is not None and why.quote and why.sign == "-":
        verb = f"merged with a line that stays in {why.moved_to}"
    elif why.moved_to is not None:
        verb = f"moved to {why.moved_to}"
    since = _since(found.dream) if found.dream is not None else ""
    rules = ", ".join(dict.fromkeys(each.rule for each in whys))
    lines = [
        on_one_line(f"{why.sign} {why.line.strip()}"),
        on_one_line(
            f"  {verb} in {why.path} by dream {found.receipt.dream} "
            f"({when(found.receipt.started)}{since}): {rules}"
        ),
    ]
    if why.sign == "-" and why.moved_to is None and not since and found.dream is not None:
        lines.append(f"  it is kept in history: `dreamd undo {found.receipt.dream}` brings it back")
    return [*lines, *dict.fromkeys(_source(each) for each in whys if each.quote)]


def _source(why: Why) -> str:
    """Return the words, the day and the session that a line came from."""
    if why.sign == "-":
        return on_one_line(f'  in its place: "{why.quote}"')
    if why.speaker == NOTE:
        return on_one_line(f'  noted on {why.day} in {why.session}: "{why.quote}"')
    day = f"on {why.day} " if why.day else ""
    session = f" in session {why.session}" if why.session else ""
    return on_one_line(f'  said {day}by the {why.speaker}{session}: "{why.quote}"')


def _since(dream: receipts.Past) -> str:
    """Return what became of a dream whose changes do not hold any more."""
    if dream.undone:
        return ", undone since"
    proposals = {"waiting": ", a proposal that waits", "rejected": ", a proposal turned down"}
    return "" if dream.changed else proposals.get(dream.proposal, "")
