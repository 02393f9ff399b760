"""A text taken out of every moment history holds: the one operation that rewrites it.

It works inside the repository, and each step may be cut short: new commits are added beside
the old ones, then the refs move, then what no ref reaches is deleted. Killed before the refs
moved, nothing has changed; killed later, forgetting the same text again does what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dreamd.errors import HistoryError, UsageError
from dreamd.memory import history_format, import_stream
from dreamd.memory.eraser import Eraser
from dreamd.memory.history import History
from dreamd.memory.history_format import META, WHY, Leaf

SHORTEST = 4
_SCRATCH = "refs/forgetting/tip"
_BATCH = 64 * 1024 * 1024  # bytes of content held at once


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was rewritten: how many contents held the text, and the new id of each commit."""

    blobs: int
    moved: Mapping[str, str]

    @property
    def commits(self) -> int:
        """How many commits have a new id: those that held the text, and all that follow them."""
        return len(self.moved)


@dataclass(frozen=True, slots=True)
class _Edit:
    """One path that a commit set or, without a leaf, removed."""

    path: bytes
    leaf: Leaf | None

    @property
    def is_record(self) -> bool:
        return self.path in {META, WHY}


@dataclass(frozen=True, slots=True)
class _Step:
    """A commit as what it changed since its parent."""

    commit: str
    parent: str
    signature: bytes
    message: bytes
    edits: tuple[_Edit, ...]


def forget(history: History, text: str) -> Forgotten:
    """Take a text out of every content, path, reason and message in history, for good.

    It becomes `[forgotten]`; refs, order, dates, modes and mtimes stay. Its JSON-escaped form
    goes as well. The bytes are gone from the repository when this returns: no reflog, no
    unreachable object and no temporary pack is left. What the file system itself keeps (copies
    on write, freed blocks) is beyond reach.

    Raises:
        UsageError: the text is shorter than 4 characters, or holds all that could stand for it.
        HistoryError: git failed, history is damaged, or the text is still there afterwards.
    """
    if len(text.strip()) < SHORTEST:
        raise UsageError(f"a text to forget has at least {SHORTEST} characters")
    if not history.repository.exists:
        return Forgotten(0, {})
    steps = _steps(history)
    eraser = Eraser.of(text, {edit.path for step in steps for edit in step.edits})
    erased = dict(_erased(history, steps, eraser))
    moved = _rewritten(history, steps, eraser, erased)
    tips = {ref: moved[tip] for ref, tip in history.refs().items() if tip in moved}
    history.point({**tips, _SCRATCH: None})
    history.repository.discard_unreachable()
    _make_sure(history, eraser)
    return Forgotten(len(erased), moved)


def _steps(history: History) -> list[_Step]:
    """Read every commit that a ref reaches, parents first."""
    ask = history.repository.ask
    order = ask("rev-list", "--all", "--topo-order", "--reverse")
    raw = ask("diff-tree", "--stdin", "--root", "--always", "-r", "-z", "--no-renames", stdin=order)
    edits: dict[str, list[_Edit]] = {}
    parts = iter(raw.split(b"\0")[:-1])
    commit = ""
    for part in parts:
        if part.startswith(b":"):
            _, mode, _, blob, verb = part.split(b" ")
            leaf = None if verb == b"D" else Leaf(mode, blob.decode())
            edits[commit].append(_Edit(next(parts), leaf))
        else:
            commit = part.decode()
            edits[commit] = []
    commits = history.contents(edits)
    return [_step(commit, commits[commit], tuple(made)) for commit, made in edits.items()]


def _step(commit: str, data: bytes, edits: tuple[_Edit, ...]) -> _Step:
    head, message = data.split(b"\n\n", 1)
    lines = [line.split(b" ", 1) for line in head.split(b"\n")]
    parents = [value.decode() for name, value in lines if name == b"parent"]
    if len(parents) > 1:
        raise HistoryError(f"snapshot {commit} has more than one parent and is not dreamd's")
    signature = next(value for name, value in lines if name == b"committer")
    return _Step(commit, "".join(parents), signature, message, edits)


def _erased(
    history: History, steps: Iterable[_Step], eraser: Eraser
) -> Iterator[tuple[tuple[str, bool], bytes]]:
    """Find the contents that hold the text; give each, by id and by role, without it."""
    roles: dict[str, set[bool]] = {}
    for edit in (edit for step in steps for edit in step.edits):
        if edit.leaf is not None:
            roles.setdefault(edit.leaf.blob, set()).add(edit.is_record)
    for blob, data in _contents(history, roles):
        for is_record in roles[blob]:
            without = eraser.records(data) if is_record else eraser.content(data)
            if without != data:
                yield (blob, is_record), without


def _contents(history: History, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    batch: list[str] = []
    size = 0
    sizes = history.repository.ask("cat-file", "--batch-check", stdin=asked).decode().splitlines()
    for line in sizes:
        blob, *_, length = line.split(" ")
        batch.append(blob)
        size += int(length) if length.isdecimal() else 0  # `missing` is said when it is read
        if size > _BATCH:
            yield from history.contents(batch).items()
            batch, size = [], 0
    yield from history.contents(batch).items()


def _rewritten(
    history: History,
    steps: Iterable[_Step],
    eraser: Eraser,
    erased: Mapping[tuple[str, bool], bytes],
) -> dict[str, str]:
    """Write the commits that held the text, and all that follow them, anew."""
    commands: list[bytes] = []
    marks: dict[str, int] = {}
    for step in steps:
        edits = [_without(edit, eraser, erased) for edit in step.edits]
        message = eraser.content(step.message)
        if step.parent not in marks and message == step.message and edits == list(step.edits):
            continue
        mark = marks.get(step.parent)
        parent = step.parent.encode() if mark is None else b":%d" % mark
        marks[step.commit] = len(marks) + 1
        commands.append(
            import_stream.commit_head(marks[step.commit], _SCRATCH, step.signature, message, parent)
        )
        commands += [import_stream.removed(edit.path) for edit in edits if edit.leaf is None]
        commands += [
            import_stream.modified(edit.path, edit.leaf) for edit in edits if edit.leaf is not None
        ]
    if not marks:
        return {}
    ids = history.load(commands, [_SCRATCH], marks=len(marks))
    return dict(zip(marks, ids, strict=True))


def _without(edit: _Edit, eraser: Eraser, erased: Mapping[tuple[str, bool], bytes]) -> _Edit:
    path = eraser.path(edit.path)
    leaf = edit.leaf
    if leaf is not None and (data := erased.get((leaf.blob, edit.is_record))) is not None:
        leaf = history_format.leaf(leaf.mode, data)
    return edit if path == edit.path and leaf is edit.leaf else _Edit(path, leaf)


def _make_sure(history: History, eraser: Eraser) -> None:
    """Raise unless all that the repository holds is reachable, and free of the text."""
    ask = history.repository.ask
    every = ask("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    reached = ask("rev-list", "--objects", "--no-object-names", "--all").split()
    steps = _steps(history)
    left = any(
        eraser.content(step.message) != step.message
        or any(eraser.path(edit.path) != edit.path for edit in step.edits)
        for step in steps
    )
    if set(every) - set(reached) or left or any(_erased(history, steps, eraser)):
        raise HistoryError(f"the text still stands in {history.folder}; forget it once more")
