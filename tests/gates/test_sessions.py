from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import Self

import pytest

from dreamd.domain.verdict import Cost
from dreamd.gates.readings import Touched
from dreamd.gates.sessions import touched
from dreamd.host import clock
from tests.gates.world import DAY, HOUR, SECOND, World

GRACE = 2 * SECOND


def count(world: World, since: int | None = None, enough: int = 5, **more: object) -> Touched:
    return touched(world.folders, since=since, grace=GRACE, enough=enough, **more)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "counts"),
    [
        (-DAY, 1),
        (-1, 1),
        (0, 1),
        (SECOND, 1),
        (2 * SECOND - 1, 1),
        (2 * SECOND, 0),
        (3 * SECOND, 0),
        (DAY, 0),
    ],
)
def test_a_session_counts_from_2_s_before_the_stamp(world: World, before: int, counts: int) -> None:
    since = clock.now_ns() - 2 * DAY
    path = world.folders[0] / f"{uuid.uuid4()}.jsonl"
    path.touch()
    os.utime(path, ns=(since - before, since - before))
    assert count(world, since).count == counts
    assert count(world).count == 1


@pytest.mark.parametrize(
    "name",
    [
        "agent-0a1b2c3d.jsonl",
        "agent-00000000-0000-0000-0000-000000000000.jsonl",
        "0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11.json",
        "0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11.jsonl.bak",
        "0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11",
        "gb5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11.jsonl",
        "0b5c1f5e03c1e-4a7e-9f52-0d5e8f0f2a11.jsonl",
        "session_b.jsonl",
        "MEMORY.md",
        "x" * 42,
    ],
)
def test_what_is_not_named_as_a_session_is_none(world: World, name: str) -> None:
    (world.folders[0] / name).touch()
    assert count(world).count == 0


def test_folders_links_and_pipes_named_as_a_session_are_none(world: World) -> None:
    names = [world.folders[0] / f"{uuid.uuid4()}.jsonl" for _ in range(4)]
    names[0].mkdir()
    names[1].symlink_to(world.home)
    target = world.home / "target"
    target.touch()
    names[2].symlink_to(target)
    os.mkfifo(names[3])
    assert count(world).count == 0


def test_what_lies_beside_a_session_does_not_count(world: World) -> None:
    session = world.session(HOUR)
    below = world.folders[0] / session / "subagents"
    below.mkdir(parents=True)
    (below / f"{uuid.uuid4()}.jsonl").touch()
    (below / "agent-1.jsonl").touch()
    assert count(world).count == 1


def test_a_session_in_two_folders_is_one(world: World) -> None:
    world.folders.append(world.folder("worktree"))
    both = world.session(HOUR)
    world.session(HOUR, world.folders[1], both)
    world.session(HOUR, world.folders[1])
    assert count(world).count == 2


def test_a_folder_by_two_paths_counts_once_and_a_link_to_it_is_followed(world: World) -> None:
    world.sessions(3)
    link = world.home / "link"
    link.symlink_to(world.folders[0])
    world.folders.append(link)
    assert count(world).count == 3
    world.folders = [link]
    assert count(world).count == 3


def test_it_stops_at_enough_in_whatever_folder(world: World) -> None:
    world.folders += [world.folder("b"), world.folder("c")]
    for folder in world.folders:
        for _ in range(50):
            world.session(HOUR, folder)
    seen, cost = touched(world.folders, since=None, grace=GRACE, enough=55)
    assert seen.count == 55
    assert cost == Cost(stats=55, scans=2, names=55)


def test_the_asker_s_own_are_passed_over_wherever_they_lie(world: World) -> None:
    world.folders.append(world.folder("worktree"))
    mine = world.session(0)
    world.session(0, world.folders[1], mine)
    world.sessions(2)
    seen = count(world, skip={mine})
    assert (seen.count, seen.passed_over) == (2, 1)
    assert count(world, since=clock.now_ns() - 10 * SECOND, skip={mine}).passed_over == 1
    assert count(world, since=clock.now_ns() + DAY, skip={mine}).passed_over == 0


def test_a_missing_folder_is_told_and_the_others_count(world: World) -> None:
    world.sessions(2)
    world.folders = [world.home / "gone", *world.folders]
    seen = count(world)
    assert seen.count == 2
    assert seen.unread == (f"there is no transcript directory {world.home / 'gone'}",)


def test_a_folder_that_may_not_be_read_is_told_and_the_others_count(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = world.folder("closed")
    world.session(HOUR, closed)
    world.sessions(2)
    world.folders = [closed, *world.folders]
    closed.chmod(0)
    if os.access(closed, os.R_OK):  # root reads all there is: the refusal stands for the system's
        scan = os.scandir

        def refuse(path: str) -> object:
            if path == str(closed):
                raise PermissionError(13, "Permission denied")
            return scan(path)

        monkeypatch.setattr(os, "scandir", refuse)
    try:
        seen = count(world)
    finally:
        closed.chmod(0o700)
    assert seen.count == 2
    assert seen.unread == (f"{closed} cannot be read (Permission denied)",)


def test_a_session_removed_under_the_scan_is_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = world.session(HOUR)
    kept = world.session(HOUR)
    with os.scandir(world.folders[0]) as entries:
        seen = list(entries)
    (world.folders[0] / f"{gone}.jsonl").unlink()

    class Listing(list[os.DirEntry[str]]):
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", lambda _: Listing(seen))
    assert count(world).count == 1
    assert count(world, skip={kept}).count == 0


def test_with_no_folder_there_is_no_session(world: World) -> None:
    world.folders = []
    seen = count(world)
    assert (seen.count, seen.folders) == (0, 0)


def test_transcripts_are_never_opened(world: World, tmp_path: Path) -> None:
    for session in world.sessions(3):
        (world.folders[0] / f"{session}.jsonl").chmod(0)
    assert count(world).count == 3
