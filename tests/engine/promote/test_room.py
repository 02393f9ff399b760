"""Where notes are full: what is met first takes more in, and the old gives way to the newer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.evidence import Candidate, ClaimKind
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules import consolidated as engine
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.gather.claim import claims
from dreamd.engine.rules.orient import orient
from dreamd.transaction.past import rules_of
from tests.engine.night import counts, quiet
from tests.engine.promote.test_promote import TOWNS, bytes_of, candidate, many, texts_of

INDEX = "MEMORY.md"
FULL = Budget(memory_bytes=6_000)
START = datetime(2026, 5, 11, 9, tzinfo=UTC)
YIELDED = "let {line} go that you never asked for"
MONDAY = START + timedelta(days=40)  # after all that `many` says


def night(texts: dict[str, str], heard: Heard, declined: Declined | None = None) -> Consolidated:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    return consolidated(orient(notes), FULL, declined or Declined(), quiet, heard)


@cache
def filled() -> tuple[list[Candidate], Consolidated]:
    """Notes that are full of what nobody asked for, and what was said."""
    old = [replace(each, firmness=0.3) for each in many(400)]
    return old, night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))


def asked(*sentences: str) -> tuple[PersonSaid, ...]:
    return tuple(PersonSaid(each, "5e55", each, START, START.date()) for each in sentences)


def drawn_on(result: Consolidated) -> Heeded:
    whys = [why for why in result.whys if why.message]
    drawn = {why.message: frozenset({why.quote}) for why in whys}
    return Heeded(dict.fromkeys(drawn, "d1"), drawn=drawn, rules=rules_of([result.whys]))


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
    old, first = filled()
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
    settled = Heeded(
        {**whole.taken, **more.taken},
        drawn={**whole.drawn, **more.drawn},
        rules=rules_of([first.whys, second.whys]),
    )
    third = night(after, Heard((), settled, [*old, *news(3)], since=MONDAY + timedelta(days=30)))
    assert texts_of(third) == after


def test_what_says_no_more_than_what_stands_waits() -> None:
    old = [replace(each, firmness=0.9) for each in many(400)]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    weak = news(3, firmness=0.2)
    second = night(texts_of(first), Heard((), drawn_on(first), [*old, *weak], since=MONDAY))
    assert texts_of(second) == texts_of(first)


def test_what_was_said_before_the_last_dream_moves_nothing() -> None:
    old, first = filled()
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
    old, first = filled()
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
        if count >= 30:  # and what is left is filled
            assert bytes_of(texts_of(result)) >= 0.9 * small.memory_bytes


@pytest.mark.parametrize(
    ("enough", "size"), [(0, 5_900), (400, 5_900), (2_000, 5_900), (90_000, 6_400)]
)
def test_notes_come_within_the_budget_however_much_less_must_be_noted_for_it(
    monkeypatch: pytest.MonkeyPatch, enough: int, size: int
) -> None:
    tried: list[int] = []

    def dreamt(*_: object, spare: int, **__: object) -> Consolidated:
        tried.append(spare)
        text = "x" * (5_900 if spare >= enough else 6_400)  # the same until it is enough
        return Consolidated({PurePosixPath(INDEX): text}, (), ())

    monkeypatch.setattr(engine, "_dreamt", dreamt)
    result = night({INDEX: "# Memory\n"}, Heard())
    assert bytes_of(texts_of(result)) == size
    assert len(tried) <= 6


def test_no_more_goes_than_comes_in_also_where_newer_values_took_the_room() -> None:
    old, first = filled()
    before = texts_of(first)
    own = "\n## Fields\n\n" + "- The barley field lies behind the mill of our village. Mine.\n" * 1
    spare = FULL.memory_bytes - bytes_of(before) - len(own.encode())
    before[INDEX] += own + f"- {'The rye stands behind the mill. ' * 9}"[: spare - 1] + "\n"
    second = night(before, Heard((), drawn_on(first), [*old, *news(3)], since=MONDAY))
    after = texts_of(second)
    assert bytes_of(before) > 0.97 * FULL.memory_bytes >= 0.97 * bytes_of(after)
    came, gone = lines(after) - lines(before), lines(before) - lines(after)
    assert sum("ferry line" in row for row in came if "](" not in row) == 3
    assert sum(map(len, gone)) <= sum(map(len, came)) + 120


def test_where_all_is_more_than_a_reader_sees_nothing_goes() -> None:
    old, first = filled()
    before = texts_of(first)
    before[INDEX] += "- [Guide](guide.md) — the fields\n"
    before["guide.md"] = "# Guide\n\n" + "The barley field lies behind the mill. " * 80
    second = night(before, Heard((), drawn_on(first), [*old, *news(5)], since=MONDAY))
    assert YIELDED not in counts(second)
    assert {row for row in lines(before) if "](" not in row} <= lines(texts_of(second))


def test_what_is_brought_up_to_date_in_full_notes_takes_the_room_of_what_nobody_asked_for() -> None:
    old = [replace(each, firmness=0.3) for each in many(400)]
    said = asked(
        *(f"The {town} barn now holds 55 sheep in the winter months." for town in TOWNS[:6])
    )
    barns = "".join(
        f"- The {town} barn holds 40 sheep in the winter months. (2026-05-01)\n"
        for town in TOWNS[:6]
    )
    first = night({INDEX: f"# Memory\n\n{barns}"}, Heard((), Heeded(), old))
    before = texts_of(first)
    rest = FULL.memory_bytes - bytes_of(before)
    before["rye.md"] = f"# Rye\n\n{'The rye stands behind the mill. ' * 99}"[: rest - 80]
    before[INDEX] += "- [Rye](rye.md) — where it stands\n"
    assert bytes_of(before) <= FULL.memory_bytes
    result = night(before, Heard((), drawn_on(first), old, said, since=START))
    after = texts_of(result)
    assert after[INDEX].count("now holds 55 sheep") == 6
    assert counts(result)[YIELDED] > 0
    assert bytes_of(after) <= FULL.memory_bytes


def test_a_line_that_was_put_elsewhere_or_asked_for_since_never_gives_way() -> None:
    old, first = filled()
    before = texts_of(first)
    heard = Heard((), drawn_on(first), [*old, *news(5)], since=MONDAY)
    gone = lines(before) - lines(texts_of(night(before, heard)))
    row = min(each for each in gone if "](" not in each)
    moved = {name: text.replace(f"{row}\n", "") for name, text in before.items()}
    moved[INDEX] += f"\n## Mine\n\n{row}\n"
    assert row in night(moved, heard).texts[PurePosixPath(INDEX)]
    wish = asked(f"Remember that we {row[5:-14]}.")
    again = night(before, Heard(tuple(claims(wish)), drawn_on(first), old, wish, since=MONDAY))
    assert any(why.sign == "=" and why.line == row for why in again.whys)
    settled = replace(drawn_on(first), rules=rules_of([first.whys, again.whys]))
    late = replace(heard, heeded=settled, said=wish)
    assert row in lines(texts_of(night(before, late)))


def test_a_line_of_the_users_own_that_was_only_heard_again_never_gives_way() -> None:
    there = PurePosixPath("about.md")
    said = Why(there, "- We rent.", "=", "statement", quote="We rent.", message="m1")
    noted = replace(said, line="- We buy.", sign="+")
    same = Why(there, "- Ours.", "-", "duplicates", moved_to=there, quote="- We buy.")
    assert rules_of([[said]]) == {(there, "- We rent."): {"", "statement"}}
    assert rules_of([[noted]]) == {(there, "- We buy."): {"statement"}}
    assert rules_of([[noted], [same]]) == {(there, "- We buy."): {"", "statement"}}
    index = PurePosixPath(INDEX)
    raised = [replace(noted, sign="-", moved_to=index, quote="", message="")]
    raised.append(Why(index, "- We buy.", "+", "room in the index"))
    assert rules_of([[noted], raised]) == {(index, "- We buy."): {"statement"}}


def test_what_was_said_before_a_dream_that_was_undone_had_its_turn() -> None:
    old, first = filled()
    settled = replace(drawn_on(first), until=START + timedelta(days=90))
    heard = Heard((), settled, [*old, *news(3)], since=MONDAY)
    assert texts_of(night(texts_of(first), heard)) == texts_of(first)


def test_what_is_told_from_its_day_is_heard_once_in_a_dream_and_takes_no_room_twice() -> None:
    told = [
        candidate(f"Yesterday I sold {n} sheep to {n + 3} farms.", day=n % 9) for n in range(200)
    ]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), told))
    assert not [why for why in first.whys if why.sign == "="]
    second = night(texts_of(first), Heard((), drawn_on(first), told))
    assert texts_of(second) == texts_of(first)


def test_daily_notes_count_where_all_fits_within_the_budget() -> None:
    days = {"2026-05-01.md": "# Day\n\n" + "- Rain.\n" * 300}
    pointed = {INDEX: "# Memory\n\n- [day](2026-05-01.md) — rain\n", **days}
    after = {**pointed, **texts_of(night(pointed, Heard((), Heeded(), many(200))))}
    assert 0.9 * FULL.memory_bytes < bytes_of(after) <= FULL.memory_bytes


def test_in_a_small_index_with_sections_nothing_comes_into_the_lists_of_the_user() -> None:
    own = "# Memory\n\nAll about the farm.\n\n## Shopping\n\n- Milk\n- Eggs\n"
    heard = [*many(3), candidate("I live in Ghent with 2 cats.")]
    small = Budget(memory_bytes=1_024)

    def dreamt(text: str, heard: Heard) -> str:
        notes = orient(Tree({PurePosixPath(INDEX): Entry(text.encode())}))
        (after,) = texts_of(consolidated(notes, small, Declined(), quiet, heard)).values()
        assert len(after) <= 1_024
        return after

    after = dreamt(own, Heard((), Heeded(), heard))
    assert after.startswith(own)
    facts, about = (f"\n## {name}\n\n- " for name in ("Project facts", "About the user"))
    assert after.count(facts) == after.count(about) == 1
    assert after.index("live in Ghent") > after.index(about)
    more = dreamt(after, Heard((), Heeded(), [*heard, *news(1)]))
    assert more.startswith(own)
    assert more.count(facts) == 1
    assert "ferry line" in more


def test_what_somebody_prefers_is_or_always_does_never_gives_way() -> None:
    own = (
        candidate("I am allergic to nuts.", firmness=0.05),
        candidate("I always take the ferry.", firmness=0.05),
        candidate("I like rye bread.", firmness=0.05, kind=ClaimKind.PREFERENCE),
    )
    old = [*own, *(replace(each, firmness=0.01) for each in many(400))]
    first = night({INDEX: "# Memory\n"}, Heard((), Heeded(), old))
    heard = Heard((), drawn_on(first), [*old, *news(5)], since=MONDAY)
    after = texts_of(night(texts_of(first), heard))
    assert sum("ferry line" in row for row in lines(after) if "](" not in row) == 5
    for each in own:
        assert any(each.snippet.statement in row for row in lines(after))


def test_notes_a_little_over_what_a_reader_sees_open_no_new_room() -> None:
    guide = "# Guide\n\n" + "The barley field lies behind the mill. " * 155
    texts = {INDEX: "# Memory\n\n- [Guide](guide.md) — the fields\n", "guide.md": guide}
    assert FULL.memory_bytes < bytes_of(texts) < 1.1 * FULL.memory_bytes
    assert texts_of(night(texts, Heard((), Heeded(), many(200)))) == texts
