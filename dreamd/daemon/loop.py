"""The daemon: waits, listens, and does the next thing until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from dreamd.daemon.board import Board, page, sentence
from dreamd.daemon.duties import Duty
from dreamd.daemon.log import Level, Log
from dreamd.daemon.plan import SECOND, Action, Situation, listens, next_step
from dreamd.daemon.turns import Turns
from dreamd.daemon.wakeup import Wakeup, wakeup
from dreamd.daemon.ward import Ward
from dreamd.errors import BusyError, DreamdError, HostError
from dreamd.host import clock, files, poke, presence
from dreamd.host.notify_socket import NotifySocket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.daemon.events import Events


class Daemon:
    """One process for all stores.

    Args:
        duty: all that it looks at and starts.
        manager: who started it as a service, if anybody.
        log: where events go.
        once: end after every store was asked once, and dreamt about where its gates are open.
    """

    def __init__(self, duty: Duty, manager: NotifySocket, log: Log, *, once: bool = False) -> None:
        self._duty, self._manager, self._log, self._once = duty, manager, log, once
        self._limits = duty.limits()
        self._turns = Turns(duty, log)
        self._board = Board(duty.state / "daemon.json")
        self._held = presence.hold(duty.state / "daemon.lock")
        self._started = clock.now()
        self._events: Events | None = None  # until the first rescan of a daemon that stays
        self._rescan_at, self._is_stopping, self._is_ready = 0, False, False
        self._status = ""
        self._told: dict[str, str] = {}  # what went wrong, by what was tried; told once

    def run(self) -> int:
        """Keep watch until a signal says to stop; return the exit code.

        That is 1 where it was to look once, and a dream failed.

        Raises:
            BusyError: another daemon keeps watch over the same state directory.
            HostError: the state directory cannot be written.
        """
        state = self._duty.state
        files.make_private(state)
        try:
            with self._held, wakeup() as wakes:
                try:
                    self._keep_watch(wakes)
                finally:
                    if self._events is not None:
                        self._events.close()
                    self._board.take_down()
        except BusyError as error:
            other = presence.holder(state / "daemon.lock") or "unknown"
            raise BusyError(
                f"another `dreamd run` (process {other}) keeps watch already: "
                "`dreamd status` says how it stands"
            ) from error
        self._log.line("ended")
        return int(self._once and self._turns.has_failed)

    def _keep_watch(self, wakes: Wakeup) -> None:
        turns = self._turns
        while True:
            step, wait = next_step(self._situation(), self._limits)
            match step:
                case Action.LEAVE:
                    return
                case Action.TERMINATE if turns.child is not None:
                    if not self._is_stopping:
                        self._log.warning(f"{turns.dreaming}: this takes too long; ending it")
                    turns.child.terminate()
                case Action.KILL if turns.child is not None:
                    self._log.warning(f"{turns.dreaming}: it did not end; killing it")
                    turns.child.kill()
                case Action.RESCAN:
                    self._rescan(wakes)
                case Action.HEAR if self._events is not None:
                    self._events.answered()
                    turns.wards.wait(turns.wards.known)
                case Action.ASK:
                    turns.ask()
                case _:
                    self._show()
                    if self._once and turns.child is None and not turns.wards.waiting:
                        return
                    self._pause(wakes, wait)

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

    def _pause(self, wakes: Wakeup, wait: int) -> None:
        """Wait, and take in whatever came."""
        if self._manager.beat is not None:
            self._manager.say("WATCHDOG=1")
            wait = min(wait, round(self._manager.beat.total_seconds() * SECOND))
        child = self._turns.child
        for number in sorted(wakes.wait(wait, () if child is None else child.pipes)):
            self._heed(number, wakes)
        if child is not None:
            child.hear()
            if (status := child.ended()) is not None:
                self._turns.conclude(child, status, is_stopping=self._is_stopping)

    def _heed(self, number: int, wakes: Wakeup) -> None:
        match number:
            case signal.SIGTERM | signal.SIGINT if not self._is_stopping:
                self._is_stopping = True
                self._manager.say("STOPPING=1", "STATUS=stopping")
                self._log.line(f"told to stop ({signal.Signals(number).name})")
            case signal.SIGHUP if self._log.is_hung_up():
                self._heed(signal.SIGTERM, wakes)  # the terminal was closed: nobody reloads
            case signal.SIGHUP:
                self._reload()
            case signal.SIGUSR1:
                self._log.line("told to dream now (SIGUSR1)")
                self._rescan(wakes)
                self._turns.wards.wait(self._turns.wards.known, unasked=True)

    def _reload(self) -> None:
        self._manager.reloading()
        try:
            self._duty.reload()
        except DreamdError as error:
            self._log.line(f"the configuration stays as it was: {error}", Level.ERROR)
        else:
            self._limits = self._duty.limits()
            self._turns.renew()
            self._rescan_at = 0
            self._log.line("read the configuration again")
        self._manager.say("READY=1", f"STATUS={self._status}")

    def _rescan(self, wakes: Wakeup) -> None:
        """Look at everything; what cannot be looked at now is tried again the next time."""
        self._rescan_at = clock.boot_ns() + self._limits.rescan
        try:
            files.make_private(self._duty.state)
            self._held.renew()  # the state directory may have been removed under us
            self._tell("lock", None)
        except HostError as error:
            self._tell("lock", error)
        try:
            self._turns.rescan()
            self._tell("survey", None)
        except DreamdError as error:
            self._tell("survey", error)
        if not self._once:
            try:
                self._watch(wakes)
                self._tell("events", None)
            except HostError as error:
                self._tell("events", error)

    def _watch(self, wakes: Wakeup) -> None:
        """Watch the nudge file, and the folders of stores for which an event may matter soon."""
        if self._events is None:
            from dreamd.daemon.events import Events  # noqa: PLC0415 - 5 MiB, for who stays

            self._events = Events(wakes.call)
        now, nudge = clock.now(), self._duty.state / "nudge"
        if poke.stamp(str(nudge)) is None:
            with contextlib.suppress(OSError):  # without it, a nudge waits for the next rescan
                poke.poke(str(nudge))
        wards = self._turns.wards.known.values()
        folders = {each for ward in wards if listens(ward.verdict, now) for each in ward.folders}
        self._events.watch((nudge, *folders))

    def _show(self) -> None:
        """Say where things stand: to the service manager, and in `daemon.json`."""
        turns = self._turns
        wards = sorted(turns.wards.known.values(), key=_memory)
        said = sentence(wards, turns.doing, turns.since)
        if not self._is_ready:
            self._is_ready = True
            self._log.line(f"started (process {os.getpid()}): {said}")
            self._manager.say("READY=1", f"STATUS={said}")
        elif said != self._status:
            self._manager.say(f"STATUS={said}")
        self._status = said
        content = page(
            wards,
            turns.wards.unreadable,
            pid=os.getpid(),
            started=self._started,
            dreaming=turns.dreaming,
            said=said,
        )
        try:
            self._board.show(content)
            self._tell("board", None)
        except HostError as error:
            self._tell("board", error)

    def _tell(self, what: str, error: DreamdError | None) -> None:
        """Say once that something cannot be done; the daemon goes on without it."""
        said = "" if error is None else str(error)
        if said and not self._told.get(what):
            self._log.warning(f"{said} (going on without it)")
        self._told[what] = said


def _memory(ward: Ward) -> Path:
    return ward.store.memory
