"""Which memory directory is meant, and the sentence where none is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd import stores
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, HostError, MemoryUnfitError, RefusedError, UsageError
from dreamd.stores import opening
from tests.stores.ground import Ground, git, repository


def locate(named: str | None, here: Path, home: Path) -> Path:
    return stores.locate(named, here=here, claude=home / ".claude", state=home / "state").memory


def memory_at(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "MEMORY.md").write_text("# Memory\n")
    return path


def test_two_paths_to_one_directory_are_one_store(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    (tmp_path / "link").symlink_to(memory)
    state = tmp_path / "state"
    assert stores.store_at(memory, state) == stores.store_at(tmp_path / "link", state)
    other = memory_at(tmp_path / "other" / "memory")
    assert stores.store_at(memory, state).name != stores.store_at(other, state).name


def test_the_memory_one_stands_in_is_meant(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    (memory / "team").mkdir()
    assert locate(None, memory, tmp_path) == memory
    assert locate(None, memory / "team", tmp_path) == memory


def test_the_clients_memory_one_stands_in_is_meant_without_an_index_too(ground: Ground) -> None:
    memory = ground.memory(ground.home / "p")
    (memory / "MEMORY.md").unlink()
    (memory / "team").mkdir()
    for here in (memory, memory / "team"):
        assert ground.locate(None, here).memory == memory
    elsewhere = ground.home / "memory"
    elsewhere.mkdir()
    with pytest.raises(UsageError, match="no memory directory for this project"):
        ground.locate(None, elsewhere)


def test_a_linked_work_tree_shares_the_memory_of_its_main_one(ground: Ground) -> None:
    main = repository(ground.home / "main")
    git(main, "worktree", "add", "-q", str(ground.home / "side"))
    memory = ground.memory(main)
    (main / "deep").mkdir()
    for here in (main, main / "deep", ground.home / "side"):
        assert ground.locate(None, here).memory == memory


@pytest.mark.parametrize(
    ("named", "error", "words"),
    [
        ("nowhere", UsageError, "there is no directory"),
        ("file", UsageError, "is not a directory"),
        ("", UsageError, "names nothing"),
        ("a\0b", UsageError, "names nothing"),
        ("code", MemoryUnfitError, "does not look like a memory directory"),
        ("client", MemoryUnfitError, "is a whole client home"),
    ],
)
def test_a_wrong_path_gets_one_clear_sentence(
    tmp_path: Path, named: str, error: type[DreamdError], words: str
) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "main.py").write_text("pass\n")
    memory_at(tmp_path / "client" / "projects" / "-x" / "memory")
    with pytest.raises(error, match=words):
        locate(named, tmp_path, tmp_path)


def test_no_memory_for_this_project_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="projects"):
        locate(None, tmp_path, tmp_path)


def test_a_store_notes_which_directory_it_belongs_to(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "memory")
    store = stores.store_at(memory, tmp_path / "state")
    stores.open_home(store)
    known = json.loads((store.home / "store.json").read_text())
    assert known["path"] == str(memory)
    assert known["inode"] == memory.stat().st_ino
    assert list(stores.known(tmp_path / "state")) == [store]
    assert store.home.stat().st_mode & 0o777 == 0o700


def test_a_project_with_transcripts_and_no_memory_yet_is_a_store(ground: Ground) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    ground.session(root)
    memory = ground.folder(root) / "memory"
    for store in (
        ground.locate(None, root),
        ground.locate(None, root / "sub"),
        ground.locate(str(memory)),
        ground.locate(f".claude/projects/{memory.parent.name}/memory"),
    ):
        assert store == ground.at(memory)
    assert not memory.exists()
    assert not ground.state.exists()


def test_sessions_in_a_sub_directory_are_enough_for_a_store(ground: Ground) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    ground.session(root / "sub")
    assert not ground.folder(root).exists()
    assert ground.locate(None, root).memory == ground.folder(root) / "memory"
    assert stores.open_home(ground.locate(None, root), create=True)
    assert (ground.folder(root) / "memory").is_dir()


@pytest.mark.parametrize("lure", ["agent-1.jsonl", ".hidden.jsonl", "s.json", "folder", "pipe"])
def test_a_folder_without_a_transcript_awaits_no_memory(ground: Ground, lure: str) -> None:
    folder = ground.folder(ground.home / "p")
    folder.mkdir(parents=True)
    if lure == "folder":
        (folder / "s.jsonl").mkdir()
    elif lure == "pipe":
        os.mkfifo(folder / "s.jsonl")
    else:
        (folder / lure).write_text("{}\n")
    (ground.home / "p").mkdir()
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(str(folder / "memory"))
    with pytest.raises(
        UsageError, match="no memory directory for this project, and no transcripts"
    ):
        ground.locate(None, ground.home / "p")


def test_a_path_that_belongs_to_no_project_stays_an_error(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    for named in ("p/memory", f"{ground.folder(root)}/notes", f"{ground.folder(root)}/a/memory"):
        with pytest.raises(UsageError, match="there is no directory"):
            ground.locate(named)


def test_a_memory_is_made_only_when_asked_for_and_taken_back_when_empty(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    store = ground.locate(None, root)
    with pytest.raises(MemoryUnfitError, match="`dreamd dream` writes the first"):
        stores.open_home(store)
    assert not store.memory.exists()
    assert stores.open_home(store, create=True) is True
    assert store.memory.stat().st_mode & 0o777 == 0o700
    assert stores.open_home(store, create=True) is False
    assert (
        json.loads((store.home / "store.json").read_text())["inode"] == store.memory.stat().st_ino
    )
    stores.take_back(store)
    assert not store.memory.exists()
    assert stores.open_home(store, create=True)
    (store.memory / "MEMORY.md").write_text("a note\n")
    stores.take_back(store)
    assert (store.memory / "MEMORY.md").read_text() == "a note\n"


def test_a_memory_that_was_made_in_vain_is_taken_back(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    store = ground.locate(None, root)
    ground.state.parent.mkdir(parents=True)
    ground.state.write_text("a file in the way\n")
    with pytest.raises(HostError, match="a file stands in its place"):
        stores.open_home(store, create=True)
    assert not store.memory.exists()
    ground.state.unlink()
    assert stores.open_home(store, create=True) is True


def test_a_memory_that_another_process_just_made_is_no_error(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    store = ground.locate(None, root)
    look = opening._is_awaited

    def slow(asked: Store) -> bool:
        asked.memory.mkdir()
        return look(asked)

    monkeypatch.setattr(opening, "_is_awaited", slow)
    assert stores.open_home(store, create=True) is False


def test_a_chosen_directory_that_is_gone_is_not_made_again(ground: Ground) -> None:
    memory = memory_at(ground.home / "notes" / "memory")
    store = ground.dreamt(memory)
    (memory / "MEMORY.md").unlink()
    memory.rmdir()
    with pytest.raises(MemoryUnfitError, match="`dreamd restore DREAM` brings"):
        stores.open_home(store, create=True)
    assert not memory.exists()


def test_the_clients_own_choice_of_a_memory_is_the_projects(ground: Ground) -> None:
    root = repository(ground.home / "p")
    chosen = memory_at(ground.home / "my notes")
    ground.memory(root)
    settings = ground.claude / "settings.json"
    settings.write_text(json.dumps({"autoMemoryDirectory": f"{chosen}/"}))
    assert ground.locate(None, root).memory == chosen


def test_the_clients_choice_is_made_where_it_is_still_lacking(ground: Ground) -> None:
    root = repository(ground.home / "p")
    chosen = ground.home / "notes"
    ground.session(root)
    (ground.claude / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    for store in (
        ground.locate(None, root),
        ground.locate(str(chosen)),
        *stores.every(ground.claude, ground.state).stores,
    ):
        assert store.memory == chosen
        assert stores.open_home(store, create=True)
        stores.take_back(store)
        assert not chosen.exists()
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(f"{chosen}2")


def test_a_tilde_in_the_clients_settings_is_the_home(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(ground.home))
    chosen = memory_at(ground.home / "notes")
    ground.claude.mkdir()
    (ground.claude / "settings.json").write_text('\ufeff{"autoMemoryDirectory": "~/notes"}')
    assert ground.locate(None, ground.home).memory == chosen


@pytest.mark.parametrize(
    "settings",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff\xfe\xff",
        b'{"autoMemoryDirectory": null}',
        b'{"autoMemoryDirectory": 7}',
        b'{"autoMemoryDirectory": ""}',
        b'{"autoMemoryDirectory": "notes"}',
        b'{"autoMemoryDirectory": "/"}',
        b'{"autoMemoryDirectory": "/a/../"}',
        b'{"autoMemoryDirectory": "~/"}',
        b'{"autoMemoryDirectory": "~/.."}',
        b'{"autoMemoryDirectory": "~other/x"}',
        b'{"autoMemoryDirectory": "/a\\u0000b"}',
        b'{"autoMemoryDirectory": "/a\\ud800b"}',
    ],
)
def test_a_client_setting_that_makes_no_sense_counts_as_not_set(
    ground: Ground, settings: bytes
) -> None:
    root = repository(ground.home / "p")
    memory = ground.memory(root)
    (ground.claude / "settings.json").write_bytes(settings)
    assert ground.locate(None, root).memory == memory


def test_a_pipe_in_place_of_the_clients_settings_is_never_waited_for(ground: Ground) -> None:
    root = repository(ground.home / "p")
    memory = ground.memory(root)
    os.mkfifo(ground.claude / "settings.json")
    assert ground.locate(None, root).memory == memory


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_no_permission_is_one_clear_sentence(ground: Ground) -> None:
    memory = memory_at(ground.home / "closed" / "memory")
    memory.parent.chmod(0)
    try:
        with pytest.raises(RefusedError, match="no permission to look into"):
            ground.locate(str(memory))
    finally:
        memory.parent.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
@pytest.mark.parametrize("mode", [0o000, 0o111])
@pytest.mark.parametrize("above", ["", "projects"])
def test_a_closed_project_folder_is_not_called_absent(
    ground: Ground, above: str, mode: int
) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    closed = ground.claude / above if above else ground.folder(root)
    closed.chmod(mode)
    try:
        with pytest.raises(RefusedError, match="no permission to look into"):
            ground.locate(None, root)
    finally:
        closed.chmod(0o700)


def test_a_command_that_looks_pays_neither_for_git_nor_for_a_mutex(ground: Ground) -> None:
    memory = memory_at(ground.home / "memory")
    ground.dreamt(memory)
    program = (
        "import sys\nfrom pathlib import Path\nfrom dreamd import stores\n"
        f"stores.locate({str(memory)!r}, here=Path('/'), claude=Path('/c'), "
        f"state=Path({str(ground.state)!r}))\n"
        "print(sorted({'subprocess', 'ctypes', 'filelock', 'typing'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
