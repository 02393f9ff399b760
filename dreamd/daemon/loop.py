"""The daemon: waits, listens, and does the next thing until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator

from dreamd.daemon import service
from dreamd.daemon.plan import SECOND, Action, Situation, listens, next_step
from dreamd.daemon.service import Log, NotifySocket
from dreamd.daemon.turns import Duty, Turns
from dreamd.daemon.ward import Wards, page, sentence
from dreamd.errors import BusyError, DreamdError
from dreamd.host import clock, files, presence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.daemon.events import Events

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD)


class Daemon:
    """One process for all stores.

    With `once` it ends after every store was asked once, and dreamt about where its gates are
    open.
    """

    def __init__(self, duty: Duty, manager: NotifySocket, log: Log, *, once: bool = False) -> None:
        self._duty, self._manager, self._log, self._once = duty, manager, log, once
        self._limits = duty.limits()
        self._turns = Turns(duty, log)
        self._board, self._shown = duty.state / "daemon.json", b""
        self._lock = duty.state / "daemon.lock"
        self._held = -1  # the descriptor of the lock
        self._started = clock.now()
        self._pipe = os.pipe()  # has the number of each signal that came, and a 0 for an event
        self._events: Events | None = None  # until the first rescan of a daemon that stays
        self._rescan_at, self._is_stopping, self._is_ready = 0, False, False
        self._status = ""
        self._told: dict[str, str] = {}  # what went wrong, by what was tried; told once

    def run(self) -> int:
        """Keep watch until a signal says to stop; return the exit code.

        That is 1 where it was to look once, and a dream failed.
        """
        files.make_private(self._duty.state)
        with files.faults("lock", self._lock):
            held = presence.hold(self._lock)
        if held is None:
            other = presence.holder(self._lock) or "unknown"
            raise BusyError(
                f"another `dreamd run` (process {other}) keeps watch already: "
                "`dreamd status` says how it stands"
            )
        self._held = held
        # From now on a signal interrupts nothing, but waits in the pipe to be read.
        for end in self._pipe:
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for each in _SIGNALS:
            signal.signal(each, lambda _number, _frame: None)
        try:
            self._keep_watch()
        finally:
            if self._events is not None:
                self._events.close()
            with contextlib.suppress(OSError):
                self._board.unlink(missing_ok=True)
            os.close(self._held)
        self._log.line("ended")
        return int(self._once and self._turns.has_failed)

    def _keep_watch(self) -> None:
        turns = self._turns
        while True:
            step, wait = next_step(self._situation(), self._limits)
            match step:
                case Action.LEAVE:
                    return
                case Action.TERMINATE if turns.child is not None:
                    if not self._is_stopping:
                        self._log.warning(f"{turns.child.doing}: it takes too long; ending it")
                    turns.child.terminate()
                case Action.KILL if turns.child is not None:
                    self._log.warning(f"{turns.child.doing}: it did not end; killing it")
                    turns.child.kill()
                case Action.RESCAN:
                    self._rescan()
                case Action.HEAR if self._events is not None:
                    self._events.answered()
                    turns.wards.wait(turns.wards.known)
                case Action.ASK:
                    turns.ask()
                case _:
                    self._show()
                    if self._once and turns.child is None and not turns.wards.waiting:
                        return
                    self._pause(wait)

    def _situation(self) -> Situation:
        child = self._turns.child
        return Situation(
            now=clock.boot_ns(),
            rescan_at=self._rescan_at,
            hear_at=None if self._events is None else self._events.due(self._limits),
            is_stopping=self._is_stopping,
            has_waiting=bool(self._turns.wards.waiting),
            child=None if child is None else child.running(),
        )

    def _pause(self, wait: int) -> None:
        """Wait so many ns, and take in whatever came."""
        if self._manager.beat is not None:
            self._manager.say("WATCHDOG=1")
            wait = min(wait, round(self._manager.beat.total_seconds() * SECOND))
        child, poll = self._turns.child, select.poll()
        if child is not None:
            wait = min(wait, SECOND)  # to see how far it has come
        poll.register(self._pipe[0], select.POLLIN)
        poll.poll(-(-max(wait, 0) // 1_000_000))  # a moment too early would mean twice
        came = b""
        with contextlib.suppress(BlockingIOError):
            came = os.read(self._pipe[0], 4_096)
        for number in sorted(set(came)):
            self._heed(number)
        if child is not None and (status := child.poll()) is not None:
            self._turns.conclude(child, status, is_stopping=self._is_stopping)

    def _heed(self, number: int) -> None:
        match number:
            case signal.SIGTERM | signal.SIGINT if not self._is_stopping:
                self._is_stopping = True
                self._manager.say("STOPPING=1", "STATUS=stopping")
                self._log.line(f"told to stop ({signal.Signals(number).name})")
            case signal.SIGHUP if self._log.is_hung_up():
                self._heed(signal.SIGTERM)  # the terminal was closed: nobody reloads
            case signal.SIGHUP:
                self._reload()
            case signal.SIGUSR1:
                self._log.line("told to dream now (SIGUSR1)")
                self._rescan()
                self._turns.wards.wait(self._turns.wards.known, unasked=True)

    def _reload(self) -> None:
        self._manager.say("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1_000}")
        try:
            self._duty.reload()
        except DreamdError as error:
            self._log.line(f"the configuration stays as it was: {error}", service.ERROR)
        else:
            self._limits = self._duty.limits()
            self._turns.wards = Wards()
            self._rescan()
            self._log.line("read the configuration again")
        self._manager.say("READY=1", f"STATUS={self._status}")

    def _rescan(self) -> None:
        """Look at everything; what cannot be looked at now is tried again the next time."""
        self._rescan_at = clock.boot_ns() + self._limits.rescan
        with self._telling("lock"), files.faults("lock", self._lock):
            files.make_private(self._duty.state)
            # The state directory may have been removed under us.
            self._held = presence.renewed(self._lock, self._held)
        with self._telling("survey"):
            self._turns.rescan()
        if not self._once:
            with self._telling("events"):
                self._watch()

    def _watch(self) -> None:
        """Watch the nudge file, and the folders of stores for which an event may matter soon."""
        if self._events is None:
            from dreamd.daemon.events import Events  # noqa: PLC0415 - 5 MiB, for who stays

            self._events = Events(self._pipe[1])
        now, nudge = clock.now(), self._duty.state / "nudge"
        if presence.stamp(str(nudge)) is None:
            with contextlib.suppress(OSError):  # without it, a nudge waits for the next rescan
                presence.poke(str(nudge))
        wards = self._turns.wards.known.values()
        folders = {each for ward in wards if listens(ward.verdict, now) for each in ward.folders}
        self._events.watch((nudge, *folders))

    def _show(self) -> None:
        """Say where things stand: to the service manager, and in `daemon.json`."""
        turns = self._turns
        said = sentence(turns.wards, turns.child)
        if not self._is_ready:
            self._is_ready = True
            self._log.line(f"started (process {os.getpid()}): {said}")
            self._manager.say("READY=1", f"STATUS={said}")
        elif said != self._status:
            self._manager.say(f"STATUS={said}")
        self._status = said
        dreaming = turns.child.store.memory if turns.child else None
        content = page(turns.wards, self._started, dreaming, said)
        if content == self._shown and self._board.exists():
            return
        with self._telling("board"):
            self._shown = b""
            files.make_private(self._board.parent)
            with files.faults("write", self._board):
                files.replace(self._board, content, durable=False)
            self._shown = content

    @contextlib.contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """Say once that something cannot be done; the daemon goes on without it."""
        said = ""
        try:
            yield
        except DreamdError as error:
            said = str(error)
            if not self._told.get(what):
                self._log.warning(f"{said} (going on without it)")
        self._told[what] = said
