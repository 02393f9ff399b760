"""A dream takes no more CPU time than its budget, and the next one goes on where it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laptop import Laptop
from tests.spoken import say

FACTS = (
    "the Riga depot closes at noon",
    "invoices are printed on blue paper",
    "Ada feeds the office parrot",
    "tarballs are signed with the old key",
    "the wiki is backed up to tape",
    "customers in Ghent pay by cheque",
)
TIDY = "# Memory\n\n- [Tools](tools.md) — which tools\n"
TINY = {"DREAMD_CPU_SECONDS": "0.01"}


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A home whose person asked for six facts, in one session."""
    project = tmp_path / "home" / ".claude" / "projects" / "-home-dev-tidepool"
    asked = [f"Remember that {fact}." for fact in FACTS]
    say(project, "one", *asked)
    memory = project / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text(TIDY)
    (memory / "tools.md").write_text("# Tools\n\nRuff checks the code.\n")
    return Laptop(tmp_path / "home", memory)


def written(laptop: Laptop) -> list[str]:
    notes = "".join(path.read_text() for path in sorted(laptop.memory.rglob("*.md")))
    return [fact for fact in FACTS if fact.casefold() in notes.casefold()]


def test_a_dream_out_of_time_ends_whole_and_the_next_goes_on_with_the_rest(laptop: Laptop) -> None:
    dream = ("dream", str(laptop.memory), "--engine", "rules")
    laptop.ok(*dream, **TINY)
    first = written(laptop)
    assert 0 < len(first) < len(FACTS)
    said = laptop.ok("show", "--memory", str(laptop.memory))
    assert f"left {len(FACTS) - len(first)} messages for the next one" in said
    assert "[Tools](tools.md)" in (laptop.memory / "MEMORY.md").read_text()
    assert laptop.run("check", str(laptop.memory)).returncode == 0
    laptop.ok(*dream, **TINY)
    second = written(laptop)
    assert first == second[: len(first)] == list(FACTS[: len(first)])
    assert len(second) > len(first)
    laptop.ok(*dream)
    assert written(laptop) == list(FACTS)
    assert "for the next one" not in laptop.ok("show", "--memory", str(laptop.memory))
