"""Find labels and headings that have nothing left below them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import FOLLOWERS, is_lead
from dreamd.text.markdown.markdown import Block, BlockKind, sections

_NO_CONTENT = {BlockKind.BLANK, BlockKind.RULE, BlockKind.FRONTMATTER}
Group = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Hollow:
    """Every block that goes; `groups` are headings and labels, each first, with all below them.

    An outer group stands before those inside it. `is_all` says that nothing of the note stays.
    """

    going: frozenset[Block]
    groups: tuple[Group, ...]
    is_all: bool


def hollowed(note: Note, gone: frozenset[Block], refusals: Refusals) -> Hollow:
    """Return what goes when these blocks go; where the user refused a heading, all below stays."""
    while True:
        leads = _leads(note, gone)
        heads = _heads(note, gone | {group[0] for group in leads})
        groups = (*heads, *leads)
        refused = next(
            (g for g in groups if refusals.of_removing(note.path, note.body(g[0]))), None
        )
        if refused is None:
            break
        gone -= set(refused)
    going = gone.union(*groups)
    rest = [part for part in note.parts if part.kind not in _NO_CONTENT and part not in going]
    return Hollow(going, groups, all(part.kind is BlockKind.HEADING for part in rest))


def _leads(note: Note, gone: frozenset[Block]) -> list[Group]:
    """Return each label with what it introduces, where all of that goes."""
    found: list[Group] = []
    group: list[Block] = []
    for part in (*note.parts, None):
        if part is not None and part.kind is BlockKind.BLANK:
            continue
        if part is not None and group and part.kind in FOLLOWERS:
            group.append(part)
            continue
        if len(group) > 1 and gone.issuperset(group[1:]):
            found.append(tuple(group))
        group = [part] if part is not None and is_lead(note, part) else []
    return found


def _heads(note: Note, gone: frozenset[Block]) -> list[Group]:
    """Return each heading with its section, where all content of that goes; outer ones first."""
    found: list[Group] = []
    empty: set[Block] = set()
    starts = [part.start for part in note.parts]
    for section in reversed(sections(note.parts)):
        inside = note.parts[bisect_left(starts, section.start) : bisect_left(starts, section.end)]
        group = [part for part in inside if part.kind is not BlockKind.BLANK]
        content = [part for part in group[1:] if part.kind is not BlockKind.RULE]
        if content and all(part in gone or part in empty for part in content):
            empty.add(group[0])
            found.append(tuple(group))
    return found[::-1]
