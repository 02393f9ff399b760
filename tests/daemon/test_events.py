"""Events wake the daemon once a burst; a folder made anew is not missed, and no read is heard."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
import time
from pathlib import Path

import pytest

from dreamd.daemon.events import Events
from dreamd.daemon.plan import Limits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="events elsewhere come late")
LIMITS = Limits(rescan=0, quiet=2, most_quiet=30, dream=0)


def test_what_is_new_or_grows_is_heard_and_nothing_else(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    events = Events(writing)

    def heard(seconds: float = 5) -> bool:
        """Whether a burst begins; it is answered, and what comes of it within 0.2 s too."""
        if not select.select([reading], [], [], seconds)[0]:
            return False
        time.sleep(0.2)
        events.answered()
        return os.read(reading, 100) == b"\0"

    folder, nudge, new = (tmp_path / name for name in ("project", "nudge", "new"))
    (folder / "memory").mkdir(parents=True)
    nudge.touch()
    session = folder / "session.jsonl"
    with contextlib.closing(events):
        events.watch([folder, nudge, new])
        for each in (session, session, nudge):
            with each.open("a") as file:
                file.write("{}\n")
            assert heard()
        session.read_text()
        list(folder.iterdir())
        (folder / "memory" / "note.md").touch()
        (tmp_path / "daemon.json").touch()  # beside the nudge
        assert not heard(0.3)
        events.watch([nudge])
        session.write_text("{}\n{}\n")
        assert not heard(0.3)
        for _ in range(3):  # a folder deleted and made again is heard after the next look
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            time.sleep(0.2)
            events.watch([new])
            (new / "session.jsonl").touch()
            assert heard()


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
