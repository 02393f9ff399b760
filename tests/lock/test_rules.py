"""Who holds the lock and which mtime counts: every case of the rules, in real files."""

import os
import subprocess
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.store import Held, Lease, ProcessIdentity, Store
from dreamd.host import clock, process
from dreamd.lock import record
from dreamd.lock.lockfile import LockFile
from dreamd.lock.rules import Look, dead_lease, judge
from tests.lock import world
from tests.lock.world import HOUR, ME, MINUTE, NOW, YESTERDAY_NS

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
    "rebooted": replace(GOOD, holder=replace(GOOD.holder, boot="another")),
    "dead": replace(GOOD, holder=replace(GOOD.holder, pid=GONE.pid)),
    "elsewhere": replace(GOOD, holder=ProcessIdentity(GONE.pid, 7, "b", "server")),
    "elsewhere too": replace(GOOD, holder=ProcessIdentity(os.getpid(), 7, "b", "server")),
}

TABLE = [
    # body, age, lease: held or free, whether the lease is dead, whose mtime counts, what is said
    (None, DAY, "", "free", "", "none", "there is no lock"),
    (None, DAY, "living", "free", "", "none", "there is no lock"),
    (None, DAY, "dead", "free", "dead", "none", "there is no lock"),
    ("", MINUTE, "", "free", "", "lock", "the lock names no process"),
    ("", MINUTE, "living", "free", "", "lock", "the lock names no process"),
    ("", MINUTE, "dead", "free", "dead", "lock", "the lock names no process"),
    ("", MINUTE, "elsewhere", "free", "dead", "lock", "the lock names no process"),
    ("not a pid", MINUTE, "", "free", "", "lock", "the lock names no process"),
    ("9" * 5_000, MINUTE, "", "free", "", "lock", "the lock names no process"),
    ("other", MINUTE, "", "held", "", "lock", "in the lock since 2026-11-21 11:59 UTC"),
    ("other\n", MINUTE, "", "held", "", "lock", "in the lock since"),
    ("other", 59 * MINUTE, "", "held", "", "lock", "in the lock since"),
    ("other", HOUR, "", "free", "", "lock", "has not touched the lock since 2026-11-21 11:00 UTC"),
    ("other", DAY, "", "free", "", "lock", "has not touched"),  # a client leaves it after success
    ("gone", MINUTE, "", "free", "", "lock", "in the lock is gone"),
    ("other", -30 * MINUTE, "", "held", "", "lock", "in the lock since"),
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
    ("gone", -2 * HOUR, "dead", "free", "dead", "lease", "lies ahead"),
    ("me", MINUTE, "reused", "held", "dead", "lease", "in the lock since"),
    ("me", 2 * HOUR, "reused", "free", "dead", "lease", "has not touched"),
    ("me", 2 * HOUR, "rebooted", "free", "dead", "lease", "has not touched"),
    ("other", MINUTE, "living", "held", "", "lock", "in the lock since"),
    ("gone", MINUTE, "living", "free", "", "lock", "is gone"),
    ("other", 2 * HOUR, "living", "free", "", "lock", "has not touched"),
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
    pids = {"me": ME, "gone": b"%d" % GONE.pid, "other": foreign, "other\n": foreign + b"\n"}
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
        assert str(answer.pid).encode() in world.lock_file(store).read_bytes()
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


@given(
    body=st.one_of(st.binary(max_size=64), st.sampled_from([ME, b"%d" % GONE.pid])),
    mtime_ns=st.integers(-(2**80), 2**80),
    lease=st.sampled_from(list(LEASES.values())),
    pid_exists=st.booleans(),
    alive=st.booleans(),
    now=st.sampled_from([NOW, NOW + 30 * DAY]),
)
def test_no_lock_whatever_stands_in_it_breaks_the_rules(
    body: bytes, mtime_ns: int, lease: Lease | None, pid_exists: bool, alive: bool, now: datetime
) -> None:
    look = Look(LockFile(body, mtime_ns), lease, GOOD.holder.host, pid_exists, alive)
    verdict = judge(look, now)
    dead = dead_lease(look, now)
    assert dead is None or not alive or now >= dead.deadline or dead.holder.host == "server"
    if isinstance(verdict, Held):
        assert pid_exists or lease is not None
        assert verdict.pid == int(body)


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


def test_to_ask_changes_nothing_and_loads_nothing_heavy(store: Store) -> None:
    body = (
        "lock.standing(store, now=now)\n"
        "print({'psutil', 'anthropic', 'watchdog'} & set(sys.modules))\n"
    )
    assert world.run(store, body).stdout == "set()\n"
    assert not store.state.exists()
    assert not list(store.memory.iterdir())
