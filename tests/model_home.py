"""A home in which a scripted model dreams: its memory, what it is told, and what it answers."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.brain import Answer, Block, Brain, Step, say, tool
from tests.laptop import Laptop
from tests.scripted import picture
from tests.spoken import say as people_say

KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
OLD = "- The API listens on port 8040"
MOVED = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"
SAID = "The API listens on port 9050 now, because 8040 was taken."
INDEX = f"# Memory\n\n- [Deploy](deploy.md) — how to deploy\n{OLD}\n"
DEPLOY = (
    "---\nname: deploy\ndescription: how to deploy\ntype: project\n---\n\n"
    "# Deploy\n\nRun `make ship` on heron.\n"
)
SHIPS = "Run `make ship` on heron."


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A home with a memory of two notes, and one session that tells of a new port."""
    home = tmp_path / "home"
    memory = home / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    (memory / "deploy.md").write_text(DEPLOY)
    for note in memory.iterdir():
        os.utime(note, (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", SAID)
    return Laptop(home, memory)


def environ(brain: Brain, **more: str) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url, **more}


def edit(note: str, old: str, new: str) -> Block:
    return tool("Edit", {"file_path": note, "old_string": old, "new_string": new})


def write(note: str, text: str) -> Block:
    return tool("Write", {"file_path": note, "content": text})


def four_phases() -> list[Answer]:
    """A session through all four phases that moves a port and says what it was."""
    return [
        say("## orient", tool("Read", {"file_path": "MEMORY.md"})),
        say("## gather", tool("Sessions", {"matching": "port"})),
        say("## consolidate", edit("MEMORY.md", OLD, MOVED)),
        say("## prune", "The port of the API is 9050 now."),
    ]


def dreamt(laptop: Laptop, script: Sequence[Step], *words: str, **more: str) -> dict[str, Any]:
    """Run a dream with this script.

    Return its receipt, with its exit code as `code`, its `requests`, and what it was told `first`.
    """
    with Brain(script) as brain:
        command = ("dream", str(laptop.memory), "--json", *words)
        done = laptop.run(*command, **environ(brain, **more))
    assert not brain.faults
    told = [each.body["messages"][0]["content"][0]["text"] for each in brain.requests[:1]]
    more_of_it = {"code": done.returncode, "requests": brain.requests, "first": "".join(told)}
    return {**json.loads(done.stdout), **more_of_it}


def unlocked(laptop: Laptop) -> dict[str, Any]:
    """The notes as they are, without the lock."""
    return {name: each for name, each in picture(laptop.memory).items() if name[0] != "."}


def index(laptop: Laptop) -> str:
    return (laptop.memory / "MEMORY.md").read_text()


def ledger(laptop: Laptop) -> Mapping[str, Any]:
    """The last word of the day's ledger."""
    (file,) = (laptop.home / ".local/state/dreamd/spending").glob("*.jsonl")
    last = json.loads(file.read_text().strip().splitlines()[-1])
    assert isinstance(last, dict)
    return last


def descendants(pid: int) -> list[int]:
    """All processes below one."""
    return [each.pid for each in psutil.Process(pid).children(recursive=True)]


def is_there(pid: int) -> bool:
    """Whether a process runs; one that ended and whose end nobody noted does not."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False
