"""Whether the lock is held: the table of every case, and the oddest bodies there are."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dreamd.domain.lease import Lease, ProcessIdentity
from dreamd.lock.judge import Found, Free, Taken, is_dead, judge, names

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
HERE = "laptop"


def found(body: bytes, age: timedelta) -> Found:
    micros = round((NOW - age).timestamp() * 1_000_000)
    return Found(body=body, mtime_ns=micros * 1_000)


def lease(
    pid: int = 500, host: str = HERE, started: timedelta = HOUR, ends_in: timedelta = HOUR
) -> Lease:
    return Lease(
        memory=Path("/home/m"),
        file=Path("/state/lease.json"),
        holder=ProcessIdentity(pid=pid, ticks=77, boot="b", host=host),
        token="t",
        dream="d1",
        kind="consolidation",
        prior_mtime_ns=1,
        started=NOW - started,
        deadline=NOW + ends_in,
    )


OURS, ELSEWHERE = lease(), lease(host="server")
EXPIRED = lease(started=3 * HOUR, ends_in=-HOUR)
YES, NO = True, False

TABLE = [
    # what stands in the lock, the lease, body's PID exists, lease's holder lives, held?
    ("no file at all", None, None, NO, NO, NO),
    ("no file, though a lease is left", None, OURS, NO, YES, NO),
    ("empty body", found(b"", MINUTE), None, NO, NO, NO),
    ("empty body, lease of a living process", found(b"", MINUTE), OURS, NO, YES, NO),
    ("living PID, fresh", found(b"500", MINUTE), None, YES, NO, YES),
    ("living PID, just under the hour", found(b"500", HOUR - MINUTE), None, YES, NO, YES),
    ("living PID, the hour is full", found(b"500", HOUR), None, YES, NO, NO),
    ("PID left after success, client runs on", found(b"500", DAY), None, YES, NO, NO),
    ("dead PID, fresh", found(b"500", MINUTE), None, NO, NO, NO),
    ("dead PID, old", found(b"500", DAY), None, NO, NO, NO),
    ("30 min ahead, living", found(b"500", -30 * MINUTE), None, YES, NO, YES),
    ("an hour ahead to the second, living", found(b"500", -HOUR), None, YES, NO, YES),
    ("2 h ahead, living", found(b"500", -2 * HOUR), None, YES, NO, NO),
    ("401 days ahead, living", found(b"500", -401 * DAY), None, YES, NO, NO),
    ("2 h ahead, dead", found(b"500", -2 * HOUR), None, NO, NO, NO),
    ("lease of a living process, fresh", found(b"500", MINUTE), OURS, YES, YES, YES),
    ("lease of a living process, at any age", found(b"500", DAY), OURS, YES, YES, YES),
    ("lease of a living process, clock set back", found(b"500", -DAY), OURS, YES, YES, YES),
    ("past the deadline, heartbeat fresh", found(b"500", MINUTE), EXPIRED, YES, YES, YES),
    ("past the deadline, silent", found(b"500", HOUR), EXPIRED, YES, YES, NO),
    ("holder of the lease died", found(b"500", MINUTE), OURS, NO, NO, NO),
    ("PID of the lease reused, fresh: plain rule", found(b"500", MINUTE), OURS, YES, NO, YES),
    ("PID of the lease reused, old: plain rule", found(b"500", 2 * HOUR), OURS, YES, NO, NO),
    ("body names somebody else, living", found(b"900", MINUTE), OURS, YES, YES, YES),
    ("body names somebody else, dead", found(b"900", MINUTE), OURS, NO, YES, NO),
    ("body names somebody else, old", found(b"900", 2 * HOUR), OURS, YES, YES, NO),
    ("another host's lease, heartbeat fresh", found(b"500", MINUTE), ELSEWHERE, NO, NO, YES),
    ("another host's lease, silent for 1 h", found(b"500", HOUR), ELSEWHERE, NO, NO, NO),
    ("another host's, same PID lives here", found(b"500", HOUR), ELSEWHERE, YES, NO, NO),
    ("another host's, 2 h ahead", found(b"500", -2 * HOUR), ELSEWHERE, NO, NO, NO),
    ("garbage", found(b"not a pid", MINUTE), None, YES, NO, NO),
    ("a PID with a newline, as a shell writes it", found(b"500\n", MINUTE), None, YES, NO, YES),
]


@pytest.mark.parametrize(
    ("stands", "record", "pid_exists", "holder_alive", "held"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
def test_every_case_of_the_lock_is_judged_as_the_table_says(
    stands: Found | None, record: Lease | None, pid_exists: bool, holder_alive: bool, held: bool
) -> None:
    verdict = judge(
        stands, record, now=NOW, here=HERE, pid_exists=pid_exists, holder_alive=holder_alive
    )
    assert isinstance(verdict, Taken) is held, verdict
    if isinstance(verdict, Taken):
        assert stands is not None
        assert str(verdict.pid) in stands.body.decode()
        assert str(verdict.pid) in verdict.by
    else:
        assert verdict.why


def test_a_verdict_says_what_it_rests_on() -> None:
    def why(stands: Found | None, record: Lease | None = None, *, exists: bool = True) -> str:
        verdict = judge(
            stands, record, now=NOW, here=HERE, pid_exists=exists, holder_alive=record is OURS
        )
        return verdict.why if isinstance(verdict, Free) else verdict.by

    assert why(found(b"500", -2 * HOUR)) == (
        "the lock is stamped 2026-11-21 14:00 UTC, which lies ahead and is no time"
    )
    assert why(found(b"500", MINUTE), exists=False) == "process 500 in the lock is gone"
    assert why(found(b"500", 2 * HOUR)).endswith("not touched the lock since 2026-11-21 10:00 UTC")
    assert why(found(b"500", MINUTE), OURS) == (
        "dream d1 (consolidation) in process 500 on laptop, since 2026-11-21 11:00 UTC"
    )
    assert "server" in why(found(b"500", 2 * HOUR), ELSEWHERE)


@pytest.mark.parametrize(
    "body",
    [
        b"0", b"-1", b"-500", b"+5", b"1e3", b"0x1f4", b"5 00", b"500;501", b"9" * 11, b"9" * 60,
        b"2147483648", b"9999999999", b"\0", b"500\0", b"\xff\xfe5", "\u0665".encode(), b"None",
        b" ", b"\n",
    ],
)  # fmt: skip
def test_a_body_that_is_no_pid_names_nobody(body: bytes) -> None:
    assert Found(body=body, mtime_ns=0).pid is None


@pytest.mark.parametrize(
    ("body", "pid"), [(b"1", 1), (b"0500", 500), (b"2147483647", 2**31 - 1), (b" 7\r\n", 7)]
)
def test_a_body_that_is_a_pid_names_it(body: bytes, pid: int) -> None:
    assert Found(body=body, mtime_ns=0).pid == pid


@given(
    body=st.binary(max_size=64),
    mtime_ns=st.integers(-(2**80), 2**80),
    record=st.sampled_from([None, OURS, ELSEWHERE, EXPIRED]),
    pid_exists=st.booleans(),
    holder_alive=st.booleans(),
)
def test_no_lock_whatever_stands_in_it_breaks_the_judge(
    body: bytes, mtime_ns: int, record: Lease | None, pid_exists: bool, holder_alive: bool
) -> None:
    stands = Found(body=body, mtime_ns=mtime_ns)
    verdict = judge(
        stands, record, now=NOW, here=HERE, pid_exists=pid_exists, holder_alive=holder_alive
    )
    if isinstance(verdict, Taken):
        assert pid_exists or record is not None
        assert verdict.pid == int(body)
        assert 0 < verdict.pid < 2**31


DEAD_TABLE = [
    ("its process is gone, body names it", OURS, found(b"500", MINUTE), NO, NO, YES),
    ("its process is gone, body empty", OURS, found(b"", MINUTE), NO, NO, YES),
    ("its PID was reused", OURS, found(b"500", MINUTE), YES, NO, YES),
    ("it lives", OURS, found(b"500", MINUTE), YES, YES, NO),
    ("it lives, its PID was wiped", OURS, found(b"", MINUTE), NO, YES, NO),
    ("it lives, the file is gone", OURS, None, NO, YES, NO),
    ("past its deadline and silent", EXPIRED, found(b"500", HOUR), YES, YES, YES),
    ("past its deadline, still beating", EXPIRED, found(b"500", MINUTE), YES, YES, NO),
    ("another host's, beating", ELSEWHERE, found(b"500", MINUTE), NO, NO, NO),
    ("another host's, silent", ELSEWHERE, found(b"500", HOUR), NO, NO, YES),
    ("another host's, given back", ELSEWHERE, found(b"", MINUTE), NO, NO, YES),
]


@pytest.mark.parametrize(
    ("record", "stands", "pid_exists", "holder_alive", "dead"),
    [row[1:] for row in DEAD_TABLE],
    ids=[row[0] for row in DEAD_TABLE],
)
def test_a_lease_is_dead_only_on_proof(
    record: Lease, stands: Found | None, pid_exists: bool, holder_alive: bool, dead: bool
) -> None:
    verdict = judge(
        stands, record, now=NOW, here=HERE, pid_exists=pid_exists, holder_alive=holder_alive
    )
    claim = is_dead(record, stands, verdict, now=NOW, here=HERE, holder_alive=holder_alive)
    assert claim is dead


def test_a_lease_names_only_its_own_pid() -> None:
    assert names(OURS, found(b"500", MINUTE))
    assert not names(OURS, found(b"501", MINUTE))
    assert not names(OURS, None)
    assert not names(None, found(b"500", MINUTE))
    assert names(replace(OURS, token="other"), found(b"500\n", MINUTE))
