"""Whether a dream is due: the gates one after the other, up to the first that is closed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from msgspec.structs import replace

from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Cost, Verdict
from dreamd.gates import backoff, pauses, stamp, throttle
from dreamd.gates.catalogue import CATALOGUE, SESSIONS, SWITCH, THROTTLE, TIME
from dreamd.gates.memory import Memory
from dreamd.gates.readings import Answer, Last, Pause
from dreamd.gates.thresholds import thresholds
from dreamd.gates.turn import Gate, LockKey, Turn, ids
from dreamd.host import clock
from dreamd.text.names import LOCK_NAME

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Surroundings

_ONE_STAT = Cost(stats=1)
_NOTHING = Cost()


class Cascade:
    """The gates of one store, with the memory that makes asking after every turn cheap.

    Asking costs one look into memory and one `lstat` of the lock while the time gate is closed
    or sessions were counted a short while ago, and while the laptop had no time a moment ago.
    Where enough sessions were counted and somebody was working, they are not counted again.
    It is for one thread.

    Args:
        store: whose notes are to be dreamt about.
        settings: limits that are garbage count as their defaults.
        folders: gives the transcript directories of this memory; asked before each count.
        standing: says who holds the lock (`lock.standing`).
        around: says what the laptop is doing.
    """

    __slots__ = (
        "_around",
        "_enabled",
        "_enough",
        "_folders",
        "_inode",
        "_is_shut",
        "_known",
        "_limits",
        "_lock",
        "_memory",
        "_mtime",
        "_off",
        "_resting_until",
        "_settings",
        "_since",
        "_size",
        "_standing",
        "_store",
        "_until",
        "_verdict",
    )

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        folders: Callable[[], Sequence[Path]],
        standing: Callable[[], Standing],
        around: Surroundings,
    ) -> None:
        self._store, self._folders, self._standing = store, folders, standing
        self._around = around
        # What was counted as enough, where a dream waited for something else since.
        self._enough: tuple[int | None, frozenset[str]] | None = None
        self._lock = os.fspath(store.memory / LOCK_NAME)
        self._memory = Memory()
        self._take(settings)

    def ask(
        self, current: Collection[str] = frozenset(), own: Collection[str] = frozenset()
    ) -> Verdict:
        """Return the verdict of the first closed gate, or of the last where all are open.

        Args:
            current: ids of the sessions that ask; they do not count.
            own: ids of dreamd's own sessions; neither do they.

        Raises:
            MemoryUnfitError: no regular file stands in place of the lock.
            HostError: the system failed to look at it.
        """
        if not self._enabled:
            return self._off
        # What follows runs after every turn: names are looked up once, and a verdict whose
        # words still hold is given again.
        seen: os.stat_result | None
        try:
            seen = os.lstat(self._lock)
        except OSError as error:
            stamp.no_lock(error, self._lock)
            seen, same = None, self._inode is None
        else:
            same = (
                seen.st_mtime_ns == self._mtime
                and seen.st_ino == self._inode
                and seen.st_size == self._size
            )
        now = clock.now_ns()
        if (
            same
            and self._since <= now < self._until
            and (self._is_shut or clock.boot_ns() < self._resting_until)
        ):
            return self._verdict
        return self._judge(seen, now, ids(current) | ids(own))

    def failed(self, reason: str = "") -> backoff.Backoff:
        """Hold off after a dream that failed, longer with each one in a row."""
        waiting = backoff.failed(self._store, self._settings, reason)
        self._memory.remember(waiting.pause, clock.now_ns())
        self._enough = None
        self._forget()
        return waiting

    def succeeded(self) -> None:
        """Forget failures.

        Raises:
            HostError: the record of them cannot be removed.
        """
        self._memory.drop_failure()
        self._enough = None
        self._forget()
        backoff.cleared(self._store)

    def reload(self, settings: Settings, around: Surroundings | None = None) -> None:
        """Judge by other settings from now on, and ask something else about the laptop."""
        self._around = around or self._around
        self._take(settings)
        self._memory.adjust(self._limits)

    def _take(self, settings: Settings) -> None:
        self._settings, self._enabled = settings, settings.enabled
        self._limits = thresholds(settings.gates)
        self._off = SWITCH.ask(self._turn(None, 0, frozenset()))[0]
        self._verdict = self._off
        self._known: tuple[LockKey, Last] | None = None
        self._enough = None
        self._forget()

    def _forget(self) -> None:
        """Let the next turn be judged anew."""
        self._mtime = self._size = self._since = self._until = self._resting_until = 0
        self._inode: int | None = None
        self._is_shut = False

    def _turn(self, seen: os.stat_result | None, now: int, skip: frozenset[str]) -> Turn:
        return Turn(
            enabled=self._enabled,
            limits=self._limits,
            now=now,
            look=lambda: seen,
            standing=self._standing,
            pause=self._pause,
            begin=self._begin,
            folders=self._folders,
            around=self._around,
            skip=skip,
        )

    def _judge(self, seen: os.stat_result | None, now: int, skip: frozenset[str]) -> Verdict:
        self._forget()
        turn = self._turn(seen, now, skip)
        turn.known, turn.enough = self._known, self._enough
        for gate in CATALOGUE:
            verdict, answer = gate.ask(turn)
            if gate is TIME:
                self._keep_time(seen, turn, verdict, answer)
            elif gate is SESSIONS:
                self._memory.found(verdict.read)
                self._enough = turn.asked if verdict.is_open else None
            if not verdict.is_open:
                self._rest(gate, verdict, answer, now)
                return verdict
        self._enough = None  # a dream may begin, which makes another count of it
        return verdict

    def _rest(self, gate: Gate, verdict: Verdict, answer: Answer, now: int) -> None:
        """Let the next turns have the same verdict, where what it was read from may rest."""
        if gate is not THROTTLE and not gate.rests:
            return
        self._verdict = replace(verdict, cost=_NOTHING)
        self._resting_until = clock.boot_ns() + answer.until - now
        if gate.rests:
            # What was read is no older than that by either clock; the throttle's own memory is
            # kept by the one that nobody can set.
            self._since = max(self._since, answer.since)
            self._until = min(self._until, answer.until)

    def _keep_time(
        self, seen: os.stat_result | None, turn: Turn, verdict: Verdict, answer: Answer
    ) -> None:
        self._known = turn.known
        if seen is not None:
            self._mtime, self._size, self._inode = seen.st_mtime_ns, seen.st_size, seen.st_ino
        if turn.last.interrupted:
            return  # its recovery need not touch the lock
        self._since, self._until = answer.since, answer.until
        self._is_shut = not verdict.is_open
        if self._is_shut:
            self._verdict = replace(verdict, cost=_ONE_STAT)

    def _pause(self, turn: Turn) -> tuple[Pause | None, Cost]:
        self._memory.heed(turn.last.stamp)
        pause = self._memory.pause(turn.now)
        is_counted = turn.enough == turn.asked
        if pause is not None and (pause.failed or not is_counted):
            return pause, _NOTHING
        pause, cost = pauses.on_disk(self._store, turn.limits, turn.now, ours=self._memory.marked)
        if pause is not None and is_counted and not pause.failed:
            return None, cost
        if pause is not None:
            self._memory.remember(pause, turn.now)
        return pause, cost

    def _begin(self, turn: Turn) -> None:
        turn.again = turn.now + turn.limits.throttle
        if turn.limits.throttle:
            self._memory.mark(turn.now, turn.limits)
            # Before the count, so that whoever asks meanwhile does not count as well.
            throttle.mark(self._store, turn.now)
