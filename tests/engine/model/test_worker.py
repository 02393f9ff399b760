"""The worker as a process: what it tells, what it keeps to itself, and how it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
from msgspec.structs import replace

from dreamd.engine.model import wire
from dreamd.engine.model.helpers import Helpers
from dreamd.engine.model.order import to_json
from dreamd.sandbox.choose import best
from tests.brain import Brain, Hangup, Refusal, Step, say, tool
from tests.engine.model.session_room import KEY
from tests.engine.model.worker_room import (
    ENVIRONS,
    ROOT,
    Nursery,
    capped,
    fresh,
    gone,
    order,
    working,
)
from tests.pace import patient


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with contextlib.closing(Nursery()) as made:
        yield made


READ = tool("Read", {"file_path": "ports.md"})
EDIT = tool("Edit", {"file_path": "ports.md", "old_string": "port 80", "new_string": "port 8080"})
LEVELS = sorted({best().level.value, "paths"})


@pytest.mark.parametrize("level", LEVELS)
def test_a_session_reads_and_changes_the_stage_and_nothing_else(
    nursery: Nursery, tmp_path: Path, level: str
) -> None:
    script = [say("## gather", READ), say("## consolidate", EDIT), say("All is said.")]
    with (
        Brain(script) as brain,
        working(nursery, order(tmp_path, brain.url, level=level)) as worker,
    ):
        last = worker.last()
        assert brain.faults == []
    assert last["event"] == "result", last
    assert (last["ending"], last["remark"]) == ("done", "All is said.")
    assert "port 8080" in (tmp_path / "stage" / "ports.md").read_text()
    assert "port 80." in (tmp_path / "memory" / "ports.md").read_text()
    (call,) = last["calls"]
    assert (call["tool"], call["arguments"]["new_string"]) == ("Edit", "port 8080")
    assert call["facts"]["changed"] is True
    assert [each["tool"] for each in last["seen"]] == ["Read"]
    assert "Staging listens on port 80." in last["seen"][0]["text"]
    assert [each["role"] for each in last["messages"]] == ["user", "assistant"] * 3
    assert last["usage"]["turns"] == 3
    assert last["usage"]["dollars"] > 0
    assert worker.code == 0
    asking = [each for each in worker.events[:-1] if each["event"] == "asking"]
    progress = [each for each in worker.events[:-1] if each["event"] != "asking"]
    assert {each["event"] for each in progress} == {"progress"}
    assert all(each["tokens"] > 0 for each in asking)
    assert [said for each in asking for said in each["more"]] == last["messages"][:-1]
    assert [each["phase"] for each in progress] == ["gather", "gather", *["consolidate"] * 3]
    assert progress[-1]["tools"] == {"Read": 1, "Edit": 1}
    assert progress[-1]["edited"] == 1
    assert 0 < progress[0]["tokens"] < progress[-1]["tokens"]


FAILURES: list[tuple[str, list[Step], str]] = [
    ("400", [Refusal(400)], "invalid"),
    ("401", [Refusal(401)], "the key is not accepted"),
    ("403", [Refusal(403)], "may not do this"),
    ("404", [Refusal(404)], "does not know the model"),
    ("413", [Refusal(413)], "too large"),
    ("408", [Refusal(408)] * 2, "(408), 2 times"),
    ("409", [Refusal(409)] * 2, "(409), 2 times"),
    ("429", [Refusal(429)] * 2, "(429), 2 times"),
    ("500", [Refusal(500)] * 2, "(500), 2 times"),
    ("529", [Refusal(529)] * 2, "(529), 2 times"),
    ("hangup", [Hangup()] * 2, "broke, 2 times"),
    ("cut", [say("words", failing="cut")] * 2, "broke, 2 times"),
    ("end", [say("words", failing="end")] * 2, "broke off"),
    ("reset", [say("words", failing="reset")] * 2, "broke, 2 times"),
    ("garble", [say("words", failing="garble")] * 2, "garbled, 2 times"),
    ("odd", [say("words", failing="odd")] * 2, "broke off"),
    ("stall", [say("words", failing="stall")] * 2, "fell silent, 2 times"),
    ("overloaded", [say("words", failing="overloaded_error")] * 2, "(529), 2 times"),
]


@pytest.mark.parametrize(("name", "steps", "said"), FAILURES, ids=[each[0] for each in FAILURES])
def test_whatever_the_api_does_after_a_change_the_last_event_says_it(
    nursery: Nursery, tmp_path: Path, name: str, steps: list[Step], said: str
) -> None:
    with (
        Brain([say(EDIT), *steps]) as brain,
        working(nursery, order(tmp_path, brain.url)) as worker,
    ):
        last = worker.last()
    assert (last["event"], last["kind"]) == ("failed", "api"), last
    assert said in last["reason"]
    assert last["usage"]["turns"] == 1
    assert last["usage"]["cache_write_tokens"] > 0
    assert worker.code == 1
    assert KEY not in str(worker.events)


@pytest.mark.parametrize("which", [0, 1], ids=["reader", "writer"])
def test_a_helper_that_is_killed_ends_the_session(
    nursery: Nursery, tmp_path: Path, which: int
) -> None:
    with (
        Brain([say(READ), say(READ, EDIT, pace=0.1)]) as brain,
        working(nursery, order(tmp_path, brain.url)) as worker,
    ):
        while (event := worker.next()) is not None and not event.get("tools"):
            pass
        helpers = worker.helpers()
        helpers[which].kill()
        last = worker.last()
    assert (last["event"], last["kind"]) == ("failed", "walls"), last
    assert f"the {('reader', 'writer')[which]} process ended" in last["reason"]
    assert gone(helpers)


def test_walls_that_cannot_be_had_are_said(nursery: Nursery, tmp_path: Path) -> None:
    given = order(tmp_path, "http://127.0.0.1:9")
    (tmp_path / "stage").rename(tmp_path / "elsewhere")
    with (
        Brain([say(READ)]) as brain,
        working(nursery, replace(given, base_url=brain.url)) as worker,
    ):
        last = worker.last()
    assert (last["event"], last["kind"]) == ("failed", "walls"), last


@pytest.mark.parametrize(
    ("number", "when"),
    [
        *((signal.SIGTERM, when) for when in ("waiting", "streaming", "calling")),
        (signal.SIGINT, "streaming"),
        (signal.SIGHUP, "streaming"),
    ],
)
def test_a_signal_ends_it_within_a_second_at_any_moment(
    nursery: Nursery, tmp_path: Path, number: signal.Signals, when: str
) -> None:
    steps: dict[str, Step] = {
        "waiting": Refusal(500, waits=30),
        "streaming": say("words " * 40, pace=0.2),
        "calling": say(tool("Bash", {"command": "find / -name zzqq"})),
    }
    with (
        Brain([say(READ), steps[when]]) as brain,
        working(nursery, order(tmp_path, brain.url)) as worker,
    ):
        assert brain.arrived.acquire(timeout=20)
        assert brain.arrived.acquire(timeout=20)
        helpers = psutil.Process(worker.pid).children(recursive=True)
        time.sleep(0.2)
        asked = time.monotonic()
        os.kill(worker.pid, number)
        last = worker.last()
        took = time.monotonic() - asked
    assert took < patient(1.0)
    assert worker.code == 1
    assert (last["event"], last["kind"]) == ("failed", "aborted")
    assert "aborted" in last["reason"]
    assert gone(helpers)
    assert last["usage"]["cache_write_tokens"] > 0


@pytest.mark.parametrize("number", [1, 2])
def test_a_signal_while_the_sdk_is_loaded_ends_it_within_a_second(
    tmp_path: Path, number: int
) -> None:
    """Or before it is, while one helper runs and the other is being started."""
    with fresh(order(tmp_path, "http://127.0.0.1:9")) as (worker, errors):
        until = time.monotonic() + 20
        started = psutil.Process(worker.pid)
        while len(helpers := started.children()) < number and time.monotonic() < until:
            time.sleep(0.001)
        asked = time.monotonic()
        os.kill(worker.pid, signal.SIGTERM)
        last = worker.last()
        assert time.monotonic() - asked < patient(1.0)
        assert b"Traceback" not in errors.read()
    assert (last["kind"], worker.code) == ("aborted", 1)
    assert gone(helpers)


def test_helpers_are_ended_while_another_one_is_being_started() -> None:
    """The main thread starts them, the watching one ends them."""
    helpers = Helpers()
    ended: list[object] = []

    class Started:
        def stop(self) -> int:
            helpers._started["writer"] = other
            ended.append(self)
            return 0

    first, other = cast("Any", Started()), cast("Any", Started())
    helpers._started["reader"] = first
    helpers.stop()
    assert first in ended


def test_the_deadline_ends_it_with_all_that_was_paid_for(nursery: Nursery, tmp_path: Path) -> None:
    """The stream drips within one event, so that only the watch can see the time.

    Its drops are the clock: a machine that is slow with the worker is slow with them too.
    """
    slow = say("words " * 80, drip=0.05)
    with (
        Brain([say(EDIT), slow]) as brain,
        working(nursery, order(tmp_path, brain.url, caps=capped(seconds=1.0))) as worker,
    ):
        last = worker.last()
        dripped = brain.dripped
    assert (last["event"], last["ending"]) == ("result", "capped"), last
    assert "1 seconds" in last["reason"]
    assert [call["tool"] for call in last["calls"]] == ["Edit"]
    assert [each["role"] for each in last["messages"]] == ["user", "assistant", "user"]
    assert 0 < dripped < 56  # at most 20 of them in a second
    assert worker.code == 0


def test_the_deadline_counts_from_the_start_of_the_process(tmp_path: Path) -> None:
    """Not from the first request, before which loading the SDK took a second or more."""
    with (
        Brain([say(READ), Refusal(500, waits=30)]) as brain,
        fresh(order(tmp_path, brain.url, caps=capped(seconds=8.0))) as (worker, _),
    ):
        assert brain.arrived.acquire(timeout=20)
        asked = time.monotonic()
        while (event := worker.next()) is not None and event["event"] not in {"result", "failed"}:
            pass
        took = time.monotonic() - asked
        last = worker.last()
    assert (last["event"], last.get("ending")) == ("result", "capped"), last
    assert took < 7.8


def test_it_dies_with_the_process_that_started_it_and_so_do_its_helpers(tmp_path: Path) -> None:
    launcher = (
        "import subprocess, sys, time\n"
        "worker = subprocess.Popen([sys.executable, '-m', 'dreamd.engine.model.worker'],"
        " stdin=0, stdout=1, start_new_session=True)\n"
        "print(worker.pid, file=sys.stderr, flush=True)\n"
        "time.sleep(60)\n"
    )
    with Brain([say(READ), Refusal(500, waits=30)]) as brain:
        parent = subprocess.Popen(
            [sys.executable, "-c", launcher],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        )
        with parent:
            assert parent.stdin is not None
            assert parent.stderr is not None
            pid = int(parent.stderr.readline())
            wire.send(parent.stdin, {"order": to_json(order(tmp_path, brain.url)), "key": KEY})
            assert brain.arrived.acquire(timeout=20)
            assert brain.arrived.acquire(timeout=20)
            worker = psutil.Process(pid)
            family = [worker, *worker.children(recursive=True)]
            assert len(family) >= 3
            parent.kill()
            assert gone(family)


def test_the_key_stands_in_no_argument_environment_or_file_of_the_session(tmp_path: Path) -> None:
    with (
        Brain([say(READ), Refusal(401, message=KEY, waits=1.0)]) as brain,
        fresh(order(tmp_path, brain.url)) as (worker, errors),
    ):
        assert brain.arrived.acquire(timeout=20)
        assert brain.arrived.acquire(timeout=20)
        processes = [psutil.Process(worker.pid), *worker.helpers()]
        for process in processes:
            shown = Path(f"/proc/{process.pid}")
            assert KEY.encode() not in (shown / "cmdline").read_bytes()
            assert KEY.encode() not in (shown / "environ").read_bytes()
        for helper in processes[1:]:
            environ = (Path(f"/proc/{helper.pid}") / "environ").read_bytes()
            assert ENVIRONS.encode() not in environ
        last = worker.last()
        said = errors.read()
    assert last["kind"] == "api"
    assert KEY not in str(worker.events)
    assert KEY.encode() not in said
    assert said == b""
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_the_worker_itself_writes_no_file(nursery: Nursery, tmp_path: Path) -> None:
    with Brain([say(READ), say("done")]) as brain:
        given = order(tmp_path, brain.url)
        before = {str(path): path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        with working(nursery, given) as worker:
            worker.last()
    assert {str(path): path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"order": {}, "key": KEY},
        {"order": None, "key": KEY},
        {"order": {"stage": 1}, "key": None},
    ],
)
def test_an_order_that_is_none_is_said(nursery: Nursery, given: dict[str, Any]) -> None:
    with working(nursery, given) as worker:
        last = worker.last()
    assert (last["event"], last["kind"]) == ("failed", "internal")
    assert "no order" in last["reason"]


def test_an_order_that_never_comes_ends_with_the_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dreamd.engine.model.worker"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=20,
    )
    assert done.returncode == 1
    assert b"no order" in done.stdout


def test_the_sdk_is_imported_after_the_helpers_were_started_and_nowhere_else() -> None:
    script = (
        "import sys, dreamd.engine.model.worker, dreamd.engine.model.launch\n"
        "assert 'anthropic' not in sys.modules\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(ROOT)}, check=True, timeout=20
    )
