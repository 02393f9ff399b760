"""`log`, `show`, `diff`: past dreams; what one of them did, and why."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from dreamd.app.wiring import FoundDream
from dreamd.cli import common, paint
from dreamd.cli.paint import bold, dim, on_one_line
from dreamd.domain.change import Why
from dreamd.domain.cost import count, money
from dreamd.domain.receipt import Outcome, Receipt
from dreamd.errors import RefusedError
from dreamd.ledger import receipts
from dreamd.text.late import late
from dreamd.text.words import plural

_EXAMPLES = 3  # lines shown of each rule in each file
_BEGUN = {"hand": "by hand", "gated": "begun with --gated", "precommit": "begun by pre-commit"}
_ASIDE = late(r" \(\d{4}-\d\d-\d\d; previously:? (?P<old>[^()]*(?:\([^()]*\)[^()]*)*)\)")
_WAS = "    was: "


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
    whys = reasons(found)
    if arguments.json:
        common.answer(common.plain(found.receipt) | {"whys": whys} | common.since(found.dream))
    else:
        print("\n".join(_page(found, whys)))
    return 0


def reasons(found: FoundDream) -> tuple[Why, ...]:
    """Return why each line came or went, the held-out ones included; none of a failed dream."""
    from dreamd.state.history import History  # noqa: PLC0415 - SQLite

    failed = found.receipt.outcome is Outcome.FAILED and not found.receipt.proposed
    if found.dream is None or failed:
        return ()
    history, whys = History(found.store.database), list[Why]()
    for part in ("dream", "proposal"):
        known = Counter(whys)  # a proposal repeats what the dream itself has
        whys += (Counter(history.whys(found.dream.id, part)) - known).elements()
    return tuple(whys)


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
            said = next((f"{mark}{part[key]}" for key, mark in marks if key in part), None)
            said = (
                said
                or f"{part.get('name', '')} {common.as_json(part.get('input'), ensure_ascii=False)}"
            )
            print(bold(f"{message.get('role', '')}:"), paint.printable(said))
    return 0


def _page(found: FoundDream, whys: Sequence[Why]) -> list[str]:
    receipt = found.receipt
    about = [
        common.when(receipt.started),
        _BEGUN.get(receipt.trigger, f"begun by a {receipt.trigger}" * bool(receipt.trigger)),
        f"{receipt.engine} engine" if receipt.engine else "",
        f"{receipt.seconds:.1f} s",
        "" if receipt.usage.tokens else "no tokens",
    ]
    lines = [
        f"{bold(f'{receipt.kind} {receipt.dream}')}  {dim(' · '.join(a for a in about if a))}",
        dim(on_one_line(receipt.memory)),
        on_one_line(common.sentence(receipt.reason)),
        *(dim(line) for line in [costs(receipt)] if line),
    ]
    by_file = defaultdict(list)
    for why in whys:
        by_file[str(why.path)].append(why)
    for change in receipt.changes:
        did = f"{change.verb}, -{change.removed} +{change.added}"
        lines += ["", f"{bold(on_one_line(change.path))}  {did}"]
        lines += _file(by_file.pop(change.path, []))
    again = [why for whys in by_file.values() for why in whys if why.sign == "="]
    if again:
        lines += ["", f"{bold('said again')}  the notes have it already", *_file(again)]
    if receipt.noticed:
        lines += ["", *(on_one_line(f"· {each}") for each in receipt.noticed)]
    return [*lines, "", *_next(found)]


def _file(whys: Sequence[Why]) -> Iterator[str]:
    by_rule: dict[tuple[str, str], list[str]] = defaultdict(list)
    for why in whys:
        elsewhere = why.moved_to not in {None, why.path}
        some = by_rule[why.sign, f"{why.rule}, now in {why.moved_to}" if elsewhere else why.rule]
        # What came of several messages came once.
        if why.line.strip() and (why.sign == "-" or why.line not in some):
            some.append(why.line)
    for (sign, rule), some in by_rule.items():
        if some:
            yield on_one_line(f"  {rule}: {plural(len(some), 'line')}")
        yield from (on_one_line(f"    {sign} {line.strip()[:100]}") for line in some[:_EXAMPLES])
        if len(some) > _EXAMPLES:
            yield dim(f"      and {len(some) - _EXAMPLES} more")


def _next(found: FoundDream) -> Iterator[str]:
    dream, id_ = found.dream, found.receipt.dream
    if dream is None:
        return
    if dream.undone:
        yield f"It was undone; `dreamd redo {id_}` does it again."
        return
    if dream.changed:
        yield f"`dreamd diff {id_}` has every line; `dreamd undo {id_}` takes it back."
    if dream.waits:
        yield common.held_back(id_)
    elif dream.proposal:
        yield f"What it proposed was {dream.proposal}."
