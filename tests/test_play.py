"""A person answers a model's session through files, while the real dream waits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.brain import Brain, Later, say
from tests.laptop import ROOT, Laptop, ran
from tests.model_home import MOVED, OLD, SAID, descendants, environ, index, is_there
from tests.pace import until
from tests.scripted import picture, texts

PLAY = (sys.executable, "-m", "tests.play")
CHANGE = {"file_path": "MEMORY.md", "old_string": OLD, "new_string": MOVED}


@pytest.fixture
def playing(laptop: Laptop, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A play of the laptop's memory; `out` below the temporary folder has its requests."""
    words = (*PLAY, str(laptop.home), "--out", str(tmp_path / "out"))
    with subprocess.Popen(
        words, env=laptop.environ(), cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as play:
        yield play
        play.terminate()


def text_of(path: Path) -> str:
    until(path.exists)
    return path.read_text()


def lines_until(play: subprocess.Popen[str], words: str) -> None:
    assert play.stdout is not None
    while words not in (line := play.stdout.readline()):
        assert line


def test_a_hand_answers_a_session_and_its_answers_can_be_replayed(
    playing: subprocess.Popen[str], laptop: Laptop, tmp_path: Path
) -> None:
    """A malformed answer may be put right; what was copied never changes."""
    before, out = picture(laptop.home), tmp_path / "out"
    first = text_of(out / "request-1.md")
    assert all(part in first for part in (SAID, "=== tool Edit ===", "=== system prompt ==="))
    (out / "answer-1.json").write_text('{"txt": "## consolidate"}')
    lines_until(playing, "unknown field `txt`; put it right")
    answer: dict[str, Any] = {"text": "One", "calls": [{"tool": "Edit", "input": CHANGE}]}
    (out / "answer-1.json").write_text(json.dumps(answer))
    second = text_of(out / "request-2.md")
    assert "=== result 1, of Edit ===" in second
    assert SAID not in second
    (out / "answer-2.json").write_text('{"text": "The port\n is 9050."}')
    said, _ = playing.communicate(timeout=60)
    assert playing.returncode == 0
    assert f"-{OLD}\n+{MOVED}\n" in said
    assert "cost $0.0" in said
    assert picture(laptop.home) == before
    again = (*PLAY, str(laptop.memory), "--answers", str(out), "--out", str(tmp_path / "again"))
    assert f"+{MOVED}\n" in ran(again, laptop.environ(), ROOT).stdout
    played, replayed = (
        texts(next((tmp_path / name / "home").glob(".claude/projects/*/memory")))
        for name in ("out", "again")
    )
    assert played == replayed
    assert MOVED in played["MEMORY.md"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_interrupt_ends_all_of_a_play(playing: subprocess.Popen[str], tmp_path: Path) -> None:
    text_of(tmp_path / "out" / "request-1.md")
    below = descendants(playing.pid)
    assert len(below) > 1
    playing.send_signal(signal.SIGINT)
    lines_until(playing, "the session is over")
    until(lambda: not any(map(is_there, below)), 2)
    playing.communicate(timeout=60)
    assert playing.returncode == 130


def test_pings_keep_a_request_open_beyond_the_limit_of_silence(laptop: Laptop) -> None:
    """The limit is 0.4 seconds here."""
    answers = iter([None] * 12 + [say("Nothing to do.")])
    with Brain([Later(lambda: next(answers), every=0.1, ping=0.1)]) as brain:
        laptop.ok("dream", str(laptop.memory), "--engine", "model", **environ(brain))
    assert len(brain.requests) == 1
    assert OLD in index(laptop)
