"""Whole memories in which facts stand twice below different headings, or only seem to.

Somebody who knew no rule wrote them. A line that ends in ``@@D3`` is one fact with the other line
marked so; lines marked ``@@L3`` have almost the same words and are different facts, mostly because
of where they stand. The held half measures alone: who builds the rules does not read it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

_MARKED = re.compile(r"(?m)^(.*?)[ \t]*@@(\w+)[ \t]*$")


@dataclass(frozen=True, slots=True)
class Marked:
    """The notes of a memory by name, and of each mark the lines with the note they stand in."""

    name: str
    texts: dict[str, str]
    lines: dict[str, list[tuple[str, str]]]


def memories(half: str) -> list[Marked]:
    folder = Path(__file__).parent / half / "memories"
    return [_marked(each) for each in sorted(folder.iterdir())]


def _marked(folder: Path) -> Marked:
    texts: dict[str, str] = {}
    lines: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for file in sorted(folder.rglob("*.md")):
        name, text = str(file.relative_to(folder)), file.read_text("utf-8")
        texts[name] = _MARKED.sub(r"\1", text)
        for line, mark in _MARKED.findall(text):
            lines[mark].append((name, line))
    return Marked(folder.name, texts, dict(lines))
