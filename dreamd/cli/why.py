"""`why`: where a line came from or went, and what keeps a dream from starting."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd.app import App
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain.store import Store


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `why`."""
    del name
    common.memory_option(parser, positional=True)
    parser.add_argument(
        "--line",
        metavar="TEXT",
        help="words of a line, or of a sentence that somebody typed: print what dreams did with "
        "it, and why",
    )
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="list what people stated that is in no note, best first, with verdict and reason",
    )
    common.most_option(parser, "how many candidates (20; 0: all)", 20)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print where a line came from, or whether a dream could begin now."""
    app = wiring.start()
    store = app.store(common.memory_named(arguments), may_be_gone=arguments.line is not None)
    if arguments.candidates:
        from dreamd.cli.why_line import candidates  # noqa: PLC0415 - the evidence, where asked

        return candidates(app, store, arguments.most, as_json=arguments.json)
    if arguments.line is not None:
        from dreamd.cli.why_line import line  # noqa: PLC0415 - git and the evidence, where asked

        return line(app, store, arguments.line, as_json=arguments.json)
    return _dream(app, store, as_json=arguments.json)


def _dream(app: App, store: Store, *, as_json: bool) -> int:
    from dreamd import asking, gates, lock  # noqa: PLC0415 - only where the gates are asked
    from dreamd.domain.verdict import to_json  # noqa: PLC0415
    from dreamd.host import clock  # noqa: PLC0415
    from dreamd.transaction.wreck import wreck  # noqa: PLC0415

    verdicts = gates.ask(asking.context(app, store), every=True)
    now = clock.now()  # after them, or what is 10 min from now would be shown as 11
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
