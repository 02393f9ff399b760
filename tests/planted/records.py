"""The planted sentences as they stand in text files, one paragraph a record.

A paragraph may open with ``# LANGUAGE KIND``, which holds until the next such line. Its lines are
the fields of the record; ``\\n`` inside a line is a line break of the message.
"""

from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent


def records(half: str, name: str) -> Iterator[tuple[str, str, list[str]]]:
    """Language, kind and lines of each record of ``half`` (seen or held)."""
    language = kind = ""
    for paragraph in (HERE / half / f"{name}.txt").read_text("utf-8").strip().split("\n\n"):
        lines = paragraph.splitlines()
        if lines[0].startswith("# "):
            language, _, kind = lines.pop(0)[2:].partition(" ")
        yield language, kind, [line.replace("\\n", "\n") for line in lines]


def dated(line: str) -> tuple[str, str]:
    """The text and the ISO day of a line that opens with its day."""
    day, _, text = line.partition(" ")
    return text, day
