"""How many of the pairs that somebody wrote freely are found, and that no other is."""

from __future__ import annotations

import pytest

from tests.engine.near.same_pairs import found
from tests.planted import near_free


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_what_differs_in_what_matters_is_never_the_same(name: str) -> None:
    pairs = getattr(near_free, name)
    assert len(pairs) == 75
    assert found(pairs) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 13), ("HELD", 4)])
def test_some_facts_written_freely_are_found(name: str, least: int) -> None:
    pairs = getattr(near_free, name)
    assert len(pairs) == 75
    assert len(found(pairs)) >= least
