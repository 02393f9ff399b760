"""What is not as it should be is told in a sentence and left as it is."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.errors import HostError, MemoryUnfitError
from tests.lock.lock_world import (
    NOW,
    YESTERDAY_NS,
    leftovers,
    lock_file,
    on_disk,
    run,
    take,
    write_lock,
)


def odd_link(file: Path) -> None:
    (file.parent / "note.md").write_text("a note")
    file.symlink_to("note.md")


def odd_dangling(file: Path) -> None:
    file.symlink_to("/nowhere/at/all")


def odd_folder(file: Path) -> None:
    file.mkdir()


def odd_fifo(file: Path) -> None:
    os.mkfifo(file)


@pytest.mark.parametrize("odd", [odd_link, odd_dangling, odd_folder, odd_fifo])
def test_what_is_no_file_in_place_of_the_lock_is_left_alone(
    store: Store, odd: Callable[[Path], None]
) -> None:
    odd(lock_file(store))
    before = lock_file(store).lstat()
    with pytest.raises(MemoryUnfitError, match="in place of the lock"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    with pytest.raises(MemoryUnfitError):
        lock.standing(store, now=NOW)
    assert lock_file(store).lstat() == before
    assert not store.lease.exists()
    assert leftovers(store) == []


@pytest.mark.parametrize("what", ["missing", "file"])
def test_a_memory_that_is_no_directory_is_told_in_a_sentence(tmp_path: Path, what: str) -> None:
    memory = tmp_path / "m"
    if what == "file":
        memory.write_text("")
    store = Store(memory=memory, state=tmp_path / "state", name="n")
    with pytest.raises(MemoryUnfitError, match=r"no memory directory|is not a directory"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)


def test_a_record_that_is_none_of_ours_says_nothing(store: Store) -> None:
    lease = take(store)
    good = store.lease.read_text()
    lock.roll_back(lease)
    for text in (
        "", "{", "[]", "null", "[" * 100_000, "\udcff", good.replace('"token"', '"t"'),
        good.replace("null", "true"), good.replace("+00:00", ""), good.replace("T", "?"),
        good.replace(f'"pid": {os.getpid()}', '"pid": "1"'),
    ):  # fmt: skip
        store.lease.write_bytes(text.encode("utf-8", "surrogateescape"))
        assert lock.dead_lease(store, now=NOW) is None
        lock.roll_back(take(store))
    assert not store.lease.exists()


UNPRIVILEGED = 65_534


@pytest.fixture
def open_house() -> Iterator[Path]:
    """A folder in which the tests' unprivileged children can work, even if root runs the tests."""
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


def as_anybody(store: Store, body: str) -> subprocess.CompletedProcess[str]:
    """Run without root's rights; what root alone may import is imported before they go."""
    give_up_rights = (
        "import ctypes, encodings.ascii, filelock, filelock._unix\n"
        "from dreamd.lock import grip, release, take\n"
        "if os.geteuid() == 0:\n"
        f"    os.setgroups([]); os.setgid({UNPRIVILEGED}); os.setuid({UNPRIVILEGED})\n"
    )
    return run(store, give_up_rights + body)


TRY = (
    "from dreamd.errors import DreamdError\n"
    "try:\n"
    "    lease = lock.acquire(store, dream='d', kind='consolidation', now=now)\n"
    "    print(type(lease).__name__)\n"
    "except DreamdError as error:\n"
    "    print(type(error).__name__, error)\n"
)


@pytest.mark.parametrize("prior", [None, b""])
def test_a_read_only_memory_is_told_in_a_sentence_and_left_as_it_is(
    open_house: Path, prior: bytes | None
) -> None:
    write = "" if prior is None else f"(store.memory / '.consolidate-lock').write_bytes({prior!r})"
    prepare = f"store.memory.mkdir()\n{write}\nstore.memory.chmod(0o500)\n"
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    tell = "print(os.listdir(store.memory), store.lease.exists())"
    done = as_anybody(store, prepare + TRY + tell)
    names = [] if prior is None else [".consolidate-lock"]
    first, rest = done.stdout.splitlines()
    told = f"HostError cannot write the lock {store.memory}/.consolidate-lock: Permission denied"
    assert first.startswith(told), done.stderr
    assert rest == f"{names} False"


def test_an_unreadable_lock_is_told_in_a_sentence(open_house: Path) -> None:
    prepare = """
store.memory.mkdir()
file = store.memory / '.consolidate-lock'
file.write_bytes(b'')
file.chmod(0)
"""
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    done = as_anybody(store, prepare + TRY)
    assert done.stdout.startswith("MemoryUnfitError no file that can be read stands in place of")
    assert "Permission denied" in done.stdout


@pytest.mark.parametrize("folder", [".", "locks", "stores/n"])
def test_an_unwritable_state_directory_is_told_in_a_sentence(open_house: Path, folder: str) -> None:
    prepare = f"""
store.memory.mkdir()
locked = store.state / {folder!r}
locked.mkdir(parents=True)
locked.chmod(0o500)
"""
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    done = as_anybody(store, prepare + TRY + "print(os.listdir(store.memory))")
    first, rest = done.stdout.splitlines()
    assert first.startswith("HostError cannot "), done.stderr
    assert "Permission denied" in first
    assert rest == "[]"


def test_errors_of_the_disk_come_as_host_errors_and_undo_what_was_done(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lock(store, b"")

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    monkeypatch.undo()
    assert on_disk(store) == (b"", YESTERDAY_NS)
    assert not store.lease.exists()

    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(HostError, match="No space left"):
        lock.acquire(store, dream="d", kind="consolidation", now=NOW)
    monkeypatch.undo()
    assert on_disk(store) == (b"", YESTERDAY_NS)
    assert not store.lease.exists()
    assert leftovers(store) == []
