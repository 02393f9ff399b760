"""`dreamd nudge`: what a hook does while a person waits, and what goes on when it has ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.daemon.house import House
from tests.laptop import ROOT, Laptop
from tests.ledger import receipts_of
from tests.pace import until
from tests.spoken import record, say, session_id, touch, write


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """A home with a project, five sessions in it since a consolidation long ago."""
    house = House(tmp_path / "home", said="Remember that host{0} listens on port 543{0}.")
    house.config.parent.mkdir(parents=True)
    return Laptop(house.home, house.memory)


def hook(laptop: Laptop, event: str, **more: str) -> bytes:
    fields = {
        "session_id": session_id("going on"),
        "transcript_path": str(laptop.memory.parent / f"{session_id('going on')}.jsonl"),
        "cwd": str(laptop.home / "tidepool"),
        "hook_event_name": event,
    }
    return json.dumps(fields | more).encode()


def nudge(
    laptop: Laptop, data: bytes, *words: str, python: tuple[str, ...] = (), cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *python, "-m", "dreamd", "nudge", *words],
        env=laptop.environ(),
        cwd=cwd or laptop.home,
        input=data,
        capture_output=True,
        timeout=20,
        check=False,
    )


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def has_dreamt(laptop: Laptop) -> bool:
    notes = "".join(note.read_text() for note in laptop.memory.glob("*.md"))
    return all(f"543{number}" in notes for number in range(5))


def test_without_a_daemon_a_dream_begins_where_it_is_due_and_outlives_the_hook(
    laptop: Laptop,
) -> None:
    assert silent(nudge(laptop, hook(laptop, "Stop")))
    until(lambda: has_dreamt(laptop) and bool(receipts_of(laptop.state)))
    assert [each["trigger"] for each in receipts_of(laptop.state)] == ["hook"]
    assert (laptop.state / "nudge").stat().st_mode & 0o777 == 0o600


def test_a_turn_right_after_another_starts_nothing_and_the_end_of_a_session_soon_may(
    laptop: Laptop,
) -> None:
    (laptop.home / ".config/dreamd/config.yaml").write_text("enabled: false\n")
    nudge(laptop, hook(laptop, "Stop"))
    (mark,) = (laptop.state / "nudges").iterdir()
    now = time.time()
    for event, ago, looks in (
        ("Stop", 590, False),
        ("SessionEnd", 50, False),
        ("SessionEnd", 70, True),
        ("Stop", 610, True),
        ("Stop", -3_600, True),  # the clock was set back
    ):
        touch(mark, now - ago)
        nudge(laptop, hook(laptop, event, last_assistant_message='"hook_event_name":"x"'))
        assert (mark.stat().st_mtime != pytest.approx(now - ago, abs=1e-3)) == looks, (event, ago)


def test_whatever_a_hook_is_given_it_neither_fails_nor_speaks(laptop: Laptop) -> None:
    (laptop.home / ".config/dreamd/config.yaml").write_text("enabled: false\n")
    for data in (
        b"",
        b"[1]",
        b"\xff\x00",
        b'{"session_id": 7, "transcript_path": ["x"], "cwd": null}',
        b'{"session_id": "--engine=model", "transcript_path": "../../etc", "cwd": "/\\u0000"}',
        b'{"transcript_path": "/\\ud800/x.jsonl", "cwd": "/nowhere"}',
        b"[" * 100_000,
        b'{"transcript_path": "/' + b"x" * 6_000_000 + b'"}',
    ):
        assert silent(nudge(laptop, data)), data[:99]
        assert silent(nudge(laptop, data, "--greet")), data[:99]
    shutil.rmtree(laptop.home / ".local", ignore_errors=True)
    (laptop.home / ".local").write_text("a file")  # a state directory that cannot be written
    assert silent(nudge(laptop, b"{}"))


def test_a_hook_without_input_or_with_one_that_never_ends_is_soon_over(laptop: Laptop) -> None:
    (laptop.home / ".config/dreamd/config.yaml").write_text("enabled: false\n")
    environ = {"HOME": str(laptop.home), "PYTHONPATH": str(ROOT), "PATH": os.defpath}
    command = f"'{sys.executable}' -m dreamd nudge"
    for words in (f"({command} <&-; echo $? >&2)", f"sleep 30 | ({command}; echo $? >&2)"):
        began = time.monotonic()
        with subprocess.Popen(
            ["sh", "-c", words], env=environ, stderr=subprocess.PIPE, process_group=0
        ) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == b"0\n"
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert time.monotonic() - began < 15  # of which half a second is patience


def test_a_hook_in_a_sub_directory_or_in_a_folder_of_traps_means_the_project_of_the_session(
    laptop: Laptop,
) -> None:
    traps = laptop.home / "tidepool" / "sub"
    for name in ("dreamd", "json", "argparse"):
        (traps / name).mkdir(parents=True)
        (traps / name / "__init__.py").write_text("raise SystemExit('trapped')\n")
    going_on = record("Hello.", session="going on", cwd=str(laptop.home / "tidepool"))
    write(laptop.memory.parent, "going on", [going_on])
    done = nudge(laptop, hook(laptop, "Stop", cwd=str(traps)), python=("-P",), cwd=traps)
    assert silent(done)
    until(lambda: has_dreamt(laptop))


def test_a_session_is_told_once_of_a_dream_that_changed_its_project(laptop: Laptop) -> None:
    start = hook(laptop, "SessionStart")
    other = laptop.home / ".claude" / "projects" / "-other"
    say(other, "theirs", "Hello.")
    elsewhere = hook(
        laptop, "SessionStart", transcript_path=f"{other}/x.jsonl", cwd=str(laptop.home / "other")
    )
    assert silent(nudge(laptop, start, "--greet"))
    laptop.ok("dream", str(laptop.memory))
    assert silent(nudge(laptop, elsewhere, "--greet"))
    dream = laptop.json("log", str(laptop.memory))["dreams"][-1]
    count = len({change["path"] for change in dream["changes"]})
    with ThreadPoolExecutor(2) as both:
        said = list(both.map(lambda _: nudge(laptop, start, "--greet").stdout, range(2)))
    (told,) = [json.loads(each) for each in said if each]
    output = told["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    notes = f"{count} note{'s' if count != 1 else ''} changed"
    assert output["additionalContext"] == (
        f"dreamd: {notes} while you were away; `dreamd show {dream['dream']}`"
    )
    for word in ("dream", "undo"):  # one that changed nothing or was undone is no news
        laptop.ok(word, "--memory", str(laptop.memory))
        assert silent(nudge(laptop, start, "--greet"))
