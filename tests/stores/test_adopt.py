"""`dreamd adopt OLD NEW`: a history goes along by hand, as after a copy to another disk."""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.cli import main
from dreamd.domain.store import Lease
from dreamd.host import clock
from dreamd.stores.identity import known, store_at
from tests.laptop import Laptop
from tests.sample import WHOLE
from tests.scripted import picture, write
from tests.strace import KILL, needs_strace, points_of, run

LINE = "- The release branch is cut on Tuesdays\n"
TWICE = f"# Memory\n\n{LINE}{LINE}"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    """One dream over `notes/memory`, which was then copied to `disk/memory`."""
    home = tmp_path / "home"
    write(home / "notes" / "memory" / "MEMORY.md", TWICE)
    laptop = Laptop(home, home / "disk" / "memory")
    laptop.ok("dream", "notes/memory", "--engine", "rules")
    shutil.copytree(home / "notes" / "memory", laptop.memory)
    return laptop


def refused(laptop: Laptop, *words: str) -> tuple[int, str]:
    before = picture(laptop.state / "stores")
    done = laptop.run("adopt", *words)
    assert picture(laptop.state / "stores") == before
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr


@pytest.mark.parametrize(("is_gone", "by_name"), [(True, True), (False, False)])
def test_a_copy_takes_the_history_along(laptop: Laptop, is_gone: bool, by_name: bool) -> None:
    old = "notes/memory"
    if by_name:
        old = laptop.json("status", old)["state"].rpartition("/")[2]
    if is_gone:
        shutil.rmtree(laptop.home / "notes")
    name = store_at(laptop.memory, laptop.state).name
    write(laptop.state / "stores" / name / "pause", "")  # left by a directory without a dream
    assert laptop.run("undo", "--memory", "disk/memory").returncode == 1
    assert laptop.ok("adopt", old, "disk/memory") == (
        f"{laptop.memory} has the history of {old} now.\n"
    )
    assert not (laptop.state / "stores" / name).exists()
    again = laptop.json("adopt", old, "disk/memory")
    assert (again["memory"], again["adopted"]) == (str(laptop.memory), False)
    assert "merged 1 duplicate" in laptop.ok("log", "disk/memory")
    laptop.ok("undo", "--memory", "disk/memory")
    assert (laptop.memory / "MEMORY.md").read_text() == TWICE
    if not is_gone:
        assert "merged 1 duplicate" not in laptop.run("log", "notes/memory").stdout


def test_a_history_of_its_own_is_never_given_up_and_who_is_unknown_is_said(laptop: Laptop) -> None:
    laptop.ok("dream", "disk/memory")
    for old, new, code, sentence in (
        ("notes/memory", "disk/memory", 1, "has a history of its own (1 dream); remove"),
        ("disk/memory", "notes/memory", 1, "has a history of its own (1 dream); remove"),
        ("nowhere", "disk/memory", 2, "there is no history of"),
        ("notes/memory", "nowhere", 2, "there is no directory"),
    ):
        told, said = refused(laptop, old, new)
        assert (told, sentence in said) == (code, True), said
    shutil.rmtree(laptop.home / "notes")
    _, said = refused(laptop, "nowhere", "disk/memory")
    assert f"without a directory are those of {laptop.home}/notes/memory" in said


@pytest.mark.parametrize("held", ["notes/memory", "disk/memory"])
def test_nothing_is_taken_from_under_a_dream(laptop: Laptop, held: str) -> None:
    store = store_at(laptop.home / held, laptop.state)
    lease = lock.acquire(store, dream="abc", kind="consolidation", now=clock.now())
    assert isinstance(lease, Lease)
    code, said = refused(laptop, "notes/memory", "disk/memory")
    assert (code, "is being dreamt over by" in said) == (75, True)
    if held == "notes/memory":
        shutil.rmtree(laptop.home / "notes")  # a dream that runs on without its directory
        assert refused(laptop, "notes/memory", "disk/memory")[0] == 75
    lock.roll_back(lease)


@needs_strace
def test_killed_anywhere_and_run_again_it_ends_the_same(
    laptop: Laptop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = store_at(laptop.memory, laptop.state)
    write(own.home / "throttle", "")
    write(own.home / "stages" / "x", "")
    for name in [each for each in os.environ if each.startswith(("DREAMD_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(laptop.home))
    monkeypatch.chdir(laptop.home)
    stores, log = laptop.state / "stores", tmp_path / "strace.log"
    shutil.copytree(stores, tmp_path / "before")
    deed = partial(main, ["adopt", "notes/memory", "disk/memory"])
    points = points_of(deed, log)
    assert len(points) > 5
    wanted: dict[str, bytes] = {}
    for point in points if WHOLE else points[::5]:
        shutil.rmtree(stores)
        shutil.copytree(tmp_path / "before", stores)
        assert run(deed, log, *point.inject(KILL)).was_hit
        assert deed() == 0
        found = {path: data for path, (data, *_) in picture(stores).items() if ".new" not in path}
        assert found == (wanted or found)
        assert [each.memory for each in known(laptop.state)] == [laptop.memory]
        wanted = found
