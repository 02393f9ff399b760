"""Notes that are full, or a little over it, night after night: they stay fresh and do not grow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.gather.claim import claims
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.promote import without_asked
from tests.engine.night import quiet
from tests.engine.promote.test_promote import bytes_of, candidate, many, texts_of
from tests.engine.promote.test_room import INDEX, MONDAY, asked, drawn_on, news

LARGE, SMALL = Budget(memory_bytes=6_000), Budget(memory_bytes=3_000)
OWN = "- The orchard wall of our neighbours leans towards the lane, and they know it.\n"


def night(texts: dict[str, str], heard: Heard, budget: Budget) -> Consolidated:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return consolidated(orient(notes), budget, Declined(), quiet, heard)


def full(budget: Budget, index: str = "# Memory\n") -> tuple[list[Candidate], Consolidated]:
    """Notes that are full of what nobody asked for, and what was said."""
    old = [replace(each, firmness=0.3) for each in many(400)]
    return old, night({INDEX: index}, Heard((), Heeded(), old), budget)


def test_notes_a_little_over_their_budget_take_in_what_is_new_and_do_not_grow() -> None:
    for budget in (LARGE, SMALL):
        old, first = full(budget)
        before = texts_of(first)
        before[INDEX] += OWN * (1 + (budget.memory_bytes - bytes_of(before)) // len(OWN))
        assert budget.memory_bytes < bytes_of(before) < 1.1 * budget.memory_bytes
        heard = Heard((), drawn_on(first), [*old, *news(2)], since=MONDAY)
        after = texts_of(night(before, heard, budget))
        for each in news(2):
            assert each.snippet.statement in "".join(after.values())
        assert bytes_of(after) <= bytes_of(before)
        assert OWN in after[INDEX]


def test_lines_yield_to_what_was_asked_for_before_any_leaves_an_index_that_is_all() -> None:
    barn = "- The Ghent barn holds 40 sheep in the winter months. (2026-05-01)\n"
    old, first = full(SMALL, f"# Memory\n\n{barn}")
    wishes = asked(
        "Remember that the fourth tun of the cellar holds 44 litres of dry cider for the winter.",
        "The Ghent barn now holds 55 sheep in the winter months.",
    )
    late = tuple(replace(each, at=MONDAY) for each in wishes)
    heard = Heard(tuple(claims(late)), drawn_on(first), old, late, since=MONDAY)
    after = texts_of(night(texts_of(first), heard, SMALL))
    assert list(after) == [INDEX]
    assert "44 litres" in after[INDEX]
    assert "now holds 55 sheep" in after[INDEX]
    assert "40 sheep" in after[INDEX]
    assert len(after[INDEX].encode()) <= SMALL.memory_bytes


def test_what_goes_on_behind_what_was_asked_for_is_no_line_of_its_own() -> None:
    asked_for = "I prefer oars of ash"
    whole = f"{asked_for}, and the boatyard in Cork has carved two pairs from one trunk."
    each = candidate(whole)
    claim = replace(next(claims(asked("I prefer oars of ash."))), statement=asked_for)
    claim = replace(claim, said=replace(claim.said, message=each.snippet.message))
    assert [left.snippet.statement for left in without_asked([each], [claim])] == [whole]
    parted = candidate(whole.replace(", and the", ". The"))
    claim = replace(claim, said=replace(claim.said, message=parted.snippet.message))
    (left,) = without_asked([parted], [claim])
    assert left.snippet.statement.startswith("The boatyard")
