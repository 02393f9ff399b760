"""The daemon, wired: what it looks at and starts, by the configuration in force."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path

import dreamd
from dreamd import config, gates
from dreamd.app import gating, wiring
from dreamd.app.wiring import App
from dreamd.daemon import service
from dreamd.daemon.child import MEND, Command
from dreamd.daemon.plan import SECOND, Limits
from dreamd.domain.receipt import Trigger
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.errors import ConfigError, DreamdError
from dreamd.stores import choice
from dreamd.stores.belonging import Survey

_MODEL_MORE = 120 * SECOND  # that a model's dream may take beyond its session
_NOT_FOR_CHILDREN = {*service.VARIABLES, "JOURNAL_STREAM"}


class OnDuty:
    """The daemon's duty: by the configuration in force, the memories that are named, else all."""

    def __init__(self, app: App, named: Sequence[str], trigger: Trigger) -> None:
        self.app, self.state, self._trigger = app, app.loaded.paths.state, trigger
        self._named = tuple(str(choice.path_of(each, app.here)) for each in named)

    def fault(self) -> str:
        """Return what a dream would find wrong with the settings by now, else nothing."""
        try:
            config.load(self.app.loaded.environ)
        except ConfigError as error:
            return str(error)
        return ""

    def reload(self) -> None:
        """Read the configuration again; where it is wrong the old one stays in force."""
        self.app = wiring.start()

    def limits(self) -> Limits:
        """Return the limits of the configuration in force."""
        settings = self.app.loaded.settings
        daemon = settings.daemon
        dream = daemon.dream_minutes * 60 * SECOND
        if settings.engine is not EngineChoice.RULES:
            dream = max(dream, settings.model.seconds * SECOND + _MODEL_MORE)
        return Limits(
            rescan=round(daemon.rescan_seconds * SECOND),
            quiet=round(daemon.quiet_seconds * SECOND),
            most_quiet=round(daemon.quiet_most_seconds * SECOND),
            dream=round(dream),
        )

    def context(self, store: Store) -> gates.Context:
        """Return what the gates of a store read."""
        return gating.context(self.app, store)

    def survey(self) -> Survey:
        """Look which stores there are: those that were named, else all below the client's root."""
        if not self._named:
            return self.app.survey()
        found: dict[Path, Store] = {}
        unreadable: dict[Path, str] = {}
        for named in self._named:
            names = glob.glob(named) if glob.has_magic(named) else [named]  # noqa: PTH207
            for each in sorted(names):
                try:
                    store = self.app.store(each)
                except DreamdError as error:
                    unreadable[Path(each)] = str(error)
                else:
                    found.setdefault(store.memory, store)
        return Survey(tuple(found[each] for each in sorted(found)), tuple(unreadable.items()))

    def dream(self, store: Store) -> Command:
        """Return how to dream in a child; it asks no gates, for the daemon did."""
        if fault := self.fault():
            raise ConfigError(fault)
        named = ("--memory", str(store.memory))
        return self._command("dream", *named, f"--trigger={self._trigger}", "--json")

    def mend(self, store: Store) -> Command:
        """Return how to clear up in a child."""
        return self._command(MEND, str(store.memory), str(store.state), store.name)

    def _command(self, *words: str) -> Command:
        given = self.app.loaded.environ
        environ = {name: given[name] for name in given if name not in _NOT_FOR_CHILDREN}
        ours = Path(dreamd.__file__).parents[1]
        if ours.name not in {"site-packages", "dist-packages"}:  # run from its source
            paths = [str(ours), *filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))]
            environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
        return Command(words, environ)
