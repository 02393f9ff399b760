"""Which stores there are, and which transcripts belong to each: a memory is shared by a project."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from dreamd.stores import belonging
from dreamd.stores.shelf import cwd_in
from tests.stores.ground import Ground, git, notes, repository


def test_sub_directories_and_work_trees_share_the_memory_of_their_project(ground: Ground) -> None:
    root, side = repository(ground.home / "p"), ground.home / "elsewhere" / "side"
    inner = root / ".worktrees" / "inner"
    for each in (side, inner):
        git(root, "worktree", "add", "-q", str(each))
    shared = set()
    for cwd in (side, inner, side / "sub", root / "sub", root):  # the root is found from each
        cwd.mkdir(exist_ok=True)
        ground.session(cwd)
        shared.add(cwd)
        ground.holds({root: shared})
    ground.folder(ground.home / "empty").mkdir()
    ground.memory(root)
    ground.holds({root: shared})
    assert not ground.state.exists()


def test_a_slug_that_two_paths_share_does_not_let_a_stranger_in(ground: Ground) -> None:
    root, stranger = repository(ground.home / "b"), repository(ground.home / "b-c")
    (root / "c").mkdir()
    ground.sessions(root, stranger)  # the folder of the latter is that of b/c
    ground.holds({root: {root}, stranger: {stranger}})
    (ground.folder(stranger) / "s.jsonl").unlink()
    ground.session(root / "c")
    ground.holds({root: {root, root / "c"}})
    ground.session(stranger, name="older", age=60)  # with a stranger's words it is left out whole
    assert ground.folders(ground.folder(root) / "memory") == (ground.folder(root),)
    assert ground.folders(ground.folder(stranger) / "memory") == (ground.folder(stranger),)


def test_what_is_another_project_keeps_its_sessions_to_itself(ground: Ground) -> None:
    plain, root = ground.home / "plain", repository(ground.home / "p")
    (plain / "sub").mkdir(parents=True)
    git(root, "submodule", "--quiet", "add", str(repository(ground.home / "library")), "vendor")
    nested, brought = repository(root / "nested"), ground.home / "here"
    every = (plain, plain / "sub", plain / "gone", root, root / "vendor", nested)
    ground.sessions(*every)
    # As where a client's home was brought along from another machine.
    ground.session(Path("/Users/somebody/else/where"), at=brought)
    ground.holds({each: {each} for each in (*every, brought)})


def test_a_folder_that_is_gone_belongs_where_it_lay(ground: Ground) -> None:
    root, side = repository(ground.home / "p"), ground.home / "side"
    git(root, "worktree", "add", "-q", str(side))
    inner, lost, like = repository(root / "inner"), ground.home / "lost", ground.home / "p-x"
    ground.sessions(root, root / "gone", side / "gone", inner / "gone", like, lost, lost / "sub")
    others = {inner: {inner / "gone"}, like: {like}, lost: {lost, lost / "sub"}}
    own = {root, root / "gone", side / "gone"}
    ground.holds({root: own} | others)
    shutil.rmtree(side)  # it is still listed
    memory = ground.folder(root) / "memory"
    assert set(ground.folders(memory)) == set(map(ground.folder, own))
    git(root, "worktree", "prune")
    assert ground.folders(memory) == (ground.folder(root), ground.folder(root / "gone"))
    (ground.folder(root / "gone") / "memory").mkdir()  # so it was another project
    assert ground.folders(memory) == (ground.folder(root),)


def test_dreamds_own_sessions_belong_to_nobody(ground: Ground) -> None:
    home = ground.home
    git(home, "init", "-q")  # the state directory lies in this repository
    stage, tools = ground.state / "stores" / "x" / "stages" / "1", home / "state" / "dreamd-tools"
    for each in (stage, tools):  # only the slug of the latter looks like the state directory's
        each.mkdir(parents=True)
    ground.sessions(home, stage, ground.state, tools, ground.state / "gone")
    ground.memory(stage)
    ground.holds({home: {home, tools}})
    assert not ground.folders(ground.folder(stage) / "memory")


def test_a_memory_elsewhere_has_the_sessions_that_the_client_gives_it(ground: Ground) -> None:
    one, two = ground.home / "a", ground.home / "b"
    chosen, linked = notes(ground.home / "notes"), notes(ground.home / "linked")
    ground.sessions(one, two)
    (ground.folder(one) / "memory").symlink_to(linked)
    assert ground.folders(linked) == (ground.folder(one),)
    assert ground.folders(chosen) == ()
    assert ground.survey() == sorted([linked, ground.folder(two) / "memory"])
    ground.choose(chosen)
    assert ground.folders(chosen) == (ground.folder(one), ground.folder(two))
    assert ground.survey() == [linked, chosen]
    shutil.rmtree(chosen)
    assert ground.survey() == [linked, chosen]  # it is the one of those without their own


def test_a_copy_of_a_clients_home_is_judged_where_it_lies(ground: Ground) -> None:
    root = ground.home / "p"
    root.mkdir()
    ground.session(root)
    ground.memory(root)
    copy = ground.home / "backup" / "home"
    shutil.copytree(ground.claude, copy)
    memory = copy / "projects" / ground.folder(root).name / "memory"
    assert ground.folders(memory) == (memory.parent,)
    shutil.rmtree(memory)
    assert ground.locate(str(memory)).memory == memory
    (memory.parent / "s.jsonl").unlink()
    assert not ground.folders(memory)


@pytest.mark.parametrize("name", ["new\nline", "cafe\u0301", "x" * 255])
def test_hostile_names_have_their_sessions(ground: Ground, name: str) -> None:
    root = repository(ground.home / name)
    (root / "sub").mkdir()
    ground.session(root)
    ground.session(root / "sub", lead='{"type":"summary","summary":"' + "x" * 200_000 + '"}\n')
    ground.holds({root: {root, root / "sub"}})


def test_links_and_pipes_neither_loop_nor_block(ground: Ground) -> None:
    assert ground.survey() == []
    root, projects = repository(ground.home / "p"), ground.claude / "projects"
    ground.session(root)
    own = ground.folder(root)
    for name, target in (("loop", own.name + "-loop"), ("again", own), ("sub", own)):
        (projects / f"{own.name}-{name}").symlink_to(target)
    (projects / f"{own.name}-file").write_text("x")
    os.mkfifo(projects / f"{own.name}-pipe")
    os.mkfifo(own / "pipe.jsonl")
    (own / "gone.jsonl").symlink_to("nowhere")
    (own / "self").symlink_to(".")
    ground.holds({root: {root}})
    shutil.move(own, ground.home / "other disk")
    own.symlink_to(ground.home / "other disk")
    assert own in ground.folders(own / "memory")


def test_what_is_no_directory_or_closed_is_said(ground: Ground) -> None:
    root, closed = ground.home / "a", ground.folder(ground.home / "b")
    ground.sessions(root, ground.home / "b")
    odd = ground.folder(root) / "memory"
    odd.write_text("a file")
    said = [(odd, "Not a directory")]
    if os.geteuid():  # root may look everywhere
        closed.chmod(0)
        said.append((closed, "Permission denied"))
    try:
        seen = belonging.survey(ground.claude, ground.state)
    finally:
        closed.chmod(0o700)
    assert list(seen.unreadable) == said


@pytest.mark.parametrize(
    ("head", "cwd"),
    [
        (b'\0\0\0{"cwd":"/a"}\n', "/a"),
        (b'junk\n{half\n{"cwd":"/a"}\n', "/a"),
        (b'{"cwd":"/caf\xc3\xa9\\n"}\n', "/caf\u00e9\n"),
        (b'{"cwd":"/a","message":{"content":"cut off he', "/a"),
        (b'{"input":{"cwd":"/no"},"cwd":"/a"}', "/a"),
        (b'{"input":[{"cwd":"/no"}]}\n', None),
        (b'{"said":"cut {\\"cwd\\":\\"/no\\"', None),
        (b'{"cwd":"/a\\q","message":{"cut', None),
        (b'{"cwd":7}\n{"cwd":null}\n{"cwd":""}\n{"cwd":"a/b"}\n{"cwd":"C:\\\\x"}', None),
        (b'{"cwd":"/a\\u0000b"}\n{"cwd":"/\\ud800"}\n', None),
        (b'{"a":' + b"[" * 100_000 + b'\n{"cwd":"/a"}', "/a"),
        (b"", None),
    ],
)
def test_the_start_of_a_session_is_read_from_whatever_real_files_hold(
    head: bytes, cwd: str | None
) -> None:
    assert cwd_in(head) == cwd
