"""A figure beside its limit, and what a run of the scores is given."""

from __future__ import annotations

import json
import operator
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from tests.scoring.homes import environment

T = TypeVar("T")
Json = dict[str, Any]
OPERATORS = {">=": operator.ge, "<=": operator.le}
MADE = "told changes: only the newer value stands"
BESIDE = "told changes: old and new side by side"
ALIKE = "lines changed though nothing replaces them"


class Missing(Exception):  # noqa: N818 - an ending, told in the table
    """A set cannot be scored; says why."""


class Row(Struct, frozen=True):
    """One figure; `of` is what it was counted over, `must` its limit, as `>= 80`."""

    set: str
    figure: str
    value: float | None
    of: int
    must: str
    what: str

    @property
    def is_met(self) -> bool | None:
        """Whether the limit is met; None where there is no limit, or nothing was counted."""
        if not self.must or self.value is None:
            return None
        sign, limit = self.must.split()
        return bool(OPERATORS[sign](self.value, float(limit)))


class Run(Struct, frozen=True):
    """What is scored, and how much of it: everything, or the sample of a quick look."""

    command: str
    jobs: int
    quick: bool
    data: Path | None
    corpus: Path | None
    shows: bool = False

    def show(self, what: str, row: object) -> None:
        """Say on standard error what went wrong, where that is wanted."""
        if self.shows:
            sys.stderr.write(f"{what}: {row}\n")

    def some(self, rows: Sequence[T], most: int) -> list[T]:
        """All rows, or at most so many of them, evenly spread, in a quick look."""
        step = max(1, -(-len(rows) // most)) if self.quick else 1
        return list(rows[::step])

    def file(self, *names: str) -> Path:
        """A file or folder of the evaluation.

        Raises:
            Missing: it is not there.
        """
        if self.data is None:
            raise Missing("DREAMD_EVAL names no folder")
        path = self.data.joinpath(*names)
        if not path.exists():
            raise Missing(f"there is no {path}")
        return path

    def script(self, path: Path, *arguments: str) -> str:
        """What a scorer prints.

        Raises:
            Missing: it failed and printed nothing.
        """
        with tempfile.TemporaryDirectory(prefix="score-") as home:
            words = [sys.executable, str(path), *arguments, "--command", self.command]
            environ = environment(Path(home))
            done = subprocess.run(
                words, env=environ, cwd=path.parent, capture_output=True, check=False
            )
        if not done.stdout:
            raise Missing(f"{path.name} failed: {done.stderr.decode(errors='replace')[-200:]}")
        return done.stdout.decode()


def share(part: float, whole: float) -> float | None:
    """The percentage, or None where nothing was counted."""
    return round(100 * part / whole, 1) if whole else None


def failed(name: str, count: float, runs: int) -> Row:
    """How many runs failed: a command that does nothing must not look careful."""
    return Row(name, "failed runs", count, runs, "<= 0", "the command ended with an error")


def tables(path: Path) -> list[Json]:
    """The rows of a JSON lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
