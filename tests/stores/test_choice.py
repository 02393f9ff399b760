"""Which memory directory is meant, and the sentence where none is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dreamd.domain.store import Store
from dreamd.errors import DreamdError, HostError, MemoryUnfitError, RefusedError, UsageError
from dreamd.stores.belonging import survey
from dreamd.stores.identity import opened
from tests.stores.ground import Ground, git, notes, repository

LIBRARIES = Path(msgspec.__file__).parents[1]


def test_the_memory_one_stands_in_is_meant(ground: Ground) -> None:
    plain, client = notes(ground.home / "memory"), ground.memory(ground.home / "p")
    (client / "MEMORY.md").unlink()  # the client's is one without an index too
    for memory in (plain, client):
        (memory / "team").mkdir()
        assert ground.locate(None, memory).memory == memory
        assert ground.locate(None, memory / "team").memory == memory
    elsewhere = ground.home / "else" / "memory"
    elsewhere.mkdir(parents=True)
    with pytest.raises(UsageError, match=r"no memory directory for this project.*projects"):
        ground.locate(None, elsewhere)


def test_a_linked_work_tree_shares_the_memory_of_its_main_one(ground: Ground) -> None:
    main, side = repository(ground.home / "main"), ground.home / "side"
    git(main, "worktree", "add", "-q", str(side))
    memory = ground.memory(main)
    (main / "deep").mkdir()
    for here in (main, main / "deep", side):
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
    ground: Ground, named: str, error: type[DreamdError], words: str
) -> None:
    (ground.home / "file").write_text("x")
    (ground.home / "code").mkdir()
    (ground.home / "code" / "main.py").write_text("pass\n")
    notes(ground.home / "client" / "projects" / "-x" / "memory")
    with pytest.raises(error, match=words):
        ground.locate(named)


def test_a_project_with_transcripts_and_no_memory_yet_is_a_store(ground: Ground) -> None:
    root = repository(ground.home / "p")
    (root / "sub").mkdir()
    ground.session(root / "sub")
    memory = ground.folder(root) / "memory"
    for store in (
        ground.locate(None, root),
        ground.locate(None, root / "sub"),
        ground.locate(str(memory)),
        ground.locate(f".claude/projects/{memory.parent.name}/memory"),
    ):
        assert store == ground.at(memory)
    for named in ("p/memory", f"{memory.parent}/notes", f"{memory.parent}/a/memory"):
        with pytest.raises(UsageError, match="there is no directory"):
            ground.locate(named)
    assert not memory.exists()
    assert not ground.state.exists()
    with pytest.raises(MemoryUnfitError, match="`dreamd dream` writes the first"), opened(store):
        pass
    with opened(store, create=True):
        assert memory.stat().st_mode & 0o777 == 0o700
    memory.rmdir()
    with pytest.raises(FileNotFoundError), opened(store, create=True):
        (memory / "no such").read_text()
    assert not memory.exists()
    with pytest.raises(AttributeError), opened(store, create=True):
        (memory / "MEMORY.md").write_text("a note\n").no_such()  # type: ignore[attr-defined]
    assert (memory / "MEMORY.md").exists()


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


def test_a_memory_that_was_made_in_vain_is_taken_back(ground: Ground) -> None:
    root = repository(ground.home / "p")
    ground.session(root)
    store = ground.locate(None, root)
    ground.state.parent.mkdir(parents=True)
    ground.state.write_text("a file in the way\n")
    with pytest.raises(HostError, match="a file stands"), opened(store, create=True):
        pass
    assert not store.memory.exists()


def test_a_directory_that_is_gone_is_not_made_again(ground: Ground) -> None:
    store = ground.opened(notes(ground.home / "notes" / "memory"))
    (store.memory / "MEMORY.md").unlink()
    store.memory.rmdir()
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(str(store.memory))
    with pytest.raises(MemoryUnfitError, match="`dreamd restore DREAM` brings"), opened(store):
        pass


def test_the_clients_own_choice_of_a_memory_is_the_projects(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, chosen = repository(ground.home / "p"), ground.home / "my notes"
    ground.session(root)
    ground.choose(chosen)
    for store in (ground.locate(None, root), ground.locate(str(chosen)), *seen(ground)):
        assert store.memory == chosen
        assert not chosen.exists()
    with pytest.raises(UsageError, match="there is no directory"):
        ground.locate(f"{chosen}2")
    notes(chosen)
    ground.memory(root)
    monkeypatch.setenv("HOME", str(ground.home))
    for named in (f"{chosen}/", "~/my notes"):
        ground.choose(named)
        assert ground.locate(None, root).memory == chosen


def seen(ground: Ground) -> tuple[Store, ...]:
    return survey(ground.claude, ground.state).stores


@pytest.mark.parametrize(
    "settings",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff\xfe\xff",
        *(
            b'{"autoMemoryDirectory": %s}' % value
            for value in (
                *(b"null", b"7", b'""', b'"notes"', b'"/"', b'"/a/../"', b'"~/"', b'"~/.."'),
                *(b'"~other/x"', b'"/a\\u0000b"', b'"/a\\ud800b"'),
            )
        ),
        None,
    ],
)
def test_a_client_setting_that_makes_no_sense_counts_as_not_set(
    ground: Ground, settings: bytes | None
) -> None:
    root = repository(ground.home / "p")
    memory, file = ground.memory(root), ground.claude / "settings.json"
    if settings is None:
        os.mkfifo(file)  # which is never waited for
    else:
        file.write_bytes(settings)
    assert ground.locate(None, root).memory == memory


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
        if mode == 0:
            with pytest.raises(RefusedError, match="no permission to look into"):
                ground.locate(str(ground.folder(root) / "memory"))
    finally:
        closed.chmod(0o700)


def test_a_command_that_looks_pays_neither_for_git_nor_for_a_mutex(ground: Ground) -> None:
    memory = ground.opened(notes(ground.home / "memory")).memory
    program = (
        "import sys\nfrom pathlib import Path\nfrom dreamd.stores.choice import locate\n"
        f"locate({str(memory)!r}, here=Path('/'), claude=Path('/c'), "
        f"state=Path({str(ground.state)!r}))\n"
        "print(sorted({'subprocess', 'ctypes'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={**os.environ, "PYTHONPATH": f"{Path(__file__).parents[2]}:{LIBRARIES}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
