"""What a command that only looks does not load, and not do, on its way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dreamd.stores.identity import store_at
from tests.laptop import ROOT, Laptop

SCRIPT = """
import atexit, gc, sys
from dreamd.__main__ import main
atexit.register(lambda: print(gc.get_freeze_count(), gc.isenabled(), *sys.modules, file=sys.stderr))
sys.exit(main())
"""
UNNEEDED = {
    *("sqlite3", "subprocess", "tomllib", "hashlib", "tempfile", "shutil"),
    *("dataclasses", "inspect", "typing_extensions"),  # msgspec does their work
    "dreamd.domain.finding",  # nothing is over a limit
    "dreamd.gates.backoff",  # no dream has failed
    "dreamd.host.processes",  # nothing is killed
    "dreamd.insight",
}


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    laptop = Laptop(tmp_path / "home", tmp_path / "home/.claude/projects/-home-dev-x/memory")
    laptop.memory.mkdir(parents=True)
    (laptop.memory / "MEMORY.md").write_text("# Memory\n\n- The port is 9090.\n")
    return laptop


def looked(laptop: Laptop) -> tuple[int, bool, set[str]]:
    """What `status` has taken out of the collector's sight, whether it still collects, and loaded.

    As of when the interpreter begins to take itself down.
    """
    unset = ("DREAMD_", "XDG_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(unset)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "status", str(laptop.memory)],
        env=kept | {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    frozen, enabled, *modules = done.stderr.split()
    return int(frozen), enabled == "True", set(modules)


def test_status_of_a_quiet_memory_loads_no_more_than_it_tells(laptop: Laptop) -> None:
    before = looked(laptop)[2]
    laptop.ok("dream", str(laptop.memory))
    after = looked(laptop)[2]
    for modules, needed in ((before, set()), (after, {"sqlite3"})):
        assert "dreamd.memory.scan" in modules  # it has looked
        assert not modules & UNNEEDED - needed


def test_what_is_left_at_the_end_is_not_looked_through_once_more(laptop: Laptop) -> None:
    frozen, enabled, modules = looked(laptop)
    assert frozen > 10 * len(modules)
    assert enabled  # only the imports went by without a look


def test_status_still_tells_of_limits_and_failures(laptop: Laptop) -> None:
    (laptop.memory / "MEMORY.md").write_text("# Memory\n\n" + "- One more line.\n" * 199)
    assert "the index has 201 lines, over its limit" in laptop.ok("status", str(laptop.memory))
    store = store_at(laptop.memory, laptop.home / ".local/state/dreamd")
    store.home.mkdir(parents=True)
    wait = {"count": 3, "until_ns": time.time_ns() + 10**12, "reason": "no git", "counted_ns": None}
    store.backoff.write_text(json.dumps(wait))
    told = laptop.ok("status", str(laptop.memory))
    assert "waits for 3 dreams in a row failed (no git); next look" in told
