"""Every store below the client's configuration root, each once, and nothing made by looking."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dreamd import stores
from tests.stores.ground import Ground, git, repository


def found(ground: Ground) -> list[Path]:
    survey = stores.every(ground.claude, ground.state)
    assert not survey.unreadable
    for store in survey.stores:
        assert store == ground.at(store.memory)
    return [store.memory for store in survey.stores]


def test_a_home_without_projects_has_no_stores(ground: Ground) -> None:
    assert found(ground) == []


def test_a_project_is_found_once_by_its_memory_or_by_its_sessions(ground: Ground) -> None:
    with_memory = repository(ground.home / "a")
    without = repository(ground.home / "b")
    (with_memory / "sub").mkdir()
    git(without, "worktree", "add", "-q", str(ground.home / "side"))
    (without / "sub").mkdir()
    wanted = [ground.memory(with_memory), ground.folder(without) / "memory"]
    for cwd in (
        with_memory,
        with_memory / "sub",
        with_memory / "gone",
        ground.home / "side",
        without / "sub",
    ):
        ground.session(cwd)
    ground.folder(ground.home / "empty").mkdir()
    assert found(ground) == wanted
    assert not ground.state.exists()
    assert not wanted[1].exists()


def test_every_folder_is_heard_in_one_of_the_stores(ground: Ground) -> None:
    root = repository(ground.home / "a")
    (root / "sub").mkdir()
    plain = ground.home / "plain"
    for cwd in (root / "sub", root / "gone", plain, plain / "gone", ground.home / "lost"):
        ground.session(cwd)
    heard = [
        folder
        for memory in found(ground)
        for folder in stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
    ]
    assert sorted(heard) == sorted((ground.claude / "projects").iterdir())


def test_a_folder_brought_along_from_elsewhere_stands_for_itself(ground: Ground) -> None:
    ground.session(ground.home, at=ground.home / "work")
    assert found(ground) == [ground.folder(ground.home / "work") / "memory"]


def test_sessions_of_folders_that_are_gone_are_a_project_where_nothing_stands_above(
    ground: Ground,
) -> None:
    for cwd in (ground.home / "lost" / "deep", ground.home / "kept", ground.home / "kept" / "sub"):
        ground.session(cwd)
    wanted = [ground.home / "kept", ground.home / "lost" / "deep"]
    assert found(ground) == [ground.folder(each) / "memory" for each in wanted]


def test_dreamds_own_sessions_are_no_project(ground: Ground) -> None:
    stage = ground.state / "stores" / "x" / "stages" / "1"
    ground.session(stage)
    ground.memory(stage)
    (ground.folder(ground.state) / "memory").mkdir(parents=True)
    assert found(ground) == []


def test_the_clients_choice_is_the_one_memory_of_projects_without_their_own(
    ground: Ground,
) -> None:
    chosen = ground.home / "notes"
    ground.session(ground.home / "a")
    ground.session(ground.home / "b")
    old = ground.memory(ground.home / "c")
    (ground.claude / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    wanted = sorted([chosen, old])
    assert found(ground) == wanted
    chosen.mkdir()
    assert found(ground) == wanted


def test_links_to_one_memory_are_one_store(ground: Ground) -> None:
    memory = ground.memory(ground.home / "a")
    ground.folder(ground.home / "b").symlink_to(ground.folder(ground.home / "a"))
    ground.folder(ground.home / "c").mkdir()
    (ground.folder(ground.home / "c") / "memory").symlink_to(memory)
    (ground.claude / "projects" / "loop").symlink_to("loop")
    assert found(ground) == [memory]


def test_what_is_no_directory_is_said(ground: Ground) -> None:
    ground.session(ground.home / "a")
    odd = ground.folder(ground.home / "a") / "memory"
    odd.write_text("a file")
    survey = stores.every(ground.claude, ground.state)
    assert survey.stores == ()
    assert survey.unreadable == ((odd, "Not a directory"),)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_what_may_not_be_looked_into_is_said(ground: Ground) -> None:
    memory = ground.memory(ground.home / "a")
    ground.session(ground.home / "b")
    closed = ground.folder(ground.home / "b")
    memory.chmod(0)
    closed.chmod(0)
    try:
        survey = stores.every(ground.claude, ground.state)
    finally:
        memory.chmod(0o700)
        closed.chmod(0o700)
    assert survey.stores == ()
    assert survey.unreadable == ((memory, "Permission denied"), (closed, "Permission denied"))
