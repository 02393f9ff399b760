"""The daemon, wired: what it looks at and starts, by the configuration in force."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import dreamd
from dreamd import app as wiring
from dreamd import asking, config
from dreamd.app import App
from dreamd.daemon.duties import Command, Found
from dreamd.daemon.plan import SECOND, Limits
from dreamd.domain.ending import Trigger
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.domain.verdict import SETTINGS, Verdict
from dreamd.errors import ConfigError, DreamdError
from dreamd.gates import Cascade, backoff
from dreamd.host import notify_socket
from dreamd.stores import choice, survey

_MODEL_MORE = 120 * SECOND  # that a model's dream may take beyond its session
_NOT_FOR_CHILDREN = {*notify_socket.VARIABLES, "JOURNAL_STREAM"}


class Reading:
    """Whether the settings could be read anew, as each dream's process does; one stat if unchanged.

    Args:
        app: whose file and environment are meant.
    """

    def __init__(self, app: App) -> None:
        self._loaded = app.loaded
        self._seen: tuple[int, ...] | None = None
        self._fault = ""

    def fault(self) -> str:
        """Return what is wrong with the settings by now; empty where nothing is."""
        try:
            found = self._loaded.paths.config_file.stat()
            seen: tuple[int, ...] = (found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        except OSError as error:
            seen = (error.errno or 0,)
        if seen != self._seen:
            self._seen, self._fault = seen, ""
            try:
                config.load(self._loaded.environ)
            except ConfigError as error:
                self._fault = str(error)
        return self._fault


class Gates:
    """The gates of one store, and behind them one more: whether a dream could read its settings.

    A turn whose gates are closed costs no look at the file.
    """

    def __init__(self, cascade: Cascade, reading: Reading) -> None:
        self._cascade, self._reading = cascade, reading
        self._is_held = False  # by the settings, when they were looked at last
        self.failed, self.succeeded = cascade.failed, cascade.succeeded

    def ask(self) -> Verdict:
        """Return the verdict of the first closed gate, or of the last where all are open."""
        if not self._is_held and not (verdict := self._cascade.ask()).is_open:
            return verdict
        was_held, fault = self._is_held, self._reading.fault()
        self._is_held = bool(fault)
        if fault:
            return Verdict(SETTINGS, is_open=False, read=fault, opens="that is mended")
        return self._cascade.ask() if was_held else verdict


class Asker:
    """The gates of one store, and what they saw of its lock on the way."""

    def __init__(self, app: App, store: Store, reading: Reading) -> None:
        self._look = asking.Look(store)
        self.gates = Gates(asking.cascade(app, store, self._look), reading)

    def is_interrupted(self) -> bool:
        """Whether an interrupted dream was seen since this was asked last."""
        was, self._look.is_interrupted = self._look.is_interrupted, False
        return was


class OnDuty:
    """What the daemon does not do itself: a real `daemon.duties.Duty`.

    Args:
        app: the configuration in force at the start.
        named: memory directories or patterns; none for all below the client's root.
        concerns: gives the sentences about a store that the user must hear once.
        tell: tells the user one of them.
        trigger: what its dreams are begun by, for their receipts.

    Raises:
        UsageError: what is named cannot be a path.
    """

    def __init__(
        self,
        app: App,
        named: Sequence[str] = (),
        *,
        concerns: Callable[[App, Store], tuple[str, ...]] | None = None,
        tell: Callable[[str], object] | None = None,
        trigger: Trigger = Trigger.DAEMON,
    ) -> None:
        self._app, self._reading = app, Reading(app)
        self._named = tuple(str(choice.path_of(each, app.here)) for each in named)
        self._concerns, self._tell, self._trigger = concerns, tell, trigger

    @property
    def state(self) -> Path:
        """The state directory; it stays what it was at the start."""
        return self._app.loaded.paths.state

    def limits(self) -> Limits:
        """Return the limits of the configuration in force."""
        settings = self._app.loaded.settings
        daemon = settings.daemon
        return Limits(
            rescan=round(daemon.rescan_seconds * SECOND),
            quiet=round(daemon.quiet_seconds * SECOND),
            most_quiet=round(daemon.quiet_most_seconds * SECOND),
            dream=round(self._longest()),
        )

    def survey(self) -> Found:
        """Look which stores there are: those that were named, else all below the client's root."""
        paths = self._app.loaded.paths
        if not self._named:
            found = survey.every(paths.claude, paths.state)
            return Found(found.stores, found.unreadable)
        return self._those_named()

    def asker(self, store: Store) -> Asker:
        """Return the gates of a store, by the configuration in force."""
        return Asker(self._app, store, self._reading)

    def folders(self, store: Store) -> tuple[Path, ...]:
        """Return the folders in which the sessions of a store are written."""
        return self._app.folders(store)

    def failures(self, store: Store) -> int:
        """Return how many dreams in a row have failed."""
        waiting = backoff.read(store)
        return 0 if waiting is None else waiting.count

    def dream(self, store: Store) -> Command:
        """Return how to dream in a child; it asks no gates, for the daemon did.

        Raises:
            ConfigError: the settings, which it is to read, are wrong by now.
        """
        if fault := self._reading.fault():
            raise ConfigError(fault)
        words = ("--memory", str(store.memory), f"--trigger={self._trigger}", "--json")
        return self._command("dreamd", "dream", *words)

    def mend(self, store: Store) -> Command:
        """Return how to clear up in a child."""
        where = (str(store.memory), str(store.state), store.name)
        return self._command("dreamd.daemon.mending", *where)

    def begun(self, store: Store) -> None:
        """Put down that a dream begins by itself."""
        del store
        asking.begun(self._app)

    def concerns(self, store: Store) -> tuple[str, ...]:
        """Return the sentences the user must hear once."""
        return () if self._concerns is None else self._concerns(self._app, store)

    def tell(self, sentence: str) -> None:
        """Tell the user, where there is a way to."""
        if self._tell is not None:
            self._tell(sentence)

    def reload(self) -> None:
        """Read the configuration again.

        Raises:
            ConfigError: it is wrong; the old one stays in force.
        """
        self._app = wiring.start()
        self._reading = Reading(self._app)

    def _longest(self) -> float:
        settings = self._app.loaded.settings
        longest = settings.daemon.dream_minutes * 60 * SECOND
        if settings.engine is EngineChoice.RULES:
            return longest
        return max(longest, settings.model.seconds * SECOND + _MODEL_MORE)

    def _those_named(self) -> Found:
        """Return the stores of the paths and patterns that were named, as of now."""
        here, state = self._app.here, self.state
        found: dict[Path, Store] = {}
        unreadable: dict[Path, str] = {}
        for named in self._named:
            names = [named]
            if glob.has_magic(named):
                names = sorted(glob.glob(named))  # noqa: PTH207 - the pattern is absolute
            for each in names:
                try:
                    store = choice.locate(
                        each, here=here, claude=self._app.loaded.paths.claude, state=state
                    )
                except DreamdError as error:
                    unreadable[Path(each)] = str(error)
                else:
                    found.setdefault(store.memory, store)
        return Found(tuple(found[each] for each in sorted(found)), tuple(unreadable.items()))

    def _command(self, module: str, *words: str) -> Command:
        environ = {
            name: value
            for name, value in self._app.loaded.environ.items()
            if name not in _NOT_FOR_CHILDREN
        }
        ours = Path(dreamd.__file__).parents[1]
        if ours.name not in {"site-packages", "dist-packages"}:  # run from its source
            paths = [str(ours), *filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))]
            environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))
        # -P: what lies in the folder one stands in is not imported.
        return Command((sys.executable, "-P", "-m", module, *words), environ, self._app.here)
