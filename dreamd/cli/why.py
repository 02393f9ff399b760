"""`why`: where a line came from or went, and what stands in the way of a dream."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd import receipts
from dreamd.app import App, Found
from dreamd.cli import common
from dreamd.cli.log import when
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.domain.change import Why


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `why`."""
    del name
    common.memory_option(parser, positional=True)
    parser.add_argument(
        "--line", metavar="TEXT", help="words of a line: which dream wrote, moved or removed it"
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print where a line came from, or whether a dream could begin now."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments), may_be_gone=arguments.line is not None)
    if arguments.line is not None:
        return _line(store, arguments.line, as_json=arguments.json)
    return _dream(app, store, as_json=arguments.json)


def _line(store: Store, text: str, *, as_json: bool) -> int:
    from dreamd.cli.show import reasons  # noqa: PLC0415 - only for a line

    wanted = " ".join(text.split()).casefold()
    told: list[tuple[Found, Why]] = []
    for dream in reversed(receipts.past(receipts.read(store.receipts))):
        found = Found(store, dream.receipt, dream)
        told += [
            (found, why)
            for why in reasons(found)
            if wanted and wanted in " ".join(why.line.split()).casefold()
        ]
    if as_json:
        common.answer({"line": text, "found": [_json(found, why) for found, why in told]})
        return 0
    if not told:
        print(f'No dream wrote, moved or removed a line with "{on_one_line(text)}" in it.')
    for found, why in told:
        print("\n".join(_told(found, why)))
    return 0


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
        "day": why.day,
        "speaker": why.speaker,
    }


def _told(found: Found, why: Why) -> list[str]:
    verb = {"+": "written", "-": "removed"}[why.sign]
    if why.moved_to == why.path:
        verb = "merged with a line that stays"
    elif why.moved_to is not None:
        verb = f"moved to {why.moved_to}"
    undone = ", undone since" if found.dream is not None and found.dream.undone else ""
    lines = [
        on_one_line(f"{why.sign} {why.line.strip()}"),
        on_one_line(
            f"  {verb} in {why.path} by dream {found.receipt.dream} "
            f"({when(found.receipt.started)}{undone}): {why.rule}"
        ),
    ]
    if why.quote:
        lines.append(on_one_line(f'  said on {why.day} by the {why.speaker}: "{why.quote}"'))
    return lines


def _dream(app: App, store: Store, *, as_json: bool) -> int:
    from dreamd import lock  # noqa: PLC0415 - only where the lock is read
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.transaction.wreck import wreck  # noqa: PLC0415

    standing = lock.standing(store, now=clock.now())
    wrecked = wreck(store)
    blocks = []
    if not app.loaded.settings.enabled:
        blocks.append("dreaming is switched off (enabled: false)")
    if standing.holder is not None:
        blocks.append(f"the lock is {standing.verdict}")
    last = standing.consolidated
    if as_json:
        common.answer(
            {
                "memory": str(store.memory),
                "open": not blocks,
                "closed_by": blocks,
                "lock": standing.verdict,
                "last_consolidation": last.isoformat() if last is not None else None,
                "wreck": wrecked,
            }
        )
        return 0
    if blocks:
        print(f"{bold('A dream by hand could not begin now')}: {'; '.join(blocks)}.")
    else:
        print(f"{bold('A dream by hand could begin now')}: `dreamd dream`.")
    print(f"Lock: {standing.verdict}.")
    print(f"Last consolidation: {when(last.isoformat()) if last is not None else 'never'}.")
    if wrecked:
        print(f"{wrecked}.")
    return 0
