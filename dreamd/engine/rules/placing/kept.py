"""The files that dreamd keeps for lines of no topic, one for each kind of note."""

from __future__ import annotations

from dataclasses import dataclass

from dreamd.engine.rules.orient import Note
from dreamd.text.markdown.note import value

GATHERED = "gathered"  # the frontmatter key by which a file of ours is found after a rename


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that dreamd keeps for claims of one type: its name, without `.md`, and its title."""

    stem: str
    title: str


KEPT = {
    "feedback": Kept("working-agreements", "Working agreements"),
    "user": Kept("about-the-user", "About the user"),
    "project": Kept("project-facts", "Project facts"),
    "reference": Kept("where-things-are", "Where things are"),
}


def gathers(note: Note) -> str | None:
    """Return the type of claims that a note is kept for, whatever it is called now; else None."""
    return value(note.text, GATHERED)
