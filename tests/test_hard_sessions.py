"""Hard sessions, recorded: what is applied, what is held, and what is said of it.

`hard_sessions.jsonl` holds a session a line: the notes, what was said, the model's answers, and
what must come of them. `applied` are texts that stand in the notes afterwards, `held` texts that
do not; `asked` stand in the first request, `answered` in a later one, `told` in what `show` says.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.brain import Answer, Brain, say, tool
from tests.laptop import Laptop
from tests.model_home import environ
from tests.scripted import texts
from tests.spoken import record, write

_TABLE = (Path(__file__).parent / "hard_sessions.jsonl").read_text("utf-8").splitlines()
_BEYOND = pytest.mark.xfail(strict=True, reason="values and names said of another matter pass")
SESSIONS = [
    pytest.param(each, id=each["name"], marks=[_BEYOND] * each["name"].startswith("inventions"))
    for each in map(json.loads, _TABLE)
]


def home_of(session: dict[str, Any], home: Path) -> Laptop:
    """Lay out the notes, what was said and the files of a session."""
    memory = home / ".claude/projects/-home-dev-tidepool/memory"
    memory.mkdir(parents=True)
    for name, text in session["notes"].items():
        (memory / name).write_text(text)
    for name, text in session.get("files", {}).items():
        (home / name).write_text(text)
    days = dict.fromkeys(day for _, day, _ in session["said"])
    for day in days:
        records = []
        for minute, (who, said_on, text) in enumerate(session["said"]):
            if said_on == day:
                role, at = {"person": "user"}.get(who, who), f"{day}T09:{minute:02}:00.000Z"
                records.append(record(text, session=day, at=at, role=role))
        write(memory.parent, day, records)
    return Laptop(home, memory)


def answers(session: dict[str, Any], home: Path) -> list[Answer]:
    """Return the model's answers, their paths below this home."""
    given = json.loads(json.dumps(session["answers"]).replace("{home}", str(home)))
    return [
        say(each["text"], *(tool(c["tool"], c["input"]) for c in each.get("calls", ())))
        for each in given
    ]


@pytest.mark.parametrize("session", SESSIONS)
def test_of_a_hard_session_what_is_true_is_applied_and_the_rest_is_held(
    session: dict[str, Any], tmp_path: Path
) -> None:
    laptop = home_of(session, tmp_path)
    with Brain(answers(session, tmp_path)) as brain:
        done = laptop.run("dream", "--json", str(laptop.memory), **environ(brain))
    assert not brain.faults
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)
    notes = texts(laptop.memory)
    everything = "\n".join(notes.values())
    assert [each for each in session["applied"] if each not in everything] == []
    assert [each for each in session["held"] if each in everything] == []
    for name in session.get("bytes", ()):
        assert notes[name] == session["notes"][name]
    assert bool(receipt["proposed"]) is bool(session["held"])
    first, *later = (
        json.dumps(each.body["messages"], ensure_ascii=False) for each in brain.requests
    )
    assert [each for each in session.get("asked", ()) if each not in first] == []
    assert [each for each in session.get("answered", ()) if each not in later[-1]] == []
    told = laptop.ok("show", receipt["dream"])
    assert [each for each in session.get("told", ()) if each not in told] == []
    assert laptop.run("undo", receipt["dream"]).returncode == 0
    assert texts(laptop.memory) == session["notes"]
