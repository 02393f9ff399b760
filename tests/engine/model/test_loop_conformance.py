"""Every tool gives the same, whether a model calls it or it is called directly."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dreamd.engine.model.helpers import Helpers, helping
from dreamd.engine.model.order import Order
from dreamd.engine.model.tools import TOOLS
from tests.brain import Brain, say, tool
from tests.engine.model.worker_room import Nursery, order, working
from tests.spoken import say as spoken

NEW = "---\nname: ci\ndescription: CI\nmetadata:\n  type: project\n---\n\nCI takes 12 minutes.\n"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("Read", {"file_path": "ports.md"}),
    ("Read", {"file_path": "MEMORY.md", "offset": 1, "limit": 1}),
    ("Read", {"file_path": "none.md"}),
    ("Read", {"path": "ports.md"}),
    ("Read", {"file_path": 3}),
    ("Read", {"file_path": "/dev/zero"}),
    ("Grep", {"pattern": "port", "output_mode": "content", "-i": True}),
    ("Grep", {"pattern": "80", "output_mode": "count"}),
    ("Grep", {"pattern": "("}),
    ("Glob", {"pattern": "*.md"}),
    ("Glob", {}),
    ("Bash", {"command": "grep -c port ports.md"}),
    ("Bash", {"command": "cat ports.md | sort | head -n 2"}),
    ("Bash", {"command": "rm ports.md"}),
    ("Bash", {"command": "cat $(ls)"}),
    ("Sessions", {}),
    ("Sessions", {"matching": "9090", "speaker": "all"}),
    ("Sessions", {"page": 7}),
    ("Sessions", {"since": "yesterday"}),
    ("Edit", {"file_path": "ports.md", "old_string": "port 80", "new_string": "port 9090"}),
    ("Edit", {"file_path": "ports.md", "old_string": "nowhere", "new_string": "x"}),
    ("Edit", {"file_path": "../escape.md", "old_string": "a", "new_string": "b"}),
    ("Write", {"file_path": "ci.md", "content": NEW}),
    ("Write", {"files": [{"file_path": "a.md", "content": NEW}, {"file_path": "b.txt"}]}),
    ("Write", {"file_path": "/etc/dreamd.md", "content": "no"}),
    ("Edit", {"file_path": "MEMORY.md", "old_string": "80", "new_string": "9090"}),
    (
        "Retire",
        {
            "file_path": "ci.md",
            "text": "12 minutes",
            "reason": "CI was given up",
            "source": "ada, 2026-05-11",
        },
    ),
    (
        "Retire",
        {"file_path": "ci.md", "text": "12 minutes", "reason": "CI was given up", "source": ""},
    ),
    ("Read", {"file_path": "ci.md"}),
]
_ODD = re.compile(r"\b\d+ (?:ms|seconds?)\b")  # what may differ from run to run


def test_the_table_has_every_tool() -> None:
    assert {name for name, _ in CALLS} == {each.name for each in TOOLS}


def test_every_call_through_the_loop_is_the_call_itself(tmp_path: Path) -> None:
    given = order(tmp_path, "http://127.0.0.1:9")
    spoken(Path(given.sessions[0]), "one", "Staging moved to port 9090.", "Thanks.")
    copy = tmp_path / "copy"
    shutil.copytree(given.stage, copy, copy_function=shutil.copy2)
    direct = directly(replace(given, stage=str(copy)))
    script = [say(tool(name, arguments)) for name, arguments in CALLS]
    with (
        contextlib.closing(Nursery()) as nursery,
        Brain([*script, say("done")]) as brain,
        working(nursery, replace(given, base_url=brain.url)) as worker,
    ):
        last = worker.last()
        assert brain.faults == []
    assert last.get("ending") == "done", last
    blocks = [message["content"][0] for message in last["messages"][2:-1:2]]
    looped = [(block["content"], block.get("is_error", False)) for block in blocks]
    assert len(looped) == len(CALLS)
    for call, ours, theirs in zip(CALLS, looped, direct, strict=True):
        assert (call, plain(ours[0]), ours[1]) == (call, plain(theirs[0]), theirs[1])
    assert picture(Path(given.stage)) == picture(copy)
    assert "9090" in picture(copy)["ports.md"]
    changed = [(call["tool"], json.dumps(call["arguments"])) for call in last["calls"]]
    wanted = [(name, json.dumps(each)) for name, each in CALLS if (name, each) in CHANGES]
    assert changed == wanted


CHANGES = [CALLS[19], CALLS[22], CALLS[25], CALLS[26]]


def directly(given: Order) -> list[tuple[str, bool]]:
    """What the helpers answer when nothing stands between them and the question."""
    homes = {each.name: each.home for each in TOOLS}
    found = []
    with helping(Helpers()) as helpers:
        helpers.start(given)
        lines = helpers.lines
        for name, arguments in CALLS:
            answer = lines[homes[name]].ask(name, arguments, 30.0)
            found.append((answer["text"], answer["is_error"]))
    return found


def plain(text: str) -> str:
    return _ODD.sub("N", text)


def picture(folder: Path) -> Mapping[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
