"""Whose turn it is: asks the gates of one store after the other, and has one dream at a time."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from dreamd import gates
from dreamd.daemon.child import Child
from dreamd.daemon.duties import Command, Duty
from dreamd.daemon.log import Level, Log
from dreamd.daemon.notices import Notices
from dreamd.daemon.outcome import Result, ending
from dreamd.daemon.plan import SECOND
from dreamd.daemon.ward import Ward, Wards
from dreamd.domain.verdict import SETTINGS, Verdict
from dreamd.errors import DreamdError, HostError
from dreamd.gates import pause
from dreamd.gates.wording import sentence
from dreamd.host import clock, desktop

_LOOK_AGAIN = 3_600 * SECOND  # at what changes slowly: folders and concerns
_MEND_AGAIN = 600 * SECOND  # a wreck that could not be cleared up


class Turns:
    """The stores, and the child that works on one of them.

    Args:
        duty: all that is looked at and started.
        log: where events go.
    """

    def __init__(self, duty: Duty, log: Log) -> None:
        self._duty, self._log = duty, log
        self._notices = Notices(duty.state / "told.json")
        self.wards = Wards()
        self.child: Child | None = None
        self.since: datetime | None = None  # when the child was started
        self.has_failed = False

    @property
    def dreaming(self) -> Path | None:
        """The memory directory that is worked on."""
        return None if self.child is None else self.child.store.memory

    @property
    def doing(self) -> str:
        """What the child does, in words; nothing where there is none."""
        if self.child is None:
            return ""
        return f"{'clearing up' if self.child.mends else 'dreaming'} in {self.child.store.memory}"

    def rescan(self) -> None:
        """Look at everything, and let every store wait to be asked.

        Raises:
            DreamdError: the survey failed as a whole.
        """
        now = clock.boot_ns()
        new, lines = self.wards.differ(self._duty.survey())
        for store in new:
            self.wards.known[store.memory] = Ward(store, self._duty.context(store))
        for line in lines:
            self._log.line(line)
        for ward in self.wards.known.values():
            if ward.looked_at is None or ward.looked_at + _LOOK_AGAIN <= now:
                self._look_after(ward)
        self.wards.wait(self.wards.known)

    def renew(self) -> None:
        """Judge by the configuration that is in force by now."""
        for ward in self.wards.known.values():
            ward.gates, ward.verdict = self._duty.context(ward.store), None

    def ask(self) -> None:
        """Ask the gates of whoever waits longest; where they are open, begin its dream."""
        if (turn := self.wards.next()) is None:
            return
        ward, unasked = turn
        if unasked:
            self._dream(ward, "asked for by SIGUSR1")
            return
        is_first = ward.verdict is None
        try:
            verdict = self._asked(ward)
        except DreamdError as error:
            self._trouble(ward, error)
            return
        ward.verdict, ward.trouble = verdict, ""
        if ward.gates.last.interrupted and ward.mend_at <= clock.boot_ns():
            self._mend(ward)
        elif verdict.is_open:
            if self._dream(ward, "its gates are open"):
                pause.passed(self._duty.state)
        elif verdict.gate not in ward.told:
            # Once for each gate between two dreams: some open and close every few minutes.
            ward.told.add(verdict.gate)
            if not is_first:
                self._log.line(f"{ward.store.memory}: {sentence(verdict, clock.now())}")

    def _asked(self, ward: Ward) -> Verdict:
        """Ask the gates of a store, and behind them whether a dream could read its settings."""
        verdict = gates.ask(ward.gates)[-1]
        if verdict.is_open and (fault := self._duty.fault()):
            return Verdict(SETTINGS, is_open=False, read=fault, opens="that is mended")
        return verdict

    def conclude(self, child: Child, status: int, *, is_stopping: bool) -> None:
        """Take in how a child ended: log it, tell the gates, clear up where it was killed."""
        self.child = self.since = None
        memory = child.store.memory
        ward = self.wards.known.get(memory)
        if child.mends:
            if status:
                self._log.warning(f"{memory}: clearing up failed: {child.complained() or status}")
            self.wards.wait([memory])
            return
        end = ending(
            status,
            child.said(),
            child.complained(),
            is_stopping=is_stopping,
            is_over_time=child.was_told and not is_stopping,
        )
        is_failure = end.result is Result.FAILURE
        self.has_failed |= is_failure
        self._log.line(f"{memory}: {end.sentence}", Level.WARNING if is_failure else Level.NOTICE)
        if ward is None:
            return
        try:
            if end.result is Result.SUCCESS:
                ward.gates.succeeded()
                # What it waits for from now on; even if that is nothing, a rescan lies between.
                ward.verdict = self._asked(ward)
                ward.told.add(ward.verdict.gate)
            elif is_failure and pause.read(ward.store).failures <= child.failures:
                ward.gates.failed(end.sentence)  # it had no time to record that itself
            elif is_failure:
                ward.gates = self._duty.context(ward.store)  # which reads what it recorded
        except DreamdError as error:
            self._trouble(ward, error)
        if not is_stopping:
            self._look_after(ward)
            if end.is_wreck:
                self._mend(ward)

    def _look_after(self, ward: Ward) -> None:
        """Look at what changes slowly; what the user must know is told once."""
        ward.looked_at = clock.boot_ns()
        try:
            ward.failures = pause.read(ward.store).failures
            ward.folders = tuple(ward.gates.folders())
            ward.notices = self._duty.concerns(ward.store)
        except DreamdError as error:
            self._trouble(ward, error)
            return
        for said in self._notices.news(ward.store.memory, ward.notices):
            self._log.line(f"{ward.store.memory}: {said}", Level.NOTICE)
            desktop.notify("dreamd", f"{ward.store.memory}: {said}")

    def _mend(self, ward: Ward) -> None:
        ward.mend_at = clock.boot_ns() + _MEND_AGAIN
        self._log.line(f"clearing up in {ward.store.memory} after a dream whose process died")
        self._begin(ward, self._duty.mend(ward.store), "", mends=True)

    def _dream(self, ward: Ward, why: str) -> bool:
        """Start a child that dreams; whether it could be, and knew how to."""
        try:
            command = self._duty.dream(ward.store)
        except DreamdError as error:
            self._trouble(ward, error)
            return False
        return self._begin(ward, command, why)

    def _begin(self, ward: Ward, command: Command, why: str, *, mends: bool = False) -> bool:
        """Start a child; whether it could be. A dream that could not is one that failed."""
        ward.told.clear()
        try:
            self.child = Child(ward.store, command, failures=ward.failures, mends=mends)
        except HostError as error:
            self._trouble(ward, error)
            if not mends:
                self.has_failed = True
                ward.gates.failed(str(error))
                self._look_after(ward)
            return False
        self.since = clock.now()
        if not mends:
            self._log.line(f"dreaming in {ward.store.memory} (process {self.child.pid}): {why}")
        return True

    def _trouble(self, ward: Ward, error: DreamdError) -> None:
        """Say what is wrong with one store, once; the others go on."""
        if ward.trouble != str(error):
            self._log.warning(f"{ward.store.memory}: {error}")
        ward.trouble = str(error)
