"""Forgetting: the one operation that rewrites history, because the user asked for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.receipt import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import EvidenceError, HostError, RefusedError, UsageError
from dreamd.evidence import forgetting as evidence
from dreamd.host import database, files
from dreamd.ledger import conversations
from dreamd.memory.scan import scan
from dreamd.state import forgetting
from dreamd.state.store_db import StoreDb
from dreamd.stores import identity
from dreamd.text.eraser import Eraser
from dreamd.text.markdown import INDEX
from dreamd.transaction.change import edit
from dreamd.transaction.frame import leased
from dreamd.transcripts import Unread
from dreamd.transcripts.reading import inside, spoken
from dreamd.transcripts.sessions import listing

SHORTEST = 4


class Forgotten(Struct, frozen=True):
    """How many notes, contents in history and messages held the text.

    `unsearched` says, a sentence each, where it may still stand or be learned from.
    """

    notes: int
    past: int
    messages: int = 0
    unsearched: tuple[str, ...] = ()


def judge(text: str) -> None:
    """Refuse a text that is too short to be meant, or part of a name that every memory needs."""
    if len(text.strip()) < SHORTEST:
        raise UsageError(f"a text to forget has at least {SHORTEST} characters")
    if text in str(INDEX):
        raise UsageError(f"{text} is part of the name {INDEX}, which every memory needs")


def forget(store: Store, text: str, sessions: Sequence[Path] = ()) -> Forgotten:
    """Replace a text in every note, in all of history, in the receipts and in the diary.

    Lines that a dream drew from it go too. What people said with it is taken out of the evidence
    whole, and is not learned again from the transcripts below `sessions`: the ids of these
    messages, never the text, are kept. The transcripts are the client's and stay.

    Notes change through a transaction of their own; its snapshot holds the text until the
    rewriting of history that follows under another lease. Killed in between, the same
    command does what is left.
    """
    judge(text)
    db = StoreDb(store.database)
    # With either line end, and as a sentence begins with it or goes on.
    ends = [text, text.replace("\r\n", "\n").replace("\n", "\r\n")]
    forms = list(dict.fromkeys([*ends, *(each[0].swapcase() + each[1:] for each in ends)]))
    with _standing(store.memory):
        with leased(store, Kind.FORGET):  # a damaged history is set aside here
            ids, unsearched = _unlearn(store, text, sessions)
        live = scan(store.memory)
        lines = forgetting.drawn(db, Eraser.of(text), set(ids))
        eraser = Eraser.of(text, [*map(str, live.files), *forgetting.paths(db)], lines)
        after = without(live, eraser)
        holding = sum(after.files.get(path) != entry for path, entry in live.files.items())
        if after != live:
            edit(store, Kind.FORGET, lambda tree: without(tree, eraser), reason="forgot a text")
        with leased(store, Kind.FORGET):
            past = forgetting.forget(db, eraser)
            _scrub(store.diary, eraser)
            conversations.forget(store.conversations, eraser)
            try:
                evidence.forget(store.evidence, forms, ids)
            except EvidenceError as error:
                unsearched.append(f"the evidence was not searched: {error}")
        now = scan(store.memory)
        if without(now, eraser) != now:
            raise HostError("the text came back while it was being forgotten: forget it again")
    unsearched += (
        f"{store.memory / path} was not searched: it is no regular file of at most 32 MiB"
        for path in sorted(now.unread)
        if path.suffix == ".md"
    )
    unsearched += (
        f"{path} was not searched: remove it if the text may stand there"
        for path in (*store.of_earlier, *database.aside(store.database))
    )
    unsearched += (
        f"{other.memory} read the same session: `dreamd --memory {other.memory} forget` it too"
        for other in (identity.known(store.state) if ids else ())
        if other.name != store.name and evidence.knows(other.evidence, ids)
    )
    return Forgotten(holding, past, len(ids), tuple(unsearched))


def _unlearn(store: Store, text: str, sessions: Sequence[Path]) -> tuple[list[str], list[str]]:
    """Keep the ids of the messages that hold the text, so that no dream takes anything of them.

    Returns these ids, and what could not be searched.
    """
    wanted = " ".join(text.split())
    heard = listing(sessions)
    unread = list(heard.unread)
    ids: dict[str, None] = {}
    is_inside = inside(store.state)
    for transcript in heard.transcripts:
        try:
            for said in spoken(transcript, is_inside):
                if wanted in " ".join(f"{said.before}\n{said.text}".split()):
                    ids[said.message] = None
        except HostError as error:
            unread.append(Unread(transcript, str(error)))
    if ids:
        forgetting.remember(StoreDb(store.database), ids)
    return list(ids), [
        f"{each.path} was not searched: {each.reason}; what it holds may be learned"
        for each in unread
    ]


@contextlib.contextmanager
def _standing(memory: Path) -> Iterator[None]:
    """Let a memory directory that is gone stand, empty, while its history is rewritten."""
    is_made = files.make_private(memory)
    try:
        yield
    finally:
        if is_made:
            with contextlib.suppress(OSError):
                memory.rmdir()


def without(tree: Tree, eraser: Eraser) -> Tree:
    """Return a tree without the text in its contents and names."""
    files = {
        PurePosixPath(eraser.path(str(path))): replace(entry, data=eraser.content(entry.data))
        for path, entry in tree.files.items()
    }
    if len(files) < len(tree.files):
        raise RefusedError("two notes would get one name: rename one of them, then forget again")
    return replace(tree, files=files)


def _scrub(diary: Path, eraser: Eraser) -> None:
    with files.faults("rewrite", diary):
        if not diary.is_file():
            return
        file = diary.resolve()  # a link stays one
        said = file.read_bytes()
        if (left := eraser.content(said)) != said:
            files.replace(file, left, mode=file.stat().st_mode & 0o7777)
