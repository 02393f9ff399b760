"""What the worker is told before a session: where, with which model, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins

from dreamd.domain.prices import Price

__all__ = ["Caps", "Order", "Price", "from_json", "to_json"]


class Caps(Struct, frozen=True):
    """Hard limits of one dream; `output_tokens` is the most one answer may have."""

    turns: int
    tokens: int  # of all kinds, over the whole session
    dollars: float
    seconds: float
    output_tokens: int


class Order(Struct, frozen=True):
    """One session to be held.

    `denied` are credential stores that nothing may read. `level` names the walls. An empty
    `base_url` is the SDK's own. `price` is None for a model whose price is not known. `fork` is
    the body of another client's last request, to be continued instead of a session of our own.
    With `diary` no tools are offered and no helpers started: one answer is all that is wanted.
    """

    stage: str
    memory: str
    sessions: tuple[str, ...]
    denied: tuple[str, ...]
    level: str
    model: str
    base_url: str
    first: str
    caps: Caps
    price: Price | None = None
    fork: Mapping[str, Any] | None = None
    diary: bool = False


def to_json(order: Order) -> dict[str, Any]:
    """Return an order as the JSON object that crosses the pipe."""
    value: dict[str, Any] = to_builtins(order)
    return value


def from_json(value: Mapping[str, Any]) -> Order:
    """Return the order that `to_json` wrote.

    Raises:
        KeyError, TypeError: the object is no order.
    """
    price = value["price"]
    return Order(
        stage=value["stage"],
        memory=value["memory"],
        sessions=tuple(value["sessions"]),
        denied=tuple(value["denied"]),
        level=value["level"],
        model=value["model"],
        base_url=value["base_url"],
        first=value["first"],
        caps=Caps(**value["caps"]),
        price=None if price is None else Price(**price),
        fork=value["fork"],
        diary=value["diary"],
    )
