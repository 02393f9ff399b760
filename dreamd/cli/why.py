"""`why`: what keeps a dream from starting, and what keeps a sentence from becoming a line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

from dreamd import gates, lock, views
from dreamd.app import gating
from dreamd.app.wiring import App, FoundDream
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line
from dreamd.cli.past import reasons
from dreamd.domain import budget
from dreamd.domain.change import Why
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, UsageError
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.memory.scan import scan
from dreamd.text.words import plural

Told = tuple[list[str], dict[str, object]]  # for a person, and for `--json`


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
    if not arguments.json:  # to read what was said takes its time
        print("\n".join([*map(on_one_line, lines), ""]), flush=True)
    from dreamd.dream.explain import Explained, Talk  # noqa: PLC0415 - the rules: 100 ms

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
    rows = [] if said or remarks else ["Nothing."]
    for each in said[: arguments.most or None]:
        score, day = "    ", each.day or "no day"
        if each.sightings:
            score = f"{each.score:.2f}"
            day = f"{plural(each.sightings, 'time')}, {plural(each.days, 'day')}, last {day}"
        rows += [f"{score}  {each.text}", f"      {each.verdict}: {each.reason} ({day})"]
    more = len(said) - (arguments.most or len(said))
    rows += [f"{more} more; -n 0 shows all."] if more > 0 else []
    for row in (*rows, *remarks):
        print(on_one_line(row))
    return 0


def _gates(app: App, store: Store) -> Told:
    """Return what each gate says of a dream now."""
    verdicts = gates.ask(gating.context(app, store), every=True)
    now = clock.now()  # after them, or what is 10 min from now would be shown as 11
    standing, wrecked = lock.standing(store, now=now), gating.wreck(store)
    last = standing.consolidated
    blocks = [] if app.loaded.settings.enabled else ["dreaming is switched off (enabled: false)"]
    blocks += [f"the lock is {standing.verdict}"] if standing.holder is not None else []
    by_hand = "By hand it can begin now, whatever the gates say: `dreamd dream`."
    if blocks:
        by_hand = f"By hand it could not begin either: {'; '.join(blocks)}."
    lines = [str(store.memory), views.sentence(gates.page(verdicts, now)), by_hand]
    lines = [row for each in lines for row in each.split("\n")]
    lines += [f"{wrecked}."] if wrecked else []
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


def _line(store: Store, text: str, wanted: str) -> Told:
    """Return what dreams did with the lines with some words, newest first, and where they are."""

    def fits(line: str) -> bool:
        return wanted in " ".join(line.split()).casefold()

    lines, found = list[str](), list[dict[str, object]]()
    for of, whys in _written(store, fits):
        lines += _story(of, whys)
        began = {"dream": of.receipt.dream, "started": of.receipt.started}
        found += [began | common.since(of.dream) | common.plain(why) for why in whys]
    standing = list(_standing(store, fits))
    if not found:
        lines = [f'No dream wrote, moved or removed a line with "{text}" in it.']
        lines += [f"It is in {at}; you or your client wrote it: {row}" for at, row in standing]
    stands = [{"path": path, "line": line} for path, line in standing]
    return lines, {"line": text, "found": found, "stands": stands}


def _written(
    store: Store, fits: Callable[[str], bool]
) -> Iterator[tuple[FoundDream, Sequence[Why]]]:
    """Yield each line that a dream wrote or removed with all that it came from, newest first."""
    for dream in reversed(receipts.past(receipts.read(store.database))):
        of, by_line = FoundDream(store, dream.receipt, dream), dict[tuple[object, ...], list[Why]]()
        for why in reasons(of):
            if fits(why.line):
                by_line.setdefault((why.path, why.line, why.sign, why.moved_to), []).append(why)
        yield from ((of, whys) for whys in by_line.values())


def _standing(store: Store, fits: Callable[[str], bool]) -> Iterator[tuple[object, str]]:
    """Yield the lines of notes as they are now, each with its note."""
    if store.memory.is_dir():
        for path, text in budget.notes(scan(store.memory)).items():
            yield from ((path, row.strip()) for row in text.splitlines() if fits(row))


def _story(of: FoundDream, whys: Sequence[Why]) -> Iterator[str]:
    """Yield a line that a dream wrote or removed, once, and all that it came from."""
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
    yield f"{why.sign} {why.line.strip()}"
    when = views.when(of.receipt.started)
    yield f"  {verb} in {why.path} by dream {id_} ({when}{since}): {rules}"
    if why.sign == "-" and why.moved_to is None and not since and dream is not None:
        yield f"  it is kept in history: `dreamd undo {id_}` brings it back"
    yield from dict.fromkeys(f"  {each.origin}" for each in whys if each.quote)
