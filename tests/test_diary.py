"""The diary: a paragraph about each dream, in real processes with a scripted model over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief
from dreamd.domain.receipt import Outcome, Receipt, Usage
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.dream.attempt import DreamRun
from dreamd.dream.story import dream
from dreamd.ledger import receipts
from dreamd.transaction import forgetting
from tests.brain import Brain, Step, say, tool
from tests.laptop import Laptop
from tests.scripted import ScriptedEngine, store_of
from tests.spoken import say as people_say

KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0fR2uL5"
INDEX = "# Memory\n\n- The API listens on port 8040\n"
MOVED = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"
LEARNED = "The API had to leave its old port, and the new one stands beside it."


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    memory = tmp_path / "home" / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    os.utime(memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", "The API listens on port 9050 now, because 8040 was taken.")
    return Laptop(tmp_path / "home", memory)


def dreamt(laptop: Laptop, closing: str = LEARNED, **settings: str) -> dict[str, Any]:
    """A session that moves a port, and ends with these words."""
    into = {"old_string": "- The API listens on port 8040", "new_string": MOVED}
    edit = tool("Edit", {"file_path": str(laptop.memory / "MEMORY.md"), **into})
    script: list[Step] = [say(edit), say(closing)]
    with Brain(script) as brain:
        environ = {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url}
        environ |= {"DREAMD_DIARY": "true", **settings}
        done = laptop.run("dream", str(laptop.memory), "--json", **environ)
        assert len(brain.requests) == 2
    assert done.returncode == 0, done.stderr
    receipt: dict[str, Any] = json.loads(done.stdout)
    assert "port 9050" in (laptop.memory / "MEMORY.md").read_text()
    return receipt


def diaries(laptop: Laptop) -> list[Path]:
    return [path for path in laptop.home.rglob("DREAMS.md") if path.is_file()]


def test_the_diary_has_the_sessions_closing_words_and_the_counts_and_costs_nothing(
    laptop: Laptop,
) -> None:
    receipt = dreamt(laptop, f"## {LEARNED}\n\nThe token was {TOKEN}. {'word ' * 400}")
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


def test_the_rules_engine_tells_its_steps(laptop: Laptop) -> None:
    note = "- The harbour crane lifts forty tonnes on calm days\n"
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    words = ("dream", str(laptop.memory), "--engine", "rules", "--json")
    laptop.run(*words[:2], "--engine", "rules", "--dry-run")
    assert not diaries(laptop)
    receipt = json.loads(laptop.run(*words, DREAMD_DIARY="on").stdout)
    assert receipt["changes"], receipt
    written = diaries(laptop)[0].read_text()
    assert f"dream {receipt['dream']}" in written
    assert "Improved 1 note" in written
    assert written.rstrip().endswith(": MEMORY.")
    laptop.run(*words, DREAMD_DIARY="on")
    assert diaries(laptop)[0].read_text() == written


class Telling(ScriptedEngine):
    """An engine that adds a line and has the last word."""

    said: Sequence[Mapping[str, Any]] = (
        {
            "role": "assistant",
            "content": [{"type": "text", "text": f"{LEARNED} It is the Halcyon."}],
        },
        {"role": "user", "content": []},
    )

    spent = Usage()

    def __init__(self) -> None:
        super().__init__(self.add, repeatable=False)

    def estimate(self, brief: Brief) -> Estimate:
        return Estimate("m", 0, 0.0)

    def add(self, stage: Path) -> None:
        with (stage / "MEMORY.md").open("a") as index:
            index.write("- The boat is the Halcyon\n")


def told(store: Store, settings: Settings) -> Receipt:
    receipt = dream(store, DreamRun(Telling(), settings))
    assert receipt.outcome is Outcome.DREAMT
    return receipt


def test_a_file_of_ones_own_is_used_as_it_is_and_forget_looks_into_it(tmp_path: Path) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    own, link = tmp_path / "mine.md", tmp_path / "link.md"
    own.write_text("# Mine\n")
    own.chmod(0o644)
    link.symlink_to(own)
    told(store, Settings(diary=True, diary_file=str(link)))
    assert own.read_text().startswith("# Mine\n\n## 20")
    assert "Halcyon" in own.read_text()
    assert not store.diary.exists()
    forgetting.forget(store, "Halcyon", (), link)
    assert "Halcyon" not in own.read_text()
    assert LEARNED in own.read_text()
    assert own.stat().st_mode & 0o777 == 0o644
    assert link.is_symlink()


def test_forget_looks_into_the_diary_of_the_store_where_a_relative_file_starts(
    tmp_path: Path,
) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    told(store, Settings(diary=True))
    assert "Halcyon" in store.diary.read_text()
    assert store.diary.stat().st_mode & 0o777 == 0o600
    told(store, Settings(diary=True, diary_file="diary.md"))
    assert LEARNED in (store.home / "diary.md").read_text()
    (store.home / "diary.md").unlink()
    forgetting.forget(store, "Halcyon")
    for path in store.state.rglob("*"):
        assert not path.is_file() or b"Halcyon" not in path.read_bytes()


@pytest.mark.parametrize("kind", ["folder", "pipe", "nowhere"])
def test_a_diary_that_cannot_be_written_is_said_in_the_receipt(tmp_path: Path, kind: str) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    own = tmp_path / "there" / "diary.md"
    if kind != "nowhere":
        own.parent.mkdir()
    if kind == "folder":
        own.mkdir()
    elif kind == "pipe":
        os.mkfifo(own)
    receipt = told(store, Settings(diary=True, diary_file=str(own)))
    assert any("the diary lacks this dream" in each for each in receipt.findings)
    assert receipts.read(store.database) == [receipt]
