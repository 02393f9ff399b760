"""Whose turn it is: asks the gates of one store after the other, and has one dream at a time."""

# ruff: noqa: D102 - what each method of Duty gives is said beside it

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from dreamd import gates
from dreamd.daemon.child import Child, Command
from dreamd.daemon.plan import SECOND, Limits
from dreamd.daemon.service import NOTICE, WARNING, Log
from dreamd.daemon.ward import Ward, Wards
from dreamd.domain.store import Store
from dreamd.domain.verdict import SETTINGS, Verdict
from dreamd.errors import DreamdError, HostError
from dreamd.gates import pause
from dreamd.gates.wording import sentence
from dreamd.host import clock
from dreamd.stores.belonging import Survey

_LOOK_AGAIN = 3_600 * SECOND  # at what changes slowly
_MEND_AGAIN = 600 * SECOND  # a wreck that could not be cleared up


class Duty(Protocol):
    """What the daemon is given to look at and to start; each may raise a DreamdError."""

    state: Path  # the state directory

    def limits(self) -> Limits: ...  # of the configuration in force
    def survey(self) -> Survey: ...  # which stores there are
    def context(self, store: Store) -> gates.Context: ...  # what the gates of a store read
    def fault(self) -> str: ...  # what is wrong with the settings by now; empty where nothing is
    def dream(self, store: Store) -> Command: ...  # how to dream in a child; stdout is one JSON
    def mend(self, store: Store) -> Command: ...  # how to clear up in a child after a dead dream
    def reload(self) -> None: ...  # reads the configuration again; a wrong one is refused


class Turns:
    """The stores, and the child that works on one of them."""

    def __init__(self, duty: Duty, log: Log) -> None:
        self._duty, self._log = duty, log
        self.wards = Wards()
        self.child: Child | None = None
        self.has_failed = False

    def rescan(self) -> None:
        """Look at everything, and let every store wait to be asked."""
        new, lines = self.wards.differ(self._duty.survey())
        for store in new:
            self.wards.known[store.memory] = Ward(store, self._duty.context(store))
        for line in lines:
            self._log.line(line)
        for ward in self.wards.known.values():
            if ward.looked_at is None or ward.looked_at + _LOOK_AGAIN <= clock.boot_ns():
                self._look_after(ward)
        self.wards.wait(self.wards.known)

    def ask(self) -> None:
        """Ask the gates of whoever waits longest; where they are open, begin its dream."""
        if (turn := self.wards.next()) is None:
            return
        ward, unasked = turn
        try:
            if unasked:
                self._dream(ward, "asked for by SIGUSR1")
                return
            is_first = ward.verdict is None
            verdict = ward.verdict = self._asked(ward)
            ward.trouble = ""
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
        except DreamdError as error:
            self._trouble(ward, error)

    def _asked(self, ward: Ward) -> Verdict:
        """Ask the gates of a store, and behind them whether a dream could read its settings."""
        verdict = gates.ask(ward.gates)[-1]
        if verdict.is_open and (fault := self._duty.fault()):
            return Verdict(SETTINGS, is_open=False, read=fault, opens="that is mended")
        return verdict

    def conclude(self, child: Child, status: int, *, is_stopping: bool) -> None:
        """Take in how a child ended: log it, tell the gates, clear up where it was killed."""
        self.child = None
        memory = child.store.memory
        if child.mends:
            if status:
                self._log.warning(f"{memory}: clearing up failed: {child.complained() or status}")
            self.wards.wait([memory])
            return
        is_dream, said = child.ending(status, is_stopping=is_stopping)
        is_failure = is_dream is False
        self.has_failed |= is_failure
        self._log.line(f"{memory}: {said}", WARNING if is_failure else NOTICE)
        if (ward := self.wards.known.get(memory)) is None:
            return
        try:
            if is_dream:
                pause.cleared(ward.store)
                # What it waits for from now on; even if that is nothing, a rescan lies between.
                ward.verdict = self._asked(ward)
                ward.told.add(ward.verdict.gate)
            elif is_failure and pause.read(ward.store).failures <= child.failures:
                # It had no time to record that itself.
                pause.failed(ward.store, ward.gates.settings.gates, said)
        except DreamdError as error:
            self._trouble(ward, error)
        if not is_stopping:
            self._look_after(ward)
            if status < 0:  # it may have left something undone
                self._mend(ward)

    def _look_after(self, ward: Ward) -> None:
        """Look at what changes slowly."""
        ward.looked_at = clock.boot_ns()
        try:
            ward.folders = tuple(ward.gates.folders())
        except DreamdError as error:
            self._trouble(ward, error)

    def _mend(self, ward: Ward) -> None:
        ward.mend_at = clock.boot_ns() + _MEND_AGAIN
        self._log.line(f"clearing up in {ward.store.memory} after a dream whose process died")
        self._begin(ward, self._duty.mend(ward.store), mends=True)

    def _dream(self, ward: Ward, why: str) -> bool:
        """Start a child that dreams; whether it could be. If not, that is a dream that failed."""
        child = self._begin(ward, self._duty.dream(ward.store))
        if child is None:
            self.has_failed = True
            pause.failed(ward.store, ward.gates.settings.gates, ward.trouble)
            return False
        self._log.line(f"dreaming in {ward.store.memory} (process {child.pid}): {why}")
        return True

    def _begin(self, ward: Ward, command: Command, *, mends: bool = False) -> Child | None:
        ward.told.clear()
        try:
            self.child = Child(ward.store, command, mends=mends)
        except HostError as error:
            self._trouble(ward, error)
        return self.child

    def _trouble(self, ward: Ward, error: DreamdError) -> None:
        """Say what is wrong with one store, once; the others go on."""
        if ward.trouble != str(error):
            self._log.warning(f"{ward.store.memory}: {error}")
        ward.trouble = str(error)
