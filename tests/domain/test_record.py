"""What settings share behaves as a dataclass has it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from dreamd.domain.record import Record


@dataclass(frozen=True)
class Plain:
    port: int = 5430
    key: str = field(default="of nobody's concern", repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Shared(Record):
    port: int = 5430
    key: str = field(default="of nobody's concern", repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Other(Record):
    port: int = 5430
    key: str = field(default="of nobody's concern", repr=False)


def test_it_is_equal_by_its_values_and_to_its_own_kind_only() -> None:
    assert Shared() == Shared()
    assert hash(Shared()) == hash(Shared())
    assert Shared() != Shared(port=1)
    assert Shared() != replace(Shared(), key="another")
    assert Shared() != Other()
    assert Shared() != Plain()


def test_it_is_shown_as_a_dataclass_is_without_what_is_not_to_be_seen() -> None:
    assert repr(Shared(7)) == repr(Plain(7)).replace("Plain", "Shared") == "Shared(port=7)"


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Shared().port = 1  # type: ignore[misc]
