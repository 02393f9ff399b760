"""A whole dream killed, or met by a full disk, at every call that changes a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd import receipts
from dreamd.domain.ending import Outcome
from tests import transaction_driver
from tests.memory.fault_bench import Bench, bench, why_no_strace
from tests.memory.test_commit_faults import FULL, KILL, chosen
from tests.scripted import picture, texts
from tests.transaction_driver import AFTER, BEFORE, LOCK_NS, store_in

NO_STRACE = why_no_strace()
pytestmark = [
    pytest.mark.sweep,
    pytest.mark.skipif(bool(NO_STRACE), reason=NO_STRACE or "strace works"),
]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    driver = Path(transaction_driver.__file__)
    with bench(tmp_path_factory.mktemp("bench"), driver=driver) as started:
        yield started


def again(template: Path, home: Path) -> Path:
    """A copy at the path and inode of the one before, so that it is one store."""
    for part in ("memory", "state"):
        target = home / part
        target.mkdir(parents=True, exist_ok=True)
        for child in target.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        shutil.copytree(template / part, target, dirs_exist_ok=True, symlinks=True)
    return home


def lock_of(home: Path) -> tuple[bytes, int] | None:
    return next(
        (
            (data, mtime)
            for name, (data, _, mtime) in picture(home / "memory").items()
            if name == ".consolidate-lock"
        ),
        None,
    )


@pytest.mark.parametrize("fault", [KILL, FULL])
def test_a_dream_struck_anywhere_is_whole_or_never_was(
    running: Bench, tmp_path: Path, fault: str
) -> None:
    home, template = tmp_path / "home", tmp_path / "template"
    transaction_driver.lay(home)
    shutil.copytree(home, template, symlinks=True)
    points = running.points("commit", home)
    some = chosen(points, 10)
    ends = {"old": 0, "new": 0}
    for point in some:
        again(template, home)
        ended = running.run("commit", home, strace=point.inject(fault))
        assert ended.was_hit, (point, ended)
        between = texts(home / "memory")
        for name, text in between.items():
            if not Path(name).name.startswith(".dreamd-"):
                assert text in (BEFORE.get(name), AFTER.get(name)), (point, name)
        done = running.run("recover", home)
        assert done.code == 0, (point, ended, done)
        store = store_in(home)
        after = texts(home / "memory")
        assert after in (BEFORE, AFTER), (point, after)
        outcomes = [receipt.outcome for receipt in receipts.read(store.receipts)[1:]]
        lock = lock_of(home)
        assert lock is not None, point
        assert lock[0] == b""
        if after == AFTER:
            ends["new"] += 1
            assert outcomes == [Outcome.DREAMT], (point, outcomes)
            assert lock[1] != LOCK_NS, point
        else:
            ends["old"] += 1
            assert outcomes in ([], [Outcome.FAILED]), (point, outcomes)
            assert lock[1] == LOCK_NS, (point, "a crash costs no day")
        assert not store.lease.exists()
        assert not list(store.journal.glob("*"))
        assert not list(store.stages.glob("*"))
    print(f"{fault}: {len(some)} of {len(points)} points, ended {ends}")  # noqa: T201 - the figure
    assert all(ends.values())
