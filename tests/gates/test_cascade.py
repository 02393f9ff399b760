from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from dreamd.domain.verdict import Cost
from dreamd.errors import HostError, MemoryUnfitError
from dreamd.gates import backoff
from dreamd.gates.catalogue import CATALOGUE
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, Time, World, stamp

ROOT = Path(__file__).parents[2]
NO_PID = str(2**22 + 1)  # Linux gives none beyond 2**22


def test_the_gates_stand_in_the_order_of_their_cost() -> None:
    names = [gate.name for gate in CATALOGUE]
    assert names == [
        *("kill switch", "time", "throttle"),
        *("quiet", "load", "pressure", "passes", "budget", "network", "power"),
        *("sessions", "idle", "lock"),
    ]


def test_where_nothing_was_ever_consolidated_5_sessions_suffice(world: World) -> None:
    world.sessions(4, age=400 * DAY)
    verdict = world.cascade().ask()
    assert (verdict.gate, verdict.is_open) == ("sessions", False)
    assert verdict.read == "4 of 5 sessions"
    world.session(DAY)
    world.store.throttle.unlink()
    verdict = world.cascade().ask()
    assert (verdict.gate, verdict.is_open) == ("lock", True)
    assert verdict.read == "nobody holds the lock: there is no lock"


def test_a_store_without_a_memory_directory_is_never_consolidated(world: World) -> None:
    world.store.memory.rmdir()
    world.sessions(5)
    assert world.cascade().ask().is_open


def test_switched_off_nothing_is_looked_at(world: World) -> None:
    world.settings = replace(world.settings, enabled=False)
    world.store.memory.rmdir()
    world.store.memory.symlink_to(world.store.memory)  # a look would fail
    verdict = world.cascade().ask()
    assert (verdict.gate, verdict.is_open, verdict.cost) == ("kill switch", False, Cost())
    assert verdict.again is None
    assert world.ask() == verdict


def test_reloading_settings_flips_the_kill_switch(world: World) -> None:
    cascade = world.cascade()
    world.consolidated(HOUR)
    assert cascade.ask().gate == "time"
    cascade.reload(replace(world.settings, enabled=False))
    assert cascade.ask().gate == "kill switch"
    cascade.reload(world.settings)
    assert cascade.ask().gate == "time"


@pytest.mark.parametrize(
    ("age", "gate"),
    [
        (0, "time"),
        (HOUR, "time"),
        (DAY - MINUTE, "time"),
        (DAY + MINUTE, "sessions"),
        (-MINUTE, "time"),
        (-HOUR + MINUTE, "time"),
        (-HOUR - MINUTE, "sessions"),
        (-400 * DAY, "sessions"),
    ],
)
@pytest.mark.parametrize("body", ["", NO_PID, "no number"])
def test_the_time_gate_is_shut_for_24_h(world: World, age: int, gate: str, body: str) -> None:
    world.consolidated(age, body)
    verdict = world.cascade().ask()
    assert (verdict.gate, verdict.is_open) == (gate, False)
    assert world.looks == bool(body)


def test_the_time_gate_says_when_to_ask_again(world: World) -> None:
    world.lock.touch()
    before = stamp(world.lock, 3 * HOUR)
    again = world.cascade().ask().again
    assert again is not None
    assert abs(again.timestamp() - (before + DAY) / SECOND) < 0.001


def test_a_day_later_the_time_gate_opens_without_a_change_of_the_lock(
    world: World, clocks: Time
) -> None:
    world.consolidated(HOUR)
    cascade = world.cascade()
    for hours in range(1, 23):
        assert f"last consolidated {hours} h ago" in cascade.ask().read
        clocks.pass_by(HOUR)
    assert cascade.ask().gate == "time"
    clocks.pass_by(HOUR)
    assert cascade.ask().gate == "sessions"


def test_a_clock_set_back_by_more_than_an_hour_opens_the_time_gate(
    world: World, clocks: Time
) -> None:
    world.consolidated(MINUTE)
    cascade = world.cascade()
    assert cascade.ask().gate == "time"
    clocks.set_wall(-30 * MINUTE)
    assert cascade.ask().gate == "time"
    clocks.set_wall(-60 * MINUTE)
    verdict = world.examine()["time"]
    assert verdict.is_open
    assert "over an hour ahead, which is no time" in verdict.read
    assert cascade.ask().gate == "sessions"


@pytest.mark.parametrize("body", ["", NO_PID])
def test_a_stamp_ahead_becomes_a_time_once_it_is_under_an_hour_off(
    world: World, clocks: Time, body: str
) -> None:
    world.consolidated(-HOUR - 30 * SECOND, body)
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    assert cascade.ask().gate == "throttle"
    assert "over an hour ahead, which is no time" in world.examine()["time"].read
    clocks.pass_by(40 * SECOND)  # while what the throttle said still holds
    assert cascade.ask().gate == "time"


def test_a_pid_written_into_the_very_same_lock_is_noticed(world: World) -> None:
    world.consolidated(10 * MINUTE)
    cascade = world.cascade()
    assert cascade.ask().read.startswith("last consolidated")
    before = world.lock.stat().st_mtime_ns
    world.lock.write_text(str(os.getpid()))
    os.utime(world.lock, ns=(before, before))
    assert cascade.ask().read.startswith("a dream is running")


def test_a_consolidation_by_anyone_shuts_the_time_gate_at_once(world: World) -> None:
    world.consolidated(3 * DAY)
    cascade = world.cascade()
    assert [cascade.ask().gate for _ in range(3)] == ["sessions", "throttle", "throttle"]
    world.consolidated(0)
    assert cascade.ask().gate == "time"
    world.lock.unlink()
    assert cascade.ask().gate == "throttle"


@pytest.mark.parametrize("hours", [1, 3, 30])
def test_a_pid_left_behind_by_another_client_is_looked_up_once(world: World, hours: int) -> None:
    world.consolidated(hours * HOUR + MINUTE, str(os.getpid()))
    cascade = world.cascade()
    first, *others = [cascade.ask() for _ in range(5)]
    assert world.looks == 1
    assert all(each.gate == ("time" if hours < 24 else "throttle") for each in others)
    assert first.gate == ("time" if hours < 24 else "sessions")
    world.consolidated(hours * HOUR, str(os.getpid()))
    cascade.ask()
    assert world.looks == 2


def test_another_client_that_may_still_be_dreaming_is_asked_for_every_10_s(
    world: World, clocks: Time
) -> None:
    world.consolidated(10 * MINUTE, str(os.getpid()))
    cascade = world.cascade()
    first = cascade.ask()
    assert (first.gate, first.is_open) == ("time", False)
    assert first.read.startswith(f"a dream is running: process {os.getpid()}, in the lock since ")
    assert [cascade.ask().read for _ in range(3)] == [first.read] * 3
    assert world.looks == 1
    clocks.pass_by(11 * SECOND)
    cascade.ask()
    assert world.looks == 2
    clocks.pass_by(HOUR)
    assert cascade.ask().read.startswith("last consolidated 1 h ago")


@contextmanager
def dreaming(world: World) -> Iterator[None]:
    """A process that holds the lock inside, and is killed in the middle of its dream."""
    code = f"""
        import time
        from pathlib import Path
        from dreamd import lock
        from dreamd.domain.store import Store
        from dreamd.host import clock
        store = Store(Path({str(world.store.memory)!r}), Path({str(world.store.state)!r}), "notes")
        lease = lock.acquire(store, dream="d1", kind="consolidation", now=clock.now())
        print(type(lease).__name__, flush=True)
        time.sleep(60)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "Lease\n"
            yield
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("age", "gate"), [(2 * DAY, "sessions"), (HOUR, "time"), (None, "sessions")]
)
def test_a_dream_that_is_killed_costs_no_day(world: World, age: int | None, gate: str) -> None:
    if age is not None:
        world.consolidated(age)
    cascade = world.cascade()
    assert cascade.ask().gate == gate
    with dreaming(world):
        verdict = cascade.ask()
        assert (verdict.gate, verdict.is_open) == ("time", False)
        assert verdict.read.startswith("a dream is running: dream d1 (consolidation)")
        assert verdict.again is not None
        assert not world.examine()["lock"].is_open
    world.store.throttle.unlink(missing_ok=True)
    verdict = world.cascade().ask()
    assert (verdict.gate, verdict.is_open) == (gate, False)
    assert cascade.ask().gate == ("time" if age == HOUR else "throttle")
    page = world.examine()
    assert "dream d1 was interrupted since" in page["time"].read
    assert page["time"].is_open is (age != HOUR)
    assert page["lock"].is_open
    assert "dream d1 was interrupted and is recovered first" in page["lock"].read
    looks = world.looks
    cascade.ask()
    assert world.looks == looks + 1  # a recovery need not touch the lock


def test_with_0_hours_a_dream_that_runs_still_shuts_the_gate(world: World) -> None:
    world.set(hours=0, sessions=0)
    assert world.ask().is_open
    world.store.throttle.unlink()
    with dreaming(world):
        assert world.ask().gate == "time"


@pytest.mark.parametrize("what", ["link", "dangling link", "folder", "pipe"])
def test_an_odd_thing_in_place_of_the_lock_is_told_and_left_alone(world: World, what: str) -> None:
    match what:
        case "link" | "dangling link":
            target = world.home / "elsewhere"
            if what == "link":
                target.touch()
            world.lock.symlink_to(target)
        case "folder":
            world.lock.mkdir()
        case _:
            os.mkfifo(world.lock)
    for ask in (world.cascade().ask, world.ask, world.examine):
        with pytest.raises(MemoryUnfitError):
            ask()


def test_a_memory_that_cannot_be_looked_at_is_an_error_that_says_so(world: World) -> None:
    world.store.memory.rmdir()
    world.store.memory.symlink_to(world.store.memory)
    with pytest.raises(HostError, match=r"cannot look at the lock .*: .*symbolic links"):
        world.cascade().ask()
    with pytest.raises(HostError):
        world.examine()


def test_asking_counts_only_what_was_touched_since_with_2_s_of_grace(world: World) -> None:
    world.set(sessions=4)
    world.consolidated(2 * DAY)
    for age in (0, -SECOND, SECOND, 3 * SECOND):  # at the stamp, after, 1 s and 3 s before
        world.session(2 * DAY + age)
    verdict = world.ask()
    assert (verdict.gate, verdict.is_open) == ("sessions", False)
    assert verdict.read.startswith("3 of 4 sessions since ")
    assert verdict.cost == Cost(stats=4, scans=1, names=4)


def test_the_asker_s_own_sessions_do_not_count(world: World) -> None:
    mine, dreams, *others = world.sessions(6)
    verdict = world.ask(current={mine}, own=[dreams])
    assert verdict.read == ("4 of 5 sessions; 2 more are the asker's own, which do not count")
    world.store.throttle.unlink()
    assert world.ask(current=mine).is_open  # one id, given as it is
    assert world.examine(current=set(others))["sessions"].read.startswith("2 of 5 sessions; 4 more")


def test_only_one_s_own_session_touched_is_no_session(world: World) -> None:
    mine = world.session(0)
    assert world.ask(current={mine}).read == (
        "0 of 5 sessions; one more is the asker's own, which does not count"
    )


def test_a_session_gate_that_is_shut_is_not_read_again_for_10_min(
    world: World, clocks: Time
) -> None:
    world.consolidated(2 * DAY)
    world.sessions(3)
    cascade = world.cascade()
    first = cascade.ask()
    assert (first.gate, first.cost.scans) == ("sessions", 1)
    world.sessions(2)
    again = cascade.ask()
    assert (again.gate, again.is_open) == ("throttle", False)
    assert again.read.startswith("sessions were last counted less than a minute ago: 3 of 5 sess")
    assert again.cost == Cost()
    assert again.again is not None
    assert first.again is not None
    assert abs((again.again - first.again).total_seconds()) < 0.05
    clocks.pass_by(9 * MINUTE)
    assert cascade.ask().read.startswith("sessions were last counted 9 min ago: 3 of 5 sessions")
    clocks.pass_by(MINUTE)
    assert cascade.ask().is_open


def test_setting_the_clock_neither_shortens_nor_lengthens_the_throttle(
    world: World, clocks: Time
) -> None:
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    clocks.set_wall(5 * HOUR)
    assert cascade.ask().gate == "throttle"
    clocks.set_wall(-9 * HOUR)
    assert cascade.ask().gate == "throttle"
    clocks.pass_by(10 * MINUTE)
    assert cascade.ask().gate == "sessions"


def test_a_new_process_sees_the_count_of_another(world: World, clocks: Time) -> None:
    assert world.ask().gate == "sessions"
    verdict = world.ask()
    assert (verdict.gate, verdict.cost) == ("throttle", Cost(stats=1))
    assert verdict.read == "sessions were last counted less than a minute ago"
    clocks.pass_by(9 * MINUTE)
    assert world.ask().gate == "throttle"
    clocks.pass_by(MINUTE)
    assert world.ask().gate == "sessions"


def test_a_long_lived_process_sees_the_count_of_another(world: World, clocks: Time) -> None:
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    clocks.pass_by(10 * MINUTE)
    assert world.ask().gate == "sessions"
    verdicts = [cascade.ask() for _ in range(3)]
    assert [each.gate for each in verdicts] == ["throttle"] * 3
    assert [each.cost.stats for each in verdicts] == [1, 0, 0]
    clocks.pass_by(2 * MINUTE)
    later = cascade.ask()
    assert (later.gate, later.cost) == ("throttle", Cost())
    clocks.pass_by(8 * MINUTE)
    assert cascade.ask().gate == "sessions"


def test_two_processes_that_ask_at_once_count_about_once(world: World) -> None:
    code = f"""
        import sys
        from pathlib import Path
        from dreamd.domain.lease import Standing
        from dreamd.domain.settings import Settings
        from dreamd.domain.store import Store
        from dreamd.gates import ask_once
        from tests.gates.world import Calm
        store = Store(Path({str(world.store.memory)!r}), Path({str(world.store.state)!r}), "notes")
        free = Standing(None, None, from_future=False, interrupted=None, verdict="free")
        sys.stdin.readline()
        for _ in range(200):
            asked = ask_once(
                store, Settings(), folders=lambda: [], standing=lambda: free, around=Calm()
            )
            print(asked.gate)
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    pipe = subprocess.PIPE
    racers = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    said = [racer.communicate()[0].split() for racer in racers]
    assert [len(each) for each in said] == [200, 200]
    counts = [each.count("sessions") for each in said]
    assert 1 <= sum(counts) <= 2  # together in the same microseconds, at most once each
    assert sum(each.count("throttle") for each in said) == 400 - sum(counts)


@pytest.mark.parametrize(
    ("age", "gate"),
    [
        (0, "throttle"),
        (9 * MINUTE, "throttle"),
        (11 * MINUTE, "sessions"),
        (400 * DAY, "sessions"),
        (-23 * HOUR, "throttle"),  # as far as a back-off may set it ahead
        (-25 * HOUR, "sessions"),
        (-400 * DAY, "sessions"),
    ],
)
@pytest.mark.parametrize("body", ["", "garbage\0"])
def test_what_the_throttle_says_counts_unless_it_is_no_time(
    world: World, age: int, gate: str, body: str
) -> None:
    world.store.home.mkdir(parents=True)
    world.store.throttle.write_text(body)
    stamp(world.store.throttle, age)
    assert world.ask().gate == gate
    if gate == "sessions":
        assert world.store.throttle.read_text() == ""
        assert world.ask().gate == "throttle"


def test_where_the_throttle_cannot_be_written_a_process_still_remembers(world: World) -> None:
    world.store.state.write_text("a file in the way")
    assert world.ask().gate == "sessions"
    assert world.ask().gate == "sessions"
    cascade = world.cascade()
    assert [cascade.ask().gate for _ in range(3)] == ["sessions", "throttle", "throttle"]


def test_a_full_disk_lets_the_throttle_be_stamped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.store.home.mkdir(parents=True)
    world.store.throttle.touch()
    stamp(world.store.throttle, HOUR)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dreamd.host.files.write_new", full)
    assert [world.ask().gate for _ in range(2)] == ["sessions", "throttle"]


def test_what_is_left_in_the_state_directory_is_private(world: World) -> None:
    world.ask()
    backoff.failed(world.store, world.settings, "x")
    assert world.store.home.stat().st_mode & 0o777 == 0o700
    files = sorted(world.store.home.iterdir())
    assert [each.name for each in files] == ["backoff.json", "throttle"]
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in files)


def test_0_minutes_of_throttle_count_at_every_turn(world: World) -> None:
    world.set(throttle_minutes=0)
    cascade = world.cascade()
    assert [cascade.ask().gate for _ in range(3)] == ["sessions"] * 3
    assert not world.store.throttle.exists()


def test_shorter_settings_hold_at_once(world: World, clocks: Time) -> None:
    cascade = world.cascade()
    assert cascade.ask().gate == "sessions"
    clocks.pass_by(5 * MINUTE)
    assert cascade.ask().gate == "throttle"
    world.set(throttle_minutes=4)
    cascade.reload(world.settings)
    assert cascade.ask().gate == "sessions"


def test_folders_that_cannot_be_read_count_nothing_and_are_told(world: World) -> None:
    world.sessions(2)
    world.folders += [world.home / "gone", world.home / "file"]
    (world.home / "file").touch()
    verdict = world.ask()
    assert verdict.read == (
        f"2 of 5 sessions; there is no transcript directory {world.home}/gone; "
        f"there is no transcript directory {world.home}/file"
    )
    assert verdict.cost.scans == 3


def test_examining_gives_every_gate_and_changes_nothing(world: World) -> None:
    world.settings = replace(world.settings, enabled=False)
    world.consolidated(3 * HOUR)
    world.sessions(2)
    before = sorted((path, path.lstat().st_mtime_ns) for path in world.home.rglob("*"))
    verdicts = world.examine()
    assert list(verdicts) == [gate.name for gate in CATALOGUE]
    closed = [name for name, verdict in verdicts.items() if not verdict.is_open]
    assert closed == ["kill switch", "time", "sessions"]
    assert sorted((path, path.lstat().st_mtime_ns) for path in world.home.rglob("*")) == before
    assert verdicts["sessions"].again is None  # they may be counted right away
    for each in verdicts.values():
        assert each.read
        assert bool(each.opens) is not each.is_open


def test_examining_within_the_throttle_says_when_sessions_are_counted_next(world: World) -> None:
    world.sessions(3)
    asked = world.ask()
    verdicts = world.examine()
    assert not verdicts["throttle"].is_open
    assert verdicts["sessions"].read == "3 of 5 sessions"
    assert asked.again is not None
    said = verdicts["sessions"].again
    assert said is not None
    assert abs((said - asked.again).total_seconds()) < 0.05


def test_a_store_s_folder_is_made_only_to_throttle(world: World) -> None:
    world.consolidated(HOUR)
    world.ask()
    world.examine()
    assert not world.store.state.exists()
