"""The diary: a paragraph about each dream, in real processes with a scripted model over HTTP."""

from __future__ import annotations

import json
from pathlib import Path

from tests.brain import say
from tests.laptop import Laptop
from tests.model_home import INDEX, MOVED, OLD, dreamt, edit

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


def test_the_rules_engine_tells_its_steps_and_no_dream_needs_its_diary(laptop: Laptop) -> None:
    note = "- The harbour crane lifts forty tonnes on calm days\n"
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    words = ("dream", str(laptop.memory), "--engine", "rules")
    laptop.ok(*words, "--dry-run", DREAMD_DIARY="on")
    assert not diaries(laptop)
    receipt = json.loads(laptop.ok(*words, "--json", DREAMD_DIARY="on"))
    (path,) = diaries(laptop)
    written = path.read_text()
    assert f"dream {receipt['dream']}" in written
    assert "Improved 1 note" in written
    assert written.rstrip().endswith(": MEMORY.")
    laptop.ok(*words, DREAMD_DIARY="on")
    assert path.read_text() == written
    path.unlink()
    path.mkdir()
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    receipt = json.loads(laptop.ok(*words, "--json", DREAMD_DIARY="on"))
    assert receipt["changes"]
    assert any("the diary lacks this dream" in each for each in receipt["findings"])
