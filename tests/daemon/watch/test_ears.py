"""Both kinds of ears hear what changes, miss no folder that was made anew, and never themselves."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import select
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dreamd.daemon.watch.debounce import due, heard
from dreamd.daemon.watch.ears import Ears, ears
from dreamd.daemon.watch.observed import Observed
from dreamd.host.inotify import Inotify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture(params=[Inotify, Observed])
def ear(request: pytest.FixtureRequest) -> Iterator[Ears]:
    """Each implementation of the seam."""
    made: Callable[[], Ears] = request.param
    listening = made()
    yield listening
    listening.close()


def hears(ear: Ears, seconds: float = 3) -> frozenset[Path]:
    """What is heard at last: nothing, where nothing wakes us for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([ear.fileno()], [], [], 0.05)[0] and (found := ear.heard()):
            return found
    return frozenset()


def resident() -> int:
    """The memory of this process that is in use, in bytes (proc(5), statm)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def settle(ear: Ears) -> None:
    while hears(ear, 0.15):
        pass


def test_a_new_session_is_heard_and_so_is_one_that_grows(ear: Ears, tmp_path: Path) -> None:
    assert ear.listen([tmp_path]) == ""
    session = tmp_path / "session.jsonl"
    session.touch()
    assert hears(ear) == {tmp_path}
    settle(ear)
    with session.open("a") as file:
        file.write("{}\n")
    assert hears(ear) == {tmp_path}


def test_a_touch_of_a_file_is_heard_and_its_neighbour_is_not(ear: Ears, tmp_path: Path) -> None:
    nudge = tmp_path / "nudge"
    nudge.touch()
    ear.listen([nudge])
    settle(ear)
    (tmp_path / "daemon.json").write_text("{}")
    assert not hears(ear, 0.3)
    os.utime(nudge)
    assert hears(ear) == {nudge}


def test_reading_and_what_lies_deeper_and_what_is_listened_for_no_more_wake_nobody(
    ear: Ears, tmp_path: Path
) -> None:
    session = tmp_path / "session.jsonl"
    session.write_text("{}\n")
    (tmp_path / "memory").mkdir()
    ear.listen([tmp_path])
    settle(ear)
    session.read_text()
    list(tmp_path.iterdir())
    (tmp_path / "memory" / "note.md").touch()
    assert not hears(ear, 0.3)
    ear.listen([])
    settle(ear)
    session.write_text("{}\n{}\n")
    assert not hears(ear, 0.3)


def test_a_folder_deleted_and_made_again_is_heard_after_the_next_look(
    ear: Ears, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    ear.listen([folder])  # it is not there yet
    folder.mkdir()
    ear.listen([folder])
    shutil.rmtree(folder)
    folder.mkdir()
    if isinstance(ear, Observed):
        settle(ear)  # its threads need a moment to hear of it
    ear.listen([folder])
    settle(ear)
    (folder / "session.jsonl").touch()
    assert hears(ear) == {folder}


def test_50_000_events_are_one_place_and_no_growth(tmp_path: Path) -> None:
    ear = Inotify()
    ear.listen([tmp_path])
    session = tmp_path / "session.jsonl"
    other = tmp_path / "other.jsonl"

    def burst() -> None:
        with session.open("wb", 0) as one, other.open("wb", 0) as two:
            for _ in range(25_000):  # by turns, or the kernel takes them for one event
                one.write(b"\n")
                two.write(b"\n")

    burst()
    assert ear.heard() == {tmp_path}
    before = resident()
    burst()
    assert ear.heard() == {tmp_path}
    assert resident() - before < 1 << 20
    assert ear.heard() == frozenset()
    ear.close()


def test_where_the_system_allows_no_more_watches_it_is_said_and_the_rest_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / str(number) for number in range(5)]
    for folder in folders:
        folder.mkdir()
    ear = Inotify()
    real = ear._library.inotify_add_watch
    added: list[int] = []

    class Full:
        """The C library of a system with two watches left."""

        inotify_rm_watch = ear._library.inotify_rm_watch

        def inotify_add_watch(self, *words: object) -> int:
            if len(added) == 2:
                ctypes.set_errno(errno.ENOSPC)
                return -1
            added.append(1)
            return int(real(*words))

    monkeypatch.setattr(ear, "_library", Full())
    assert "3 of 5" in ear.listen(folders)
    (folders[0] / "session.jsonl").touch()
    assert hears(ear) == {folders[0]}
    ear.close()


def test_linux_has_ears_without_a_thread() -> None:
    found = ears()
    assert isinstance(found, Inotify)
    found.close()
    found.close()


@pytest.mark.parametrize(
    ("moments", "at"),
    [
        ([0], 2),
        ([0, 1], 3),
        ([0, 1, 2, 3], 5),
        (range(29), 30),
        (range(60), 30),
    ],
)
def test_a_burst_is_answered_after_2_s_of_quiet_and_at_most_30_s_of_noise(
    moments: list[int], at: int
) -> None:
    burst = None
    for moment in moments:
        burst = heard(burst, moment)
    assert burst is not None
    assert due(burst, quiet=2, most=30) == at
