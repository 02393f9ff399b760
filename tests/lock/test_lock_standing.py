"""Where the lock stands, for whoever asks."""

from datetime import UTC, datetime

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.host import clock
from tests.lock.lock_world import (
    HOUR,
    MINUTE,
    NOW,
    YESTERDAY_NS,
    killed,
    ns,
    run,
    take,
    write_lock,
)


def test_standing_says_who_and_when_and_changes_nothing(store: Store, foreign: bytes) -> None:
    def all_of_it() -> list[str]:
        return sorted(str(p) for p in store.state.parent.rglob("*"))

    before = all_of_it()
    free = lock.standing(store, now=NOW)
    assert (free.holder, free.consolidated, free.interrupted) == (None, None, None)
    assert free.verdict == "there is no lock"
    assert all_of_it() == before

    write_lock(store, foreign, ns(NOW - 10 * MINUTE))
    held = lock.standing(store, now=NOW)
    assert held.holder is not None
    assert held.holder.pid == int(foreign)
    assert held.consolidated == NOW - 10 * MINUTE

    write_lock(store, b"", ns(NOW - 3 * HOUR))
    lease = take(store, now=NOW)
    lock.beat(lease, now=NOW + 5 * MINUTE)
    ours = lock.standing(store, now=NOW + 6 * MINUTE)
    assert ours.holder is not None
    assert "held by dream d1 (consolidation)" in ours.verdict
    assert ours.consolidated == NOW - 3 * HOUR  # not the heartbeat
    assert ours.interrupted is None
    lock.finish(lease)
    assert lock.standing(store, now=NOW).consolidated == NOW


def test_standing_says_that_a_stamp_ahead_is_no_time(store: Store) -> None:
    write_lock(store, b"", ns(NOW + 401 * 24 * HOUR))
    seen = lock.standing(store, now=NOW)
    assert seen.from_future
    assert seen.consolidated is None
    assert "ahead" in seen.verdict
    write_lock(store, b"", ns(NOW + 30 * MINUTE))
    seen = lock.standing(store, now=NOW)
    assert not seen.from_future
    assert seen.consolidated == NOW + 30 * MINUTE


def test_standing_tells_of_an_interrupted_dream_and_the_stamp_before_it(store: Store) -> None:
    write_lock(store, b"")
    killed(store)
    seen = lock.standing(store, now=datetime.now(UTC))
    assert seen.holder is None
    assert seen.interrupted is not None
    assert seen.interrupted.dream == "d9"
    assert seen.consolidated == clock.from_ns(YESTERDAY_NS)
    assert "is gone" in seen.verdict


def test_filelock_and_psutil_are_not_imported_to_ask_where_the_lock_stands(store: Store) -> None:
    body = (
        "lock.standing(store, now=now); lock.dead_lease(store, now=now)\n"
        "print({'filelock', 'psutil', 'anthropic', 'watchdog'} & set(sys.modules))\n"
    )
    assert run(store, body).stdout == "set()\n"
