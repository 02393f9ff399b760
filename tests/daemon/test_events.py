"""Events wake the daemon once a burst; a folder made anew is not missed, and no read is heard."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.daemon.events import Events
from dreamd.daemon.plan import Limits

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
