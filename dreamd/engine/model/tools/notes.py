"""The notes of a session in memory: what they are, and which change of them is allowed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from dreamd.domain.budget import is_note
from dreamd.domain.tree import Tree
from dreamd.engine.model.tools.dispatch import Answer
from dreamd.engine.model.tools.open import absolute, inside
from dreamd.errors import RefusedError
from dreamd.text.markdown.note import is_pinned
from dreamd.text.secrets.secrets import find
from dreamd.transcripts.plain import plain

LARGEST = 1024 * 1024  # bytes of a note
_DEEPEST = 8  # folders
_LONGEST = 255  # bytes of one part of a name, on every file system we meet
_UNSEEN_KINDS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_UNSEEN = set("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # letters and marks without a shape
_ORDERS = {"claude.md", "claude.local.md", "agents.md", "gemini.md"}

Texts = Mapping[PurePosixPath, str]


class Retired(msgspec.Struct, frozen=True):
    """A line that was taken out for a reason, with the words of whoever said so."""

    path: PurePosixPath
    line: str
    reason: str
    source: str


class Notes(msgspec.Struct, frozen=True):
    """The notes of `memory` as a session has them; a change makes new ones.

    `base` is how they were when it began. `odd` are links, other files, and notes that are no
    UTF-8; `folders` are the folders.
    """

    memory: Path
    base: Texts
    now: Texts
    odd: frozenset[PurePosixPath] = frozenset()
    folders: frozenset[PurePosixPath] = frozenset()
    retired: tuple[Retired, ...] = ()

    @property
    def edits(self) -> dict[PurePosixPath, bytes | None]:
        """The notes that are not as they were, None for one that is gone."""
        changed = differing(self.base, self.now)
        return {path: self.now[path].encode() if path in self.now else None for path in changed}

    def changed(self, changes: Mapping[PurePosixPath, str | None]) -> Notes:
        """Return the notes with these texts; None removes one."""
        now = {path: text for path, text in {**self.now, **changes}.items() if text is not None}
        return msgspec.structs.replace(self, now=dict(sorted(now.items())))


class Changed(Answer, frozen=True, kw_only=True):
    """The answer to a change, with the notes after it: the same ones where nothing changed."""

    notes: Notes


def differing(old: Texts, new: Texts) -> list[PurePosixPath]:
    """Return the notes whose texts are not the same, sorted."""
    return [path for path in sorted(old.keys() | new.keys()) if old.get(path) != new.get(path)]


def notes_of(tree: Tree, memory: Path) -> Notes:
    """Return the notes of a tree; undecodable bytes are shown as U+FFFD, links are none."""
    files = {path: each for path, each in tree.files.items() if is_note(path)}
    texts = {path: entry.data.decode("utf-8", "replace") for path, entry in sorted(files.items())}
    odd = {path for path, entry in files.items() if texts[path].encode() != entry.data}
    return Notes(
        memory=memory,
        base=texts,
        now=texts,
        odd=frozenset({*odd, *tree.unread, *(tree.files.keys() - files.keys())}),
        folders=frozenset(above for path in files for above in path.parents[:-1]),
    )


def path_of(said: str, notes: Notes) -> PurePosixPath:
    """Return the note that a path means, if it may be written: none in `team/`, for one."""
    path = inside(absolute(said, notes.memory), notes.memory)
    if path is None:
        raise RefusedError(f"{said} is outside; only notes in {notes.memory} are written.")
    if not is_note(path):
        raise RefusedError(f"{said} is no note; only files named *.md, none hidden, are written.")
    for part in path.parts:
        _refuse_name(said, part)
    if "~" in said[:1] or "\\" in said:
        raise RefusedError(f"{said!r:.200} is no name for a note; use plain letters and dashes.")
    if len(path.parts) > _DEEPEST:
        raise RefusedError(f"{said} lies too deep; {_DEEPEST} folders are enough.")
    if path.name.casefold() in _ORDERS:
        raise RefusedError(f"{path.name} is read by agents as orders; write another note.")
    if path.parts[0].casefold() == "team":
        raise RefusedError("team/ is shared with others and stays as it is; write another note.")
    return path


def _refuse_name(said: str, part: str) -> None:
    """Refuse a name that a reader cannot see as it is, or that a file system changes."""
    for character in part:
        if unicodedata.category(character) in _UNSEEN_KINDS or character in _UNSEEN:
            why = f"it has U+{ord(character):04X} in it, which cannot be seen"
            break
    else:
        size, composed = len(part.encode()), unicodedata.normalize("NFC", part)
        why = f"a part has {size} bytes, and {_LONGEST} is the most" if size > _LONGEST else ""
        if composed != part:
            why = f"its letters are not composed (NFC); write {composed!r}"
    if why:
        raise RefusedError(f"{said!r:.200} is no name for a note: {why}.")


def current(path: PurePosixPath, notes: Notes) -> str | None:
    """Return the text of a note that may be changed, None where there is none yet.

    RefusedError where it is pinned, no ordinary note, or its name is too near to another one.
    """
    _refuse_twin(path, {*notes.now, *notes.odd, *notes.folders})
    if path in notes.odd or path in notes.folders or set(path.parents) & {*notes.odd, *notes.now}:
        raise RefusedError(f"{path} is no ordinary file of UTF-8 text; leave it as it is.")
    text = notes.now.get(path)
    if text is not None and is_pinned(text):
        raise RefusedError(f"{path} is pinned: only its owner changes it; write another note.")
    return text


def _refuse_twin(path: PurePosixPath, there: Iterable[PurePosixPath]) -> None:
    """Refuse a name that only case or composition sets apart from one that is there."""
    known = {each for one in there for each in (one, *one.parents)}
    keys = {_key(each): each for each in known}
    for part in (path, *path.parents):
        if part not in known and (twin := keys.get(_key(part))):
            raise RefusedError(f"{twin} stands there already; use that name.")


def _key(path: PurePosixPath) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())


def refuse_text(path: PurePosixPath, old: str | None, new: str) -> None:
    """Refuse a text that is too large, has control characters, or adds or loses a secret."""
    if len(new.encode()) > LARGEST:
        raise RefusedError(f"{path} would be over {LARGEST:,} bytes; keep notes short.")
    ordinary = new.replace("\r\n", "\n")
    if plain(ordinary) != ordinary:
        raise RefusedError(f"{path}: the text holds control characters; send plain text.")
    texts = (old or "", new)
    before, after = (Counter(each[s.start : s.end] for s in find(each)) for each in texts)
    for secret in after - before:
        line = new.count("\n", 0, new.rindex(secret)) + 1
        raise RefusedError(f"{path}: line {line} would be a secret; say where it is, not what.")
    if before - after:
        raise RefusedError(
            f"{path} holds a secret that you were not shown and that this would remove; "
            "use Edit on the other lines."
        )
