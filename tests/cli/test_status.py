"""`status`: one screen for the daemon, the memory that is meant, and all the others."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from dreamd.domain.settings import Settings
from dreamd.gates import pause
from dreamd.host import presence
from dreamd.ledger.spending import Amount, Purse
from dreamd.stores.identity import store_at
from tests.daemon.house import LONG_AGO, House
from tests.laptop import Laptop, lines, on_screen
from tests.scripted import picture
from tests.spoken import touch

OF_ONE = (
    "memory state engine dreams_with index_lines index_bytes index_seen notes memory_bytes lock "
    "last proposals wreck suspected"
)
DAY = 86_400.0
# How many days ago the last dream was, and the sessions; how long none is said to have come.
MISSED: list[tuple[float | None, list[float], int | None]] = [
    (9.0, [8.0, 7.0, 6.0, 5.0, 4.0, 0.1], 9),
    (9.0, [8.0, 7.0, 0.3, 0.2, 0.1], None),  # due since a few hours
    (9.0, [30.0] * 6, None),  # which that dream heard
    (6.5, [6.0] * 9, None),
    (None, [30.0] * 9, None),  # `status` says that there was none yet
]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def laptop(house: House) -> Laptop:
    return Laptop(house.home, house.memory)


def aged(house: House, name: str, dreamt: float | None, sessions: list[float]) -> Path:
    """Make a project last dreamt for so many days ago, and touched by sessions so many days ago."""
    memory, now = house.project(name, len(sessions)), time.time()
    for path, days in zip(memory.parent.glob("*.jsonl"), sessions, strict=True):
        touch(path, now - days * DAY)
    lock = memory / ".consolidate-lock"
    lock.unlink() if dreamt is None else touch(lock, now - dreamt * DAY)
    return memory


def fail_thrice(house: House, memory: Path) -> None:
    for _ in range(3):
        pause.failed(store_at(memory, house.state), Settings().gates, "the disk is full")


def test_four_memories_and_all_their_troubles_fit_one_screen(house: House, laptop: Laptop) -> None:
    others = [house.project(f"{name}-{'long' * 20}") for name in ("kelp", "reef", "shoal")]
    (house.memory / "MEMORY.md").write_text("# Memory\n" + "- A line that says it again\n" * 3)
    laptop.ok("dream", str(others[0]))
    laptop.ok("dream", str(house.memory), "--propose")
    (house.memory / "MEMORY.md").write_text("# Memory\n" + "- A line of it\n" * 300)
    for memory in others[1:]:
        fail_thrice(house, memory)
    words = ["status", str(house.memory)]
    shown = lines(on_screen(words, laptop.environ(TERM="xterm"), house.home))
    assert len(shown) <= 24
    assert [line for line in shown if len(line) > 80] == []
    assert sum("3 dreams in a row failed" in line for line in shown) == 2
    assert sum("long/memory: " in line for line in shown) == 3
    whole = laptop.ok("status", str(house.memory))
    assert all(f"-{memory.parent.name.rpartition('-')[2]}/memory: " in whole for memory in others)


def test_who_stands_nowhere_sees_all_and_changes_nothing(house: House, laptop: Laptop) -> None:
    reef = house.project("reef")
    before = picture(house.home)
    shown = laptop.ok("status")
    assert "memory    " not in shown
    assert "~/.claude/projects/-home-dev-tidepool/memory: no dream yet" in shown
    assert "~/.claude/projects/-home-dev-reef/memory: no dream yet" in shown
    told = laptop.json("status")
    assert told["memory"] is None
    assert [each["memory"] for each in told["stores"]] == [str(reef), str(house.memory)]
    told = laptop.json("status", str(house.memory))
    assert set(told) >= set(OF_ONE.split())
    assert told["stores"][0]["gate"] is None  # five sessions, long ago
    assert picture(house.home) == before
    assert laptop.run("status", "/nowhere").returncode == 2
    assert laptop.run("status", DREAMD_MEMORY="/nowhere").returncode == 2
    (house.home / "away").mkdir()
    assert "no memory directory yet" in Laptop(house.home / "away", house.memory).ok("status")


def test_what_a_dream_suspects_is_named_for_each_memory(house: House, laptop: Laptop) -> None:
    services = ("orders", "labels", "search", "upload", "export")
    for memory in (house.memory, house.project("reef")):
        rows = [f"- The {name} worker has {n} replicas.\n" for n, name in enumerate(services, 2)]
        (memory / "MEMORY.md").write_text("# Memory\n\n" + "".join(rows))
        house.session(memory.parent, "replicas", "the worker has 9 replicas now")
        os.utime(memory / "MEMORY.md", (LONG_AGO, LONG_AGO))
        laptop.ok("dream", str(memory))
    mine = ("--memory", str(house.memory))
    every = laptop.json("show", *mine)["suspected"]
    assert len(every) == len(services)
    assert all(each.startswith('perhaps out of date in MEMORY.md: "- The ') for each in every)
    shown = laptop.ok("status", str(house.memory)).splitlines()
    assert shown.count(f"suspect   {every[0]}") == 1
    assert shown.count(f"  {every[0]}") == 1  # of the other memory
    assert sum("perhaps out of date" in line for line in shown) == 6
    assert sum(line.endswith("and 2 more: `dreamd show`") for line in shown) == 2
    told = laptop.json("status", str(house.memory))
    assert told["suspected"] == every
    assert [each["suspected"] for each in told["stores"]] == [every, every]
    assert all(each in laptop.ok("show", *mine) for each in every)


def test_a_daemons_own_word_counts_as_long_as_it_runs(house: House, laptop: Laptop) -> None:
    now = time.time()
    os.utime(house.memory / ".consolidate-lock", (now, now))
    with house.runs() as daemon:
        daemon.until(lambda: bool(daemon.board))
        told = laptop.json("status", str(house.memory))
        assert told["daemon"]["pid"] == daemon.process.pid
        assert told["daemon"]["sentence"].startswith("watching 1 memory directory; not now: ")
        (store,) = told["stores"]
        assert (store["gate"], store["dreaming"]) == ("time", False)
        assert store["waits_for"].startswith("last consolidated")
    board = json.loads((house.state / "daemon.json").read_text()) | {"sentence": "all at ease"}
    waits = {"gate": "load", "open": False, "read": "a heavy load", "opens": "it is light"}
    board["stores"][0]["verdict"] = waits
    os.utime(house.memory / ".consolidate-lock", (LONG_AGO, LONG_AGO))
    with os.fdopen(presence.hold(house.state / "daemon.lock") or -1):
        for text, said in (
            (json.dumps(board), f"(process {os.getpid()}): all at ease"),
            (json.dumps(board), "waits for a heavy load; open once it is light"),
            ("{", "just starting"),  # torn by a disk that was full
        ):
            (house.state / "daemon.json").write_text(text)
            assert said in laptop.ok("status", str(house.memory))
    (house.state / "daemon.json").write_text(json.dumps(board))
    shown = laptop.ok("status", str(house.memory))
    assert "not running" in shown
    assert "at ease" not in shown


def test_failures_and_limits_are_said_until_they_are_over(house: House, laptop: Laptop) -> None:
    fail_thrice(house, house.memory)
    why = laptop.json("why", str(house.memory))
    (store,) = laptop.json("status", str(house.memory))["stores"]
    assert store["gate"] == why["gate"] == "throttle"
    assert store["waits_for"] == next(g["read"] for g in why["gates"] if g["gate"] == "throttle")
    (house.memory / "MEMORY.md").write_text("# Memory\n\n" + "- One more line.\n" * 199)
    said = "3 dreams in a row failed, the last one so: the disk is full"
    shown = laptop.ok("status", str(house.memory))
    assert "waits for 3 dreams in a row failed (the disk is full); next look" in shown
    assert "the index has 201 lines, over its limit" in shown
    assert laptop.json("status", str(house.memory))["stores"][0]["concerns"] == [said]
    laptop.ok("dream", str(house.memory))
    assert said not in laptop.ok("status")


KEY: dict[str, Any] = {"ANTHROPIC_API_KEY": "a-key-of-no-known-shape"}
ENGINES: list[tuple[dict[str, Any], str]] = [
    (KEY, r"rules \(a key is only in the environment: .* by hand model"),
    ({**KEY, "DREAMD_ENGINE": "model"}, r"rules \(a key is only in the environment: .*\)$"),
    ({**KEY, "engine": "model"}, r"model claude-haiku-4-5, behind .*\(engine: model\)$"),
    ({**KEY, "engine": "rules", "DREAMD_ENGINE": "model"}, "engine: rules; by hand model"),
    ({"DREAMD_MODEL__BASE_URL": "http://localhost:11434"}, r"model .* \(model.base_url is set\)$"),
    ({**KEY, "ANTHROPIC_BASE_URL": "https://gateway.example"},
     "rules; by hand none, until this is fixed: ANTHROPIC_BASE_URL names https://g"),
    ({"DREAMD_MODEL__KEY_FILE": "/nowhere/key"},
     "none, until this is fixed: the key file /nowhere/key cannot be read"),
    ({"DREAMD_MODEL__KEY_FILE": "{home}/key"}, r"model .* behind .*\(its key is stored\)$"),
    ({"DREAMD_MODEL__KEY_FILE": "{home}/open"},
     r"model .* behind .*\(its key is stored\); others may read the key file"),
]  # fmt: skip


def chosen(home: Path, engine: str) -> None:
    file = home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"engine: {engine}\n")


@pytest.mark.parametrize(("environ", "engine"), ENGINES)
def test_the_engine_is_said_and_why_and_what_keeps_it_from_dreaming(
    house: House, laptop: Laptop, environ: dict[str, str], engine: str
) -> None:
    for name, mode in (("key", 0o600), ("open", 0o644)):
        (house.home / name).write_text(KEY["ANTHROPIC_API_KEY"])
        (house.home / name).chmod(mode)
    given = {name: value.format(home=house.home) for name, value in environ.items()}
    chosen(house.home, given.pop("engine", "auto"))
    shown = laptop.ok("status", str(house.memory), **given)
    assert re.search(f"^engine +{engine}", shown, re.MULTILINE), shown
    assert "\nwaits for" in shown
    assert "a-key" not in shown


def test_what_a_day_cost_is_said_where_a_model_dreams(house: House, laptop: Laptop) -> None:
    assert "spent" not in laptop.ok("status", **KEY)
    assert "spent" not in laptop.ok("status", **KEY, DREAMD_ENGINE="model")
    chosen(house.home, "model")
    assert "$0.00 of $1.00" in laptop.ok("status", **KEY)
    (house.state / "spending").mkdir(parents=True)
    Purse(house.state / "spending", Amount()).settle("abc", 1200, 0.256)
    assert "$0.26 of $1.00 and 1,200 of 6,000,000 tokens today" in laptop.ok("status", **KEY)


def test_a_week_without_a_dream_is_said_where_sessions_came(house: House, laptop: Laptop) -> None:
    expected: dict[str, list[str]] = {str(house.memory): []}
    for number, (dreamt, sessions, days) in enumerate(MISSED):
        said = f"there was no dream for {days} days, although {len(sessions)} sessions came: "
        where = str(aged(house, f"p{number}", dreamt, sessions))
        expected[where] = [f"{said}`dreamd why` says what it waits for"] if days else []
    stores = laptop.json("status")["stores"]
    assert {each["memory"]: each["concerns"] for each in stores} == expected


def test_dreams_switched_off_are_not_missed_nor_one_undone(house: House, laptop: Laptop) -> None:
    memory = aged(house, "reef", 9.0, [5.0] * 6)
    (memory / "MEMORY.md").write_text("# Memory\n\n" + "- A line that says it again.\n" * 3)
    touch(memory / "MEMORY.md", LONG_AGO)
    off = {"DREAMD_ENABLED": "no"}
    assert "there was no dream for 9 days" in laptop.ok("status", str(memory))
    assert "there was no dream" not in laptop.ok("status", str(memory), **off)
    laptop.ok("dream", str(memory))
    laptop.ok("undo", "--memory", str(memory))
    assert time.time() - (memory / ".consolidate-lock").stat().st_mtime > 8 * DAY
    assert "there was no dream" not in laptop.ok("status", str(memory))
    # What was set aside is told while it lies there.
    (store_at(memory, house.state).home / "store.db.damaged-1").touch()
    assert "history was damaged" in laptop.ok("status", str(memory), **off)
