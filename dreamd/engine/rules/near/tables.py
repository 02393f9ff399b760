"""A table of words of one meaning as its sets."""

from __future__ import annotations

from collections.abc import Iterator


def sets(table: str) -> Iterator[list[str]]:
    """Yield the sets of a table: one a line, or several with a semicolon between them."""
    rows = table.replace("\n", " ").split(";") if ";" in table else table.split("\n")
    for row in rows:
        if row.strip():
            yield [each.strip() for each in row.split(",")]
