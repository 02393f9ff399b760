"""`why --line`: where a line came from or went, and what the evidence says of its words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import PurePosixPath

from dreamd import receipts
from dreamd.app import App, Found
from dreamd.cli import claims, common
from dreamd.cli.log import when
from dreamd.cli.paint import on_one_line
from dreamd.cli.show import reasons
from dreamd.domain import budget
from dreamd.domain.change import Why
from dreamd.domain.evidence import NOTE
from dreamd.domain.store import Store
from dreamd.domain.words import plural
from dreamd.errors import EvidenceError, HostError, UsageError
from dreamd.insight import insight
from dreamd.memory.scan import scan

_CLAIMS = 3  # told of the evidence


def line(app: App, store: Store, text: str, *, as_json: bool) -> int:
    """Print each line with these words once, with what it was heard from; then what is weighed.

    Raises:
        UsageError: there are no words.
    """
    wanted = " ".join(text.split()).casefold()
    if not wanted:
        raise UsageError("--line: give some words of the line")
    told: list[tuple[Found, Why]] = []
    for dream in reversed(receipts.past(receipts.read(store.receipts))):
        found = Found(store, dream.receipt, dream)
        told += [
            (found, why)
            for why in reasons(found)
            if wanted in " ".join(why.line.split()).casefold()
        ]
    standing = _standing(store, wanted)
    printed = [row for found, whys in _by_line(told) for row in _told(found, whys)]
    above = {why.line.strip() for _, why in told} | {row.strip() for row in printed}
    weighed, pages = _weighed(app, store, wanted, above=above)
    if as_json:
        common.answer(
            {
                "line": text,
                "found": [_json(found, why) for found, why in told],
                "stands": [{"path": str(path), "line": line} for path, line in standing],
                **weighed,
            }
        )
        return 0
    if not told:
        print(f'No dream wrote, moved or removed a line with "{on_one_line(text)}" in it.')
        for path, line in standing:
            print(on_one_line(f"It stands in {path}, by your hand or your client's: {line}"))
    print("\n".join([*printed, *pages]))
    return 0


def _by_line(told: Sequence[tuple[Found, Why]]) -> Iterable[tuple[Found, list[Why]]]:
    """Return with each line that a dream wrote or removed all that it was heard from, in order."""
    by_line: dict[tuple[object, ...], tuple[Found, list[Why]]] = {}
    for found, why in told:
        line = (found.receipt.dream, why.path, why.line, why.sign, why.moved_to)
        by_line.setdefault(line, (found, []))[1].append(why)
    return by_line.values()


def _weighed(
    app: App, store: Store, wanted: str, *, above: Collection[str]
) -> tuple[dict[str, object], list[str]]:
    """Return the claims with these words, and what speaks for each; nothing is read anew.

    `above` are the lines that are printed before them, stripped.
    """
    try:
        known = insight(store, app.folders(store), app.loaded.settings)
    except (EvidenceError, HostError) as error:
        return {"claims": None, "reason": str(error)}, [f"Nothing can be weighed: {error}"]
    alike = known.matching(wanted) if wanted else []
    weights = app.loaded.settings.evidence.weights
    pages = []
    for each in alike[:_CLAIMS]:
        pages += ["", *claims.told(each, weights, above=above)]
        above = {*above, each.became.line.strip()}
    if len(alike) > _CLAIMS:
        pages += ["", f"{plural(len(alike) - _CLAIMS, 'claim')} more with these words"]
    if not alike:
        pages.append("No claim of the evidence has these words.")
    pages.append(f"The evidence: {claims.unread(known.behind)}.")
    found: dict[str, object] = {
        "claims": [claims.as_json(each) for each in alike],
        "unread": claims.unread_as_json(known.behind),
    }
    return found, pages


def _standing(store: Store, wanted: str) -> list[tuple[PurePosixPath, str]]:
    """Return the lines of the notes, as they stand now, that hold these words."""
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
    """Return a line that a dream wrote or removed, once, and all that it was heard from."""
    why = whys[0]
    verb = {"+": "written", "-": "removed", "=": "said once more, as heard"}[why.sign]
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
    return [*lines, *dict.fromkeys(_heard(each) for each in whys if each.quote)]


def _heard(why: Why) -> str:
    """Return where a line was heard, on which day, and in what words."""
    if why.sign == "-":
        return on_one_line(f'  the same stands there as "{why.quote}"')
    if why.speaker == NOTE:
        return on_one_line(f'  noted on {why.day} in {why.session}: "{why.quote}"')
    day = f"on {why.day} " if why.day else ""
    session = f" in session {why.session}" if why.session else ""
    return on_one_line(f'  said {day}by the {why.speaker}{session}: "{why.quote}"')


def _since(dream: receipts.Past) -> str:
    """Return what became of all that a dream wrote, where that does not stand."""
    if dream.undone:
        return ", undone since"
    proposals = {"waiting": ", a proposal that waits", "rejected": ", a proposal turned down"}
    return "" if dream.changed else proposals.get(dream.proposal, "")
