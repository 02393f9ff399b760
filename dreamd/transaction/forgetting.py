"""Forgetting: the one operation that rewrites history, because the user asked for it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from dreamd import conversations
from dreamd.domain.ending import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import EvidenceError, HostError, UsageError
from dreamd.host import files
from dreamd.memory import forgetting
from dreamd.memory.eraser import Eraser
from dreamd.memory.scan import scan
from dreamd.text.names import INDEX
from dreamd.transaction.edit import edit
from dreamd.transaction.frame import leased
from dreamd.transcripts import Unread
from dreamd.transcripts.sessions import listing
from dreamd.transcripts.stretch import inside, spoken

_OUR_WORDS = frozenset({"dream", "of", "amends", "kind", "outcome", "started", "phase", "verb"})


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many notes, contents in history and messages held the text.

    `unheard` says which transcripts could not be searched for it.
    """

    notes: int
    past: int
    messages: int = 0
    unheard: tuple[str, ...] = ()


def judge(text: str) -> None:
    """Refuse a text that cannot be forgotten.

    Raises:
        UsageError: it is too short to be meant, or part of a name that every memory needs.
    """
    if len(text.strip()) < forgetting.SHORTEST:
        raise UsageError(f"a text to forget has at least {forgetting.SHORTEST} characters")
    if text in str(INDEX):
        raise UsageError(f"{text} is part of the name {INDEX}, which every memory needs")


def forget(
    store: Store, text: str, sessions: Sequence[Path] = (), diary: Path | None = None
) -> Forgotten:
    """Replace a text in every note, in all of history, in the receipts and in the diary.

    What people said with it is taken out of the evidence whole.

    `diary` is its file where it stands elsewhere than in the store.

    What people said with it in the transcripts below `sessions` is not learned again: the ids of
    these messages, never the text, are kept. The transcripts are the client's and stay.

    Notes change through a transaction of their own; its snapshot holds the text until the
    rewriting of history that follows under a second lease. Killed in between, the same
    command does what is left.

    Raises:
        UsageError: the text cannot be meant.
        BusyError: someone else has the lock.
        HistoryError: history could not be rewritten, or the text is still in it.
    """
    judge(text)
    notes = past = 0
    ids, unheard = _unlearn(store, text, sessions)
    forms = _forms(text)
    with _standing(store.memory):
        for form in forms:
            done = _forget(store, form, {store.diary, diary or store.diary})
            notes, past = notes + done.notes, past + done.past
        with leased(store, Kind.FORGET):
            unheard += _forget_evidence(store, forms, ids)
    return Forgotten(notes, past, len(ids), unheard)


def _forget_evidence(store: Store, forms: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    from dreamd.evidence import forgetting as evidence  # noqa: PLC0415 - SQLite: 10 ms

    try:
        evidence.forget(store.evidence, forms, ids)
    except EvidenceError as error:
        return (f"the evidence was not searched: {error}",)
    return ()


def _forms(text: str) -> list[str]:
    """Return a text with either line end, and as a sentence begins with it or goes on."""
    ends = [text, text.replace("\r\n", "\n").replace("\n", "\r\n")]
    return list(dict.fromkeys([*ends, *(each[0].swapcase() + each[1:] for each in ends)]))


def _unlearn(
    store: Store, text: str, sessions: Sequence[Path]
) -> tuple[list[str], tuple[str, ...]]:
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
        files.make_private(store.home)
        with files.faults("write", store.forgotten):
            files.append(store.forgotten, "".join(f"{each}\n" for each in ids).encode())
    unheard = tuple(
        f"{each.path} was not searched: {each.reason}; what it holds may be learned"
        for each in unread
    )
    return list(ids), unheard


def _forget(store: Store, text: str, diaries: Collection[Path]) -> Forgotten:
    live = scan(store.memory)
    eraser = Eraser.of(text, [os.fsencode(path) for path in (*live.files, *live.folders)])
    after = without(live, eraser)
    holding = sum(after.files.get(path) != entry for path, entry in live.files.items())
    if after != live:
        edit(store, Kind.FORGET, lambda tree: without(tree, eraser), reason="forgot a text")
    with leased(store, Kind.FORGET) as frame:
        done = forgetting.forget(frame.history, text)
        _scrub_receipts(store, Eraser.of(text, []))
        for diary in diaries:
            _scrub_diary(diary, Eraser.of(text, []))
        conversations.forget(store.conversations, text)
    now = scan(store.memory)
    if without(now, eraser) != now:
        raise HostError("the text came back while it was being forgotten: forget it again")
    return Forgotten(notes=holding, past=done.blobs)


@contextlib.contextmanager
def _standing(memory: Path) -> Iterator[None]:
    """Let a memory directory that is gone stand, empty, while its history is rewritten."""
    if memory.exists():
        yield
        return
    files.make_private(memory)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            memory.rmdir()


def without(tree: Tree, eraser: Eraser) -> Tree:
    """Return a tree without the text in its contents, its links' targets and its names."""

    def named(path: PurePosixPath) -> PurePosixPath:
        return PurePosixPath(str(path).replace(eraser.text, eraser.path_mark))

    return replace(
        tree,
        files={
            named(path): replace(entry, data=eraser.content(entry.data))
            for path, entry in tree.files.items()
        },
        folders={named(path): mode for path, mode in tree.folders.items()},
    )


def _scrub_receipts(store: Store, eraser: Eraser) -> None:
    with files.faults("rewrite", store.receipts):
        try:
            lines = store.receipts.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        scrubbed = [_scrubbed(line, eraser) for line in lines]
        if scrubbed != lines:
            files.replace(store.receipts, b"\n".join(scrubbed))


def _scrub_diary(diary: Path, eraser: Eraser) -> None:
    with files.faults("rewrite", diary):
        if not diary.is_file():
            return
        file = diary.resolve()  # a link stays one
        said = file.read_bytes()
        if (left := eraser.content(said)) != said:
            files.replace(file, left, mode=file.stat().st_mode & 0o7777)


def _scrubbed(line: bytes, eraser: Eraser) -> bytes:
    if eraser.content(line) == line:
        return line
    try:
        value = _walk(json.loads(line), eraser)
    except ValueError:  # a torn line has no reader whose words must stay
        return eraser.content(line)
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _walk(value: Any, eraser: Eraser) -> Any:
    """Return a JSON value without the text, but for the words that a receipt's reader needs."""
    match value:
        case dict():
            return {k: v if k in _OUR_WORDS else _walk(v, eraser) for k, v in value.items()}
        case list():
            return [_walk(each, eraser) for each in value]
        case str():
            return eraser.content(value.encode("utf-8", "surrogateescape")).decode(
                "utf-8", "replace"
            )
        case _:
            return value
