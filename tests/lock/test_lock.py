"""Who holds the lock by every case of the rules; taking, losing and giving it back."""

import contextlib
import errno
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.store import Held, Lease, ProcessIdentity, Store
from dreamd.errors import BusyError, LeaseLostError, MemoryUnfitError
from dreamd.host import clock, process
from dreamd.host.mutex import mutex
from dreamd.host.renames import ExchangeUnsupportedError
from dreamd.lock import holder, lockfile, record
from dreamd.lock.lockfile import LockFile
from tests.lock import world
from tests.lock.world import HOUR, ME, MINUTE, NOW, YESTERDAY_NS
from tests.pace import until


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return world.new_store(tmp_path)


@pytest.fixture(scope="session")
def foreign() -> Iterator[bytes]:
    """The PID of some other living process."""
    with subprocess.Popen(["sleep", "3600"]) as child:
        yield b"%d" % child.pid
        child.kill()


DAY = 24 * HOUR
GOOD = Lease(
    holder=process.myself(),
    token="t",
    store="memory-0123abcd",
    dream="d0",
    kind="consolidation",
    prior_mtime_ns=YESTERDAY_NS,
    started=NOW - HOUR,
    deadline=NOW + HOUR,
)
GONE = subprocess.Popen(["true"])
GONE.wait()
LEASES = {
    "": None,
    "living": GOOD,
    "expired": replace(GOOD, deadline=NOW - HOUR),
    "reused": replace(GOOD, holder=replace(GOOD.holder, ticks=1)),
    "dead": replace(GOOD, holder=replace(GOOD.holder, pid=GONE.pid)),
    "elsewhere": replace(GOOD, holder=ProcessIdentity(GONE.pid, 7, "b", "server")),
    "elsewhere too": replace(GOOD, holder=ProcessIdentity(os.getpid(), 7, "b", "server")),
}

TABLE = [
    # body, age, lease: held or free, whether the lease is dead, whose mtime counts, what is said
    (None, DAY, "", "free", "", "none", "there is no lock"),
    (None, DAY, "dead", "free", "dead", "none", "there is no lock"),
    ("", MINUTE, "", "free", "", "lock", "the lock names no process"),
    ("", MINUTE, "dead", "free", "dead", "lock", "the lock names no process"),
    ("", MINUTE, "elsewhere", "free", "dead", "lock", "the lock names no process"),
    ("not a pid", MINUTE, "", "free", "", "lock", "the lock names no process"),
    ("other", MINUTE, "", "held", "", "lock", "in the lock since 2026-11-21 11:59 UTC"),
    ("other", 59 * MINUTE, "", "held", "", "lock", "in the lock since"),
    ("other", HOUR, "", "free", "", "lock", "has not touched the lock since 2026-11-21 11:00 UTC"),
    ("gone", MINUTE, "", "free", "", "lock", "in the lock is gone"),
    ("other", -HOUR, "", "held", "", "lock", "in the lock since"),
    ("other", -2 * HOUR, "", "free", "", "ahead", "2026-11-21 14:00 UTC, which lies ahead"),
    ("other", -401 * DAY, "", "free", "", "ahead", "lies ahead and is no time"),
    ("", -2 * HOUR, "", "free", "", "ahead", "stamped over an hour ahead, which is no time"),
    ("me", MINUTE, "living", "held", "", "lease", "held by dream d0 (consolidation) in process"),
    ("me", DAY, "living", "held", "", "lease", "since 2026-11-21 11:00 UTC"),
    ("me", -DAY, "living", "held", "", "lease", "dream d0"),  # the clock was set back
    ("me", MINUTE, "expired", "held", "", "lease", "in the lock since"),
    ("me", HOUR, "expired", "free", "dead", "lease", "has not touched"),
    ("gone", MINUTE, "dead", "free", "dead", "lease", "in the lock is gone"),
    ("me", MINUTE, "reused", "held", "dead", "lease", "in the lock since"),
    ("me", 2 * HOUR, "reused", "free", "dead", "lease", "has not touched"),
    ("other", MINUTE, "living", "held", "", "lock", "in the lock since"),
    ("gone", MINUTE, "living", "free", "", "lock", "is gone"),
    ("other", 2 * HOUR, "dead", "free", "dead", "lock", "has not touched"),  # it took over since
    ("gone", MINUTE, "elsewhere", "held", "", "lease", "on server, since"),
    ("gone", HOUR, "elsewhere", "free", "dead", "lease", "no heartbeat came from host server"),
    ("me", HOUR, "elsewhere too", "free", "dead", "lease", "no heartbeat came from host server"),
    ("gone", -2 * HOUR, "elsewhere", "free", "dead", "lease", "lies ahead"),
]


Row = tuple[str | None, timedelta, str, str, str, str, str]


@pytest.mark.parametrize("recovers", [False, True])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row)[:40])
def test_the_lock_is_judged_as_the_table_says_and_taken_if_it_is_free(
    store: Store, foreign: bytes, row: Row, recovers: bool
) -> None:
    body, age, lease, held, dead, whose, said = row
    mtime = world.ns(NOW - age)
    pids = {"me": ME, "gone": b"%d" % GONE.pid, "other": foreign}
    if body is not None:
        world.write_lock(store, pids.get(body, body.encode()), mtime)
    if (recorded := LEASES[lease]) is not None:
        store.locks.mkdir(parents=True)
        record.write(record.file_of(store), recorded)
    counts = {"none": None, "lock": mtime, "ahead": mtime, "lease": YESTERDAY_NS}[whose]
    before = world.on_disk(store)

    seen = lock.standing(store, now=NOW)
    assert (seen.holder is not None) == (held == "held")
    assert seen.interrupted == (recorded if dead else None)
    assert seen.lease == recorded
    assert seen.from_future == (whose == "ahead")
    is_known = whose in {"lock", "lease"}
    assert seen.consolidated == (clock.from_ns(counts or 0) if is_known else None)
    assert said in seen.verdict

    answer = world.ask(store, now=NOW, dead=seen.interrupted if recovers else None)
    if isinstance(answer, Held):
        assert held == "held"
        assert answer == seen.holder
        assert f"process {int(world.lock_file(store).read_bytes())}" in answer.by
        assert world.on_disk(store) == before
        return
    assert held == "free"
    assert answer.prior_mtime_ns == counts
    assert world.on_disk(store) == (ME, world.ns(NOW))
    assert answer.started == (GOOD.started if dead and recovers else NOW)
    lock.fence(answer)
    assert lock.roll_back(answer)
    assert world.on_disk(store) == (None if counts is None else (b"", counts))
    assert lock.standing(store, now=NOW).lease is None


def test_a_body_names_a_process_or_nobody() -> None:
    pids = {b"1": 1, b"0500": 500, b"2147483647": 2**31 - 1, b" 7\r\n": 7}
    odd = b"0|-1|-500|+5|1e3|0x1f4|5 00|500;501|99999999999|2147483648|9999999999|None|500\0"
    nobody = [*odd.split(b"|"), b"9" * 60, b"\0", b"\xff\xfe5", "\u0665".encode(), b" ", b"\n"]
    for body, pid in [*pids.items(), *((body, None) for body in nobody)]:
        assert LockFile(body, 0).pid == pid


def test_a_record_that_is_none_of_ours_says_nothing(store: Store) -> None:
    lease = world.take(store)
    file = record.file_of(store)
    good = file.read_text()
    lock.roll_back(lease)
    for text in (
        "", "{", "[]", "null", "[" * 100_000, "\udcff", good.replace('"token"', '"t"'),
        good.replace("null", "true"), good.replace('Z"', '"'), good.replace("T", "?"),
        good.replace(f'"pid": {os.getpid()}', '"pid": "1"'),
    ):  # fmt: skip
        assert text != good
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        assert lock.standing(store, now=NOW).lease is None
        lock.roll_back(world.take(store))
    assert not file.exists()


# --- taking it and giving it back ---


def test_a_holder_says_who_it_is_and_leaves_the_modes_as_they_were(store: Store) -> None:
    world.write_lock(store, b"")
    world.lock_file(store).chmod(0o644)
    lease = world.take(store, dream="abc", now=NOW)
    assert world.lease_of(store) == lease
    assert (lease.holder.pid, lease.store, lease.dream) == (os.getpid(), store.name, "abc")
    assert lease.deadline == NOW + 2 * HOUR
    (file,) = world.leases(store)
    modes = [each.stat().st_mode & 0o777 for each in (file, store.locks, world.lock_file(store))]
    assert modes == [0o600, 0o700, 0o644]
    assert lock.finish(lease, 77) == 77
    assert world.on_disk(store) == (b"", 77)
    assert world.lock_file(store).stat().st_mode & 0o777 == 0o644
    assert (world.leases(store), world.leftovers(store)) == ([], [])
    for act in (lock.fence, lock.beat, lambda lease: lock.finish(lease, 5)):
        with pytest.raises(LeaseLostError, match="does not hold"):
            act(lease)
    assert lock.roll_back(lease) is False
    assert world.on_disk(store) == (b"", 77)


# --- who else comes ------------------------------------------------------------------------------


def test_the_same_process_cannot_take_it_twice_until_the_first_is_overdue(store: Store) -> None:
    world.write_lock(store, b"")
    hung = world.take(store, now=NOW)
    for moment in (NOW, NOW + 119 * MINUTE):
        answer = world.ask(store, dream="d2", now=moment)
        assert isinstance(answer, Held)
        assert f"process {os.getpid()}" in answer.by
        lock.fence(hung)
    taken = world.take(store, dream="d2", now=NOW + 2 * HOUR)
    # Both bear the PID of this test; the body alone could not tell them apart.
    with pytest.raises(LeaseLostError, match="dream d2 of this same process took it over"):
        lock.fence(hung)
    assert lock.roll_back(hung) is False
    lock.fence(taken)
    assert world.lease_of(store) == taken
    lock.roll_back(taken)
    assert world.on_disk(store) == (b"", YESTERDAY_NS)


def test_a_forked_child_holds_nothing(store: Store) -> None:
    lease = world.take(store)
    if not (child := os.fork()):
        with contextlib.suppress(LeaseLostError):
            lock.fence(lease)
            os._exit(9)
        os._exit(7 if lock.roll_back(lease) is False else 8)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    lock.fence(lease)
    lock.finish(lease, 1)


def test_a_lease_goes_with_its_directory_and_not_with_the_path(tmp_path: Path) -> None:
    store, moved = world.new_store(tmp_path), world.new_store(tmp_path, "moved")
    world.write_lock(store, b"")
    world.killed(store)
    store.memory.rename(moved.memory)
    gone = lock.standing(store, now=NOW)
    assert (gone.lease, gone.verdict) == (None, "there is no lock")
    shutil.copytree(moved.memory, store.memory)  # another directory, with the PID in its lock
    lock.roll_back(world.take(store))
    assert lock.standing(moved, now=NOW).interrupted is not None
    lease = world.take(moved)
    assert lease.prior_mtime_ns == YESTERDAY_NS
    moved.memory.rename(tmp_path / "again")  # under its holder
    assert isinstance(world.ask(world.new_store(tmp_path, "again")), Held)
    with pytest.raises(LeaseLostError, match="its file is gone"):
        lock.fence(lease)
    assert lock.roll_back(lease) is False
    assert world.leases(store) == []


def test_a_judge_that_is_stuck_makes_others_busy_by_whatever_path_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = world.new_store(tmp_path)
    (tmp_path / "link").symlink_to(store.memory)
    impatient = partial(mutex, seconds=0.03)
    monkeypatch.setattr("dreamd.lock.acquisition.mutex", impatient)

    def judge(store: Store) -> object:
        entered = mutex(store.locks, store.memory)
        entered.__enter__()
        return entered

    with world.holder(world.new_store(tmp_path, "link", "another-name"), judge) as child:
        answer = world.ask(store)
        assert isinstance(answer, Held)
        assert "judging the lock" in answer.by
        child.kill()  # the kernel lets go for the dead
        child.join()
        lock.roll_back(world.take(store))


# --- who writes in the very moment in which dreamd takes it keeps it -----------------------------


def replaced(store: Store, foreign: bytes) -> None:
    (store.memory / "t").write_bytes(foreign)
    (store.memory / "t").rename(world.lock_file(store))


def linked(store: Store, _: bytes) -> None:
    world.lock_file(store).rename(store.memory / "elsewhere")
    world.lock_file(store).symlink_to(store.memory / "elsewhere")


WRITES: dict[str, Callable[[Store, bytes], object]] = {
    "in place": lambda store, foreign: world.lock_file(store).write_bytes(foreign),
    "by rename": replaced,
    "deletes": lambda store, _: world.lock_file(store).unlink(),
    "a link": linked,
}


@pytest.mark.parametrize("before", [None, b"", b"999999999"])
@pytest.mark.parametrize("way", WRITES)
def test_who_writes_between_our_look_and_our_rename_keeps_the_lock(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch, before: bytes | None, way: str
) -> None:
    if before is not None:
        world.write_lock(store, before)
    elif way in {"deletes", "a link"}:
        return
    for name in ("exchange", "rename_new"):  # the last instant before it is renamed into place
        real = getattr(lockfile, name)

        def late(one: Path, other: Path, real: Callable[..., None] = real) -> None:
            monkeypatch.undo()
            WRITES[way](store, foreign)
            real(one, other)

        monkeypatch.setattr(lockfile, name, late)
    if way == "a link":
        with pytest.raises(MemoryUnfitError):
            world.ask(store)
        assert world.lock_file(store).is_symlink()
        assert world.lock_file(store).read_bytes() == before
    else:
        answer = world.ask(store)
        assert isinstance(answer, Held)
        stands = world.on_disk(store)
        assert answer.by.startswith("somebody" if stands is None else f"process {int(foreign)}")
        assert (stands and stands[0]) == (None if way == "deletes" else foreign)
    assert (world.leases(store), world.leftovers(store)) == ([], [])


@pytest.mark.parametrize("waits", [False, True])
def test_who_writes_within_fifty_milliseconds_after_us_has_it(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    """Also where a killed dream `waits` for its recovery, which is not forgotten over it."""
    if waits:
        world.write_lock(store, b"")
        world.killed(store)
    slept: list[float] = []

    def settle(seconds: float) -> None:
        slept.append(seconds)
        assert world.lock_file(store).read_bytes() == ME
        with (
            pytest.raises(BusyError),
            mutex(store.locks, store.memory, 0),  # it is held all the while
        ):
            pytest.fail("the mutex was let go")
        world.lock_file(store).write_bytes(foreign)

    monkeypatch.setattr(time, "sleep", settle)
    answer = world.ask(store)
    monkeypatch.undo()
    assert 0.05 in slept
    assert isinstance(answer, Held)
    assert answer.by.startswith(f"process {int(foreign)}")
    assert world.lock_file(store).read_bytes() == foreign
    dead = lock.standing(store, now=datetime.now(UTC)).lease
    assert (dead and dead.dream) == ("d9" if waits else None)


@pytest.mark.parametrize("is_late", [False, True])
def test_without_a_swap_in_one_step_a_last_look_stands_in(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    def unsupported(one: Path, other: Path) -> None:
        if is_late:
            world.lock_file(store).write_bytes(foreign)
        raise ExchangeUnsupportedError

    world.write_lock(store, b"")
    monkeypatch.setattr(lockfile, "exchange", unsupported)
    answer = world.ask(store, now=NOW)
    assert isinstance(answer, Held) == is_late
    assert world.lock_file(store).read_bytes() == (foreign if is_late else ME)
    if isinstance(answer, Lease):
        lock.roll_back(answer)
        assert world.on_disk(store) == (b"", YESTERDAY_NS)
    assert world.leftovers(store) == []


# --- what is lost --------------------------------------------------------------------------------

LOSSES: dict[str, tuple[Callable[[Store, bytes], object], str]] = {
    "overwritten": (world.write_lock, "process PID stands in it"),
    "replaced": (replaced, "process PID stands in it"),
    "emptied": (lambda store, _: world.write_lock(store, b""), "it was emptied"),
    "removed": (lambda store, _: world.lock_file(store).unlink(), "its file is gone"),
    "without a memory": (lambda store, _: shutil.rmtree(store.memory), "its file is gone"),
    "a link": (linked, "a symbolic link stands in place of the lock"),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("act", ["fence", "beat", "finish", "roll_back"])
def test_a_lease_that_is_lost_says_to_whom_and_is_not_touched_again(
    store: Store, foreign: bytes, loss: str, act: str
) -> None:
    lose, why = LOSSES[loss]
    lease = world.take(store)
    lose(store, foreign)

    def everything() -> object:
        return [
            (p.name, p.read_bytes(), p.lstat().st_ino, p.lstat().st_mtime_ns, p.lstat().st_mode)
            for p in sorted(store.memory.glob("*") if store.memory.exists() else ())
        ]

    before = everything()
    if act != "roll_back":
        with pytest.raises(LeaseLostError, match=why.replace("PID", foreign.decode())):
            lock.finish(lease, 5) if act == "finish" else getattr(lock, act)(lease)
        with pytest.raises(LeaseLostError):
            lock.fence(lease)
    if act in {"fence", "beat"} and loss == "overwritten":
        world.write_lock(store, ME)  # it stays lost even if our PID comes back
        with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
            lock.beat(lease)
        before = everything()
    assert lock.roll_back(lease) is False
    assert everything() == before
    assert world.leases(store) == []


def test_a_heartbeat_stamps_the_inode_whose_body_it_read_and_no_other(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = world.take(store, now=NOW)
    inode = world.lock_file(store).stat().st_ino
    lock.beat(lease, now=NOW + 5 * MINUTE)
    assert world.on_disk(store) == (ME, world.ns(NOW + 5 * MINUTE))
    assert world.lock_file(store).stat().st_ino == inode
    real = os.utime

    def late(*args: object, **kwargs: object) -> None:
        replaced(store, foreign)
        real(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came

    stamp = time.time_ns()
    monkeypatch.setattr(os, "utime", late)
    with pytest.raises(LeaseLostError):
        lock.beat(lease, now=NOW + 5 * MINUTE)
    monkeypatch.undo()
    seen = world.on_disk(store)
    assert seen is not None
    assert seen[0] == foreign
    assert abs(seen[1] - stamp) < 60 * 10**9  # the stranger's own stamp, not ours


def beats() -> int:
    return sum(each.name.startswith("heartbeat") for each in threading.enumerate())


def test_the_heart_beats_until_the_block_or_the_lease_ends_and_at_once_after_a_sleep(
    store: Store, foreign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def has_beaten() -> bool:
        return world.lock_file(store).stat().st_mtime_ns != world.ns(NOW)

    often, real, slept = timedelta(milliseconds=10), clock.since_boot, threading.Event()
    lease = world.take(store, now=NOW)
    with lock.beating(lease, every=often):
        until(has_beaten)
    assert beats() == 0
    lock.roll_back(lease)

    lease = world.take(store, now=NOW)
    with lock.beating(lease, every=often):
        lock.finish(lease, 77)
        until(lambda: beats() == 0)
    assert world.on_disk(store) == (b"", 77)

    monkeypatch.setattr(holder, "_LOOK", often)
    monkeypatch.setattr(clock, "since_boot", lambda: real() + 8 * HOUR * slept.is_set())
    lease = world.take(store, now=NOW)
    with lock.beating(lease):
        time.sleep(0.05)
        assert world.on_disk(store) == (ME, world.ns(NOW))  # five minutes are not over
        slept.set()
        until(has_beaten)
        lock.fence(lease)
    with lock.beating(lease, every=often):
        world.write_lock(store, foreign)
        until(lambda: beats() == 0)
        with pytest.raises(LeaseLostError, match=f"process {int(foreign)} stands in it"):
            lock.fence(lease)
    assert world.on_disk(store) == (foreign, YESTERDAY_NS)


# --- what is not as it should be is told in a sentence and left as it is -------------------------


def test_an_interrupt_undoes_what_was_done_and_a_fault_of_the_disk_loses_no_lease(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write_lock(store, b"")
    failed = threading.Event()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def broken(*_: object, **__: object) -> None:
        failed.set()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            world.ask(store, now=NOW)
    assert world.on_disk(store) == (b"", YESTERDAY_NS)
    assert (world.leases(store), world.leftovers(store)) == ([], [])

    lease = world.take(store)
    with lock.beating(lease, every=timedelta(milliseconds=5)):
        monkeypatch.setattr(os, "utime", broken)
        assert failed.wait(10)
        monkeypatch.undo()
        assert beats() == 1
        lock.fence(lease)
    assert lock.roll_back(lease)


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


def test_what_is_no_directory_or_may_not_be_read_is_told_in_a_sentence(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for name, said in (("missing", "no memory directory"), ("file", "is not a directory")):
        odd = Store(memory=tmp_path / name, state=tmp_path / "state", name="n")
        assert lock.standing(odd, now=NOW).verdict == "there is no lock"
        with pytest.raises(MemoryUnfitError, match=said):
            world.ask(odd)
    real = os.open

    def forbidden(path: Path, *how: int, **more: int) -> int:  # root may open it
        if path == world.lock_file(store):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, *how, **more)

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(MemoryUnfitError, match=r"no file that can be read.*Permission denied"):
        world.ask(store)
    assert (world.leases(store), world.leftovers(store)) == ([], [])
