"""What tells a reader of the files that gather claims: frontmatter, and a hook in the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.hooks import LONGEST, is_lasting
from dreamd.engine.rules.listing import Entry, Place, firsts, place
from dreamd.engine.rules.orient import Memory, Note, parse
from dreamd.engine.rules.placing.kept import GATHERED
from dreamd.engine.rules.placing.line import statement_of
from dreamd.engine.rules.topics import Style, frontmatter_rows
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind
from dreamd.text.markdown.note import frontmatter, scalar, title

RULE = "gathering"
_MORE = "; …"
_DASH = late(r"\s*(?:—|–|--|-|:)\s")  # noqa: RUF001  (all the dashes people type)
_TELLS = late(r"\d|(?<=[\w,;)] )(?!I\b)[A-Z]|\w[a-z][A-Z]|`[^`]+`")
_BRACKETS = str.maketrans("[]", "()")


def told(rows: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of a list that its hook tells: the first that fit, each whole."""
    return tuple(row for row, _ in _fitting(rows))


def description(rows: Iterable[str], otherwise: str) -> str:
    """Return statements of a list as one line, the first that fit, each whole and once.

    Without those that hold a secret or a relative date.
    """
    listed = {said: row for row in reversed(tuple(rows)) if (said := _said(row))}
    told_rows = tuple(reversed(listed.values()))
    fitting = "; ".join(said for _, said in _fitting(told_rows))
    is_all = len(tuple(_fitting(told_rows))) == len(listed)
    if listed and not fitting:
        most = (
            next(reversed(listed)).encode()[: LONGEST - len("…".encode())].decode(errors="ignore")
        )
        return f"{most.rpartition(' ')[0] or most}…"
    return f"{fitting}{'' if is_all else _MORE}" or otherwise


def _fitting(rows: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the first lines that fit into a hook, each with what it says.

    Those that count or name something before those that do not.
    """
    size = 0
    listed = [(row, _said(row)) for row in rows]
    for row, said in sorted(listed, key=lambda each: not _tells(each[1])):
        longer = size + len(f"{'; ' if size else ''}{said}".encode())
        if said and longer + len(_MORE.encode()) <= LONGEST:
            size = longer
            yield row, said


def _tells(said: str) -> bool:
    """Whether a statement counts or names something, but for who says it, and to whom."""
    return _TELLS.search(said.partition(": ")[2] or said) is not None


def _said(row: str) -> str:
    """Return what a line says to a reader of the index; nothing that must not stand there."""
    said = " ".join(statement_of(row).translate(_BRACKETS).split())
    return said if said and "<!--" not in said and is_lasting(said) else ""


def head_rows(
    path: PurePosixPath, kind: str, name: str, rows: Sequence[str], style: Style
) -> tuple[str, ...]:
    """Return what stands above the list in a new gathered file: frontmatter and title."""
    written = frontmatter_rows(path, description(rows, name), kind, style)
    mark = f"{'' if style.is_flat else '  '}{GATHERED}: {kind}"
    return (*written[:-2], mark, *written[-2:], f"# {name}", "")


def entry(path: PurePosixPath, name: str, rows: Sequence[str]) -> Entry:
    """Return what the index says of a new gathered file."""
    return Entry(path, name, description(rows, name))


def pointers(memory: Memory, entries: Sequence[Entry], refusals: Refusals) -> Iterator[Edit]:
    """Yield the edit that points to new files, last in the list: old notes are met before."""
    if not entries:
        return
    where = place(memory.notes.get(INDEX) or parse(INDEX, ""), refusals)
    rows = [row for row in where.rows(entries) if not refusals.of_adding(INDEX, (row,))]
    if rows:
        yield Edit(RULE, RULE, (), (Insertion(INDEX, where.at, where.framed(rows)),))


def retold(memory: Memory, note: Note, rows: Sequence[str], refusals: Refusals) -> Iterator[Edit]:
    """Yield the edits by which description and hook tell of lines that a gathered file gets.

    Only where they still are what dreamd made of the lines before: the user's words stay.
    """
    old_rows = [note.rows[part.start] for part in note.parts if part.kind is BlockKind.ITEM]
    yield from retold_as(memory, note, (*old_rows, *rows), refusals)


def retold_as(
    memory: Memory, note: Note, rows: Sequence[str], refusals: Refusals
) -> Iterator[Edit]:
    """Yield the edits by which description and hook tell of the lines that a file will have.

    As in `retold`, only where they still are what dreamd made of the lines before.
    """
    old_rows = [note.rows[part.start] for part in note.parts if part.kind is BlockKind.ITEM]
    name = title(note.path, note.text)
    old, new = description(old_rows, name), description(rows, name)
    head = frontmatter(note.text)
    field = head.field("description") if head else None
    if old == new or field is None or field.value != old or field.end != field.start + 1:
        return
    row = note.rows[field.start]
    after = f"{row[: row.index(':') + 1]} {scalar(new)}"
    yield from _replaced(note.path, field.start, row, after, refusals)
    index = memory.notes.get(INDEX)
    for line, pointer in firsts(index).items() if index else ():
        before = index.rows[line] if index else ""
        link, rest = before[: pointer.end], before[pointer.end :]
        dash = _DASH.match(rest)
        plain = Place(0, bullet="").rows([Entry(note.path, name)])[0]
        if dash and link.endswith(plain) and rest[dash.end() :] == old:
            yield from _replaced(INDEX, line, before, f"{link}{dash[0]}{new}", refusals)


def _replaced(
    path: PurePosixPath, line: int, before: str, after: str, refusals: Refusals
) -> Iterator[Edit]:
    if refusals.of_removing(path, (before,)) or refusals.of_adding(path, (after,)):
        return
    yield Edit(RULE, RULE, (Removal(path, line),), (Insertion(path, line, (after,)),))
