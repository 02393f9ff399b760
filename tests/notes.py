"""Notes made for a test, so many as are wanted."""

from __future__ import annotations

import random
from pathlib import Path

NOTES = 200


def memory_of(notes: int, folder: Path) -> Path:
    """A memory of so many notes of 2 kB, a third without a pointer, and an index over its limit."""
    chance = random.Random(7)
    vocabulary = [f"{a}{b}{c}" for a in "bdgklm" for b in "aeiou" for c in ("rn", "st", "ll", "m")]

    def line() -> str:
        words = " ".join(chance.choice(vocabulary) for _ in range(12))
        return f"- {words} {chance.randint(1, 9999)}\n"

    folder.mkdir()
    index = ["# Memory\n\n"]
    for number in range(1, notes):
        name = f"note-{number}"
        head = f"---\nname: {name}\ndescription: about {line()[2:40].strip()}\n---\n\n# {name}\n\n"
        (folder / f"{name}.md").write_text(head + "".join(line() for _ in range(30)))
        if number % 3:
            index.append(f"- [{name}]({name}.md) — {line()[2:40].strip()}\n")
    for day in range(1, 16):
        index += [f"\n## Log 2026-01-{day:02}\n\n", *(line() for _ in range(8))]
    (folder / "MEMORY.md").write_text("".join(index))
    return folder
