"""Things that bear numbers are told apart, and a version is no number of a thing."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.updates.scope import differs


@pytest.mark.parametrize("thing", ["service number", "server", "service", "shard", "gate"])
def test_what_is_said_of_one_number_is_not_said_of_another(thing: str) -> None:
    new, old = (f"I moved {thing} {number} to port 800{number}." for number in (3, 2))
    assert differs(new, old)
    assert not differs(new, new.replace("8003", "9003"))


def test_another_version_of_a_program_is_the_same_program() -> None:
    assert not differs("We use Node 22.", "We use Node 20.")
