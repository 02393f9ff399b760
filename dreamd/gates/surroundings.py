"""What the gates ask about the laptop and its day, beside memory and its sessions."""

from __future__ import annotations

from msgspec import Struct

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Protocol

    from dreamd.host.power import Power
    from dreamd.host.working import Client

    class Surroundings(Protocol):
        """The laptop around a memory; what nobody can say is None, and closes no gate."""

        def power(self) -> Power | None:
            """Return what the laptop runs on; None where it has no battery."""

        def load(self) -> float | None:
            """Return the load of the last minute per processor."""

        def pressure(self) -> float | None:
            """Return the share of the last 10 s, in %, in which some task waited for memory."""

        def has_network(self) -> Network:
            """Return whether there is a network, and whether the engine needs one."""

        def working_sessions(self) -> tuple[Client, ...]:
            """Return the sessions of the client that are alive, with what each is doing."""

        def day_left(self) -> Day | None:
            """Return what of the day's budget is spent; None where the engine costs nothing."""

        def passes(self) -> tuple[int, ...]:
            """Return when dreams began by themselves lately, in ns since the epoch."""


class Network(Struct, frozen=True):
    """Whether a route leads off this machine (None: nobody can say), where one is needed."""

    is_needed: bool
    is_there: bool | None = None


class Day(Struct, frozen=True):
    """What model sessions cost today of what they may; dollars are None where they do not count."""

    tokens: int
    most_tokens: int
    dollars: float | None
    most_dollars: float
    ends: int  # the next local midnight, in ns since the epoch
    is_known: bool = True  # false where the ledger cannot be read


class Window(Struct, frozen=True):
    """The quiet hours that last, or the next ones; `text` is how they were set."""

    begins: int
    ends: int
    text: str


class Recent(Struct, frozen=True):
    """When sessions, but the asker's own, were touched; None where there is none."""

    newest: int | None
    oldest: int | None  # asked for only where they count since ever
    count: int  # of those touched since `since` (None: ever)
    since: int | None


class Leisure(Struct, frozen=True):
    """Who may be working: the clients that are alive, and when sessions were touched."""

    clients: tuple[Client, ...]
    recent: Recent
