"""`show`: what one dream did, file by file, and why."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from dreamd.app.wiring import FoundDream
from dreamd.cli import common
from dreamd.cli.paint import bold, dim, on_one_line, printable
from dreamd.cli.values import reasons
from dreamd.domain.change import Why
from dreamd.domain.receipt import Receipt
from dreamd.errors import RefusedError
from dreamd.text.words import count, money, plural

_EXAMPLES = 3  # lines shown of each rule in each file
_BEGUN = {"hand": "by hand", "gated": "begun with --gated", "precommit": "begun by pre-commit"}


def run(arguments: argparse.Namespace) -> int:
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
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            print(bold(f"{message.get('role', '')}:"), printable(_said(part)))
    return 0


def _said(part: Mapping[str, object]) -> str:
    """Return one part of a message as text."""
    for key, mark in (("text", ""), ("thinking", "(thinks) "), ("content", "(answered) ")):
        if key in part:
            return f"{mark}{part[key]}"
    return f"{part.get('name', '')} {json.dumps(part.get('input'), ensure_ascii=False)}"


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
        *(dim(line) for line in costs(receipt)),
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
    lines += ["", *_next(found)]
    return lines


def costs(receipt: Receipt) -> list[str]:
    """Return what a model's dream cost: dollars, requests, and tokens by kind."""
    usage, estimate = receipt.usage, receipt.estimate
    if not usage.tokens:
        return []
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
    return [" · ".join(said)]


def _file(whys: Sequence[Why]) -> list[str]:
    by_rule: dict[tuple[str, str], list[str]] = defaultdict(list)
    for why in whys:
        elsewhere = why.moved_to not in {None, why.path}
        some = by_rule[why.sign, f"{why.rule}, now in {why.moved_to}" if elsewhere else why.rule]
        # What came of several messages came once.
        if why.line.strip() and (why.sign == "-" or why.line not in some):
            some.append(why.line)
    lines = []
    for (sign, rule), some in by_rule.items():
        if some:
            lines.append(on_one_line(f"  {rule}: {plural(len(some), 'line')}"))
        lines += [on_one_line(f"    {sign} {line.strip()[:100]}") for line in some[:_EXAMPLES]]
        if len(some) > _EXAMPLES:
            lines.append(dim(f"      and {len(some) - _EXAMPLES} more"))
    return lines


def _next(found: FoundDream) -> list[str]:
    dream, id_ = found.dream, found.receipt.dream
    if dream is None:
        return []
    if dream.undone:
        return [f"It was undone; `dreamd redo {id_}` does it again."]
    lines = []
    if dream.changed:
        lines.append(f"`dreamd diff {id_}` has every line; `dreamd undo {id_}` takes it back.")
    if dream.waits:
        lines.append(common.held_back(id_))
    elif dream.proposal:
        lines.append(f"What it proposed was {dream.proposal}.")
    return lines
