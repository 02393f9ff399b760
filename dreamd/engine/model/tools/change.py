"""Edit, Write, Move and Retire: pure functions from notes to notes, with what the change left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import Any

import msgspec

from dreamd.engine.model.page import shortened
from dreamd.engine.model.tools.aftermath import aftermath, gone, listed
from dreamd.engine.model.tools.notes import Changed, Notes, Retired, current, path_of, refuse_text
from dreamd.errors import RefusedError
from dreamd.text.markdown import INDEX
from dreamd.text.markdown.markdown import Block, BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import find
from dreamd.text.words import plural

_LINE = 300  # characters of a line that is quoted
_NAMED = 10  # places of a text that are listed
_HANDFUL = 5  # dropped lines of one note that pass without a warning
_QUOTED = 20  # dropped lines that are quoted
_MOST = 5  # lines that one call retires
_SHORTEST = 4  # characters of a text to look for
_SHORTEST_REASON = 8
_MEANT = {
    "reason": "why the fact is no longer true or wanted",
    "source": "the words of the person who said so with their day, or a file that shows it",
}


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
        before = text.split(old)
        starts = (old.join(before[: at + 1]) for at in range(min(count, _NAMED)))
        named = ", ".join(str(start.count("\n") + 1) for start in starts)
        named += " …" if count > _NAMED else ""
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
    """Put whole texts in the place of notes, all or none of them; empty text removes a note.

    A note is removed only if all it says stands elsewhere.
    """
    former: dict[PurePosixPath, str | None] = {}
    changes: dict[PurePosixPath, str | None] = {}
    for said, content in _asked(arguments):
        path = path_of(said, notes)
        if str(path).casefold() in (str(each).casefold() for each in former):
            raise RefusedError(f"{path} is named twice; give each note once, in one spelling.")
        former[path] = current(path, notes)
        if content != former[path]:
            changes[path] = content or None
    if not changes:
        said = f"{', '.join(map(str, former))}: nothing changed, the text was there already."
        return Changed(said, is_error=True, notes=notes)
    now = notes.changed(changes).now
    parts, warnings = [], []
    for path, text in changes.items():
        old = former[path]
        dropped = gone(old or "", text or "", now)
        quoted = listed([shortened(line.strip(), _LINE) for line in dropped], "line", _QUOTED)
        if text is None and (path == INDEX or old is None):
            raise RefusedError(f"{path} cannot be written empty; give its text.")
        if text is None and dropped:
            raise RefusedError(
                f"{path} is not removed, for these lines of it stand nowhere else; merge them "
                f"first, or Retire them:\n{quoted}"
            )
        if len(dropped) > _HANDFUL:
            warnings.append(
                f"WARNING: {plural(len(dropped), 'line')} of {path} stand nowhere now and will be "
                f"put back unless you write them somewhere or Retire them:\n{quoted}"
            )
        removed = f"Removed {path}; all it said stands elsewhere."
        parts.append(
            removed if text is None else f"{'Created' if old is None else 'Wrote'} {path}."
        )
    return _changed("\n".join([*parts, *warnings]), notes, changes)


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

    A heading alone goes with all that stands below it.
    """
    (here, old), (there, target) = (_note(arguments[each], notes) for each in ("file_path", "to"))
    if here == there:
        raise RefusedError("Both are the same note; Edit moves lines within one.")
    rows, into = lines(old), lines(target)
    going = _covered(here, rows, arguments["text"])
    if heading := next((each for each in _headings(rows) if going == (each.start,)), None):
        going = tuple(range(heading.start, _section_end(rows, heading)))
    end = "\r\n" if "\r\n" in target else "\n"
    at = _end_of(into, arguments.get("below", ""), str(there))
    above = [*into[: at - 1], f"{bare(into[at - 1])}{end}"] if at else []
    joined = "".join([*above, *(f"{bare(rows[each])}{end}" for each in going), *into[at:]])
    left = "".join(row for number, row in enumerate(rows) if number not in going)
    said = f"Moved {plural(len(going), 'line')} from {here} to {there}."
    return _changed(said, notes, {here: left, there: joined})


def _end_of(rows: Sequence[str], title: str, said: str) -> int:
    """Return where the section under a title ends, blank lines left out; that of the note if none.

    Raises RefusedError where there is no such heading, or more than one.
    """
    at = len(rows)
    if wanted := title.lstrip("# ").strip():
        found = [each for each in _headings(rows) if each.title == wanted]
        if len(found) != 1:
            raise RefusedError(f"{said} has {plural(len(found), 'heading')} {wanted[:80]!r}.")
        at = _section_end(rows, found[0])
    while at and not rows[at - 1].strip():
        at -= 1
    return at


def _section_end(rows: Sequence[str], heading: Block) -> int:
    later = (each for each in _headings(rows) if each.start > heading.start)
    return next((each.start for each in later if each.level <= heading.level), len(rows))


def _headings(rows: Sequence[str]) -> list[Block]:
    return [each for each in blocks(rows) if each.kind is BlockKind.HEADING]


def retire(arguments: Mapping[str, Any], notes: Notes) -> Changed:
    """Take out the lines that hold a text, or that a text of several lines covers."""
    path, old = _note(arguments["file_path"], notes)
    reason, source = (" ".join(arguments[name].split()) for name in _MEANT)
    for name, said in (("reason", reason), ("source", source)):
        if len(said) < _SHORTEST_REASON:
            raise RefusedError(f"Retire needs a {name}: {_MEANT[name]}.")
    rows = lines(old)
    going = _covered(path, rows, arguments["text"])
    if len(going) > _MOST and "\n" not in arguments["text"].strip():
        raise RefusedError(
            f"{len(going)} lines of {path} hold that text; give more words of the one you mean."
        )
    retired = [bare(rows[at]) for at in going]
    if any(map(find, retired)):
        raise RefusedError("That line holds a secret, which its owner removes; leave it.")
    more = (Retired(path, line, reason, source) for line in retired)
    told = [f"Retired {plural(len(going), 'line')} of {path}:"]
    told += [f"- {shortened(line.strip(), _LINE)}" for line in retired]
    left = "".join(row for at, row in enumerate(rows) if at not in going)
    notes = msgspec.structs.replace(notes, retired=(*notes.retired, *more))
    return _changed("\n".join(told), notes, {path: left})


def _note(said: str, notes: Notes) -> tuple[PurePosixPath, str]:
    """Return a note that is there and may be changed, and its text."""
    path = path_of(said, notes)
    text = current(path, notes)
    if text is None:
        raise RefusedError(f"There is no note {path}; Write creates one.")
    return path, text


def _changed(said: str, notes: Notes, changes: Mapping[PurePosixPath, str | None]) -> Changed:
    """Return the notes with these texts, if each may stand, and what they are like then."""
    for path, text in changes.items():
        refuse_text(path, notes.now.get(path), text or "")
    after = notes.changed(changes)
    return Changed(f"{said}\n{aftermath(notes, after)}", notes=after)


def _covered(path: PurePosixPath, rows: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the lines (from 0) that hold a text; of one of several lines, those it runs over.

    Raises RefusedError where there are none, or they are part of the frontmatter.
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
    if not found:
        raise RefusedError(f"No line of {path} holds that text; give words as they stand there.")
    head = next(iter(blocks(rows)))
    if head.kind is BlockKind.FRONTMATTER and found[0] < head.end:
        raise RefusedError("Lines of the frontmatter stay; use Edit on them.")
    return tuple(found) if len(wanted) == 1 else tuple(range(found[0], found[0] + len(wanted)))
