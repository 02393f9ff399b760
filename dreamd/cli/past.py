"""`log`, `show`, `diff`: past dreams; what one of them did, and why."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

from dreamd import views
from dreamd.app.wiring import FoundDream
from dreamd.cli import common, paint
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.change import Why
from dreamd.domain.receipt import Outcome
from dreamd.errors import RefusedError
from dreamd.views.show import WAS, page

_STYLES: Mapping[str, Callable[[str], str]] = {"bold": bold, "dim": dim, "": str}


def log(arguments: argparse.Namespace) -> int:
    """Print a line a transaction, latest first."""
    store = common.start(arguments).store(may_be_gone=True)
    found = FoundDream.every(store)[::-1][: arguments.most]
    if arguments.json:
        dreams = [common.plain(each.receipt) | common.since(each.dream) for each in found]
        common.answer({"memory": store.memory, "dreams": dreams})
        return 0
    for each in found:
        receipt, since = each.receipt, common.since(each.dream)
        marks = ["undone"] if since.get("undone") else []
        marks += [f"proposal {since['proposal']}"] if since.get("proposal") else []
        mark = f" ({', '.join(marks)})" if marks else ""
        said = on_one_line(views.sentence(receipt.reason))
        print(f"{bold(receipt.dream or '')}  {dim(views.when(receipt.started))}  {said}{mark}")
    if not found and arguments.most:
        print(f"No dream yet in {on_one_line(str(store.memory))}: `dreamd dream` has the first.")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Print what a transaction changed (or held back) as a unified diff."""
    found = common.found(arguments, "waiting" if arguments.proposal else "telling")
    from dreamd.state.history import History  # noqa: PLC0415 - SQLite
    from dreamd.transaction import past  # noqa: PLC0415
    from dreamd.views.patch import unified  # noqa: PLC0415 - only here

    history, id_ = History(found.store.database), found.receipt.dream
    if arguments.proposal and (found.dream is None or not found.dream.proposal):
        raise RefusedError(f"dream {id_} proposed nothing: `dreamd diff {id_}` shows what it did")
    step = past.step_of(history, found.receipt, found.dream, proposal=arguments.proposal)
    text = "" if step is None else unified(*step)
    if arguments.json:
        common.answer({"dream": id_, "diff": text})
    else:
        print(paint.diff(paint.printable(text)), end="")
    return 0


def show(arguments: argparse.Namespace) -> int:
    """Print the receipt of a dream with its reasons, or the conversation of its session."""
    found = common.found(arguments, "telling")
    if arguments.conversation:
        return _conversation(found, as_json=arguments.json)
    latest = found if arguments.DREAM else common.found(arguments, "any")
    did, held = reasons(found, ["dream"]), reasons(found, ["proposal"])
    if arguments.json:
        more = {"whys": (*did, *held), "held": held, "latest": latest.receipt.dream}
        common.answer(common.plain(found.receipt) | more | common.since(found.dream))
        return 0
    if latest.receipt.dream != found.receipt.dream:
        last = latest.receipt
        said = f"The latest dream ({last.dream}, {views.when(last.started)}) had nothing to change"
        print(*_rows(0, f"{said}. This is an earlier one:"), "", sep="\n")
    for indent, text, style in page(found, did, held):
        print(*(_STYLES[style](row) for row in _rows(indent, text)), sep="\n")
    return 0


def reasons(found: FoundDream, parts: Sequence[str] = ("dream", "proposal")) -> tuple[Why, ...]:
    """Return why each line came or went, the held-out ones included; none of a failed dream."""
    from dreamd.state.history import History  # noqa: PLC0415 - SQLite

    failed = found.receipt.outcome is Outcome.FAILED and not found.receipt.proposed
    if found.dream is None or failed:
        return ()
    history = History(found.store.database)
    return tuple(why for part in parts for why in history.whys(found.dream.id, part))


def _conversation(found: FoundDream, *, as_json: bool) -> int:
    from dreamd.ledger import conversations  # noqa: PLC0415 - only where it is asked for

    dream = found.receipt.dream or ""
    messages = conversations.read(found.store.conversations, dream)
    if messages is None:
        raise RefusedError(
            f"no conversation of {dream} is kept: only a model's session has one, "
            "and it is dropped after a while (model.keep_days)"
        )
    if as_json:
        common.answer({"dream": dream, "messages": messages})
        return 0
    for message in messages:
        content = message.get("content", "")
        for part in [{"text": content}] if isinstance(content, str) else content:
            marks = (("text", ""), ("thinking", "(thinks) "), ("content", "(answered) "))
            called = common.as_json(part.get("input"), ensure_ascii=False)
            said = [f"{mark}{part[key]}" for key, mark in marks if key in part]
            said += [f"{part.get('name', '')} {called}"]
            print(bold(f"{message.get('role', '')}:"), paint.printable(said[0]))
    return 0


def _rows(indent: int, text: str) -> list[str]:
    """Return a text, printable, in as many rows as a terminal needs: nothing of it is cut."""
    said, width, before = on_one_line(text), common.columns(1), " " * indent
    if width is None or indent + len(said) <= width:
        return [before + said]
    from textwrap import TextWrapper  # noqa: PLC0415 - only on a narrow terminal

    rows = TextWrapper(width, before, f"{before}  ")
    rows.break_long_words = rows.break_on_hyphens = False
    return rows.wrap(said)


def painted(row: str) -> str:
    """Return a row of such a list, made printable; fainter where it has an old value."""
    said = on_one_line(row)
    return dim(said) if said.lstrip().startswith(WAS.lstrip()) else said
