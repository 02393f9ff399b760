"""What is not as it should be is told in a sentence and left as it is."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.errors import HostError, MemoryUnfitError
from tests.lock import world
from tests.lock.world import NOW, YESTERDAY_NS

ODD: dict[str, Callable[[Path], object]] = {
    "a link": lambda file: file.symlink_to("."),
    "a dangling link": lambda file: file.symlink_to("/nowhere/at/all"),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_in_place_of_the_lock_is_left_alone(store: Store, odd: str) -> None:
    ODD[odd](world.lock_file(store))
    before = world.lock_file(store).lstat()
    with pytest.raises(MemoryUnfitError, match="in place of the lock"):
        world.ask(store)
    with pytest.raises(MemoryUnfitError):
        lock.standing(store, now=NOW)
    assert world.lock_file(store).lstat() == before
    assert (world.leases(store), world.leftovers(store)) == ([], [])


@pytest.mark.parametrize("what", ["missing", "file"])
def test_a_memory_that_is_no_directory_is_told_in_a_sentence(tmp_path: Path, what: str) -> None:
    if what == "file":
        (tmp_path / "m").write_text("")
    store = Store(memory=tmp_path / "m", state=tmp_path / "state", name="n")
    assert lock.standing(store, now=NOW).verdict == "there is no lock"
    with pytest.raises(MemoryUnfitError, match=r"no memory directory|is not a directory"):
        world.ask(store)


UNPRIVILEGED = 65_534
# What root alone may import is imported before root's rights go.
AS_ANYBODY = f"""
import ctypes, encodings.ascii
from dreamd.errors import DreamdError
if os.geteuid() == 0:
    os.setgroups([]); os.setgid({UNPRIVILEGED}); os.setuid({UNPRIVILEGED})
store.memory.mkdir()
file, locks = store.memory / '.consolidate-lock', store.locks
"""
TRY = """
try:
    lease = lock.acquire(store, dream='d', kind='consolidation', now=now)
    print(type(lease).__name__)
except DreamdError as error:
    print(type(error).__name__, error)
print(os.listdir(store.memory), [each.name for each in locks.glob('*.lease')])
"""


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


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        ("store.memory.chmod(0o500)", "HostError cannot write the lock MEMORY/.consolidate-lock"),
        (
            "file.touch(); store.memory.chmod(0o500)",
            "HostError cannot write the lock MEMORY/.consolidate-lock",
        ),
        ("file.touch(0)", "MemoryUnfitError no file that can be read stands in place of"),
        ("store.state.mkdir(0o500)", "HostError cannot "),
        ("locks.mkdir(parents=True); locks.chmod(0o500)", "HostError cannot "),
    ],
)
def test_what_may_not_be_read_or_written_is_told_in_a_sentence_and_left_as_it_is(
    open_house: Path, prepare: str, said: str
) -> None:
    store = Store(memory=open_house / "memory", state=open_house / "state", name="n")
    done = world.run(store, AS_ANYBODY + prepare + TRY)
    assert done.stdout, done.stderr
    first, rest = done.stdout.splitlines()
    assert first.startswith(said.replace("MEMORY", str(store.memory)))
    assert "Permission denied" in first
    assert rest == f"{['.consolidate-lock'] if 'file' in prepare else []} []"


def test_errors_of_the_disk_come_as_host_errors_and_undo_what_was_done(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write_lock(store, b"")

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    def broken(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    for module, name, fault, said in (
        (time, "sleep", interrupted, KeyboardInterrupt),
        (os, "fsync", broken, HostError),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, fault)
            with pytest.raises(said):
                world.ask(store, now=NOW)
        assert world.on_disk(store) == (b"", YESTERDAY_NS)
        assert (world.leases(store), world.leftovers(store)) == ([], [])
