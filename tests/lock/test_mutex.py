"""The mutex around judging and writing: one per directory, by whatever path."""

import os
import subprocess
import threading
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.lease import Held
from dreamd.domain.store import Store
from dreamd.errors import BusyError
from dreamd.host.mutex import mutex
from tests.lock.lock_world import (
    NOW,
    environment,
    new_store,
    script,
)

ME = b"%d" % os.getpid()


def test_every_path_to_a_directory_meets_the_same_mutex(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    other = Store(memory=tmp_path / "link", state=store.state, name="another-name")
    body = (
        "from dreamd.host.mutex import mutex\n"
        "with mutex(store.locks, store.memory):\n"
        "    print('in', flush=True); sys.stdin.readline()\n"
    )
    child = subprocess.Popen(
        script(other, body),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "in\n"
        short = timedelta(milliseconds=50)
        with (
            pytest.raises(BusyError, match="try again later"),
            mutex(store.locks, store.memory, short),
        ):
            pytest.fail("two are inside")
        child.kill()  # the kernel lets go for the dead
        child.wait()
        with mutex(store.locks, store.memory, timedelta(seconds=5)):
            pass
    finally:
        child.kill()
        child.communicate()


def test_threads_of_one_process_exclude_each_other_too(store: Store) -> None:
    inside = threading.Event()
    leave = threading.Event()

    def hold() -> None:
        with mutex(store.locks, store.memory):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(10)
    with pytest.raises(BusyError), mutex(store.locks, store.memory, timedelta(milliseconds=30)):
        pytest.fail("two are inside")
    leave.set()
    thread.join()


def test_a_stuck_judge_makes_others_busy_not_stuck(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = partial(mutex, timeout=timedelta(milliseconds=50))
    monkeypatch.setattr(lock.take, "mutex", impatient)
    with mutex(store.locks, store.memory):
        answer = lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    assert isinstance(answer, Held)
    assert "judging the lock" in answer.by
