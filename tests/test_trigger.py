"""A receipt says what began the dream, as it was really begun."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert, to_builtins

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.stores.identity import store_at
from tests.cli.screen import on_screen
from tests.daemon.house import LONG_AGO, House
from tests.laptop import Laptop
from tests.spoken import touch

DUE = {"DREAMD_GATES__THROTTLE_MINUTES": "0"}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "home")


@pytest.fixture
def laptop(house: House) -> Laptop:
    return Laptop(house.home, house.memory)


def logged(laptop: Laptop) -> list[dict[str, Any]]:
    dreams = laptop.json("log", str(laptop.memory))["dreams"]
    assert isinstance(dreams, list)
    return dreams


def test_by_hand_when_due_by_a_commit_that_mends_and_also_what_failed(laptop: Laptop) -> None:
    notes, index = str(laptop.memory), laptop.memory / "MEMORY.md"
    index.write_text("# Memory\n" + "- The port is 5430, for ever\n" * 2)
    assert json.loads(laptop.ok("dream", notes, "--gated", "--json"))["trigger"] == "gated"
    assert laptop.json("dream", notes, "--dry-run")["trigger"] == "hand"
    laptop.ok("dream", notes)
    laptop.ok("undo", "--memory", notes)
    told = logged(laptop)
    assert [each["trigger"] for each in told] == ["hand", "hand", "gated"]
    assert laptop.json("dream", notes, "--gated")["trigger"] == "gated"  # of one that was not due
    first = told[-1]["dream"]
    assert "begun with --gated" in laptop.ok("show", first).splitlines()[0]

    index.write_text("# Memory\n- [Ports](ports.md)\n")
    (laptop.memory / "port.md").write_text("# Ports\n")
    laptop.run("check", "--staged", "--fix", str(index))
    assert (logged(laptop)[0]["kind"], logged(laptop)[0]["trigger"]) == ("fix", "precommit")

    store = store_at(laptop.memory, laptop.home / ".local/state/dreamd")
    shutil.rmtree(store.stages, ignore_errors=True)
    store.stages.write_text("in the way")
    touch(laptop.memory / ".consolidate-lock", LONG_AGO)
    assert laptop.run("dream", notes, "--gated", **DUE).returncode == 1
    assert (logged(laptop)[0]["outcome"], logged(laptop)[0]["trigger"]) == ("failed", "gated")


def test_by_a_hook_of_pre_commit(laptop: Laptop) -> None:
    session = str(laptop.memory.parent / "now.jsonl")
    laptop.ok("nudge", "--begin", "--transcript", session, PRE_COMMIT="1")
    assert [each["trigger"] for each in logged(laptop)] == ["precommit"]


def test_who_looks_once_at_a_terminal_does_so_by_hand(house: House) -> None:
    on_screen(["run", "--once"], house.clean({}), house.home)
    assert [each["trigger"] for each in house.dreamt()] == ["hand"]


def test_one_of_before_is_read_and_one_of_a_later_version_too() -> None:
    was = Receipt("aaaa", Kind.CONSOLIDATION, Outcome.DREAMT, "done", "/notes", "2026-01-02")
    old = {key: value for key, value in to_builtins(was).items() if key != "trigger"}
    assert convert(old, Receipt) == was
    assert convert(old | {"trigger": "moon"}, Receipt).trigger == "moon"
