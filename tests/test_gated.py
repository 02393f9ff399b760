"""Dreams that begin by themselves: what the gates leave behind, also after a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.daemon.house import House
from tests.laptop import Laptop
from tests.ledger import journals_of
from tests.scripted import picture


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A home with five sessions since a consolidation long ago."""
    house = House(tmp_path / "home", said="Remember that host{0} listens on port 543{0}.")
    return Laptop(house.home, house.memory)


def state(laptop: Laptop) -> Path:
    return laptop.home / ".local" / "state" / "dreamd"


def killed(laptop: Laptop, where: str, *words: str) -> None:
    """Let a dream die where it would call this."""
    dying = (
        "import os, signal, sys\n"
        "from dreamd import cli\n"
        "from dreamd.dream import story as dream\n"
        "from dreamd.memory import commit\n"
        f"{where} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)\n"
        "cli.main(sys.argv[1:])\n"
    )
    died = subprocess.run(
        [sys.executable, "-c", dying, "dream", *words, str(laptop.memory)],
        env=laptop.environ(),
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL


def test_a_gated_dry_run_leaves_no_trace_of_having_asked(laptop: Laptop) -> None:
    before = picture(laptop.home)
    said = laptop.json("dream", str(laptop.memory), "--gated", "--dry-run")
    assert said["reason"].startswith("dry run")
    assert picture(laptop.home) == before
    one = next(laptop.memory.parent.glob("*.jsonl")).stem
    few = laptop.json("dream", str(laptop.memory), "--gated", "--dry-run", "--current", one)
    assert (few["outcome"], few["gate"]) == ("skipped", "sessions")
    assert picture(laptop.home) == before


def test_an_interrupted_commit_is_completed_and_is_the_dream_of_its_day(laptop: Laptop) -> None:
    killed(laptop, "commit.recover", "--gated")  # after the commit point
    told = laptop.json("dream", str(laptop.memory), "--gated", "--dry-run")
    assert told["dream"] is None
    assert journals_of(state(laptop))
    said = laptop.json("dream", str(laptop.memory), "--gated")
    assert (said["outcome"], said["gate"]) == ("skipped", "time")
    assert not journals_of(state(laptop))
    assert [d["outcome"] for d in laptop.json("log", str(laptop.memory))["dreams"]] == ["dreamt"]


def test_what_a_dream_that_came_to_nothing_had_heard_is_heard_again(laptop: Laptop) -> None:
    killed(laptop, "dream.carry_out")
    laptop.ok("dream", str(laptop.memory))
    assert "5430" in "".join(note.read_text() for note in laptop.memory.glob("*.md"))
    failed = laptop.json("log", str(laptop.memory))["dreams"][-1]
    assert failed["outcome"] == "failed"
    told = laptop.json("why", str(laptop.memory), "--line", "5430")["found"]
    assert told
    assert failed["dream"] not in {each["dream"] for each in told}


def test_a_dream_that_was_dreamt_is_no_failure_where_old_failures_cannot_be_cleared(
    laptop: Laptop,
) -> None:
    laptop.ok("dream", str(laptop.memory))
    (home,) = state(laptop).glob("stores/*")
    (home / "pause").mkdir()
    said = laptop.json("dream", str(laptop.memory))
    assert said["outcome"] == "dreamt"
    assert "pause" in said["findings"][-1]


def test_why_counts_the_minutes_from_when_the_gates_were_asked(laptop: Laptop) -> None:
    (laptop.memory / ".consolidate-lock").write_text(str(os.getpid()))
    assert "next look in 10 min" in laptop.ok("why", str(laptop.memory))


def test_what_is_forgotten_is_not_learned_from_sessions_that_were_named(laptop: Laptop) -> None:
    elsewhere = laptop.home / "notes" / "memory"
    elsewhere.mkdir(parents=True)
    (elsewhere / "MEMORY.md").write_text("# Memory\n")
    heard = ("--sessions", str(laptop.memory.parent))
    words = ("forget", "5433", "--yes", "--memory", str(elsewhere), *heard)
    (laptop.memory.parent / "3f1c2a44-0000-4000-8000-000000000000.jsonl").mkdir()
    done = laptop.run(*words, "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, said["messages"]) == (1, 1)
    assert "was not searched: not a regular file" in said["unsearched"][0]
    assert laptop.json("dream", str(elsewhere), *heard)["changes"]
    kept = "".join(note.read_text() for note in elsewhere.glob("*.md"))
    assert "5432" in kept
    assert "5433" not in kept


def test_two_dashes_are_no_value_of_an_option(laptop: Laptop) -> None:
    for words in (["why", "--line=--"], ["log", "-n--"], ["dream", "--current=--"]):
        done = laptop.run(*words, "--json")
        assert done.returncode == 2
        assert "is no value" in json.loads(done.stdout)["reason"]


def test_a_log_cut_to_nothing_does_not_deny_the_dreams(laptop: Laptop) -> None:
    laptop.ok("dream", str(laptop.memory))
    assert laptop.ok("log", str(laptop.memory), "-n", "0") == ""
