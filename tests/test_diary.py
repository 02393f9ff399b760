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
from tests.brain import say, text
from tests.laptop import Laptop
from tests.model_home import INDEX, MOVED, OLD, dreamt, edit, laptop
from tests.scripted import ScriptedEngine, store_of

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


def test_the_rules_engine_tells_its_steps(laptop: Laptop) -> None:
    note = "- The harbour crane lifts forty tonnes on calm days\n"
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    words = ("dream", str(laptop.memory), "--engine", "rules")
    laptop.run(*words, "--dry-run", DREAMD_DIARY="on")
    assert not diaries(laptop)
    receipt = json.loads(laptop.run(*words, "--json", DREAMD_DIARY="on").stdout)
    written = diaries(laptop)[0].read_text()
    assert f"dream {receipt['dream']}" in written
    assert "Improved 1 note" in written
    assert written.rstrip().endswith(": MEMORY.")
    laptop.run(*words, DREAMD_DIARY="on")
    assert diaries(laptop)[0].read_text() == written


class Telling(ScriptedEngine):
    """An engine that adds a line and has the last word."""

    said: Sequence[Mapping[str, Any]] = (
        {"role": "assistant", "content": [text(f"{LEARNED} It is the Halcyon.")]},
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


def test_forget_looks_into_the_diary_of_the_store_and_into_a_file_of_ones_own(
    tmp_path: Path,
) -> None:
    """Which is used as it is; a relative one starts in the home."""
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    own, link = tmp_path / "mine.md", tmp_path / "link.md"
    own.write_text("# Mine\n")
    own.chmod(0o644)
    link.symlink_to(own)
    told(store, Settings(diary=True, diary_file=str(link)))
    assert own.read_text().startswith("# Mine\n\n## 20")
    assert "Halcyon" in own.read_text()
    assert not store.diary.exists()
    told(store, Settings(diary=True))
    assert "Halcyon" in store.diary.read_text()
    assert store.diary.stat().st_mode & 0o777 == 0o600
    told(store, Settings(diary=True, diary_file="diary.md"))
    assert LEARNED in (store.home / "diary.md").read_text()
    (store.home / "diary.md").unlink()
    forgetting.forget(store, "Halcyon", (), link)
    assert LEARNED in own.read_text()
    for path in (own, *store.state.rglob("*")):
        assert not path.is_file() or b"Halcyon" not in path.read_bytes()
    assert own.stat().st_mode & 0o777 == 0o644
    assert link.is_symlink()


@pytest.mark.parametrize("kind", ["folder", "pipe", "nowhere"])
def test_a_diary_that_cannot_be_written_is_said_in_the_receipt(tmp_path: Path, kind: str) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    own = tmp_path / ("there" if kind != "nowhere" else "no/there")
    if kind == "folder":
        own.mkdir()
    elif kind == "pipe":
        os.mkfifo(own)
    receipt = told(store, Settings(diary=True, diary_file=str(own)))
    assert any("the diary lacks this dream" in each for each in receipt.findings)
    assert receipts.read(store.database) == [receipt]
