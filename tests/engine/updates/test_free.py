"""How many later values typed freely are seen, and that no other value makes a line past."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import OPEN, PAST
from tests.engine.updates.told import BESIDE, INDEX, after
from tests.planted import talk_free
from tests.planted.talk_free import Later


def changed(laters: Iterable[Later], marks: tuple[str, ...]) -> list[Later]:
    """Those of whose line what is said makes something past, or leaves it open."""
    found = []
    for each in laters:
        at = datetime.fromisoformat(each.said_day).replace(hour=9, tzinfo=UTC)
        rows = "".join(f"- {row}\n" for row in (*BESIDE, f"{each.line} ({each.line_day})"))
        said = PersonSaid(each.said, "5e55", "m1", at, at.date())
        text = "".join(after({INDEX: f"# Memory\n\n## Notes\n{rows}"}, [said]).values())
        row = next(row for row in text.splitlines() if each.line in row)
        if any(mark in row for mark in marks):
            found.append(each)
    return found


@pytest.mark.parametrize("name", ["OTHERS_SEEN", "OTHERS_HELD"])
def test_a_value_of_something_else_changes_nothing(name: str) -> None:
    laters = getattr(talk_free, name)
    assert len(laters) == 60
    assert changed(laters, (PAST, OPEN)) == []


@pytest.mark.parametrize(("name", "least"), [("SEEN", 7), ("HELD", 5)])
def test_some_newer_values_are_seen(name: str, least: int) -> None:
    laters = getattr(talk_free, name)
    assert len(laters) == 60
    assert len(changed(laters, (PAST, OPEN))) >= least
