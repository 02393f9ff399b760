"""Every gate by one table of rules, then the gates over real files and real processes."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import gates, lock
from dreamd.domain.settings import Gates, Settings
from dreamd.domain.store import Held, Standing, Store
from dreamd.domain.verdict import Verdict
from dreamd.errors import HostError
from dreamd.gates import page, pause, rules, scan, sentence
from dreamd.gates.pause import Pause
from dreamd.gates.rules import Last, Sessions, Spent
from dreamd.gates.wording import DAY, HOUR, MINUTE, SECOND
from dreamd.host import clock
from dreamd.host.laptop import Battery, Client


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


NOON = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)  # a Tuesday
NOW = int(NOON.timestamp()) * SECOND
LATER = 10 * MINUTE  # when to look again at what nobody announces
FREE = Standing(None, None, False, None, verdict="there is no lock")
HELD = Standing(Held("process 7"), None, False, None, verdict="held by process 7")


def last(age: int, **more: str) -> Last:
    return Last(NOW - age, **more)


def paused(length: int, *why: Any) -> Pause:
    return Pause(NOW + length, *why)


def held(count: int, since: int | None = None, *unread: str) -> Sessions:
    return Sessions(count, None if since is None else NOW - since, unread=unread)


def touched(newest: int | None, count: int = 5, since: int | None = DAY, oldest: int = 0) -> Any:
    """Sessions as the idle gate reads them, by how long ago they were touched; no client."""
    stamps = (None if newest is None else NOW - newest, NOW - oldest if since is None else None)
    return (), Sessions(count, None if since is None else NOW - since, *stamps)


def client(status: str, said: int | None = MINUTE) -> Any:
    """A client that is alive, and sessions that were not touched for an hour."""
    one = Client("0b5c1f5e-3c1e", 77, status, None if said is None else NOW - said)
    return (Client("7d", 7, "idle"), one), touched(HOUR)[1]


def begun(*ages: int) -> tuple[int, ...]:
    return tuple(NOW - age for age in ages)


def cost(tokens: int, most: int, dollars: float | None = None, most_dollars: float = 2.0) -> Spent:
    return Spent(tokens, most, dollars, most_dollars, NOW + HOUR)


# rule, reading, limits, whether it is open, words, in how many ns it may open
ROWS: list[tuple[Any, Any, dict[str, Any], bool, str, int | None]] = [
    (rules.switched_on, True, {}, True, "dreamd is switched on", None),
    (rules.switched_on, False, {}, False, "dreamd is switched off (`enabled: false`)", None),
    (rules.long_enough_ago, Last(), {}, True, "memory was never consolidated", None),
    (rules.long_enough_ago, last(DAY), {}, True, "last consolidated Monday 12:00", None),
    (rules.long_enough_ago, last(DAY - 1), {}, False, "last consolidated Monday 12:00", 1),
    (rules.long_enough_ago, Last(0), {}, True, "1970-01-01 00:00", None),
    (rules.long_enough_ago, last(HOUR), {"hours": 1.5}, False, "", HOUR // 2),
    # ahead: a clock was set back, or the stamp is nonsense
    (rules.long_enough_ago, last(-HOUR), {}, False, "Tuesday 13:00", DAY + HOUR),
    (rules.long_enough_ago, last(-HOUR - 1), {}, True, "13:00, over an hour ahead, which is", None),
    (rules.long_enough_ago, Last(2**80), {}, True, "at a time that no calendar knows", None),
    # a lease stands in the lock
    (rules.long_enough_ago, last(HOUR, holder="d1"), {}, False, "dream is running: d1", LATER),
    (rules.long_enough_ago, Last(None, "d1"), {"throttle_minutes": 0}, False, "running", MINUTE),
    (rules.long_enough_ago, last(HOUR, interrupted="d1"), {}, False, "d1 was interr", 23 * HOUR),
    (rules.long_enough_ago, Last(None, interrupted="d1"), {}, True, "never consolidated; d", None),
    (rules.rested, paused(0, "3 of 5 sessions"), {}, True, "nothing asks for a pause", None),
    (rules.rested, paused(1, "3 of 5 sessions"), {}, False, "at the last look 3 of 5 sess", 1),
    (rules.rested, paused(LATER + 2 * SECOND, "x"), {}, False, "", LATER + 2 * SECOND),
    (rules.rested, paused(LATER + 3 * SECOND, "x"), {}, True, "", None),  # a clock was set back
    (rules.rested, paused(LATER, "x"), {"throttle_minutes": 4}, True, "", None),
    (rules.rested, paused(LATER, "", 1, "full"), {}, False, "the last dream failed (full)", LATER),
    (rules.rested, paused(DAY, "", 8, "x"), {"backoff_most_hours": 1}, True, "", None),
    (rules.not_quiet, (NOW - HOUR, NOW + HOUR), {}, False, "these are the quiet hours", HOUR),
    (rules.not_quiet, (NOW, NOW + 1), {"quiet": "12:00-13:00"}, False, "12:00-13:00", 1),
    (rules.not_quiet, (NOW - HOUR, NOW), {}, True, "outside the quiet hours", None),
    (rules.not_quiet, (NOW + 1, NOW + HOUR), {}, True, "outside the quiet hours", None),
    (rules.not_loaded, 1.0, {}, True, "a load of 1.00 a processor, of 1 at most", None),
    (rules.not_loaded, 1.01, {}, False, "a load of 1.01 a processor, over 1", 2 * MINUTE),
    (rules.powered, Battery(3, True), {"battery": 100}, True, "on mains", None),
    (rules.powered, Battery(5, None), {"battery": 100}, True, "nobody knows", None),
    (rules.powered, Battery(40, False), {}, True, "on battery, which holds 40 %", None),
    (rules.powered, Battery(39.4, False), {}, False, "which holds 39 %", 2 * MINUTE),
    (rules.few_passes, begun(*[MINUTE] * 6), {}, False, "6 automatic dreams", 59 * MINUTE),
    (rules.few_passes, begun(*[MINUTE] * 99), {"passes_per_hour": 0}, True, "any number", None),
    (rules.few_passes, begun(HOUR - 1, 0), {"passes_per_hour": 2}, False, "2 automatic", 1),
    (rules.few_passes, begun(HOUR, 0), {"passes_per_hour": 2}, True, "1 automatic", None),
    (rules.few_passes, begun(-6 * SECOND, -(10**30)), {"passes_per_hour": 1}, True, "0 a", None),
    (rules.affordable, cost(0, 10, 0.0), {}, True, "0 of 10 tokens, $0.00 of $2.00 are sp", None),
    (rules.affordable, cost(9, 10, 1.99), {}, True, "9 of 10 tokens", None),
    (rules.affordable, cost(10, 10, 0.0), {}, False, "used up: 10 of 10 tokens", HOUR),
    (rules.affordable, cost(0, 10, 2.0), {}, False, "$2.00 of $2.00", HOUR),
    (rules.affordable, cost(0, 10, None, 0.0), {}, True, "0 of 10 tokens are spent", None),
    (rules.affordable, cost(0, 10, 0.0, 0.0), {}, False, "$0.00 of $0.00", HOUR),
    (rules.enough_sessions, held(4, 3 * HOUR), {}, False, "sessions since Tuesday 09:00", LATER),
    (rules.enough_sessions, held(5), {}, True, "5 of 5 sessions", None),
    (rules.enough_sessions, held(0, None, "/a", "/b", "/c"), {}, False, "sessions; /a; /b", LATER),
    (rules.idle, touched(None), {}, True, "no session is working", None),
    (rules.idle, touched(LATER), {}, True, "and none was touched for 10 min", None),
    (rules.idle, touched(LATER - 1), {}, False, "a session was touched Tuesday 11:50", 1),
    (rules.idle, touched(-HOUR), {}, False, "Tuesday 12:00", LATER),  # a clock was set back
    (rules.idle, touched(-HOUR - 1), {}, True, "no session is working", None),
    # nobody is starved
    (rules.idle, touched(0, 20), {}, True, "20 sessions wait, too many to wait for a", None),
    (rules.idle, touched(0, 19), {}, False, "a session was touched", LATER),
    (rules.idle, touched(0, 20), {"cadence_sessions": 0}, False, "", LATER),
    (rules.idle, touched(0, 5, 2 * DAY), {}, True, "memory has waited 2 days, too long", None),
    (rules.idle, touched(0, 5, 2 * DAY - 1), {}, False, "a session was touched", 1),
    (rules.idle, touched(0, 5, 900 * DAY), {"cadence_hours": 0}, False, "", LATER),
    (rules.idle, touched(0, 5, None, 2 * DAY), {}, True, "memory has waited 2 days", None),
    (rules.idle, client("busy"), {}, False, "session 0b5c1f5e is working (process 77)", 2 * MINUTE),
    (rules.idle, client("busy", 5 * HOUR), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("busy", 6 * HOUR), {}, True, "", None),  # it has lost count of its turns
    (rules.idle, client("idle"), {}, True, "", None),
    (rules.idle, client("waiting"), {}, True, "", None),
    (rules.idle, client("shell"), {}, True, "", None),
    (rules.idle, client(""), {}, True, "", None),  # it says nothing: its transcript does
    (rules.idle, client("pondering", 9 * MINUTE), {}, False, "is working", 2 * MINUTE),
    (rules.idle, client("pondering", LATER), {}, True, "", None),
    (rules.idle, client("pondering", None), {}, True, "", None),
    (rules.nobody_dreams, FREE, {}, True, "nobody holds the lock: there is no lock", None),
    (rules.nobody_dreams, HELD, {}, False, "the lock is held by process 7", LATER),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "reading", "limits", "is_open", "read", "again"), ROWS)
def test_a_rule(
    rule: Any, reading: Any, limits: dict[str, Any], is_open: bool, read: str, again: int | None
) -> None:
    said = rule(reading, Gates(**limits), NOW)
    assert (said.is_open, said.again) == (is_open, None if again is None else NOW + again)
    assert read in said.read
    assert bool(said.opens) is not is_open


def test_a_no_says_what_would_open_the_gate() -> None:
    busy = (*client("busy")[0], Client("7e", 8, "busy"))
    said = rules.idle((busy, touched(HOUR)[1]), Gates(), NOW)
    assert said.read == "session 0b5c1f5e is working (process 77), and 1 more"
    assert said.opens == (
        "no session is working and none was touched for 10 min, or you held 15 more sessions, "
        "or it is Wednesday 12:00"
    )
    no: list[tuple[Any, Any, str]] = [
        (rules.long_enough_ago, last(HOUR), "24 h have passed since, Wednesday 11:00"),
        (rules.rested, paused(LATER, "x"), "the wait is over, Tuesday 12:10"),
        (rules.rested, paused(LATER, "", 1), "the wait is over, Tuesday 12:10, or a dream succe"),
        (rules.powered, Battery(5, False), "it is on mains, or the battery holds 40 % (gates.b"),
        (rules.enough_sessions, held(4), "you held 1 more session"),
    ]
    for rule, reading, opens in no:
        assert rule(reading, Gates(), NOW).opens.startswith(opens)


SESSIONS = Verdict(
    "sessions",
    is_open=False,
    read="3 of 5 sessions since Tuesday 09:14",
    opens="you held 2 more sessions",
    again=NOON + timedelta(minutes=6, seconds=1),
)


def test_a_verdict_is_a_sentence_and_a_row_of_a_page() -> None:
    said = 'not now: 3 of 5 sessions since Tuesday 09:14 (gate "sessions"); next look in 7 min'
    assert sentence(SESSIONS, NOON) == said
    off = Verdict("kill switch", False, "dreamd is switched off", opens="it is switched on")
    assert sentence(off, NOON) == (
        'not now: dreamd is switched off (gate "kill switch"); open once it is switched on'
    )
    yes = Verdict("time", True, "last consolidated Sunday 12:00")
    assert sentence(yes, NOON) == 'open: last consolidated Sunday 12:00 (gate "time")'
    assert page([yes, SESSIONS], NOON) == (
        f"{said}\n\n"
        "time      open    last consolidated Sunday 12:00\n"
        "sessions  closed  3 of 5 sessions since Tuesday 09:14\n"
        "                  open once you held 2 more sessions\n"
    )
    assert page([yes], NOON).startswith("now: every gate is open\n\ntime  open ")


# --- over real files ---


class Time:
    """The real time, moved by a test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, now = 0, clock.now_ns
        monkeypatch.setattr(clock, "now_ns", lambda: now() + self.wall)
        monkeypatch.setattr(clock, "now", lambda: clock.from_ns(clock.now_ns()))

    def pass_by(self, span: int) -> None:
        self.wall += span


class World(Struct, dict=True):
    """A store in a folder of its own; spans are nanoseconds, ages count from now."""

    home: Path
    settings: Settings = field(default_factory=Settings)
    clients: tuple[Client, ...] = ()

    def __post_init__(self) -> None:
        self.store = Store(memory=self.home / "memory", state=self.home / "state", name="notes")
        self.store.memory.mkdir(parents=True, exist_ok=True)
        self.folders = [self.home / "project"]
        self.folders[0].mkdir(exist_ok=True)
        self.lock = self.store.memory / ".consolidate-lock"
        self.set(load=0, battery=0)  # whatever the machine under the tests is doing

    def consolidated(self, age: int, body: str = "") -> None:
        """Leave the lock as a consolidation of that age has."""
        self.lock.write_text(body)
        stamp(self.lock, age)

    def session(self, age: int, folder: Path | None = None, name: str | None = None) -> str:
        """Touch a session, a new one unless named; its id is returned."""
        name = name or str(uuid.uuid4())
        path = (folder or self.folders[0]) / f"{name}.jsonl"
        path.write_text('{"type": "user"}\n')
        stamp(path, age)
        return name

    def sessions(self, number: int, age: int = HOUR) -> list[str]:
        return [self.session(age) for _ in range(number)]

    def set(self, **limits: object) -> None:
        self.settings = replace(self.settings, gates=replace(self.settings.gates, **limits))

    def standing(self) -> Standing:
        return lock.standing(self.store, now=clock.now())

    def context(self) -> gates.Context:
        """What a process keeps that asks more than once."""
        return gates.Context(
            self.store,
            self.settings,
            folders=lambda: self.folders,
            standing=self.standing,
            spent=lambda: None,
            clients=lambda: self.clients,
        )

    def ask(self, context: gates.Context | None = None) -> Verdict:
        """Ask the gates: as a process does that ends right after, unless given what one keeps."""
        return gates.ask(context or self.context())[-1]

    def page(self) -> dict[str, Verdict]:
        return {each.gate: each for each in gates.ask(self.context(), every=True)}


def stamp(path: Path, age: int) -> None:
    """Set the mtime of a file to so long ago."""
    moment = clock.now_ns() - age
    os.utime(path, ns=(moment, moment))


BUSY = (Client("0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11", 77, "busy"),)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def looked_at(ask: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return which paths an asking looks at or opens."""
    made: list[str] = []

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(path: Any, *words: Any, **more: Any) -> Any:
            made.append(os.fspath(path))
            return call(path, *words, **more)

        return called

    with monkeypatch.context() as patch:
        for name in ("lstat", "stat", "open", "scandir", "listdir"):
            patch.setattr(os, name, counted(getattr(os, name)))
        ask()
    return made


def test_a_typical_turn_costs_one_stat_and_after_a_look_one_small_file(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, file = world.context(), str(world.lock)
    world.consolidated(3 * HOUR)
    assert looked_at(lambda: world.ask(context), monkeypatch) == [file]
    assert looked_at(world.ask, monkeypatch) == [file]
    world.consolidated(3 * DAY)
    world.sessions(4)
    looked = looked_at(lambda: world.ask(context), monkeypatch)
    assert looked.count(str(world.folders[0])) == 1
    assert not [each for each in looked if each.endswith(".jsonl")]  # and no transcript
    for ask in (world.ask, lambda: world.ask(context)):
        assert looked_at(ask, monkeypatch) == [file, str(world.store.pause)]
    assert 9 * MINUTE < pause.read(world.store).until - clock.now_ns() <= LATER


def test_a_session_is_a_regular_file_named_by_its_id_and_counted_once(world: World) -> None:
    here, beside = world.folders[0], world.home / "worktree"
    beside.mkdir()
    (world.home / "link").symlink_to(here)
    world.folders += [beside, world.home / "link", world.home / "gone", world.home / "file"]
    (world.home / "file").touch()
    now = clock.now_ns()
    names = ["0b5c1f5e-3c1e-4a7e-9f52-0d5e8f0f2a11.json", "x" * 36 + ".jsonl", "x" * 42]
    for name in [*names, "agent-0a1b2c3d.jsonl", "MEMORY.md", f"agent-{uuid.uuid4()}.jsonl"]:
        (here / name).touch()
    (here / f"{uuid.uuid4()}.jsonl").mkdir()
    (here / f"{uuid.uuid4()}.jsonl").symlink_to(world.home / "file")
    os.mkfifo(here / f"{uuid.uuid4()}.jsonl")
    mine, _ = world.session(0), world.session(3 * DAY)
    both = world.session(2 * DAY)
    world.session(HOUR, beside, both)
    ever = scan(world.folders, None, 0, {mine})
    assert (ever.count, ever.since) == (2, None)
    assert [round((now - (each or 0)) / HOUR) for each in (ever.newest, ever.oldest)] == [1, 72]
    assert ever.unread == tuple(
        f"there is no transcript directory {world.home / name}" for name in ("gone", "file")
    )
    assert scan(world.folders, now - DAY, 0).count == 2
    late = scan(world.folders, now + HOUR, 0, {mine})
    assert (late.count, late.newest) == (0, ever.newest)
    stamped = (beside / f"{both}.jsonl").stat().st_mtime_ns
    for before, counts in ((2 * SECOND - 1, 1), (2 * SECOND, 0)):  # as file systems round
        assert scan([beside], stamped + before, 2 * SECOND).count == counts
    assert "no transcript directory belongs" in scan((), None, 0).unread[0]


def test_what_is_switched_off_is_not_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("load", "battery"):
        monkeypatch.setattr(f"dreamd.host.laptop.{name}", lambda: pytest.fail("it was read"))
    world.clients = BUSY
    world.set(sessions=0, idle_minutes=0, passes_per_hour=0, throttle_minutes=0)
    assert [world.ask().is_open for _ in range(2)] == [True, True]
    world.set(sessions=1)
    assert [world.ask().gate for _ in range(2)] == ["sessions", "sessions"]
    assert not world.store.state.exists()  # nothing is counted where nothing is limited


def test_failures_hold_every_process_back_twice_as_long_each_up_to_a_day(
    world: World, clocks: Time
) -> None:
    context, waited = world.context(), []
    for _ in range(10):
        assert world.ask(context).gate == "sessions"
        began = clock.now_ns()
        pause.failed(world.store, world.settings.gates, "disk\nfull \udcff" + "x" * 999)
        pause_ = pause.read(world.store)
        waited.append(round((pause_.until - began) / MINUTE))
        clocks.pass_by(pause_.until - began - SECOND)
        assert [world.ask().gate, world.ask(context).gate] == ["throttle"] * 2
        clocks.pass_by(11 * MINUTE)
    assert waited == [10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]
    said = pause.read(world.store)
    assert (said.failures, len(said.reason)) == (10, 300)
    pause.cleared(world.store)
    for count in (1, 2):  # a look at the sessions between them ends none
        pause.failed(world.store, world.settings.gates, "x")
        assert pause.read(world.store).failures == count
        clocks.pass_by(20 * MINUTE)
        assert world.ask().gate == "sessions"
    files = [path for path in world.store.home.iterdir() if path.stat().st_mode & 0o777 != 0o600]
    assert (files, world.store.home.stat().st_mode & 0o777) == ([], 0o700)


def test_where_the_disk_keeps_no_pause_the_process_does(world: World, clocks: Time) -> None:
    world.store.state.write_text("a file in the way")
    assert [world.ask().gate, world.ask().gate] == ["sessions", "throttle"]
    pause.failed(world.store, world.settings.gates, "no space left")
    clocks.pass_by(9 * MINUTE)
    assert world.ask().read == "the last dream failed (no space left)"
    world.consolidated(0)  # by another process, which ends the wait
    assert world.ask().gate == "time"
    world.store.state.unlink()
    pause.failed(world.store, world.settings.gates, "again")
    assert pause.read(world.store).failures == 2


def test_garbage_is_no_pause(world: World) -> None:
    world.store.home.mkdir(parents=True)
    for garbage in (
        *(b"", b"\0" * 100, b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"until": "soon"}'),
        *(b'{"until": true}', b'{"until": 99999999999999999999}', b'{"failures": null}'),
        b'{"until": 4102444800000000000, "failures": -7}',  # in the year 2100
    ):
        world.store.pause.write_bytes(garbage)
        assert world.ask().gate == "sessions"
        world.store.pause.write_bytes(garbage)
        pause.failed(world.store, world.settings.gates, "x")
        assert pause.read(world.store).failures == 1
        pause.cleared(world.store)
    world.store.pause.mkdir()
    with pytest.raises(HostError, match="cannot remove"):
        pause.cleared(world.store)


QUIET = [
    ("22:00-07:00", "2026-11-17T20:59:59", ""),
    ("09:00-17:30", "2026-11-18T12:00:00", "11-18 16:30"),
    ("18:00-00:00", "2026-11-18T23:00:00", ""),
    # the night summer time begins is an hour shorter
    ("22:00-07:00", "2026-03-28T23:00:00", "03-29 05:00"),
    ("02:30-06:00", "2026-03-29T00:29:59", ""),  # the 02:30 that is not is 01:30 or 03:30
    ("22:00-02:30", "2026-10-25T00:29:00", "10-25 00:30"),  # the earlier of two 02:30
    ("22:00-07:00", "2026-11-17T21:00:00", "11-18 06:00"),
]


def test_quiet_hours_are_those_of_the_local_clock(
    world: World, clocks: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    for quiet, now, ends in QUIET:
        world.set(quiet=quiet)
        clocks.pass_by(clock.to_ns(datetime.fromisoformat(f"{now}+00:00")) - clock.now_ns())
        said = world.page()["quiet"]
        again = f"{said.again:%m-%d %H:%M}" if said.again else ""
        assert (said.is_open, again) == (not ends, ends), now
    monkeypatch.setenv("TZ", "EST5")  # the laptop has travelled: it is the afternoon
    assert world.page()["quiet"].is_open


def test_dreams_of_the_last_hour_are_kept_and_others_forgotten(
    tmp_path: Path, clocks: Time
) -> None:
    state = tmp_path / "state"
    for _ in range(15):
        pause.passed(state)
        clocks.pass_by(5 * MINUTE)
    assert len(pause.passes(state)) == 12
    (state / "passes").write_bytes(b"\xff\n-5\n1.5\n0x7\n" + b"9" * 100_000 + b"\n12")
    assert pause.passes(state) == (12,)
    (state / "passes").unlink()
    os.mkfifo(state / "passes")
    assert pause.passes(state) == ()
    pause.passed(state)
    assert len(pause.passes(state)) == 1
    pause.passed(state / "passes")
