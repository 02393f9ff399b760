"""The diary: what a dream says it learned, in real processes with a scripted model over HTTP."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dreamd import receipts
from dreamd.domain.dream import Entry
from dreamd.domain.ending import Outcome, Usage
from dreamd.domain.prices import price_of
from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import Model, Settings
from dreamd.domain.store import Store
from dreamd.draft import Night
from dreamd.dream import dream
from dreamd.engine.model import diary
from dreamd.engine.model.spending import Purse
from dreamd.transaction import forgetting
from tests.brain import Brain, Refusal, say, tool
from tests.brain.script import Step
from tests.laptop import Laptop
from tests.scripted import ScriptedEngine, store_of
from tests.spoken import say as people_say

KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7xC0fR2uL5"
INDEX = "# Memory\n\n- The API listens on port 8040\n"
MOVED = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"
LEARNED = "I learned that the API had to leave its old port, and I put the new one beside it."


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    memory = tmp_path / "home" / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    os.utime(memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", "The API listens on port 9050 now, because 8040 was taken.")
    return Laptop(tmp_path / "home", memory)


def session(laptop: Laptop, more: str = "") -> list[Step]:
    """A session that moves a port, and writes what more is given."""
    into = {"old_string": "- The API listens on port 8040", "new_string": MOVED + more}
    path = str(laptop.memory / "MEMORY.md")
    return [say(tool("Edit", {"file_path": path, **into})), say("The port is 9050 now.")]


def dreamt(laptop: Laptop, brain: Brain, **settings: str) -> dict[str, Any]:
    environ = {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url}
    environ |= {"DREAMD_DIARY": "true", **settings}
    done = laptop.run("dream", str(laptop.memory), "--json", **environ)
    assert done.returncode == 0, done.stderr
    assert not brain.faults
    receipt: dict[str, Any] = json.loads(done.stdout)
    assert "port 9050" in (laptop.memory / "MEMORY.md").read_text()
    return receipt


def diaries(laptop: Laptop) -> list[Path]:
    return [path for path in laptop.home.rglob("DREAMS.md") if path.is_file()]


def test_the_diary_tells_in_the_models_words_what_was_learned(laptop: Laptop) -> None:
    held = "\n- The rollback takes 47 minutes"  # nobody said so
    script = [*session(laptop, held), say(f"## {LEARNED}\n\nThe token was {TOKEN}.")]
    with Brain(script) as brain:
        receipt = dreamt(laptop, brain)
    asked = brain.bodies[2]
    assert "tools" not in asked
    assert len(asked["messages"]) == 1
    told = json.dumps(asked["messages"])
    assert "+ - The API listens on port 9050 now" in told
    assert "47 minutes" not in told
    assert asked["max_tokens"] <= 700
    (path,) = diaries(laptop)
    assert laptop.memory not in path.parents
    written = path.read_text()
    assert f"dream {receipt['dream']}" in written
    assert LEARNED in written
    assert TOKEN not in written
    assert written.count("\n## 20") == 1
    used = [request.usage for request in brain.requests if request.usage]
    spent = {"input_tokens": sum(each.input for each in used)}
    assert len(used) == 3
    assert receipt["usage"].items() >= spent.items()
    shown = laptop.json("show", "--memory", str(laptop.memory))
    assert shown["usage"] == receipt["usage"]
    ledgers = list(laptop.home.rglob("spending/*.jsonl"))
    lines = [json.loads(line) for line in ledgers[0].read_text().split("\n") if line]
    last = {line["dream"]: line["tokens"] for line in lines}
    kinds = ("input", "output", "cache_read", "cache_write")
    assert sum(last.values()) == sum(receipt["usage"][f"{kind}_tokens"] for kind in kinds)


def test_a_diary_that_fails_fails_nothing_and_is_a_finding(laptop: Laptop) -> None:
    with Brain([*session(laptop), Refusal(401, "authentication_error")]) as brain:
        receipt = dreamt(laptop, brain)
    assert receipt["outcome"] == "dreamt"
    assert any("diary" in each and "401" in each for each in receipt["findings"])
    shown = laptop.json("show", "--memory", str(laptop.memory))
    assert shown["findings"] == receipt["findings"]
    assert "I improved 1 note" in diaries(laptop)[0].read_text()
    laptop.ok("undo", "--memory", str(laptop.memory))
    assert (laptop.memory / "MEMORY.md").read_text() == INDEX


def test_an_entry_that_calls_tools_is_not_taken(laptop: Laptop) -> None:
    call = tool("Write", {"file_path": str(laptop.memory / "MEMORY.md"), "content": "# Gone\n"})
    with Brain([*session(laptop), say("I write it myself.", call)]) as brain:
        receipt = dreamt(laptop, brain)
    assert any("diary" in each for each in receipt["findings"])
    assert "write it myself" not in diaries(laptop)[0].read_text()


def test_an_entry_that_runs_on_is_cut_and_one_without_words_is_none() -> None:
    said = diary.entry({"ending": "done", "remark": "word " * 400}, Usage(output_tokens=400))
    assert said.text.count("word") == 180
    assert said.text.endswith("…")
    assert said.usage == Usage(output_tokens=400)
    none = diary.entry({"ending": "done", "remark": " \x1b[2J\n"}, Usage())
    assert none.fault
    assert not none.text


def test_the_model_is_told_few_lines_of_many_and_how_many_more_there_are() -> None:
    rows = [f"+ line {number} with the token {TOKEN}" for number in range(2000)]
    first = diary.order(Model(), None, rows, Usage()).first
    assert len(first) < 9_000
    assert TOKEN not in first
    shown = first.count("+ line")
    assert f"and {2000 - shown} more lines" in first


def test_no_diary_is_written_unasked_nor_of_a_dream_that_changed_nothing(laptop: Laptop) -> None:
    with Brain([*session(laptop), say(LEARNED)]) as brain:
        dreamt(laptop, brain, DREAMD_DIARY="false")
        assert len(brain.requests) == 2
    with Brain([say("Nothing is new."), say(LEARNED)]) as brain:
        dreamt(laptop, brain)
        assert len(brain.requests) == 1
    assert not diaries(laptop)


def test_the_diary_has_what_the_dream_left_of_its_limits() -> None:
    model = Model(tokens=10_000, dollars=0.50, seconds=20)
    spent = Usage(input_tokens=6_000, cache_read_tokens=1_000, output_tokens=1_000, dollars=0.4)
    caps = diary.order(model, price_of(model.name), ["+ a"], spent).caps
    assert (caps.turns, caps.tokens, caps.seconds) == (1, 2_000, 20)
    assert caps.dollars == pytest.approx(0.1)
    assert isinstance(Purse(caps, None, started=time.monotonic()).allowance(900), int)
    for gone in (replace(spent, output_tokens=4_000), replace(spent, dollars=0.7)):
        order = diary.order(model, price_of(model.name), ["+ a"], gone)
        purse = Purse(order.caps, order.price, started=time.monotonic())
        assert "limit" in str(purse.allowance(900))
    rich = diary.order(Model(), price_of(model.name), ["+ a"], Usage()).caps
    assert rich.tokens <= 20_000
    assert rich.seconds <= 60


def test_the_rules_engine_tells_its_steps(laptop: Laptop) -> None:
    note = "- The harbour crane lifts forty tonnes on calm days\n"
    (laptop.memory / "MEMORY.md").write_text(INDEX + note + note)
    words = ("dream", str(laptop.memory), "--engine", "rules", "--json")
    receipt = json.loads(laptop.run(*words, DREAMD_DIARY="on").stdout)
    assert receipt["changes"], receipt
    written = diaries(laptop)[0].read_text()
    assert f"dream {receipt['dream']}" in written
    assert "I improved 1 note" in written
    assert "I worked on MEMORY." in written
    laptop.run(*words, DREAMD_DIARY="on")
    assert diaries(laptop)[0].read_text() == written


class Telling(ScriptedEngine):
    """An engine that adds a line and tells of it."""

    def __init__(self) -> None:
        super().__init__(self.add, repeatable=False)
        self.told: list[str] = []

    def add(self, stage: Path) -> None:
        with (stage / "MEMORY.md").open("a") as index:
            index.write("- The boat is the Halcyon\n")

    def recount(self, rows: Sequence[str], spent: Usage) -> Entry:
        self.told += rows
        return Entry(f"{LEARNED} The boat is the Halcyon.", Usage(output_tokens=7))


def told(store: Store, settings: Settings) -> Receipt:
    engine = Telling()
    receipt = dream(store, Night(engine, settings))
    assert engine.told == ["MEMORY.md (changed)", "+ - The boat is the Halcyon"]
    assert (receipt.outcome, receipt.usage.output_tokens) == (Outcome.DREAMT, 7)
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


def test_forget_looks_into_the_diary_of_the_store(tmp_path: Path) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    told(store, Settings(diary=True))
    assert "Halcyon" in store.diary.read_text()
    assert store.diary.stat().st_mode & 0o777 == 0o600
    forgetting.forget(store, "Halcyon")
    for path in store.state.rglob("*"):
        assert not path.is_file() or b"Halcyon" not in path.read_bytes()


def test_a_relative_file_starts_in_the_folder_of_the_store(tmp_path: Path) -> None:
    store = store_of(tmp_path, {"MEMORY.md": INDEX})
    told(store, Settings(diary=True, diary_file="diary.md"))
    assert LEARNED in (store.home / "diary.md").read_text()


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
