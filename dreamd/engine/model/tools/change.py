"""Edit, Write, Move and Retire: pure functions from notes to notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath
from re import escape, finditer
from typing import Any

import msgspec

from dreamd.engine.model.page import shortened
from dreamd.engine.model.tools.notes import (
    Changed,
    Notes,
    Retired,
    Texts,
    current,
    path_of,
    refuse_text,
)
from dreamd.errors import RefusedError
from dreamd.text.markdown import INDEX
from dreamd.text.markdown.markdown import Block, BlockKind, bare, blocks, lines
from dreamd.text.markdown.note import quoted
from dreamd.text.markdown.pointers import called, pointers, resolve
from dreamd.text.secrets.secrets import find
from dreamd.text.words import plural

_LINE = 300  # characters of a line, a text or its places that are quoted
_MOST = 5  # lines that one text retires
_SHORTEST = 4  # characters of a text to look for
_MISSING = "There is no note {}; Write creates one."


def edit(arguments: Mapping[str, Any], notes: Notes) -> Changed:
    r"""Replace text that stands in a note once, or everywhere if asked.

    Line ends are the note's own: where all are `\r\n`, text sent with `\n` means them.
    """
    path, text = _note(arguments["file_path"], notes)
    old, new = arguments["old_string"], arguments["new_string"]
    if not old:
        raise RefusedError("old_string is empty; give text that stands in the note.")
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        old, new = (each.replace("\r\n", "\n").replace("\n", "\r\n") for each in (old, new))
    if old == new:
        said = f"{path} is unchanged: old_string and new_string are the same."
        return Changed(said, is_error=True, notes=notes)
    count = text.count(old)
    if not count:
        raise RefusedError(_absent(str(path), text, old))
    if count > 1 and not arguments.get("replace_all", False):
        places = [text.count("\n", 0, found.start()) + 1 for found in finditer(escape(old), text)]
        named = shortened(", ".join(map(str, places)), _LINE)
        raise RefusedError(
            f"old_string stands {count} times in {path}, in line {named}; give more of the "
            "lines around the one you mean, or replace_all."
        )
    return _changed(
        f"Changed {path} in {plural(count, 'place')}.", notes, {path: text.replace(old, new)}
    )


def _absent(path: str, text: str, old: str) -> str:
    """Say that a text is not in a note, and which line is nearest to it."""
    if "[redacted: " in old:
        return f"{path} holds a secret there that is not shown; give text beside it."
    first = next((row for row in old.split("\n") if row.strip()), old)
    near = get_close_matches(first, text.split("\n"), 1, 0.6)
    hint = f"The nearest line is: {shortened(near[0], _LINE)}" if near else "Read shows what is."
    return f"old_string does not stand in {path}, which must have it to the letter. {hint}"


def write(arguments: Mapping[str, Any], notes: Notes) -> Changed:
    """Put whole texts in the place of notes, all or none of them; empty text removes a note."""
    former: dict[PurePosixPath, str | None] = {}
    changes: dict[PurePosixPath, str | None] = {}
    for said, content in _asked(arguments):
        path = path_of(said, notes)
        if str(path).casefold() in (str(each).casefold() for each in former):
            raise RefusedError(f"{path} is named twice; give each note once, in one spelling.")
        former[path] = current(path, notes)
        if not content and (path == INDEX or former[path] is None):
            raise RefusedError(f"{path} cannot be written empty; give its text.")
        if content != former[path]:
            changes[path] = content or None
    if not changes:
        said = f"{', '.join(map(str, former))}: nothing changed, the text was there already."
        return Changed(said, is_error=True, notes=notes)
    told = []
    for path, text in changes.items():
        verb = "Removed" if text is None else "Created" if former[path] is None else "Wrote"
        told.append(f"{verb} {path}.")
    return _changed("\n".join(told), notes, changes)


def _asked(arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what is to be written, in whichever of the two forms it was given."""
    found = [(each["file_path"], each["content"]) for each in arguments.get("files", ())]
    single = {"file_path", "content"} & arguments.keys()
    if len(single) == 1 or bool(found) == bool(single):
        raise RefusedError(
            "Write needs either file_path and content, or files: [{file_path, content}, …]."
        )
    return found or [(arguments["file_path"], arguments["content"])]


def move(arguments: Mapping[str, Any], notes: Notes) -> Changed:
    """Take lines out of a note and put them, unchanged, at the end of another or of its section.

    A heading alone goes with all that stands below it; a pointer to the other note stays.
    """
    (here, old), (there, target) = (_note(arguments[each], notes) for each in ("file_path", "to"))
    if here == there:
        raise RefusedError("Both are the same note; Edit moves lines within one.")
    rows, into = lines(old), lines(target)
    going: set[int] = set()
    for text in _texts(arguments):
        found = _found(here, rows, text)
        if heading := next((each for each in _headings(rows) if found == (each.start,)), None):
            found = tuple(range(heading.start, _section_end(rows, heading)))
        going.update(found)
    names, wiki_names = notes.now.keys(), called(notes.now)
    leading = (each for each in pointers(old, here) if each.line in going)
    going -= {p.line for p in leading if resolve(p, names, here, wiki_names) == there}
    if not going:
        raise RefusedError(f"That is the pointer to {there}, which stays in {here}.")
    end = "\r\n" if "\r\n" in target else "\n"
    at, title = _end_of(into, arguments.get("below", ""), str(there))
    above = [*into[: at - 1], f"{bare(into[at - 1])}{end}"] if at else []
    moved = [*title, *(bare(rows[each]) for each in sorted(going))]
    joined = "".join([*above, *(f"{each}{end}" for each in moved), *into[at:]])
    said = f"Moved {plural(len(going), 'line')} from {here} to {there}."
    return _changed(said, notes, {here: _without(rows, going), there: joined})


def _end_of(rows: Sequence[str], title: str, said: str) -> tuple[int, list[str]]:
    """Return where the section under a title ends, blank lines left out; that of the note if none.

    Of a heading that is not there yet, also the lines that begin its section. RefusedError where
    there is more than one.
    """
    at, new = len(rows), list[str]()
    if wanted := title.lstrip("# ").strip():
        found = [each for each in _headings(rows) if each.title == wanted]
        if len(found) > 1:
            raise RefusedError(f"{said} has {plural(len(found), 'heading')} {wanted[:80]!r}.")
        new = [] if found else ["", title.strip() if title.startswith("#") else f"## {wanted}"]
        at = _section_end(rows, found[0]) if found else at
    while at and not rows[at - 1].strip():
        at -= 1
    return at, new


def _section_end(rows: Sequence[str], heading: Block) -> int:
    later = (each for each in _headings(rows) if each.start > heading.start)
    return next((each.start for each in later if each.level <= heading.level), len(rows))


def _headings(rows: Sequence[str]) -> list[Block]:
    return [each for each in blocks(rows) if each.kind is BlockKind.HEADING]


def retire(arguments: Mapping[str, Any], notes: Notes) -> Changed:
    """Take out the lines that hold a text, or that a text of several lines covers.

    A line that stood there when the dream began, and that an edit has dropped, counts as retired
    from then on.
    """
    path = path_of(arguments["file_path"], notes)
    if current(path, notes) is None and path not in notes.base:
        raise RefusedError(_MISSING.format(path))
    reason, source = (" ".join(arguments[name].split()) for name in ("reason", "source"))
    rows, before = (lines(each.get(path, "")) for each in (notes.now, notes.base))
    went = {row.strip() for row in before} - {row.strip() for row in rows}
    going, retired = set[int](), dict[str, None]()
    for text in _texts(arguments):
        found = () if text.strip() in went else _covered(rows, text)
        those = [bare(rows[at]) for at in found]
        those = those or [bare(before[at]) for at in _found(path, before, text)]
        if len(those) > _MOST and "\n" not in text.strip():
            raise RefusedError(
                f"{len(those)} lines of {path} hold {text!r}; give more words of the one you mean."
            )
        going.update(found)
        retired.update(dict.fromkeys(those))
    if any(map(find, retired)):
        raise RefusedError("That line holds a secret, which its owner removes; leave it.")
    more = [Retired(p, line, reason, source) for line in retired for p in _homes(path, line, notes)]
    told = [f"Retired {plural(len(retired), 'line')} of {path}:"]
    told += [f"- {shortened(line.strip(), _LINE)}" for line in retired]
    after = msgspec.structs.replace(notes, retired=(*notes.retired, *more))
    changes = {path: _without(rows, going)} if going else {}
    return _changed("\n".join(told), after, changes)


def _homes(path: PurePosixPath, line: str, notes: Notes) -> list[PurePosixPath]:
    """Return where a line stood when the dream began: in its note, or in those it moved out of."""

    def holds(texts: Texts, note: PurePosixPath) -> bool:
        return line in map(bare, lines(texts.get(note, "")))

    if not holds(notes.base, path):
        left = (each for each in notes.base if holds(notes.base, each))
        return [each for each in left if not holds(notes.now, each)] or [path]
    return [path]


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    """Return the texts whose lines are meant, in whichever of the two forms they were given."""
    found = [*arguments.get("texts", ()), *([arguments["text"]] if "text" in arguments else ())]
    if not found:
        raise RefusedError("Give text, or texts: words of the lines that you mean.")
    return found


def _without(rows: Sequence[str], going: Collection[int]) -> str:
    return "".join(row for at, row in enumerate(rows) if at not in going)


def _note(said: str, notes: Notes) -> tuple[PurePosixPath, str]:
    """Return a note that is there and may be changed, and its text."""
    path = path_of(said, notes)
    text = current(path, notes)
    if text is None:
        raise RefusedError(_MISSING.format(path))
    return path, text


def _changed(said: str, notes: Notes, changes: Mapping[PurePosixPath, str | None]) -> Changed:
    """Return the notes with these texts, if each may stand.

    What YAML would misread in a frontmatter is quoted, unless it was so before.
    """
    mended = dict(changes)
    for path, text in changes.items():
        old, new = notes.now.get(path), text or ""
        if old is None or quoted(old) == old:
            new = quoted(new)
        if new != (text or ""):
            mended[path] = new
            said += f"\nQuoted what is no YAML in the frontmatter of {path}."
        refuse_text(path, old, new)
    return Changed(said, notes=notes.changed(mended))


def _found(path: PurePosixPath, rows: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the lines (from 0) that hold a text; RefusedError where there are none."""
    found = _covered(rows, text)
    if not found:
        raise RefusedError(f"No line of {path} holds {shortened(text, _LINE)!r}; copy its words.")
    return found


def _covered(rows: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the lines (from 0) that hold a text; of one of several lines, those it runs over.

    Raises RefusedError where they are not sure, or part of the frontmatter.
    """
    wanted = [row.strip() for row in text.replace("\r\n", "\n").strip("\n").split("\n")]
    if len(text.strip()) < _SHORTEST:
        raise RefusedError(f"text must have {_SHORTEST} characters at least.")
    plain = [bare(row).strip() for row in rows]
    found = [at for at, row in enumerate(plain) if wanted[0] in row]
    if len(wanted) > 1:
        found = [at for at in range(len(rows)) if plain[at : at + len(wanted)] == wanted]
        if len(found) > 1:
            raise RefusedError(f"That text stands {len(found)} times; give more lines of it.")
    head = next(iter(blocks(rows)), None)
    if found and head and head.kind is BlockKind.FRONTMATTER and found[0] < head.end:
        raise RefusedError("Lines of the frontmatter stay; use Edit on them.")
    return tuple(at + more for at in found for more in range(len(wanted)))
