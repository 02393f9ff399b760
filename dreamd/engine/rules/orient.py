"""Parse the notes that may be changed, and list the names of all others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct, field

from dreamd.domain.budget import is_note
from dreamd.domain.tree import INDEX, Tree
from dreamd.text.markdown.markdown import Block, bare, blocks, lines
from dreamd.text.markdown.note import is_pinned
from dreamd.text.markdown.pointers import Pointer, called, pointers, reached, resolve

_LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps
_FOREIGN = {"team", "logs"}  # shared notes and daily logs: pointed to, never changed


class Note(Struct, frozen=True, dict=True):
    """One note; its lines (without ends), blocks and pointers are read once, when first needed."""

    path: PurePosixPath
    text: str

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Its lines."""
        return tuple(map(bare, lines(self.text)))

    @cached_property
    def parts(self) -> tuple[Block, ...]:
        """Its blocks."""
        return blocks(self.rows)

    @cached_property
    def links(self) -> tuple[Pointer, ...]:
        """Its pointers to other notes."""
        return pointers(self.text, self.path)

    def body(self, part: Block) -> tuple[str, ...]:
        """Return the lines of one of its blocks."""
        return self.rows[part.start : part.end]

    def holds_fence(self, part: Block) -> bool:
        """Whether a block is, or has inside, a code fence."""
        return any(row.lstrip(" \t").startswith(("```", "~~~")) for row in self.body(part))


class Memory(Struct, frozen=True, dict=True):
    """All notes: `notes` may be changed, `others` only read, `names` is every path there is."""

    notes: Mapping[PurePosixPath, Note]
    others: Mapping[PurePosixPath, Note] = field(default_factory=dict)
    names: frozenset[PurePosixPath] = frozenset()

    @cached_property
    def texts(self) -> Mapping[PurePosixPath, str]:
        """The text of every note that can be read, by name."""
        every = {**self.others, **self.notes}
        order = sorted(every, key=lambda path: path.parts)
        return {path: every[path].text for path in order}

    @cached_property
    def names_of_notes(self) -> frozenset[PurePosixPath]:
        """The paths of all notes, those that cannot be read included."""
        return frozenset(filter(is_note, self.names))

    @cached_property
    def _called(self) -> Mapping[str, PurePosixPath]:
        return called(self.texts)

    def destination(self, pointer: Pointer, source: PurePosixPath) -> PurePosixPath | None:
        """Return what a pointer leads to, None where it dangles."""
        return resolve(pointer, self.names, source, self._called if pointer.wiki else {})

    @cached_property
    def order(self) -> tuple[PurePosixPath, ...]:
        """The changeable notes as a reader meets them: index, linked ones, then by name."""
        met = reached(self.texts, INDEX) | dict.fromkeys(self.texts)
        return tuple(path for path in met if path in self.notes)


def orient(tree: Tree) -> Memory:
    """Read all notes of a tree; what is binary, a link, huge, pinned or foreign stays as it is."""
    notes: dict[PurePosixPath, Note] = {}
    others: dict[PurePosixPath, Note] = {}
    for path, entry in sorted(tree.files.items()):
        if not is_note(path) or len(entry.data) > _LARGEST:
            continue
        if _decoded(str(path).encode("utf-8", "surrogateescape")) is None:
            continue  # no line of UTF-8 could point to it
        text = _decoded(entry.data)
        if text is None:
            continue
        is_theirs = path.parts[0] in _FOREIGN or is_pinned(text)
        (others if is_theirs else notes)[path] = Note(path, text)
    return Memory(notes, others, frozenset(tree.files) | tree.unread)


def changed(memory: Memory, texts: Mapping[PurePosixPath, str]) -> Memory:
    """Return the memory with its changeable notes replaced by these texts."""
    old = memory.notes
    notes = {
        path: old[path] if path in old and old[path].text == text else Note(path, text)
        for path, text in sorted(texts.items())
    }
    return Memory(notes, memory.others, memory.names | notes.keys())


def _decoded(data: bytes) -> str | None:
    try:
        return None if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
