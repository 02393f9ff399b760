"""What dataclasses without slots share, so that it is not made anew for each of them."""

from __future__ import annotations

from dataclasses import fields

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any


class Record:
    """Equal by all its values; for `@dataclass(frozen=True, eq=False, repr=False)`.

    `dataclass` compiles each method for each class: these cost every command 2 ms for the
    settings, and one that looks at the lock and the gates 3 ms more; slots, 0.2 ms more.
    """

    def __eq__(self, other: object) -> bool:
        """Whether the other is of the same class, with equal values."""
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        """Return the hash of the values."""
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        """Return it as it could be written, without the fields that are not to be shown."""
        shown: list[Any] = [each for each in fields(self) if each.repr]  # type: ignore[arg-type] # whoever inherits is a dataclass
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in shown)
        return f"{type(self).__name__}({values})"
