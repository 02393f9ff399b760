"""`replay`: run the past through other settings, on a copy, and see what would have been."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date

from dreamd import app as wiring
from dreamd import engines
from dreamd.cli import common
from dreamd.cli.dream import Line
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.settings import EngineChoice
from dreamd.domain.words import plural
from dreamd.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.replayed import Replayed, Row, Told

_SECTIONS = ("evidence", "budget", "review")
_SHOWN = 20  # lines of each list


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `replay`."""
    del name
    common.memory_option(parser, positional=True)
    parser.add_argument(
        "--since", metavar="DATE", required=True, help="from which day on, as 2026-05-11"
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a setting of evidence, budget or review to try, as evidence.score=0.3 (may be given "
        "several times)",
    )
    common.sessions_option(parser, "else those of the project")
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Dream over the past on a copy, by rules, and print what came of it beside what was."""
    since = _day(arguments.since)
    tried = dict(_setting(each) for each in arguments.set)
    app = wiring.start(tried)
    store = app.store(common.memory_named(arguments))
    sessions = common.sessions_named(app, arguments) or app.folders(store)
    from dreamd.draft import Night, Wish  # noqa: PLC0415 - the heavy part, only when dreaming
    from dreamd.replayed import replay  # noqa: PLC0415

    progress = Line()
    engine = engines.engine(app, EngineChoice.RULES)
    night = Night(engine, app.loaded.settings, Wish(sessions=sessions), progress)
    try:
        found = replay(store, night, since)
    finally:
        progress.end()
    if arguments.json:
        common.answer(_as_json(found, since, tried))
    else:
        print("\n".join(_page(found, since, tried)))
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f'--since: "{text}" is no day; write it as 2026-05-11') from None


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or key.partition(".")[0] not in _SECTIONS:
        raise UsageError(
            f'--set: "{text}" is not KEY=VALUE with a key of {", ".join(_SECTIONS)}: '
            "`dreamd config` lists them"
        )
    return key.strip(), value.strip()


def _page(found: Replayed, since: date, tried: dict[str, str]) -> list[str]:
    at = f"as dream {found.dream} found them" if found.dream else "as they are, for none dreamt"
    set_so = ", ".join(f"{key}={value}" for key, value in tried.items()) or "the settings in force"
    lines = [
        on_one_line(f"Replayed since {since} with {set_so}; nothing of yours was changed."),
        f"{plural(found.messages, 'message')} and {plural(found.dreams, 'dream')}; notes {at}.",
    ]
    if found.refused:
        lines.append(on_one_line(f"It would have been held out: {found.refused}"))
    lines += ["", bold(f"{'':12} would be   was")]
    for name, would, was in _pairs(found):
        lines.append(f"{name:12} {len(would):8} {len(was):5}")
        lines += _beside(would, was)
    return lines


def _pairs(found: Replayed) -> list[tuple[str, Sequence[Row], Sequence[Row]]]:
    would, was = found.would, found.was
    return [
        ("promoted", would.promoted, was.promoted),
        ("superseded", would.superseded, was.superseded),
        ("undecided", would.undecided, was.undecided),
        ("lost", would.lost, was.lost),
    ]


def _beside(would: Sequence[Row], was: Sequence[Row]) -> list[str]:
    """Return the lines in which the two differ: `>` only in the replay, `<` only as it was."""
    shown: list[str] = []
    for mark, these, others in ((">", would, was), ("<", was, would)):
        known = {row.strip() for _, row in others}
        alone = [each for each in these if each[1].strip() not in known]
        shown += [on_one_line(f"  {mark} {path}: {row.strip()}") for path, row in alone[:_SHOWN]]
        if len(alone) > _SHOWN:
            shown.append(dim(f"  {mark} and {len(alone) - _SHOWN} more"))
    return shown


def _as_json(found: Replayed, since: date, tried: dict[str, str]) -> dict[str, object]:
    return {
        "since": since.isoformat(),
        "set": tried,
        "dream": found.dream or None,
        "messages": found.messages,
        "dreams": found.dreams,
        "refused": found.refused or None,
        "would": _told(found.would),
        "was": _told(found.was),
    }


def _told(told: Told) -> dict[str, list[dict[str, str]]]:
    return {
        name: [{"path": str(path), "line": row} for path, row in rows]
        for name, rows in (
            ("promoted", told.promoted),
            ("superseded", told.superseded),
            ("undecided", told.undecided),
            ("lost", told.lost),
        )
    }
