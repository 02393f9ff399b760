"""The diary: a paragraph about each dream, in real processes with a scripted model over HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.brain import say
from tests.laptop import Laptop
from tests.model_home import INDEX, MOVED, OLD, dreamt, edit, laptop

__all__ = ["laptop"]
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0fR2uL5"
LEARNED = "The API had to leave its old port, and the new one stands beside it."


def diaries(laptop: Laptop) -> list[Path]:
    return [path for path in laptop.home.rglob("DREAMS.md") if path.is_file()]


def test_the_diary_has_the_sessions_closing_words_and_the_counts_and_costs_nothing(
    laptop: Laptop,
) -> None:
    closing = f"## {LEARNED}\n\nThe token was {TOKEN}. {'word ' * 400}"
    script = [say(edit("MEMORY.md", OLD, MOVED)), say(closing)]
    receipt = dreamt(laptop, script, DREAMD_DIARY="true")
    assert receipt["usage"]["requests"] == 2
    (path,) = diaries(laptop)
    assert laptop.memory not in path.parents
    written = path.read_text()
    assert f"dream {receipt['dream']}" in written
    assert LEARNED in written
    assert TOKEN not in written
    assert 100 < written.count("word ") < 200
    assert "Improved 1 note" in written
    assert written.count("\n## 20") == 1
    assert written.rstrip().count("\n\n") == 2  # a heading and one paragraph
    assert path.stat().st_mode & 0o777 == 0o600
    laptop.ok("forget", "--yes", "one stands beside", "--memory", str(laptop.memory))
    assert "one stands beside" not in path.read_text()


def test_the_rules_engine_tells_its_steps_in_a_file_of_the_store(laptop: Laptop) -> None:
    note = "- The harbour crane lifts forty tonnes on calm days\n"
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    words = ("dream", str(laptop.memory), "--engine", "rules")
    diary = {"DREAMD_DIARY": "on", "DREAMD_DIARY_FILE": "mine.md"}  # which starts there
    laptop.ok(*words, "--dry-run", **diary)
    assert not list(laptop.home.rglob("mine.md"))
    receipt = json.loads(laptop.ok(*words, "--json", **diary))
    [own] = laptop.state.glob("stores/*/mine.md")
    written = own.read_text()
    assert f"dream {receipt['dream']}" in written
    assert "Improved 1 note" in written
    assert written.rstrip().endswith(": MEMORY.")
    laptop.ok(*words, **diary)
    assert own.read_text() == written


def told(laptop: Laptop, **settings: str) -> dict[str, Any]:
    script = [say(edit("MEMORY.md", OLD, MOVED)), say(f"{LEARNED} It is the Halcyon.")]
    receipt = dreamt(laptop, script, DREAMD_DIARY="true", **settings)
    assert receipt["outcome"] == "dreamt"
    return receipt


def test_a_file_of_ones_own_is_used_as_it_is_and_forget_looks_into_it(laptop: Laptop) -> None:
    own, link = laptop.home / "mine.md", laptop.home / "link.md"
    own.write_text("# Mine\n")
    own.chmod(0o644)
    link.symlink_to(own)
    told(laptop, DREAMD_DIARY_FILE=str(link))
    assert own.read_text().startswith("# Mine\n\n## 20")
    assert "Halcyon" in own.read_text()
    assert not diaries(laptop)
    words = ("forget", "--yes", "Halcyon", "--memory", str(laptop.memory))
    laptop.ok(*words, DREAMD_DIARY_FILE=str(link))
    assert LEARNED in own.read_text()
    for path in laptop.home.rglob("*"):
        assert not path.is_file() or b"Halcyon" not in path.read_bytes()
    assert own.stat().st_mode & 0o777 == 0o644
    assert link.is_symlink()


@pytest.mark.parametrize("kind", ["folder", "pipe", "nowhere"])
def test_a_diary_that_cannot_be_written_is_said_in_the_receipt(laptop: Laptop, kind: str) -> None:
    own = laptop.home / ("there" if kind != "nowhere" else "no/there")
    if kind == "folder":
        own.mkdir()
    elif kind == "pipe":
        os.mkfifo(own)
    receipt = told(laptop, DREAMD_DIARY_FILE=str(own))
    assert any("the diary lacks this dream" in each for each in receipt["findings"])
