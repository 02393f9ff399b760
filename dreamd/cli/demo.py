"""`demo`: a real dream on a private copy of the sample memory."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from dreamd import app as wiring
from dreamd import engines, stores
from dreamd.cli import common, paint
from dreamd.cli.paint import bold, dim, on_one_line, printable
from dreamd.domain import budget
from dreamd.domain.ending import Phase
from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import Budget, EngineChoice
from dreamd.domain.tree import INDEX, Tree
from dreamd.domain.words import plural, step
from dreamd.errors import UsageError
from dreamd.text.markdown import markdown

_WORK = {
    Phase.ORIENT: "read what is there",
    Phase.GATHER: "look for what was said since",
    Phase.CONSOLIDATE: "merge, mend and connect",
    Phase.PRUNE: "bring the index under its limits",
}


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `demo`."""
    del name
    parser.add_argument(
        "--keep", metavar="DIR", help="put the copy into this new folder, not a temporary one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Copy the sample, dream, and show everything: phases, diff, index, cost, and the way back."""
    app = wiring.start()
    from dreamd import draft, dream  # noqa: PLC0415 - the heavy part, only when dreaming
    from dreamd.host import resources  # noqa: PLC0415
    from dreamd.memory.diff import unified  # noqa: PLC0415
    from dreamd.memory.scan import scan  # noqa: PLC0415

    folder = _folder(app.here, arguments.keep)
    memory = resources.copy_sample(folder)
    store = stores.store_at(memory, app.loaded.paths.state)
    before = scan(memory)
    print(f"A copy of the sample memory: {bold(on_one_line(str(memory)))}")
    engine = engines.engine(app, EngineChoice.RULES)
    wish = draft.Wish(sessions=[memory.parent])
    receipt = dream.dream(store, draft.Night(engine, app.loaded.settings, wish))
    after = scan(memory)
    _phases(receipt, before)
    print(f"\n{bold('What changed')}")
    print(paint.diff(printable(unified(before, after))), end="")
    _index(before, after, app.loaded.settings.budget)
    tokens = receipt.usage.input_tokens + receipt.usage.output_tokens
    print(
        f"\n{bold('What it cost')}: {receipt.seconds:.1f} s, {plural(tokens, 'token')}, "
        f"${receipt.usage.dollars:.2f}; the rules engine needs no key and no network."
    )
    _go_on(receipt, memory)
    return common.EXIT[receipt.outcome]


def _folder(here: Path, keep: str | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="dreamd-demo-"))
    folder = stores.path_of(keep, here)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--keep: {folder} is not an empty folder: name a new one")
    return folder


def _phases(receipt: Receipt, before: Tree) -> None:
    idle = {
        Phase.ORIENT: f"{plural(len(budget.notes(before)), 'note')} read",
        Phase.GATHER: "nothing that the notes do not have",
    }
    for phase in Phase:
        did = [step(each) for each in receipt.steps if each.phase is phase and each.count]
        said = ", ".join(did) or idle.get(phase, "nothing to do")
        print(f"  {bold(f'{phase:11}')} {_WORK[phase]}: {said}")
    print(f"\n{common.sentence(receipt.reason)}.")
    for finding in receipt.findings:
        print(on_one_line(f"  · {finding}"))


def _index(before: Tree, after: Tree, limits: Budget) -> None:
    for name, tree in (("before", before), ("after", after)):
        text = (tree.data(INDEX) or b"").decode("utf-8", "replace")
        sizes = budget.measure(tree, limits)
        unseen = sizes.index_lines - sizes.index_seen
        seen = (
            f"{plural(unseen, 'line')} of it no new conversation sees"
            if unseen
            else "a new conversation sees all of it"
        )
        print(
            f"\n{bold(f'The index {name}')}: {sizes.index_lines} lines (limit "
            f"{limits.index_lines}), {common.size(sizes.index_bytes)}; {seen}"
        )
        print("\n".join(_outline(text, budget.visible(text, limits).unseen)))


def _outline(text: str, unseen: int | None) -> list[str]:
    """Return the headings of an index with their line numbers, and where it is cut."""
    lines = markdown.lines(text)
    headings = {b.start for b in markdown.blocks(lines) if b.kind is markdown.BlockKind.HEADING}
    rows: list[str] = []
    for number, line in enumerate(lines, 1):
        if number == unseen:
            rows.append(f"  {number:4}  ---- from here on no new conversation sees it ----")
        if number - 1 in headings:
            depth = len(line) - len(line.lstrip("#"))
            rows.append(dim(on_one_line(f"  {number:4}  {'  ' * (depth - 1)}{line.strip()}")))
    return rows


def _go_on(receipt: Receipt, memory: Path) -> None:
    typed = sys.argv[0] if "/" in sys.argv[0] and sys.argv[0].endswith("dreamd") else "dreamd"
    me = shlex.quote(typed)
    where = shlex.quote(str(memory))
    print(f"\n{bold('To go on playing')}")
    print(f"  {me} show {receipt.dream}    why each line moved, came or went")
    print(f"  {me} undo {receipt.dream}    take it all back, byte for byte")
    print(f"  {me} dream {where}    dream again: nothing left to change")
    print(f"  {me} status {where}")
