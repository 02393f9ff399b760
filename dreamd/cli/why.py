"""`why`: what keeps a dream from starting, and what keeps a sentence from becoming a line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dreamd.app.wiring import App, FoundDream
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, UsageError
from dreamd.ledger import receipts
from dreamd.text.words import plural

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.domain.change import Why
    from dreamd.dream.explain import Explained


def run(arguments: argparse.Namespace) -> int:
    """Print where a line came from, or whether a dream could begin; then what people said.

    Of that everything that is in no note, best score first, or the sentences with some words,
    newest first: each with its score, the gate that it waits for, and the verdict.
    """
    app = common.start(arguments)
    wanted = None if arguments.line is None else " ".join(arguments.line.split()).casefold()
    if wanted == "":
        raise UsageError("--line: give some words of the line")
    store = app.store(may_be_gone=wanted is not None)
    lines, told = _gates(app, store) if wanted is None else _line(store, arguments.line, wanted)
    if not arguments.json:
        print("\n".join([*lines, ""]), flush=True)  # to read what was said takes its time
    from dreamd.dream.explain import Talk  # noqa: PLC0415 - the evidence and the rules: 100 ms

    said: list[Explained] = []
    try:
        talk = Talk(store, app.folders(store), app.loaded.settings)
        remarks = talk.remarks
        said += talk.open() if wanted is None else talk.sentences(wanted)
    except DreamdError as error:  # what the gates say is said already
        remarks = (f"What was said cannot be searched: {error}",)
    if arguments.json:
        common.answer(told | {"said": said, "remarks": remarks})
        return 0
    print(bold("What you said that is in no note" if wanted is None else "What you said"))
    shown = said[: arguments.most or None]
    rows = [row for each in shown for row in _rows(each)] or ["Nothing."] * (not remarks)
    rows += [f"{len(said) - len(shown)} more; -n 0 shows all."] if len(said) > len(shown) else []
    for row in (*rows, *remarks):
        print(on_one_line(row))
    return 0


def _rows(said: Explained) -> tuple[str, str]:
    score, day = "    ", said.day or "no day"
    if said.sightings:
        score = f"{said.score:.2f}"
        day = f"{plural(said.sightings, 'time')}, {plural(said.days, 'day')}, last {day}"
    return f"{score}  {said.text}", f"      {said.verdict}: {said.reason} ({day})"


def _gates(app: App, store: Store) -> tuple[list[str], dict[str, object]]:
    """Return what each gate says of a dream now: for a person, and for `--json`."""
    from dreamd import gates, lock  # noqa: PLC0415 - only where the gates are asked
    from dreamd.app import gating  # noqa: PLC0415
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.transaction.wreck import wreck  # noqa: PLC0415

    verdicts = gates.ask(gating.context(app, store), every=True)
    now = clock.now()  # after them, or what is 10 min from now would be shown as 11
    standing, wrecked = lock.standing(store, now=now), wreck(store)
    last = standing.consolidated
    blocks = [] if app.loaded.settings.enabled else ["dreaming is switched off (enabled: false)"]
    blocks += [f"the lock is {standing.verdict}"] if standing.holder is not None else []
    heading, *rest = gates.page(verdicts, now).splitlines()
    by_hand = "By hand it can begin now, whatever the gates say: `dreamd dream`."
    if blocks:
        by_hand = f"By hand it could not begin either: {'; '.join(blocks)}."
    lines = [on_one_line(str(store.memory)), bold(on_one_line(common.sentence(heading)))]
    lines += [*map(on_one_line, rest), "", by_hand, *([f"{wrecked}."] if wrecked else [])]
    closed = next((each for each in verdicts if not each.is_open), None)
    return lines, {
        "memory": store.memory,
        "open": closed is None,
        "gate": closed and closed.gate,
        "reason": "" if closed is None else gates.sentence(closed, now),
        "gates": verdicts,
        "by_hand": not blocks,
        "closed_by": blocks,
        "lock": standing.verdict,
        "last_consolidation": last and last.isoformat(),
        "wreck": wrecked,
    }


def _line(store: Store, text: str, wanted: str) -> tuple[list[str], dict[str, object]]:
    """Return what dreams did with the lines with some words, newest first, and where they are."""
    from dreamd.cli.values import reasons  # noqa: PLC0415 - git
    from dreamd.domain import budget  # noqa: PLC0415 - where notes are read
    from dreamd.memory.scan import scan  # noqa: PLC0415

    def fits(line: str) -> bool:
        return wanted in " ".join(line.split()).casefold()

    found = [
        (of, why)
        for dream in reversed(receipts.past(receipts.read(store.database)))
        for of in [FoundDream(store, dream.receipt, dream)]
        for why in reasons(of)
        if fits(why.line)
    ]
    notes = budget.notes(scan(store.memory)) if store.memory.is_dir() else {}
    rows = ((path, row.strip()) for path, text in notes.items() for row in text.splitlines())
    standing = [(path, row) for path, row in rows if fits(row)]
    by_line: dict[tuple[object, ...], tuple[FoundDream, list[Why]]] = {}
    for of, why in found:
        line = (of.receipt.dream, why.path, why.line, why.sign, why.moved_to)
        by_line.setdefault(line, (of, []))[1].append(why)
    lines = [row for of, whys in by_line.values() for row in _told(of, whys)]
    if not found:
        lines = [f'No dream wrote, moved or removed a line with "{text}" in it.']
        lines += [f"It is in {at}; you or your client wrote it: {row}" for at, row in standing]
    return [on_one_line(each) for each in lines], {
        "line": text,
        "found": [
            {"dream": of.receipt.dream, "started": of.receipt.started}
            | {**common.since(of.dream), **common.plain(why)}
            for of, why in found
        ],
        "stands": [{"path": path, "line": line} for path, line in standing],
    }


def _told(of: FoundDream, whys: Sequence[Why]) -> list[str]:
    """Return a line that a dream wrote or removed, once, and all that it came from."""
    why, id_, dream = whys[0], of.receipt.dream, of.dream
    verb = {"+": "written", "-": "removed", "=": "said once more"}[why.sign]
    if why.moved_to is not None:
        is_merged = why.moved_to == why.path or (why.quote and why.sign == "-")
        at = f" in {why.moved_to}" if why.moved_to != why.path else ""
        verb = f"merged with a line that stays{at}" if is_merged else f"moved to {why.moved_to}"
    since = ""  # what became of a dream whose changes do not hold any more
    if dream is not None and dream.undone:
        since = ", undone since"
    elif dream is not None and not dream.changed and dream.proposal:
        since = f", a proposal that is {dream.proposal}"
    rules = ", ".join(dict.fromkeys(each.rule for each in whys))
    by = f"dream {id_} ({common.when(of.receipt.started)}{since}): {rules}"
    lines = [f"{why.sign} {why.line.strip()}", f"  {verb} in {why.path} by {by}"]
    if why.sign == "-" and why.moved_to is None and not since and dream is not None:
        lines.append(f"  it is kept in history: `dreamd undo {id_}` brings it back")
    return [*lines, *dict.fromkeys(_source(each) for each in whys if each.quote)]


def _source(why: Why) -> str:
    """Return the words, the day and the session that a line came from."""
    if why.sign == "-":
        return f'  in its place: "{why.quote}"'
    if why.speaker == "note":
        return f'  noted on {why.day} in {why.session}: "{why.quote}"'
    day = f"on {why.day} " if why.day else ""
    session = f" in session {why.session}" if why.session else ""
    return f'  said {day}by the {why.speaker}{session}: "{why.quote}"'
