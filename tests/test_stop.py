"""A dream that runs says how far it has come, and is stopped from another process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.brain import Brain, say, tool
from tests.daemon.house import House
from tests.laptop import Laptop
from tests.ledger import receipts_of
from tests.model_home import MOVED, OLD, edit, environ
from tests.scripted import picture
from tests.warm import Command

LONG_AGO = 1_700_000_000_000_000_007
SLOW = [
    say("## consolidate", edit("MEMORY.md", OLD, MOVED)),
    say("words " * 4_000, tool("Sessions", {"page": 1}), pace=0.1),
]


@contextmanager
def dreaming(laptop: Laptop, *more: str) -> Iterator[Command]:
    """A dream that has edited a note, and waits for the next answer of its model."""
    with Brain(SLOW) as brain:
        dream = laptop.start("dream", str(laptop.memory), *more, **environ(brain))
        for _ in SLOW:
            assert brain.arrived.acquire(timeout=30)
        yield dream


def stopped(laptop: Laptop) -> str:
    return laptop.ok("stop", str(laptop.memory))


@pytest.mark.parametrize("by", ["stop", "Ctrl-C"])
def test_a_stopped_dream_leaves_notes_and_lock_as_they_were_and_a_receipt(
    laptop: Laptop, by: str
) -> None:
    (laptop.memory / ".consolidate-lock").touch()
    os.utime(laptop.memory / ".consolidate-lock", ns=(LONG_AGO, LONG_AGO))
    before = picture(laptop.memory)
    with dreaming(laptop) as dream:
        shown = laptop.ok("status", str(laptop.memory))
        (row,) = [line for line in shown.splitlines() if line.startswith("dreaming ")]
        assert row.startswith("dreaming  consolidate · 3/4 · 1 edit · 1 note edited · ")
        assert "k tokens · $0.0" in row
        assert row.endswith("; `dreamd stop` ends it")
        (store,) = laptop.json("status", str(laptop.memory))["stores"]
        assert store["dreaming"]
        assert store["progress"] in row
        if by == "stop":
            assert stopped(laptop).startswith("Stopped dream ")
        else:
            os.kill(dream.pid, signal.SIGINT)
        code, _, said = dream.ended()
    assert (code, said.count("\n")) == (130, 1)
    assert picture(laptop.memory) == before
    (receipt,) = receipts_of(laptop.state)
    assert (receipt["outcome"], receipt["reason"]) == ("failed", "stopped by a signal")
    assert receipt["usage"]["requests"] == 1
    assert "\ndreaming " not in laptop.ok("status", str(laptop.memory))
    assert stopped(laptop) == f"No dream runs in {laptop.memory}.\n"
    assert not list(laptop.home.rglob("*.progress"))


def test_a_killed_dream_is_not_shown_as_running_and_no_other_process_is_stopped(
    laptop: Laptop,
) -> None:
    with dreaming(laptop) as dream:
        os.kill(dream.pid, signal.SIGKILL)
        dream.ended()
    assert list(laptop.home.rglob("*.progress"))
    assert "\ndreaming " not in laptop.ok("status", str(laptop.memory))
    assert "No dream runs" in stopped(laptop)
    (lease,) = laptop.home.rglob("*.lease")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as another:
        (laptop.memory / ".consolidate-lock").write_text(str(another.pid))
        dead = json.loads(lease.read_text())
        lease.write_text(json.dumps(dead | {"holder": dead["holder"] | {"pid": another.pid}}))
        done = laptop.run("stop", str(laptop.memory), "--json")
        assert (done.returncode, another.poll()) == (0, None), "the PID is used again"
        assert f"process {another.pid}" in json.loads(done.stdout)["reason"]
        there = json.dumps(dead | {"holder": dead["holder"] | {"pid": another.pid, "host": "reef"}})
        lease.write_text(there)
        done = laptop.run("stop", str(laptop.memory))
        assert (done.returncode, another.poll()) == (1, None)
        assert f"in process {another.pid} on reef, since " in done.stderr
        another.communicate(b"\n")
        assert another.returncode == 0


def test_a_dream_of_the_daemon_tells_its_manager_and_once_stopped_waits(tmp_path: Path) -> None:
    house = House(tmp_path / "home")
    laptop = Laptop(house.home, house.memory)
    (house.memory / "MEMORY.md").write_text("# Memory\n\n- The API listens on port 8040\n")
    before = (house.memory / "MEMORY.md").read_bytes()
    with Brain(SLOW) as brain, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.settimeout(30)
        given = environ(brain, NOTIFY_SOCKET=str(tmp_path / "manager"))
        with house.runs(**given) as daemon:
            while "k tokens · $0.0" not in (said := manager.recv(4096).decode()):
                pass
            assert f"STATUS=dreaming in {house.memory} since " in said
            assert "(consolidate · 3/4 · " in said
            assert "(consolidate · 3/4 · " in laptop.ok("status")
            child = (house.memory / ".consolidate-lock").read_text()
            assert f"(process {child})" in stopped(laptop)
            daemon.says(f"{house.memory}: stopped, and taken back")
            daemon.until(lambda: daemon.board["stores"][0]["verdict"]["gate"] == "throttle")
            time.sleep(0.5)  # looks at which it does not begin again
            assert "consolidate" not in daemon.board["sentence"]
    assert (house.memory / "MEMORY.md").read_bytes() == before
    assert len(brain.requests) == len(SLOW)


@pytest.mark.parametrize(("trigger", "waits"), [("timer", True), ("hand", False)])
def test_a_stopped_dream_that_began_by_itself_does_not_begin_again_at_once(
    laptop: Laptop, trigger: str, waits: bool
) -> None:
    with dreaming(laptop, "--trigger", trigger) as dream:
        stopped(laptop)
        dream.ended()
    assert bool(list(laptop.home.rglob("stores/*/pause"))) is waits
