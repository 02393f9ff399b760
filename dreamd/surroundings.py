"""What the laptop is doing, as the gates ask it: its readings, wired to the configuration."""

from __future__ import annotations

from dreamd import engines
from dreamd.app import App
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.gates.surroundings import Day, Network
    from dreamd.host.power import Power
    from dreamd.host.working import Client

_PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


class Around:
    """The laptop that this process runs on; each reading is imported where it is asked for."""

    __slots__ = ("_app", "_store")

    def __init__(self, app: App, store: Store) -> None:
        self._app, self._store = app, store

    def power(self) -> Power | None:
        """Return what the laptop runs on; None where it has no battery."""
        from dreamd.host import power  # noqa: PLC0415 - as the class says

        return power.power()

    def load(self) -> float | None:
        """Return the load of the last minute per processor."""
        from dreamd.host import load  # noqa: PLC0415

        return load.load()

    def pressure(self) -> float | None:
        """Return the share of the last 10 s, in %, in which some task waited for memory."""
        from dreamd.host import pressure  # noqa: PLC0415

        return pressure.memory_pressure()

    def has_network(self) -> Network:
        """Return whether there is a route to the model, where a dream would ask one.

        One to everywhere is what the API needs; an endpoint or a proxy of one's own may stand in
        a network that leads nowhere else, and one on this machine needs none.
        """
        from dreamd.gates.surroundings import Network  # noqa: PLC0415
        from dreamd.host import network  # noqa: PLC0415

        own = self._endpoint()
        if not engines.asks_a_model(self._app) or is_here(own):
            return Network(is_needed=False)
        return Network(is_needed=True, is_there=network.has_route(default=not own))

    def working_sessions(self) -> tuple[Client, ...]:
        """Return the sessions of the client that are alive, with what each is doing."""
        from dreamd.host import working  # noqa: PLC0415

        return tuple(working.clients(self._app.loaded.paths.claude / "sessions"))

    def day_left(self) -> Day | None:
        """Return what model sessions have cost today; None where a dream would ask no model."""
        if not engines.asks_a_model(self._app):
            return None
        from dreamd import spending  # noqa: PLC0415
        from dreamd.errors import HostError  # noqa: PLC0415
        from dreamd.gates.surroundings import Day  # noqa: PLC0415
        from dreamd.host import clock  # noqa: PLC0415

        model = self._app.loaded.settings.model
        today = clock.local_day(clock.now())
        ends = clock.at_local(today, 24 * 60)
        try:
            spent = spending.spent(self._app.loaded.paths.state / "spending", today)
        except HostError:
            return Day(0, model.day_tokens, None, model.day_dollars, ends, is_known=False)
        dollars = spent.dollars if self._costs_dollars() else None
        return Day(spent.tokens, model.day_tokens, dollars, model.day_dollars, ends)

    def passes(self) -> tuple[int, ...]:
        """Return when dreams began by themselves lately, in ns since the epoch."""
        from dreamd.gates import passes  # noqa: PLC0415

        return passes.read(self._app.loaded.paths.state)

    def _endpoint(self) -> str:
        """Return the host of one's own that a model is asked at or by way of; empty for none."""
        environ = self._app.loaded.environ
        proxy = next((environ[name] for name in _PROXIES if environ.get(name)), "")
        return host_of(proxy or self._app.loaded.settings.model.base_url)

    def _costs_dollars(self) -> bool:
        """Return whether dollars are set aside for a session: its price is known."""
        from dreamd.domain.prices import price_of  # noqa: PLC0415

        settings = self._app.loaded.settings
        if settings.engine is EngineChoice.CLAUDE_CLI:
            return settings.model.dollars > 0
        try:
            price = price_of(settings.model.name, settings.model.price)
        except ValueError:
            return False
        return price is not None and settings.model.dollars > 0


def host_of(address: str) -> str:
    """Return the host in an address such as "https://user@host:8080/v1", in small letters."""
    authority = address.strip().partition("://")[2] or address.strip()
    host = authority.partition("/")[0].rpartition("@")[2].lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def is_here(host: str) -> bool:
    """Return whether a host by that name is this machine."""
    if host in {"localhost", "[::1]"} or host.endswith(".localhost"):
        return True
    return host.startswith("127.") and host.replace(".", "").isdecimal()
