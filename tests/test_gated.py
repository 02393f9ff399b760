"""Dreams that begin by themselves: at the right moment, what the gates leave behind, and why."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert, to_builtins

from dreamd import gates
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.gates.pause import passes
from dreamd.host import clock
from tests.brain import Brain
from tests.daemon.house import LONG_AGO, House
from tests.laptop import Laptop, on_screen
from tests.ledger import journals_of
from tests.model_home import environ
from tests.scripted import picture
from tests.spoken import touch

SAID = "Remember that host{0} listens on port 543{0}."
IDLE = {"DREAMD_GATES__IDLE_MINUTES": "10"}
KEY = {"ANTHROPIC_API_KEY": "sk-ant-nobody"}
DUE = {"DREAMD_GATES__THROTTLE_MINUTES": "0"}


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A home with five sessions since a consolidation long ago."""
    return House(tmp_path / "home", said=SAID)


@pytest.fixture
def laptop(house: House) -> Laptop:
    for each in house.memory.parent.glob("*.jsonl"):
        touch(each, time.time() - 3600)
    return Laptop(house.home, house.memory)


def logged(laptop: Laptop) -> list[dict[str, Any]]:
    dreams = laptop.json("log", str(laptop.memory))["dreams"]
    assert isinstance(dreams, list)
    return dreams


def killed(laptop: Laptop, where: str, *words: str) -> None:
    """Let a dream die where it would call this."""
    dying = (
        "import os, signal, sys\n"
        "from dreamd import cli\n"
        "from dreamd.dream import story\n"
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
    assert journals_of(laptop.state)
    said = laptop.json("dream", str(laptop.memory), "--gated")
    assert (said["outcome"], said["gate"]) == ("skipped", "time")
    assert not journals_of(laptop.state)
    assert [d["outcome"] for d in laptop.json("log", str(laptop.memory))["dreams"]] == ["dreamt"]


def test_what_a_dream_that_came_to_nothing_had_heard_is_heard_again(laptop: Laptop) -> None:
    killed(laptop, "story.carry_out")
    laptop.ok("dream", str(laptop.memory))
    assert "5430" in "".join(note.read_text() for note in laptop.memory.glob("*.md"))
    failed = laptop.json("log", str(laptop.memory))["dreams"][-1]
    assert failed["outcome"] == "failed"
    told = laptop.json("why", str(laptop.memory), "--line", "5430")["found"]
    assert told
    assert failed["dream"] not in {each["dream"] for each in told}


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


# --- the right moment -----------------------------------------------------------------------------


@pytest.fixture
def client(laptop: Laptop) -> Iterator[Path]:
    """A client of another project that is alive; what it says of itself."""
    folder = laptop.home / ".claude" / "sessions"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        yield folder / f"{child.pid}.json"
        child.kill()


def says(client: Path, status: str) -> None:
    stat = Path(f"/proc/{client.stem}/stat")
    start = stat.read_text().rpartition(")")[2].split()[19] if stat.exists() else ""
    fields = {"pid": int(client.stem), "sessionId": "elsewhere", "status": status}
    client.write_text(json.dumps(fields | {"procStart": start, "updatedAt": time.time() * 1000}))


def gated(laptop: Laptop, *words: str, **environ: str) -> tuple[str, str, str]:
    said = laptop.json("dream", str(laptop.memory), "--gated", *words, **environ)
    return said["outcome"], said.get("gate", ""), said["reason"]


def chosen(laptop: Laptop, engine: str) -> None:
    file = laptop.home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"engine: {engine}\n")


def pauses(laptop: Laptop) -> list[Path]:
    return list(laptop.state.glob("stores/*/pause"))


def test_a_dream_waits_until_no_client_works_and_then_begins(laptop: Laptop, client: Path) -> None:
    (laptop.memory / ".consolidate-lock").unlink()  # after two days it waits for nobody
    says(client, "busy")
    outcome, gate, reason = gated(laptop, **IDLE)
    assert (outcome, gate) == ("skipped", "idle")
    assert f"session elsewher is working (process {client.stem})" in reason
    assert "next look in 2 min" in reason
    assert gated(laptop, **IDLE)[1] == "throttle"
    pauses(laptop)[0].unlink()
    says(client, "idle")
    assert gated(laptop, **IDLE)[0] == "dreamt"


def test_dreams_that_begin_by_themselves_are_counted_over_all_memories(
    house: House, laptop: Laptop
) -> None:
    one = {"DREAMD_GATES__PASSES_PER_HOUR": "1"}
    kelp = house.project("kelp", said=SAID)
    assert gated(laptop, "--dry-run", **one)[2].startswith("dry run")  # which begins nothing
    assert gated(laptop, **one)[0] == "dreamt"
    laptop.memory = kelp
    outcome, gate, reason = gated(laptop, **one)
    assert (outcome, gate) == ("skipped", "passes")
    assert "1 automatic dream in the last hour, as many as may (1)" in reason
    assert "next look in 1 h" in reason
    assert not [each for each in pauses(laptop) if "kelp" in str(each)]
    assert laptop.json("dream", str(kelp))["outcome"] == "dreamt"  # a person may, and counts not
    assert len(passes(laptop.state)) == 1


def test_a_dream_by_hand_skips_the_gates_but_not_the_switch_and_the_lock(laptop: Laptop) -> None:
    memory, lock = str(laptop.memory), laptop.memory / ".consolidate-lock"
    lock.touch()
    assert gated(laptop)[1] == "time"
    assert gated(laptop, DREAMD_GATES__HOURS="0", DREAMD_GATES__SESSIONS="9")[1] == "sessions"
    pause = json.loads(pauses(laptop)[0].read_text())
    pauses(laptop)[0].write_text(json.dumps(pause | {"found": "", "failures": 2}))
    assert gated(laptop, DREAMD_GATES__HOURS="0")[2].startswith("not now: 2 dreams in a row failed")
    off = json.loads(laptop.ok("dream", memory, "--json", DREAMD_ENABLED="no"))
    assert (off["outcome"], off["gate"]) == ("skipped", "kill switch")
    lock.write_text(str(os.getpid()))
    assert laptop.run("dream", memory).returncode == 75
    assert "next look in 10 min" in laptop.ok("why", memory)  # counted from when it was asked
    lock.write_text("")
    assert laptop.json("dream", memory)["outcome"] == "dreamt"
    assert not pauses(laptop)
    next(laptop.state.glob("stores/*")).joinpath("pause").mkdir()
    said = laptop.json("dream", memory)  # it is no failure that old ones cannot be cleared
    assert (said["outcome"], "pause" in said["findings"][-1]) == ("dreamt", True)


def test_a_day_s_budget_that_is_used_up_keeps_a_model_s_dream_from_beginning(
    laptop: Laptop,
) -> None:
    spending = laptop.state / "spending"
    spending.mkdir(parents=True)
    today = clock.local_day(clock.now())
    line = json.dumps({"dream": "d1", "tokens": 5, "dollars": 2.5})
    (spending / f"{today}.jsonl").write_text(line + "\n")
    chosen(laptop, "model")
    outcome, gate, reason = gated(laptop, **KEY)
    assert (outcome, gate) == ("skipped", "budget")
    assert "$2.50 of $1.00" in reason
    (laptop.home / "key").write_text("sk-ant-nobody")
    for engine, more, costs in (
        ("auto", {}, False),
        ("auto", KEY, False),  # which no automatic dream spends
        ("auto", KEY | {"DREAMD_ENGINE": "model"}, False),
        ("auto", {"DREAMD_MODEL__KEY_FILE": str(laptop.home / "key")}, True),
        ("claude-cli", {}, True),
    ):
        chosen(laptop, engine)
        told = json.loads(laptop.ok("why", str(laptop.memory), "--json", **more))["gates"]
        assert next(each for each in told if each["gate"] == "budget")["open"] is not costs


def test_every_gate_answers_on_the_machine_as_it_is(laptop: Laptop, client: Path) -> None:
    client.write_text("{")
    chosen(laptop, "model")
    (laptop.state / "passes").mkdir(parents=True)
    (laptop.state / "spending").write_text("in the way")
    environ = {"DREAMD_GATES__LOAD": "1", "DREAMD_GATES__BATTERY": "40"} | IDLE | KEY
    told = json.loads(laptop.ok("why", str(laptop.memory), "--json", **environ))["gates"]
    assert [each["gate"] for each in told] == [each.name for each in gates.GATES]
    assert all(each["read"] and bool(each["opens"]) is not each["open"] for each in told)


# --- what began it --------------------------------------------------------------------------------


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

    touch(laptop.memory / ".consolidate-lock", LONG_AGO)
    with Brain([]) as brain:
        more = environ(brain)
        done = laptop.run("dream", notes, "--gated", "--engine", "model", **DUE, **more)
    assert done.returncode == 1
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
