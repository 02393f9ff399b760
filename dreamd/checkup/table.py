"""The checks, in the order in which a person would ask: what all others stand on comes first."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from dreamd.checkup import engine, machine, places, service
from dreamd.checkup.engine import online
from dreamd.checkup.result import Patient, Result, fail, warn
from dreamd.errors import DreamdError

__all__ = ["CHECKS", "Check", "online"]


class Check(Struct, frozen=True):
    """One thing to look at, by its name."""

    name: str
    look: Callable[[Patient], Result]

    def result(self, patient: Patient) -> Result:
        """Look; what cannot be looked at has failed."""
        try:
            return self.look(patient)
        except (DreamdError, OSError) as error:
            return fail(str(error), "see to that, and ask again")
        except ImportError as error:
            return warn(f"not looked at: {error}", "see to what failed above, and ask again")


CHECKS = (
    Check("dreamd", machine.python),
    Check("settings", places.configuration),
    Check("state", places.state),
    Check("disk", machine.disk),
    Check("sqlite", machine.sqlite),
    Check("clock", machine.time),
    Check("client", places.client),
    Check("memory", places.stores),
    Check("history", places.history),
    Check("engine", engine.engine),
    Check("key", engine.key),
    Check("walls", machine.walls),
    Check("daemon", service.daemon),
    Check("service", service.service),
    Check("timer", service.timer),
    Check("plugin", service.hooks),
    Check("lingering", service.lingering),
    Check("watches", machine.watches),
    Check("dreams", places.dreams),
)
