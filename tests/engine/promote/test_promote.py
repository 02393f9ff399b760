"""What nobody asked to remember finds its place, as far as there is room for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.evidence import Candidate, ClaimKind, Snippet
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.chosen import chosen, size
from dreamd.engine.rules.promote.fates import Fate, fates
from tests.engine.night import counts, quiet

INDEX = "MEMORY.md"
TOWNS = ("Ghent", "Turku", "Porto", "Lviv", "Graz", "Split", "Cork", "Bergen", "Siena", "Arles")


def candidate(
    statement: str,
    *,
    score: float = 0.5,
    firmness: float = 0.5,
    day: int = 0,
    kind: ClaimKind = ClaimKind.FACT,
) -> Candidate:
    at = datetime(2026, 5, 11, 9, tzinfo=UTC) + timedelta(days=day)
    words = tuple(word.strip(".").casefold() for word in statement.split())
    speaker = "assistant" if kind is ClaimKind.ADVICE else "person"
    snippet = Snippet(
        statement, statement, kind, "", "", words, speaker, "5e55", statement, at, at.date()
    )
    return Candidate(snippet, score, {}, firmness)


def many(count: int) -> list[Candidate]:
    return [
        candidate(f"We rent {n} vans for team {n * 7} in {TOWNS[n % 10]}.", day=n % 30)
        for n in range(count)
    ]


def night(
    texts: dict[str, str],
    candidates: list[Candidate],
    *,
    budget: Budget | None = None,
    declined: Declined | None = None,
    heeded: Heeded | None = None,
) -> Consolidated:
    notes = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    heard = Heard((), heeded or Heeded(), candidates)
    return consolidated(orient(notes), budget or Budget(), declined or Declined(), quiet, heard)


def texts_of(result: Consolidated) -> dict[str, str]:
    return {str(path): text for path, text in result.texts.items()}


def bytes_of(texts: dict[str, str]) -> int:
    return sum(len(text.encode()) for text in texts.values())


def test_a_statement_becomes_a_line_with_its_day_and_a_reason() -> None:
    result = night({INDEX: "# Memory\n"}, [candidate("We rent 3 vans in Ghent.")])
    after = texts_of(result)
    assert "- We rent 3 vans in Ghent. (2026-05-11)" in after["project-facts.md"].splitlines()
    assert "](project-facts.md) — We rent 3 vans in Ghent" in after[INDEX]
    assert counts(result) == {"noted {thing} you stated": 1}
    (why,) = (each for each in result.whys if each.quote)
    assert (why.rule, why.speaker, why.message) == (
        "statement",
        "person",
        "We rent 3 vans in Ghent.",
    )


def test_advice_is_told_as_the_assistants() -> None:
    advice = candidate("Plant beans after barley.", kind=ClaimKind.ADVICE)
    (why,) = (each for each in night({INDEX: "# M\n"}, [advice]).whys if each.quote)
    assert (why.rule, why.speaker) == ("advice taken up", "assistant")


@pytest.mark.parametrize("most", [2_000, 4_000, 5_000, 9_000, 25_600])
def test_the_budget_is_filled_and_not_passed(most: int) -> None:
    after = texts_of(night({INDEX: "# Memory\n"}, many(600), budget=Budget(memory_bytes=most)))
    assert 0.8 * most < bytes_of(after) <= most


def test_a_smaller_budget_keeps_a_part_of_the_lines_of_a_larger_one() -> None:
    kept = []
    for most in (3_000, 6_000, 12_000, 24_000):
        after = texts_of(night({INDEX: "# M\n"}, many(600), budget=Budget(memory_bytes=most)))
        kept.append(sum(text.count("\n- We rent") for text in after.values()))
    assert kept == sorted(kept)
    assert kept[0] > 20


def test_a_second_dream_changes_nothing() -> None:
    for most in (2_000, 6_000, 25_600):
        budget = Budget(memory_bytes=most)
        first = night({INDEX: "# Memory\n"}, many(400), budget=budget)
        taken = {why.message: "d1" for why in first.whys if why.message}
        after = texts_of(first)
        second = night(after, many(400), budget=budget, heeded=Heeded(taken=taken))
        assert texts_of(second) == after
        assert not second.steps


def test_notes_that_stand_make_no_room() -> None:
    texts = {INDEX: "# M\n\n- [A](a.md) — a\n", "a.md": "# A\n\n" + "Old words stay.\n\n" * 200}
    after = texts_of(night(texts, many(50), budget=Budget(memory_bytes=3_000)))
    assert after == texts


def test_what_the_user_took_back_stays_out() -> None:
    mine = candidate("We rent 3 vans in Ghent.")
    heeded = Heeded(declined={mine.snippet.message: "d1"})
    result = night({INDEX: "# M\n"}, [mine, candidate("We own 2 carts.")], heeded=heeded)
    assert "vans" not in "".join(texts_of(result).values())
    assert "2 carts" in "".join(texts_of(result).values())
    assert result.cited == ("d1",)


def test_of_a_message_drawn_on_the_other_sentences_may_still_come() -> None:
    said = "We rent 3 vans in Ghent. Our dentist is Ilse Maes."
    first, other = (
        replace(each, snippet=replace(each.snippet, message="m1", quote=each.snippet.statement))
        for each in map(candidate, ("We rent 3 vans in Ghent.", "Our dentist is Ilse Maes."))
    )
    both = replace(other, snippet=replace(other.snippet, statement=said, quote=said))
    drawn = {"m1": {"We rent 3 vans in Ghent."}}
    heeded = Heeded(taken={"m1": "d1"}, drawn=drawn)
    after = "".join(texts_of(night({INDEX: "# M\n"}, [first, other], heeded=heeded)).values())
    assert "Ilse Maes" in after
    assert "vans" not in after  # the user has removed it since
    for known in (heeded, Heeded(taken={"m1": "d1"})):
        unchanged = texts_of(night({INDEX: "# M\n"}, [both], heeded=known))
        assert unchanged == {INDEX: "# M\n"}


@pytest.mark.parametrize(
    ("quote", "dream"),
    [
        ("Our dentist is Ilse Maes.", None),
        ("We rent 3 vans.", "d1"),
        ("We rent 3 vans. Our dentist is Ilse Maes.", "d1"),
        ("Hello! We rent 3 vans. They are red.", "d1"),
    ],
)
def test_a_sentence_drawn_on_is_known_in_every_cut(quote: str, dream: str | None) -> None:
    heeded = Heeded(taken={"m1": "d1", "m2": "d2"}, drawn={"m1": {"We rent 3 vans. It is dear."}})
    assert heeded.drew_on("m1", quote) == dream
    assert heeded.drew_on("m2", quote) == "d2"
    assert heeded.drew_on("m3", quote) is None


def test_a_statement_stands_whatever_its_capital() -> None:
    notes = Tree({PurePosixPath(INDEX): Entry(b"# M\n\n- Mind that we rent 3 vans in Ghent\n")})
    mine = candidate("We rent 3 vans in Ghent.")
    (became,) = fates(orient(notes), [mine], [], Heeded(), Budget())
    assert (became.fate, became.line) == (Fate.STANDS, "- Mind that we rent 3 vans in Ghent")


def test_a_small_memory_stands_in_the_index_itself() -> None:
    after = texts_of(night({INDEX: "# M\n"}, many(3), budget=Budget(memory_bytes=1_024)))
    assert list(after) == [INDEX]
    assert after[INDEX].count("\n- We rent") == 3


def test_what_stands_inside_another_sentence_does_not_come_again_with_a_capital() -> None:
    texts = {INDEX: "# M\n\n- I want a calm week before our deadline of April 1 in Ghent\n"}
    result = night(texts, [candidate("Our deadline of April 1 in Ghent.")])
    assert texts_of(result) == texts


def test_what_says_most_that_is_new_goes_first() -> None:
    again = [candidate(f"We rent {n} vans in Ghent.", day=n) for n in range(1, 5)]
    other = candidate("Our dentist is Ilse Maes.")
    room = size(again[0]) + size(other)
    assert other in chosen([*again, other], room, 9)


def test_firm_statements_go_before_weak_ones() -> None:
    weak = candidate("We rent 3 vans in Ghent.", firmness=0.2)
    firm = candidate("We rent 5 cars in Turku.", firmness=0.8)
    assert chosen([weak, firm], size(firm), 9) == (firm,)


def test_what_is_left_would_not_have_fitted() -> None:
    candidates = many(80)
    found = chosen(candidates, 1_500, 99)
    room = 1_500 - sum(map(size, found))
    assert room >= 0
    assert all(size(each) > room for each in candidates if each not in found)


def test_every_line_is_what_was_said() -> None:
    candidates = many(120)
    said = {each.snippet.statement for each in candidates}
    after = texts_of(night({INDEX: "# M\n"}, candidates))
    rows = [
        row
        for name, text in after.items()
        for row in text.splitlines()
        if name != INDEX and row.startswith("- ")
    ]
    assert rows
    assert all(row.removeprefix("- ").rpartition(" (")[0] in said for row in rows)
