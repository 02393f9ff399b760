"""Where notes are full: what is met first takes more in, and the old gives way to the newer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.evidence import Candidate
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.gather.claim import claims
from dreamd.engine.rules.orient import orient
from tests.engine.night import counts, quiet
from tests.engine.promote.test_promote import bytes_of, candidate, many, texts_of

INDEX = "MEMORY.md"
FULL = Budget(memory_bytes=6_000)
START = datetime(2026, 5, 11, 9, tzinfo=UTC)
YIELDED = "let {line} go that you never asked for"
MONDAY = START + timedelta(days=40)  # after all that `many` says


def night(texts: dict[str, str], heard: Heard, declined: Declined | None = None) -> Consolidated:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return consolidated(orient(notes), FULL, declined or Declined(), quiet, heard)


def asked(*sentences: str) -> tuple[PersonSaid, ...]:
    return tuple(PersonSaid(each, "5e55", each, START, START.date()) for each in sentences)


def drawn_on(result: Consolidated) -> Heeded:
    whys = [why for why in result.whys if why.message]
    drawn = {why.message: frozenset({why.quote}) for why in whys}
    return Heeded(taken=dict.fromkeys(drawn, "d1"), drawn=drawn)


def news(count: int, *, firmness: float = 1.0, days: int = 60) -> list[Candidate]:
    return [
        candidate(
            f"Our ferry line {n} to {name} sails at {n + 5}:30 from pier {n * 3}.",
            day=days,
            firmness=firmness,
        )
        for n, name in enumerate(("Bastia", "Heraklion", "Tromso", "Kotka", "Rosslare")[:count])
    ]


def lines(texts: dict[str, str]) -> set[str]:
    return {row for text in texts.values() for row in text.splitlines() if row.startswith("- ")}


def test_full_notes_take_in_what_was_said_since_and_says_more() -> None:
    old = [replace(each, firmness=0.3) for each in many(400)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    before = texts_of(first)
    heard = Heard((), drawn_on(first), [*old, *news(3)], since=MONDAY)
    second = night(before, heard)
    after = texts_of(second)
    assert bytes_of(after) <= FULL.memory_bytes
    for each in news(3):
        assert any(each.snippet.statement in row for row in lines(after))
    gone = lines(before) - lines(after)
    assert 0 < counts(second)[YIELDED] <= len(gone)
    said = {each.snippet.statement for each in old}
    assert all(row.removeprefix("- ")[:-13] in said for row in gone if "](" not in row)
    rules = {why.line: why.rule for why in second.whys if why.sign == "-"}
    assert {rules[row] for row in gone if "](" not in row} == {"room for what is new"}
    whole = drawn_on(first)
    more = drawn_on(second)
    settled = Heeded({**whole.taken, **more.taken}, drawn={**whole.drawn, **more.drawn})
    third = night(after, Heard((), settled, [*old, *news(3)], since=MONDAY + timedelta(days=30)))
    assert texts_of(third) == after


def test_what_says_no_more_than_what_stands_waits() -> None:
    old = [replace(each, firmness=0.9) for each in many(400)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    weak = news(3, firmness=0.2)
    second = night(texts_of(first), Heard((), drawn_on(first), [*old, *weak], since=MONDAY))
    assert texts_of(second) == texts_of(first)


def test_what_was_said_before_the_last_dream_moves_nothing() -> None:
    old = [replace(each, firmness=0.3) for each in many(400)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    late = START + timedelta(days=90)
    second = night(texts_of(first), Heard((), drawn_on(first), [*old, *news(3)], since=late))
    assert texts_of(second) == texts_of(first)


def test_lines_of_the_user_and_what_was_asked_for_never_give_way() -> None:
    old = [replace(each, firmness=0.3) for each in many(400)]
    wish = asked("Remember that the spare key hangs behind the oven.")
    own = "- We rent a barn in Ghent.\n- The oven is never cleaned on Sundays.\n"
    start = {INDEX: f"# Memory\n\n{own}"}
    first = night(start, Heard(tuple(claims(wish)), Heeded(), old, wish))
    before = texts_of(first)
    changed = next(row for row in sorted(lines(before)) if row.startswith("- We rent 1"))
    edited = {name: text.replace(changed, f"{changed} Mine.") for name, text in before.items()}
    same = candidate("The spare key hangs behind the oven.", firmness=0.1)
    told = replace(same, snippet=replace(same.snippet, quote=wish[0].text, message=wish[0].message))
    heard = Heard((), drawn_on(first), [*old, told, *news(5)], wish, since=MONDAY)
    after = texts_of(night(edited, heard))
    whole = "\n".join(after.values())
    assert "ferry line" in whole
    for kept in (
        "spare key hangs behind the oven",
        "barn in Ghent",
        "on Sundays",
        f"{changed} Mine.",
    ):
        assert kept in whole


def test_a_line_whose_leaving_was_taken_back_stays() -> None:
    old = [replace(each, firmness=0.3) for each in many(400)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    before = texts_of(first)
    heard = Heard((), drawn_on(first), [*old, *news(3)], since=MONDAY)
    second = night(before, heard)
    removed = {(why.path, why.line): "d2" for why in second.whys if why.sign == "-"}
    after = texts_of(night(before, heard, Declined(removed=removed)))
    kept = {row for _, row in removed if row.startswith("- We ")}
    assert kept <= lines(after)


def test_where_notes_are_more_than_a_reader_sees_the_index_still_takes_lines_in() -> None:
    guide = "# Guide\n\n" + "The barley field lies behind the mill. " * 300
    texts = {INDEX: "# Memory\n\n- [Guide](guide.md) — the fields\n", "guide.md": guide}
    after = texts_of(night(texts, Heard((), Heeded(), many(200))))
    assert after["guide.md"] == guide
    there = [row for row in after[INDEX].splitlines() if row.startswith("- We rent")]
    assert len(there) >= 10
    assert len(after[INDEX].encode()) <= 0.5 * FULL.memory_bytes


def test_an_asked_line_stands_in_the_index_where_a_file_would_be_most_of_the_notes() -> None:
    wish = asked("Remember that the spare key hangs behind the oven.")
    notes = Tree({PurePosixPath(INDEX): Entry(b"# Memory\n")})
    heard = Heard(tuple(claims(wish)), Heeded(), (), wish)
    small = Budget(memory_bytes=1_024)
    after = texts_of(consolidated(orient(notes), small, Declined(), quiet, heard))
    assert list(after) == [INDEX]
    assert "spare key hangs behind the oven" in after[INDEX]


def test_what_is_brought_up_to_date_does_not_pass_the_budget() -> None:
    old = "- The barn holds 40 sheep in the winter months. (2026-05-01)\n" * 1
    start = {INDEX: f"# Memory\n\n{old}"}
    said = asked("The barn now holds 55 sheep in the winter months.")
    small = Budget(memory_bytes=1_500)
    notes = Tree({PurePosixPath(INDEX): Entry(start[INDEX].encode())})
    for count in range(10, 40, 3):
        heard = Heard((), Heeded(), [*many(count), candidate(said[0].text, day=2)], said)
        result = consolidated(orient(notes), small, Declined(), quiet, heard)
        assert bytes_of(texts_of(result)) <= small.memory_bytes
        assert "55 sheep" in "".join(texts_of(result).values())
