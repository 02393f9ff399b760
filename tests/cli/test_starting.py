"""What a command that only looks, or that runs while a person waits, does not load on its way."""

from __future__ import annotations

import os
import sys

import pytest

from dreamd.host import presence
from tests.laptop import Laptop, ran

SCRIPT = """
import atexit, sys
before = set(sys.modules)
def loaded():
    print(*set(sys.modules) - before, file=sys.stderr)
from dreamd.__main__ import main
atexit.register(loaded)
sys.exit(main())
"""
UNNEEDED = {
    *("anthropic", "watchdog", "yaml", "psutil", "asyncio", "sqlite3", "subprocess", "tomllib"),
    *("hashlib", "tempfile", "shutil", "json"),
    *("dataclasses", "inspect", "typing_extensions"),  # msgspec does their work
}


def loaded(laptop: Laptop, *words: str) -> set[str]:
    """What a command imports."""
    environ, event = laptop.environ(DREAMD_MEMORY=str(laptop.memory)), '{"hook_event_name": "Stop"}'
    done = ran([sys.executable, "-c", SCRIPT, *words], environ, laptop.home, event)
    assert done.returncode == 0
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [["status"], ["log"], ["--help"]], ids=" ".join)
def test_a_look_at_a_quiet_memory_loads_what_it_tells(laptop: Laptop, words: list[str]) -> None:
    for needed in ("hashlib", "sqlite3"):  # before the first dream, and after it
        modules = loaded(laptop, *words)
        assert not UNNEEDED & modules - {needed}
        assert ("dreamd.memory.scan" in modules) == (words == ["status"])  # it has looked
        if needed == "hashlib":
            laptop.ok("dream", str(laptop.memory))


def test_the_end_of_a_turn_loads_nothing_that_costs(laptop: Laptop) -> None:
    (laptop.memory / ".consolidate-lock").touch()
    modules = loaded(laptop, "dream", "--gated")  # which ends at the time gate
    assert "dreamd.gates" in modules
    assert not {"psutil", "anthropic", "sqlite3", "socket"} & modules
    state = laptop.home / ".local" / "state" / "dreamd"
    state.mkdir(parents=True, exist_ok=True)
    with os.fdopen(presence.hold(state / "daemon.lock") or -1):
        modules = loaded(laptop, "nudge")
    foreign = {each for each in modules if not each.startswith("dreamd")}
    assert foreign <= {"__future__", "fcntl", "select", "time"}
