"""Events wake the daemon once a burst; a folder made anew is not missed, and no read is heard."""

from __future__ import annotations

import errno
import os
import select
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver, ObservedWatch

from dreamd.daemon.events import Events
from dreamd.daemon.plan import Limits
from dreamd.errors import HostError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="events elsewhere come late")
LIMITS = Limits(rescan=0, quiet=2, most_quiet=30, dream=0)


class Ears:
    def __init__(self) -> None:
        self.reading, writing = os.pipe()
        self.events = Events(writing)

    def hear(self, seconds: float = 5) -> bool:
        """Whether a burst begins; it is answered, and what comes of it within 0.2 s too."""
        if not select.select([self.reading], [], [], seconds)[0]:
            return False
        time.sleep(0.2)
        self.events.answered()
        return os.read(self.reading, 100) == b"\0"


@pytest.fixture
def ears() -> Iterator[Ears]:
    made = Ears()
    yield made
    made.events.close()


def test_a_session_that_is_new_or_grows_is_heard_and_nothing_else(
    ears: Ears, tmp_path: Path
) -> None:
    folder, nudge = tmp_path / "project", tmp_path / "nudge"
    (folder / "memory").mkdir(parents=True)
    nudge.touch()
    ears.events.watch([folder, nudge, tmp_path / "nothing"])
    session = folder / "session.jsonl"
    session.touch()
    assert ears.hear()
    with session.open("a") as file:
        file.write("{}\n")
    assert ears.hear()
    os.utime(nudge)
    assert ears.hear()
    session.read_text()
    list(folder.iterdir())
    (folder / "memory" / "note.md").touch()
    (tmp_path / "daemon.json").touch()  # beside the nudge
    assert not ears.hear(0.3)
    ears.events.watch([nudge])
    session.write_text("{}\n{}\n")
    assert not ears.hear(0.3)


def test_a_folder_deleted_and_made_again_is_heard_after_the_next_look(
    ears: Ears, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    ears.events.watch([folder])  # it is not there yet
    folder.mkdir()
    ears.events.watch([folder])
    for _ in range(3):
        shutil.rmtree(folder)
        folder.mkdir()
        time.sleep(0.2)
        ears.events.watch([folder])
        (folder / "session.jsonl").touch()
        assert ears.hear()


def test_where_the_system_allows_no_more_watches_it_is_said_and_the_rest_is_heard(
    ears: Ears, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / str(number) for number in range(5)]
    for each in folders:
        each.mkdir()
    real, watched = BaseObserver.schedule, list[str]()

    def full(*words: object, **more: object) -> ObservedWatch:
        if len(watched) == 2:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        watched.append(str(words[2]))
        return real(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(BaseObserver, "schedule", full)
    for _ in range(2):
        with pytest.raises(HostError, match=r"3 of 5 places .*watch limit reached"):
            ears.events.watch(folders)
    (Path(watched[1]) / "session.jsonl").touch()
    assert ears.hear()
    monkeypatch.undo()
    ears.events.watch(folders)


@pytest.mark.parametrize(
    ("moments", "at"), [([1], 3), ([1, 2], 4), ([1, 2, 3, 4], 6), (range(1, 30), 31), ([1, 60], 31)]
)
def test_a_burst_is_answered_after_some_quiet_and_not_too_late(
    moments: list[int], at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = Events(-1)
    assert events.due(LIMITS) is None
    for moment in moments:
        monkeypatch.setattr("dreamd.host.clock.boot_ns", lambda moment=moment: moment)
        events.on_any_event(None)  # type: ignore[arg-type]
    assert events.due(LIMITS) == at
    events.answered()
    assert events.due(LIMITS) is None
