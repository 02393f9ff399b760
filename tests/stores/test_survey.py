"""Every store below the client's configuration root, each once, and nothing made by looking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamd.stores.belonging import survey
from tests.stores.ground import Ground, git, repository


def found(ground: Ground) -> list[Path]:
    seen = survey(ground.claude, ground.state)
    assert not seen.unreadable
    for store in seen.stores:
        assert store == ground.at(store.memory)
    return [store.memory for store in seen.stores]


def test_a_project_is_found_once_by_its_memory_or_by_its_sessions(ground: Ground) -> None:
    assert found(ground) == []
    with_memory, without = repository(ground.home / "a"), repository(ground.home / "b")
    side = ground.home / "side"
    git(without, "worktree", "add", "-q", str(side))
    wanted = [ground.memory(with_memory), ground.folder(without) / "memory"]
    for cwd in (with_memory, with_memory / "sub", side, without / "sub", with_memory / "gone"):
        if cwd.name == "sub":
            cwd.mkdir()
        ground.session(cwd)
    ground.folder(ground.home / "empty").mkdir()
    assert found(ground) == wanted
    assert not ground.state.exists()
    assert not wanted[1].exists()


def test_every_folder_belongs_to_one_of_the_stores(ground: Ground) -> None:
    root = repository(ground.home / "a")
    (root / "sub").mkdir()
    plain = ground.home / "plain"
    for cwd in (root / "sub", root / "gone", plain, plain / "gone", ground.home / "lost"):
        ground.session(cwd)
    folders = [folder for memory in found(ground) for folder in ground.folders(memory)]
    assert sorted(folders) == sorted((ground.claude / "projects").iterdir())


def test_sessions_of_folders_that_are_gone_or_brought_along_are_projects(ground: Ground) -> None:
    lost, kept = ground.home / "lost" / "deep", ground.home / "kept"
    for cwd in (lost, kept, kept / "sub"):
        ground.session(cwd)
    ground.session(ground.home, at=ground.home / "work")
    wanted = [kept, lost, ground.home / "work"]
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
    chosen, old = ground.home / "notes", ground.memory(ground.home / "c")
    ground.session(ground.home / "a")
    ground.session(ground.home / "b")
    ground.choose(chosen)
    assert found(ground) == sorted([chosen, old])
    chosen.mkdir()
    assert found(ground) == sorted([chosen, old])


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
    seen = survey(ground.claude, ground.state)
    assert (seen.stores, seen.unreadable) == ((), ((odd, "Not a directory"),))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_what_may_not_be_looked_into_is_said(ground: Ground) -> None:
    memory, closed = ground.memory(ground.home / "a"), ground.folder(ground.home / "b")
    ground.session(ground.home / "b")
    memory.chmod(0)
    closed.chmod(0)
    try:
        seen = survey(ground.claude, ground.state)
    finally:
        memory.chmod(0o700)
        closed.chmod(0o700)
    assert seen.stores == ()
    assert seen.unreadable == ((memory, "Permission denied"), (closed, "Permission denied"))
