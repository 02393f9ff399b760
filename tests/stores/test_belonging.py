"""Which transcripts belong to a memory: a session counts where its project's memory was read."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from dreamd import stores
from dreamd.stores.shelf import cwd_in
from tests.pace import allowed
from tests.stores.ground import Ground, git, repository


def test_sub_directories_and_work_trees_share_the_memory_of_their_project(ground: Ground) -> None:
    root = repository(ground.home / "p")
    side = ground.home / "elsewhere" / "side"
    git(root, "worktree", "add", "-q", str(side))
    inner = root / ".worktrees" / "inner"
    git(root, "worktree", "add", "-q", str(inner))
    for cwd in (root, root / "sub", side, side / "sub", inner):
        cwd.mkdir(exist_ok=True)
        ground.session(cwd)
    heard = stores.transcript_folders(
        ground.folder(root) / "memory", claude=ground.claude, state=ground.state
    )
    assert set(heard) == {
        ground.folder(each) for each in (root, root / "sub", side, side / "sub", inner)
    }


def test_a_slug_that_two_paths_share_does_not_let_a_stranger_in(ground: Ground) -> None:
    root = repository(ground.home / "b")
    (root / "c").mkdir()
    stranger = repository(ground.home / "b-c")
    ground.session(root)
    ground.session(stranger)  # its folder is that of b/c
    assert ground.folder(stranger) == ground.folder(root / "c")
    assert ground.heard(root) == {""}
    (ground.folder(stranger) / "s.jsonl").unlink()
    ground.session(root / "c")
    assert ground.heard(root) == {"", "-c"}
    ground.session(stranger, name="older", age=60)
    assert ground.heard(root) == {""}, "a folder with a stranger's words is left out whole"
    assert ground.heard(stranger) == {""}


def test_the_root_is_found_where_only_sub_directories_or_work_trees_were_used(
    ground: Ground,
) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    side = ground.home / "side"
    git(root, "worktree", "add", "-q", str(side))
    ground.memory(root)
    ground.session(side)
    wanted = {ground.folder(root), ground.folder(side)}
    memory = ground.folder(root) / "memory"
    found = stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
    assert set(found) == wanted
    ground.session(root / "sub")
    found = stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
    assert set(found) == wanted | {ground.folder(root / "sub")}


def test_sub_directories_of_a_folder_outside_of_git_are_projects_of_their_own(
    ground: Ground,
) -> None:
    root = ground.home / "plain"
    (root / "sub").mkdir(parents=True)
    for cwd in (root, root / "sub", root / "gone"):
        ground.session(cwd)
    assert ground.heard(root) == {""}
    assert ground.heard(root / "sub") == {""}


def test_a_folder_that_is_gone_belongs_where_it_lay(ground: Ground) -> None:
    root = repository(ground.home / "p")
    side = ground.home / "side"
    git(root, "worktree", "add", "-q", str(side))
    inner = repository(root / "inner")
    for cwd in (root, root / "gone", side / "gone", inner / "gone", ground.home / "p-x"):
        ground.session(cwd)
    memory = ground.folder(root) / "memory"

    def heard() -> set[Path]:
        return set(stores.transcript_folders(memory, claude=ground.claude, state=ground.state))

    own = {ground.folder(root), ground.folder(root / "gone")}
    assert heard() == own | {ground.folder(side / "gone")}
    shutil.rmtree(side)
    assert heard() == own | {ground.folder(side / "gone")}, "the work tree is still listed"
    git(root, "worktree", "prune")
    assert heard() == own
    (ground.folder(root / "gone") / "memory").mkdir()
    assert heard() == {ground.folder(root)}, "with a memory of its own it was another project"


def test_a_project_that_is_gone_as_a_whole_keeps_its_sessions(ground: Ground) -> None:
    root = ground.home / "gone"
    for cwd in (root, root / "sub", ground.home / "other"):
        ground.session(cwd)
    assert ground.heard(root) == {"", "-sub"}


def test_a_submodule_and_a_nested_repository_keep_their_sessions_to_themselves(
    ground: Ground,
) -> None:
    library = repository(ground.home / "library")
    root = repository(ground.home / "p")
    git(root, "submodule", "--quiet", "add", str(library), "vendor")
    repository(root / "nested")
    for cwd in (root, root / "vendor", root / "nested"):
        ground.session(cwd)
    assert ground.heard(root) == {""}
    assert ground.heard(root / "vendor") == {""}


def test_dreamds_own_sessions_belong_to_nobody(ground: Ground) -> None:
    home = repository(ground.home / "home")  # the state directory lies in this repository
    state = home / "state" / "dreamd"
    stage = state / "stores" / "x" / "stages" / "1"
    stage.mkdir(parents=True)
    tools = home / "state" / "dreamd-tools"  # only its slug looks like the state directory's
    tools.mkdir()
    for cwd in (home, stage, state, tools, state / "gone"):
        ground.session(cwd)
    memory = ground.folder(home) / "memory"
    found = stores.transcript_folders(memory, claude=ground.claude, state=state)
    assert set(found) == {ground.folder(home), ground.folder(tools)}
    own = ground.folder(stage) / "memory"
    assert not stores.transcript_folders(own, claude=ground.claude, state=state)


def test_a_memory_anywhere_else_has_no_sessions_unless_the_client_says_so(ground: Ground) -> None:
    chosen = ground.home / "notes"
    chosen.mkdir()
    ground.session(ground.home / "a")
    ground.session(ground.home / "b")

    def heard() -> tuple[Path, ...]:
        return stores.transcript_folders(chosen, claude=ground.claude, state=ground.state)

    assert heard() == ()
    (ground.claude / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    assert heard() == (ground.folder(ground.home / "a"), ground.folder(ground.home / "b"))


def test_a_memory_reached_through_a_link_keeps_its_project(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    notes = ground.home / "notes"
    notes.mkdir()
    (ground.folder(root) / "memory").symlink_to(notes)
    assert ground.heard(root) == {""}
    found = stores.transcript_folders(notes, claude=ground.claude, state=ground.state)
    assert found == (ground.folder(root),)


def test_the_own_folder_belongs_whatever_its_sessions_say(ground: Ground) -> None:
    """As where a client's home was brought along from another machine."""
    root = ground.home / "here"
    ground.session(Path("/Users/somebody/else/where"), at=root)
    assert ground.heard(root) == {""}


@pytest.mark.parametrize("name", ["with space", "new\nline", "caf\u00e9", "cafe\u0301", "x" * 255])
def test_hostile_names_have_their_sessions(ground: Ground, name: str) -> None:
    root = repository(ground.home / name)
    (root / "sub").mkdir()
    ground.session(root)
    ground.session(root / "sub")
    found = stores.transcript_folders(
        ground.folder(root) / "memory", claude=ground.claude, state=ground.state
    )
    assert set(found) == {ground.folder(root), ground.folder(root / "sub")}


def test_links_and_pipes_neither_loop_nor_block(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    projects = ground.claude / "projects"
    own = ground.folder(root)
    for name, target in (("loop", own.name + "-loop"), ("again", own), ("sub", own)):
        (projects / f"{own.name}-{name}").symlink_to(target)
    (projects / f"{own.name}-file").write_text("x")
    os.mkfifo(projects / f"{own.name}-pipe")
    os.mkfifo(own / "pipe.jsonl")
    (own / "gone.jsonl").symlink_to("nowhere")
    (own / "self").symlink_to(".")
    assert ground.heard(root) == {""}


def test_no_projects_at_all_are_no_sessions(ground: Ground) -> None:
    assert ground.heard(ground.home / "p") == set()
    ground.claude.mkdir()
    (ground.claude / "projects").write_text("not a folder")
    assert ground.heard(ground.home / "p") == set()


@pytest.mark.parametrize(
    ("head", "cwd"),
    [
        (b'{"cwd":"/a/b"}\n', "/a/b"),
        (b'{ "type" : "user" , "cwd" : "/a b" }', "/a b"),
        (b'{"type":"x"}\r\n{"cwd":"/a"}\r\n', "/a"),
        (b'{"type":"x"}{"cwd":"/a"}\n', "/a"),
        (b'{"type":"x"},{"cwd":"/a"}\n', "/a"),
        (b'\0\0\0{"cwd":\0"/a"}\n', "/a"),
        (b'junk\n{half\n{"cwd":"/a"}\n', "/a"),
        (b'\xff\xfe{"cwd":"/a"}\n', "/a"),
        (b'{"cwd":"/caf\xc3\xa9\\n"}\n', "/caf\u00e9\n"),
        (b'{"cwd":"/a","message":{"content":"cut off he', "/a"),
        (b'{"message":{"content":"{\\"cwd\\":\\"/no\\"}"},"cwd":"/a"}', "/a"),
        (b'{"input":{"cwd":"/no"},"cwd":"/a"}', "/a"),
        (b'{"input":{"cwd":"/no"}}\n', None),
        (b'{"input":[{"cwd":"/no"}]}\n', None),
        (b'{"said":"cut {\\"cwd\\":\\"/no\\"', None),
        (b'{"cwd":"/a/half', None),
        (b'{"cwd":7}\n{"cwd":null}\n{"cwd":""}\n{"cwd":"a/b"}\n{"cwd":"C:\\\\x"}', None),
        (b'{"cwd":"/a\\u0000b"}\n{"cwd":"/\\ud800"}\n', None),
        (b'{"a":' + b"[" * 100_000 + b'\n{"cwd":"/a"}', "/a"),
        (b'{"a":' + b"[" * 100_000 + b',"cwd":"/a"}', None),
        (b'["cwd", "/a"]\n', None),
        (b"", None),
    ],
)
def test_the_start_of_a_session_is_read_from_whatever_real_files_hold(
    head: bytes, cwd: str | None
) -> None:
    assert cwd_in(head) == cwd


def test_a_session_with_long_records_before_its_first_cwd_still_tells(ground: Ground) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    ground.session(root)
    ground.session(root / "sub", lead='{"type":"summary","summary":"' + "x" * 200_000 + '"}\n')
    assert ground.heard(root) == {"", "-sub"}


def test_five_hundred_project_folders_take_less_than_a_third_of_a_second(ground: Ground) -> None:
    home = repository(ground.home / "home")
    for number in range(500):
        cwd = home / "work" / f"thing-{number}"
        cwd.mkdir(parents=True)
        for age in range(4):
            ground.session(cwd, name=f"s{age}", age=age, lead='{"x":"' + "y" * 20_000 + '"}\n')
    memory = ground.folder(home) / "memory"
    took = []
    for _ in range(3):
        started = time.process_time()
        found = stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
        took.append(time.process_time() - started)
    assert len(found) == 500
    assert min(took) < allowed(0.3), took


def test_a_copy_of_a_clients_home_is_heard_where_it_lies(ground: Ground) -> None:
    root = ground.home / "p"
    root.mkdir()
    ground.session(root)
    ground.memory(root)
    copy = ground.home / "backup" / "home"
    shutil.copytree(ground.claude, copy)
    memory = copy / "projects" / ground.folder(root).name / "memory"
    heard = stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
    assert heard == (memory.parent,)
    shutil.rmtree(memory)
    assert ground.locate(str(memory)).memory == memory
    (memory.parent / "s.jsonl").unlink()
    assert not stores.transcript_folders(memory, claude=ground.claude, state=ground.state)
