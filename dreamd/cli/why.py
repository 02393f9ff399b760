"""`why`: where a line came from or went, and what stands in the way of a dream."""

from __future__ import annotations

import argparse
from pathlib import PurePosixPath

from dreamd import app as wiring
from dreamd import receipts
from dreamd.app import App, Found
from dreamd.cli import common
from dreamd.cli.log import when
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain import budget
from dreamd.domain.evidence import NOTE
from dreamd.domain.store import Store
from dreamd.domain.words import plural
from dreamd.errors import HostError, UsageError

_CLAIMS = 3  # told of the evidence
TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.domain.change import Why


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `why`."""
    del name
    common.memory_option(parser, positional=True)
    parser.add_argument(
        "--line",
        metavar="TEXT",
        help="words of a line or of what was said: which dream wrote, moved or removed it, what "
        "speaks for it, and what would change the verdict",
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print where a line came from, or whether a dream could begin now."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments), may_be_gone=arguments.line is not None)
    if arguments.line is not None:
        return _line(app, store, arguments.line, as_json=arguments.json)
    return _dream(app, store, as_json=arguments.json)


def _line(app: App, store: Store, text: str, *, as_json: bool) -> int:
    from dreamd.cli.show import reasons  # noqa: PLC0415 - only for a line

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
    weighed, pages = _weighed(app, store, wanted)
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
    for found, why in told:
        print("\n".join(_told(found, why)))
    print("\n".join(pages))
    return 0


def _weighed(app: App, store: Store, wanted: str) -> tuple[dict[str, object], list[str]]:
    """Return the claims with these words, and what speaks for each; nothing is read anew."""
    from dreamd.cli import claims  # noqa: PLC0415 - only for a line
    from dreamd.errors import EvidenceError  # noqa: PLC0415
    from dreamd.insight import insight  # noqa: PLC0415

    try:
        known = insight(store, app.folders(store), app.loaded.settings)
    except (EvidenceError, HostError) as error:
        return {"claims": None, "reason": str(error)}, [f"Nothing can be weighed: {error}"]
    alike = known.matching(wanted) if wanted else []
    weights = app.loaded.settings.evidence.weights
    pages = [line for each in alike[:_CLAIMS] for line in ("", *claims.told(each, weights))]
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
    from dreamd.memory.scan import scan  # noqa: PLC0415 - only for a line

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


def _told(found: Found, why: Why) -> list[str]:
    verb = {"+": "written", "-": "removed", "=": "said once more, as heard"}[why.sign]
    if why.moved_to == why.path:
        verb = "merged with a line that stays"
    elif why.moved_to is not None and why.quote and why.sign == "-":
        verb = f"merged with a line that stays in {why.moved_to}"
    elif why.moved_to is not None:
        verb = f"moved to {why.moved_to}"
    since = _since(found.dream) if found.dream is not None else ""
    lines = [
        on_one_line(f"{why.sign} {why.line.strip()}"),
        on_one_line(
            f"  {verb} in {why.path} by dream {found.receipt.dream} "
            f"({when(found.receipt.started)}{since}): {why.rule}"
        ),
    ]
    if why.sign == "-" and why.moved_to is None and not since and found.dream is not None:
        lines.append(f"  it is kept in history: `dreamd undo {found.receipt.dream}` brings it back")
    if why.quote and why.sign == "-":
        lines.append(on_one_line(f'  the same stands there as "{why.quote}"'))
    elif why.quote and why.speaker == NOTE:
        lines.append(on_one_line(f'  noted on {why.day} in {why.session}: "{why.quote}"'))
    elif why.quote:
        day = f"on {why.day} " if why.day else ""
        session = f" in session {why.session}" if why.session else ""
        lines.append(on_one_line(f'  said {day}by the {why.speaker}{session}: "{why.quote}"'))
    return lines


def _since(dream: receipts.Past) -> str:
    """Return what became of all that a dream wrote, where that does not stand."""
    if dream.undone:
        return ", undone since"
    proposals = {"waiting": ", a proposal that waits", "rejected": ", a proposal turned down"}
    return "" if dream.changed else proposals.get(dream.proposal, "")


def _dream(app: App, store: Store, *, as_json: bool) -> int:
    from dreamd import asking, gates, lock  # noqa: PLC0415 - only where the gates are asked
    from dreamd.domain.verdict import to_json  # noqa: PLC0415
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.transaction.wreck import wreck  # noqa: PLC0415

    verdicts = asking.examine(app, store)
    now = clock.now()  # after them, or what is 10 min from now would be told as 11
    standing = lock.standing(store, now=now)
    wrecked = wreck(store)
    blocks = []
    if not app.loaded.settings.enabled:
        blocks.append("dreaming is switched off (enabled: false)")
    if standing.holder is not None:
        blocks.append(f"the lock is {standing.verdict}")
    last = standing.consolidated
    if as_json:
        closed = next((each for each in verdicts if not each.is_open), None)
        common.answer(
            {
                "memory": str(store.memory),
                "open": closed is None,
                "gate": closed.gate if closed is not None else None,
                "reason": gates.sentence(closed, now) if closed is not None else "",
                "gates": [to_json(each) for each in verdicts],
                "by_hand": not blocks,
                "closed_by": blocks,
                "lock": standing.verdict,
                "last_consolidation": last.isoformat() if last is not None else None,
                "wreck": wrecked,
            }
        )
        return 0
    print(on_one_line(str(store.memory)))
    heading, *rest = gates.page(verdicts, now).splitlines()
    print(bold(on_one_line(common.sentence(heading))))
    for line in rest:
        print(on_one_line(line))
    print()
    if blocks:
        print(f"By hand it could not begin either: {'; '.join(blocks)}.")
    else:
        print("By hand it can begin now, whatever the gates say: `dreamd dream`.")
    if wrecked:
        print(f"{wrecked}.")
    return 0
