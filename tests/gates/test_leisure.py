"""Who is working, and when a dream waits for that no longer: the rule, and when sessions were."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from dreamd.domain.verdict import Cost
from dreamd.gates.leisure import at_leisure
from dreamd.gates.recency import recent
from dreamd.gates.surroundings import Leisure, Recent
from dreamd.gates.thresholds import Thresholds
from dreamd.host import clock
from dreamd.host.working import Client
from tests.gates.world import DAY, HOUR, MINUTE, SECOND, World

pytestmark = pytest.mark.usefixtures("in_utc")

NOW = int(datetime(2026, 11, 17, 12, 0, tzinfo=UTC).timestamp()) * SECOND  # a Tuesday
LIMITS = Thresholds()
NEVER = Thresholds(cadence=0, cadence_sessions=0)


def touched(
    newest: int | None, count: int = 5, since: int | None = DAY, oldest: int | None = None
) -> Recent:
    """Sessions, by how long ago they were touched."""
    return Recent(
        None if newest is None else NOW - newest,
        None if oldest is None else NOW - oldest,
        count,
        None if since is None else NOW - since,
    )


def client(status: str, told: int | None = MINUTE) -> Client:
    return Client("0b5c1f5e-3c1e", 77, status, None if told is None else NOW - told)


@pytest.mark.parametrize(
    ("recency", "is_open", "read", "again"),
    [
        (touched(None), True, "no session is working", None),
        (touched(10 * MINUTE), True, "none was touched for 10 min", None),
        (touched(10 * MINUTE - 1), False, "a session was touched Tuesday 11:50", 1),
        (touched(3 * MINUTE), False, "a session was touched Tuesday 11:57", 7 * MINUTE),
        (touched(0), False, "Tuesday 12:00", 10 * MINUTE),
        # a clock was set back, or the stamp is nonsense
        (touched(-HOUR), False, "Tuesday 12:00", 10 * MINUTE),
        (touched(-HOUR - 1), True, "no session is working", None),
        # nobody is starved
        (touched(0, count=20), True, "20 sessions wait, too many to wait for a pause", None),
        (touched(0, count=19), False, "a session was touched", 10 * MINUTE),
        (touched(0, since=2 * DAY), True, "memory has waited 2 days, too long", None),
        (touched(0, since=2 * DAY - 1), False, "a session was touched", 1),
        (touched(0, since=None, oldest=2 * DAY), True, "memory has waited 2 days", None),
        (touched(0, since=None, oldest=HOUR), False, "a session was touched", 10 * MINUTE),
        (touched(0, since=None, oldest=-HOUR), False, "a session was touched", 10 * MINUTE),
    ],
)
def test_a_dream_waits_for_a_pause_and_not_for_ever(
    recency: Recent, is_open: bool, read: str, again: int | None
) -> None:
    answer = at_leisure(Leisure((), recency), LIMITS, NOW)
    assert (answer.is_open, read in answer.read) == (is_open, True), answer.read
    assert answer.again == (None if again is None else NOW + again)
    if not is_open:
        assert NOW < answer.until <= NOW + 10 * MINUTE


@pytest.mark.parametrize(
    ("one", "is_working"),
    [
        (client("busy"), True),
        (client("busy", 5 * HOUR), True),
        (client("busy", 6 * HOUR), False),  # it has lost count of its turns
        (client("busy", None), True),
        (client("busy", -HOUR), True),
        (client("idle"), False),
        (client("waiting"), False),
        (client("shell"), False),
        (client(""), False),  # it tells nothing: its transcript does
        (client("pondering", 9 * MINUTE), True),
        (client("pondering", 10 * MINUTE), False),
        (client("pondering", None), False),
    ],
)
def test_what_counts_as_working(one: Client, is_working: bool) -> None:
    answer = at_leisure(Leisure((client("idle"), one), touched(HOUR)), LIMITS, NOW)
    assert answer.is_open is not is_working
    if is_working:
        assert answer.read == "session 0b5c1f5e is working (process 77)"
        assert answer.again == NOW + 2 * MINUTE


def test_a_session_that_works_for_days_does_not_starve_memory() -> None:
    busy = (client("busy"), client("busy"))
    answer = at_leisure(Leisure(busy, touched(HOUR)), LIMITS, NOW)
    assert answer.read == "session 0b5c1f5e is working (process 77), and 1 more"
    assert answer.opens == (
        "no session is working and none was touched for 10 min, "
        "or 15 more sessions were touched, or it is Wednesday 12:00"
    )
    assert at_leisure(Leisure(busy, touched(HOUR, count=20)), LIMITS, NOW).is_open
    assert at_leisure(Leisure(busy, touched(HOUR, since=2 * DAY)), LIMITS, NOW).is_open


def test_0_sessions_or_0_hours_wait_for_a_pause_for_ever() -> None:
    answer = at_leisure(Leisure((), touched(0, count=10**6, since=900 * DAY)), NEVER, NOW)
    assert not answer.is_open
    assert answer.opens == "no session is working and none was touched for 10 min"


def test_who_is_not_asked_holds_nothing_back() -> None:
    assert at_leisure(None, LIMITS, NOW).is_open


def look(world: World, since: int | None = None, skip: set[str] | None = None) -> Recent:
    return recent(world.folders, since=since, grace=2 * SECOND, skip=skip or set())[0]


def test_the_newest_and_the_oldest_session_are_found_in_one_pass(world: World) -> None:
    world.folders += [world.folder("b"), world.home / "gone", world.home / "file"]
    (world.home / "file").touch()
    now = clock.now_ns()
    mine = world.session(0)
    world.session(HOUR, world.folders[1])
    world.session(3 * DAY, world.folders[1])
    for name in ("notes.md", f"agent-{uuid.uuid4()}.jsonl", "x" * 36 + ".jsonl"):
        (world.folders[0] / name).touch()
    (world.folders[0] / f"{uuid.uuid4()}.jsonl").symlink_to(world.home / "file")
    seen, cost = recent(world.folders, since=now - DAY, grace=2 * SECOND, skip={mine})
    assert cost == Cost(stats=5, scans=4, names=7)
    assert seen.newest is not None
    assert abs(now - seen.newest - HOUR) < MINUTE
    assert (seen.count, seen.since) == (1, now - DAY)
    ever = look(world, skip={mine})
    assert (ever.count, ever.newest) == (2, seen.newest)
    assert ever.oldest is not None
    assert abs(now - ever.oldest - 3 * DAY) < MINUTE


def test_what_was_touched_before_a_consolidation_is_the_newest_where_nothing_was_since(
    world: World,
) -> None:
    for age in (3 * DAY, HOUR, 2 * DAY):
        world.session(age)
    now = clock.now_ns()
    seen = look(world, since=now - MINUTE)
    assert seen.count == 0
    assert seen.newest is not None
    assert abs(now - seen.newest - HOUR) < MINUTE


@pytest.mark.parametrize("newer", [0, 1])
def test_a_session_in_two_folders_is_as_new_as_the_newer(world: World, newer: int) -> None:
    world.folders.append(world.folder("worktree"))
    name = world.session(3 * DAY, world.folders[1 - newer])
    world.session(MINUTE, world.folders[newer], name)
    seen = look(world)
    assert (seen.count, seen.newest) == (1, seen.oldest)
    assert clock.now_ns() - (seen.newest or 0) < HOUR
    assert look(world, skip={name}) == Recent(None, None, 0, None)
