"""What the evidence holds reaches the model's first request, and nothing that was settled does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.brain import Brain, tool
from tests.brain import say as answer
from tests.laptop import Laptop
from tests.scripted import texts
from tests.spoken import record, say, session_id, write
from tests.test_model_dream import environ

TAKEN = "We keep the tide tables in 4 files below data/tides."
UNDONE = "Our crane on the east pier lifts 14 tonnes."
FORGOTTEN = "We rented the winch plum-4471-otter for 3 weeks."
OPEN = "We repaint the slipway every 18 months."
ADVICE = "- Grease the ferry ramp with lanolin every 9 weeks before the first frost comes."
UNHEARD = "- Replace the winch motor with the Halvard 300 model before next season starts."
TOOL = "We always store the harbour keys in locker 62 on the north quay."


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    project = tmp_path / "home/.claude/projects/-home-dev-tidepool"
    say(project, "monday", TAKEN)
    return Laptop(tmp_path / "home", project / "memory")


def wednesday(project: Path) -> None:
    """A session with a tool's page, advice that was taken up, and advice that was not."""
    said = {"session": "wednesday", "at": "2026-05-13T09:00:00.000Z"}
    page = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": TOOL}]
    write(
        project,
        "wednesday",
        [
            record("Please read the page on upkeep.", **said),
            record(page, **said, toolUseResult={"stdout": TOOL}),
            record(f"Two ideas for the pier:\n{ADVICE}\n{UNHEARD}", role="assistant", **said),
            record("ok, I grease the ferry ramp with lanolin every 9 weeks then.", **said),
            record("Good.", role="assistant", **said),
            record(OPEN, **said),
        ],
    )


def first_request(brain: Brain) -> str:
    """The text of the first message, as it went over the wire."""
    (message, *_) = brain.bodies[0]["messages"]
    content = message["content"]
    return content if isinstance(content, str) else "\n".join(each["text"] for each in content)


def deserving(request: str) -> list[str]:
    assert '<material part="deserving">' in request
    return (
        request.partition('<material part="deserving">\n')[2]
        .partition("\n</material>")[0]
        .split("\n")
    )


def test_a_request_tells_what_deserves_a_note_and_nothing_that_was_settled(laptop: Laptop) -> None:
    project, at = laptop.memory.parent, "2026-05-12T09:00:00.000Z"
    laptop.ok("dream", str(laptop.memory))
    say(project, "tuesday", UNDONE, at=at)
    laptop.ok("dream", str(laptop.memory))
    laptop.ok("undo", "--memory", str(laptop.memory))
    say(project, "later", FORGOTTEN, at=at)
    laptop.ok("forget", "plum-4471-otter", "--yes", "--memory", str(laptop.memory))
    wednesday(project)
    notes = "\n".join(texts(laptop.memory).values())
    assert "data/tides" in notes
    assert "14 tonnes" not in notes

    with Brain([answer("Nothing to do.")]) as brain:
        done = laptop.run("dream", str(laptop.memory), "--json", **environ(brain))

    assert not brain.faults
    assert done.returncode == 0, done.stderr
    rows = deserving(first_request(brain))
    assert any(row.endswith(OPEN) for row in rows)
    assert any(" · advice, " in row and "lanolin every 9 weeks" in row for row in rows)
    assert not any("data/tides" in row for row in rows)
    sent = "\n".join(request.raw.decode() for request in brain.requests)
    for never in ("14 tonnes", "plum-4471", "Halvard", "locker 62"):
        assert never not in sent, never


def test_a_note_on_what_outlived_its_transcript_is_no_invention(laptop: Laptop) -> None:
    """The claim comes from the evidence alone, and stands with its words in history."""
    project = laptop.memory.parent
    wednesday(project)
    with Brain([answer("Nothing to do.")]) as brain:
        laptop.run("dream", str(laptop.memory), **environ(brain))
    (project / f"{session_id('wednesday')}.jsonl").unlink()
    path = laptop.memory / "upkeep.md"
    head = "---\nname: upkeep\ndescription: upkeep of the pier\ntype: project\n---\n\n"
    lines = f"{ADVICE}\n- {OPEN} (2026-05-13)\n"
    index = "# Memory\n\n- [Upkeep](upkeep.md) — slipway every 18 months\n"
    files = [
        tool("Write", {"file_path": str(path), "content": head + lines}),
        tool("Write", {"file_path": str(laptop.memory / "MEMORY.md"), "content": index}),
    ]
    with Brain([answer("## consolidate", *files), answer("Written.")]) as brain:
        done = laptop.run("dream", str(laptop.memory), "--json", **environ(brain))

    assert not brain.faults
    assert any(row.endswith(OPEN) for row in deserving(first_request(brain)))
    assert json.loads(done.stdout)["proposed"] == 0, done.stdout
    assert path.read_text() == head + lines
    found = laptop.json("why", str(laptop.memory), "--line", "lanolin")["found"]
    assert (found[0]["speaker"], found[0]["day"]) == ("assistant", "2026-05-13")
