"""Retire: the lines that hold a text are taken out of a note, for a reason, with a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dreamd.engine.model.tools.aftermath import aftermath
from dreamd.engine.model.tools.notes import Notes, Retired, current, path_of
from dreamd.engine.model.tools.page import shortened
from dreamd.engine.model.tools.place import Answer
from dreamd.errors import RefusedError
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import find
from dreamd.text.words import plural

_MOST = 5  # lines that one call takes out
_SHORTEST = 4  # characters of a text to look for
_SHORTEST_REASON = 8
_LINE = 300


def run(arguments: Mapping[str, Any], notes: Notes) -> Answer:
    """Take out the lines that hold a text, or that a text of several lines covers.

    Raises:
        RefusedError: no line or too many hold it, a reason or source is missing, or the line
            is part of the frontmatter or holds a secret.
    """
    path = path_of(arguments["file_path"], notes)
    old = current(path, notes)
    if old is None:
        raise RefusedError(f"There is no note {path}.")
    reason, source = (" ".join(arguments[name].split()) for name in ("reason", "source"))
    for name, said in (("reason", reason), ("source", source)):
        if len(said) < _SHORTEST_REASON:
            raise RefusedError(f"Retire needs a {name}: {_MEANT[name]}.")
    rows = lines(old)
    going = covered(rows, arguments["text"])
    if not going:
        raise RefusedError(f"No line of {path} holds that text; give words as they stand there.")
    if len(going) > _MOST and "\n" not in arguments["text"].strip():
        raise RefusedError(
            f"{len(going)} lines of {path} hold that text; give more words of the one you mean."
        )
    head = next((each for each in blocks(rows) if each.kind is BlockKind.FRONTMATTER), None)
    if head and any(at < head.end for at in going):
        raise RefusedError("Lines of the frontmatter are not retired; use Edit on them.")
    gone = [bare(rows[at]) for at in going]
    if any(find(line) for line in gone):
        raise RefusedError("That line holds a secret, which its owner removes; leave it.")
    after = notes.changed({path: "".join(row for at, row in enumerate(rows) if at not in going)})
    retired = (*notes.retired, *(Retired(path, line, reason, source) for line in gone))
    after = msgspec.structs.replace(after, retired=retired)
    told = [f"Retired {plural(len(gone), 'line')} of {path}:"]
    told += [f"- {shortened(line.strip(), _LINE)}" for line in gone]
    return Answer("\n".join([*told, aftermath(notes, after)]), notes=after)


_MEANT = {
    "reason": "why the fact is no longer true or wanted",
    "source": "the words of the person who said so with their day, or a file that shows it",
}


def covered(rows: tuple[str, ...], text: str) -> tuple[int, ...]:
    """Return the lines (from 0) that hold a text; of one of several lines, those it runs over."""
    wanted = text.replace("\r\n", "\n").strip("\n").split("\n")
    if len(text.strip()) < _SHORTEST:
        raise RefusedError(f"text must have {_SHORTEST} characters at least.")
    plain = [bare(row) for row in rows]
    if len(wanted) == 1:
        return tuple(at for at, row in enumerate(plain) if wanted[0].strip() in row)
    found = [
        at
        for at in range(len(plain) - len(wanted) + 1)
        if [row.strip() for row in plain[at : at + len(wanted)]] == [row.strip() for row in wanted]
    ]
    if len(found) > 1:
        raise RefusedError(f"That text stands {len(found)} times; give more lines of it.")
    return tuple(range(found[0], found[0] + len(wanted))) if found else ()
