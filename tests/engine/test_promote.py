"""What recurs is promoted, the best first, as far as the settings and the budget allow."""

from __future__ import annotations

from datetime import date

from dreamd.domain.evidence import Candidate, Snippet
from dreamd.domain.settings import Budget, Evidence, Settings
from dreamd.engine.rules.placing import PROMOTED, chosen
from tests.engine.placing.said import notes

NOTES = notes({"MEMORY.md": "- more\n" * 100})
LONG, SHORT = "The big kiln is fired on Mondays.", "Cones are counted."


def candidate(statement: str, *, passes: bool = True) -> Candidate:
    snippet = Snippet(statement, statement, (), "person", "s", statement, None, date(2026, 5, 11))
    return Candidate(snippet, 1.0, passes=passes)


def promoted(*candidates: Candidate, lines: int = 5, room: int = 1000) -> list[str]:
    settings = Settings(budget=Budget(memory_bytes=700 + room), evidence=Evidence(lines=lines))
    found = list(chosen(candidates, NOTES, settings))
    assert {each.rule for each in found} <= {PROMOTED}
    return [each.text for each in found]


def test_what_passes_is_promoted_up_to_the_most_lines_of_a_dream() -> None:
    waiting = candidate("It waits for another day.", passes=False)
    assert promoted(waiting, candidate(LONG), candidate(SHORT)) == [LONG, SHORT]
    assert promoted(waiting, candidate(LONG), candidate(SHORT), lines=1) == [LONG]


def test_a_full_budget_stops_what_nobody_asked_for() -> None:
    assert promoted(candidate(LONG), candidate(SHORT), room=40) == [SHORT]
    assert promoted(candidate(LONG), candidate(SHORT), room=10) == []
