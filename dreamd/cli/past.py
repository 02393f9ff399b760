"""`log`, `show`, `diff`: past dreams; what one of them did, and why."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from dreamd.app.wiring import FoundDream
from dreamd.cli import common, paint
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.change import RETIRED, WITHIN, Entry, Verb, Why, entries
from dreamd.domain.cost import count, money
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.errors import RefusedError
from dreamd.ledger import receipts
from dreamd.text.late import late
from dreamd.text.words import plural

_EXAMPLES = 8  # shown of lines that moved from one note to another
_TITLES = ("Changed", "Written", "Removed", "Moved", "Tidied")
_BEGUN = {"hand": "by hand", "gated": "begun with --gated", "precommit": "begun by pre-commit"}
_ASIDE = late(r" \(\d{4}-\d\d-\d\d; previously:? (?P<old>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_WAS = "    was: "

Row = tuple[int, str, Callable[[str], str]]  # its indent, what it says, how it is painted


def log(arguments: argparse.Namespace) -> int:
    """Print a line a transaction, latest first."""
    store = common.start(arguments).store(may_be_gone=True)
    ledger = receipts.read(store.database)
    past = {dream.id: dream for dream in receipts.past(ledger)}
    found = [each for each in reversed(ledger) if each.dream][: arguments.most]
    if arguments.json:
        dreams = [common.plain(each) | common.since(past.get(each.dream or "")) for each in found]
        common.answer({"memory": store.memory, "dreams": dreams})
        return 0
    for receipt in found:
        since = common.since(past.get(receipt.dream or ""))
        marks = ["undone"] if since.get("undone") else []
        marks += [f"proposal {since['proposal']}"] if since.get("proposal") else []
        mark = f" ({', '.join(marks)})" if marks else ""
        said = on_one_line(common.sentence(receipt.reason))
        print(f"{bold(receipt.dream or '')}  {dim(common.when(receipt.started))}  {said}{mark}")
    if not past:
        print(f"No dream yet in {on_one_line(str(store.memory))}: `dreamd dream` has the first.")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Print what a transaction changed (or held back) as a unified diff."""
    found = common.found(arguments, "waiting" if arguments.proposal else "telling")
    from dreamd.memory.diff import unified  # noqa: PLC0415 - only here
    from dreamd.state.history import History  # noqa: PLC0415 - SQLite
    from dreamd.transaction import past  # noqa: PLC0415

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
        said = f"The latest dream ({last.dream}, {common.when(last.started)}) had nothing to change"
        print(*_rows(0, f"{said}. This is an earlier one:"), "", sep="\n")
    for indent, text, style in _page(found, did, held):
        print(*map(style, _rows(indent, text)), sep="\n")
    return 0


def reasons(found: FoundDream, parts: Sequence[str] = ("dream", "proposal")) -> tuple[Why, ...]:
    """Return why each line came or went, the held-out ones included; none of a failed dream."""
    from dreamd.state.history import History  # noqa: PLC0415 - SQLite

    failed = found.receipt.outcome is Outcome.FAILED and not found.receipt.proposed
    if found.dream is None or failed:
        return ()
    history = History(found.store.database)
    return tuple(why for part in parts for why in history.whys(found.dream.id, part))


def changed_values(whys: Sequence[Why]) -> Iterator[str]:
    """Yield each line with a newer value, and below it the old one and who said so when."""
    for why in whys:
        old = _ASIDE.search(why.line) if (why.sign, why.rule) == ("+", "newer value") else None
        if old is not None:  # else a copy: the hook of a pointer, a description
            yield _ASIDE.sub("", why.line).strip(" -")
            yield f"{_WAS}{old['old']} · you said so on {why.day}"


def painted(row: str) -> str:
    """Return a row of such a list, made printable; fainter where it has an old value."""
    said = on_one_line(row)
    return dim(said) if said.lstrip().startswith(_WAS.lstrip()) else said


def costs(receipt: Receipt) -> str:
    """Return what a model's dream cost: dollars, requests, and tokens by kind."""
    usage, estimate = receipt.usage, receipt.estimate
    if not usage.tokens:
        return ""
    is_priced = bool(usage.dollars) or (estimate is not None and estimate.dollars is not None)
    cost = f"cost {money(usage.dollars)}" if is_priced else "cost not known: no price of the model"
    if estimate is not None and estimate.tokens is not None:
        dollars, tokens = estimate.dollars, f"{count(estimate.tokens)} tokens"
        cost += f" (estimated {tokens if dollars is None else money(dollars)})"
    said = [
        cost,
        *([plural(usage.requests, "request")] if usage.requests else []),
        f"{count(usage.input_tokens + usage.cache_write_tokens)} tokens new",
        f"{count(usage.cache_read_tokens)} from the cache",
        f"{count(usage.output_tokens)} written",
    ]
    return " · ".join(said)


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


def _page(found: FoundDream, did: Sequence[Why], held: Sequence[Why]) -> Iterator[Row]:
    receipt = found.receipt
    about = [
        common.when(receipt.started),
        _BEGUN.get(receipt.trigger, f"begun by a {receipt.trigger}" * bool(receipt.trigger)),
        f"{receipt.engine} engine" if receipt.engine else "",
        f"{receipt.seconds:.1f} s",
        "" if receipt.usage.tokens else "no tokens",
    ]
    yield 0, f"{receipt.kind} {receipt.dream}  {' · '.join(filter(None, about))}", bold
    yield 0, receipt.memory, dim
    yield 0, common.sentence(receipt.reason), str
    yield from ((0, said, dim) for said in [costs(receipt)] if said)
    every, parts = entries(did), dict[str, list[Entry]]()
    is_mixed = any(each.is_of_session and each.why.rule != WITHIN for each in every)
    for entry in sorted(every, key=lambda each: (not each.is_of_session, each.is_link)):
        by = f" by the {'model' if entry.is_of_session else 'rules'}" if is_mixed else ""
        parts.setdefault(_title(entry) + by, []).append(entry)
    marks = {each.path: f" ({each.verb})" for each in receipt.changes if each.verb != Verb.CHANGED}
    for title in sorted(parts, key=lambda each: _TITLES.index(each.split()[0])):
        yield from _part(title, parts[title], marks)
    named = {str(why.path) for why in did}
    for change in (each for each in receipt.changes if each.path not in named):
        yield 2, f"{change.path}: {change.verb}, -{change.removed} +{change.added}", str
    again = [Entry(why, None, (why,)) for why in did if why.sign == "="]
    yield from _part("Said again; the notes have it already", again)
    if dream := found.dream:
        how = f"{'undone' if dream.undone else dream.proposal} since"
        how = f"`dreamd accept {dream.id}` takes it" if dream.waits else how
        yield from _part(f"Held back ({how})", entries(held))
    known = tuple(f": {why.held}" for why in held if why.held)
    noticed = [f"· {each}" for each in receipt.noticed if not each.endswith(known)]
    for each in (*[""] * bool(noticed), *noticed, "", *_next(found)):
        yield 0, each, str


def _title(entry: Entry) -> str:
    """Return the part of the page in which a change stands."""
    if entry.is_move:
        return "Moved"
    if not entry.is_of_session and not (entry.came and entry.why.quote):
        return "Tidied"
    if entry.came and entry.went:
        return "Changed"
    return "Written" if entry.came else "Removed"


def _part(title: str, some: Sequence[Entry], marks: Mapping[str, str] = {}) -> Iterator[Row]:
    """Yield a part of the page, note by note; of a note its facts, then its frame in one row."""
    if some:
        yield from ((0, each, bold) for each in ("", title))
    notes, is_moved = dict[str, list[Entry]](), title.startswith("Moved")
    for entry in some:
        at = str(entry.why.path)
        if is_moved and entry.went:
            was = entry.went.path
            at = f"{was} → {at}" if was != entry.why.path else f"within {at}"
        notes.setdefault(at, []).append(entry)
    for at, found in notes.items():
        frame = [each.why for each in found if each.is_frame and not (is_moved or each.went)]
        facts = [each for each in found if is_moved or each.went or not each.is_frame]
        more = f": {plural(len(facts), 'line')}, unchanged" if is_moved else marks.get(at, "")
        yield 2, at + more, str
        for each in facts[: _EXAMPLES if is_moved else None]:
            yield from _told(each, title)
        if is_moved and len(facts) > _EXAMPLES:
            yield 4, f"and {len(facts) - _EXAMPLES} more", dim
        if frame:
            yield 4, f"frontmatter and headings: {' · '.join(w.line.strip() for w in frame)}", dim
            yield from ((6, f"held back: {why.held}", dim) for why in frame if why.held)


def _told(entry: Entry, title: str) -> Iterator[Row]:
    """Yield a change: the line, what it was, where that comes from, why it is held back."""
    why, went, is_move = entry.why, entry.went, entry.is_move
    is_tidied, is_held = _title(entry) == "Tidied", title.startswith("Held")
    label = [why.rule] if is_tidied else []
    label += [f"would move here from {went.path}"] if went and is_move and is_held else []
    label += ["would go" if is_held else "removed"] * (not entry.came and (is_tidied or is_held))
    yield 4, ": ".join([*label, why.line.strip().removeprefix("- ")]), str
    if is_move and not is_held:
        return
    if went and entry.came and not is_move:
        at = f" in {went.path}" if went.path != why.path else ""
        yield 6, f"was{at}: {went.line.strip().removeprefix('- ')}", dim
    said = [went.rule, went.origin] if went and went.rule.startswith(RETIRED) else []
    rule = "" if entry.is_of_session or is_tidied else f"{why.rule}: "
    named = [replace(each, session=each.session[:8]) for each in entry.whys if each.quote]
    said += [rule + each.origin for each in named]
    said += [f"held back: {each.held}" for each in (*entry.whys, went) if each and each.held]
    yield from ((6, each, dim) for each in dict.fromkeys(said))


def _rows(indent: int, text: str) -> list[str]:
    """Return a text, printable, in as many rows as a terminal needs: nothing of it is cut."""
    said, width, before = on_one_line(text), common.columns(1), " " * indent
    if width is None or indent + len(said) <= width:
        return [before + said]
    from textwrap import TextWrapper  # noqa: PLC0415 - only on a narrow terminal

    rows = TextWrapper(width, before, f"{before}  ")
    rows.break_long_words = rows.break_on_hyphens = False
    return rows.wrap(said)


def _next(found: FoundDream) -> Iterator[str]:
    dream, id_ = found.dream, found.receipt.dream
    if dream is None:
        return
    if dream.undone:
        yield f"It was undone; `dreamd redo {id_}` does it again."
        return
    if dream.changed and dream.receipt.kind is not Kind.FORGET:
        yield f"`dreamd diff {id_}` has every line; `dreamd undo {id_}` takes it back."
    if dream.waits:
        yield common.held_back(id_)
