"""What a person sees of a session while it goes on, and what it has cost once it is over."""

from __future__ import annotations

import json
import os
import sys
import termios
from pathlib import Path

import pytest

from dreamd.cli.dream import Line
from dreamd.domain.dream import Report
from dreamd.domain.receipt import Phase, Usage
from dreamd.dream.summary import unkept
from tests.brain import Brain, Refusal, Step, say
from tests.laptop import Laptop
from tests.test_money import environ, moves


def test_the_line_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    with os.fdopen(ours, "rb", buffering=0) as seen, os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        line = Line()
        line(Phase.GATHER, "x" * 200)
        line.end()
        shown = seen.read(4_096).decode()
    assert shown.startswith("\r\x1b[Kgather · xxx")
    assert max(map(len, shown.replace("\x1b[K", "").split("\r"))) == 39


def test_a_failed_rehearsal_says_what_it_cost() -> None:
    usage = Usage(input_tokens=3_000, output_tokens=20, dollars=0.0031)
    assert unkept(Report(failed="the API fell silent", usage=usage)) == (
        "the API fell silent; until then it cost $0.0031, 3.0k tokens"
    )
    assert unkept(Report(failed="the API fell silent")) == "the API fell silent"


def test_a_dream_says_what_it_cost_and_one_in_json_only_there(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Memory\n\n- The API listens on port 8040\n")
    laptop = Laptop(tmp_path, memory)
    script: list[Step] = [moves(laptop), Refusal(401, "authentication_error")]
    with Brain(script) as brain:
        done = laptop.run("dream", str(memory), "--dry-run", **environ(brain))
    assert done.returncode == 1
    assert "until then it cost $0.0" in done.stderr
    with Brain([say("Nothing to do.")]) as brain:
        done = laptop.run("dream", str(memory), **environ(brain))
    assert "\nCost $0.0" in done.stdout
    with Brain([say("Nothing to do.")]) as brain:
        done = laptop.run("dream", str(memory), "--json", **environ(brain))
    assert json.loads(done.stdout)["usage"]["requests"] == 1
