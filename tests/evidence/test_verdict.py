"""The verdict on a claim: each gate as it stands, and what really would open it."""

from __future__ import annotations

import re

import pytest

from dreamd.domain.evidence import Query, Snippet
from dreamd.evidence.deep import Gates, Weights
from dreamd.evidence.judging import Judged, judged
from dreamd.evidence.rem import dreamt
from dreamd.evidence.verdict import gates_of, wanting
from dreamd.evidence.weigh import weigh
from tests.evidence.test_deep import query, snippet

CLAIM = "The ferry to Tern Island leaves from pier seven at noon."
# Two messages that ask other things of it each time.
ASKED = ("When does the ferry go from pier seven?", "Which pier has the Tern Island ferry?")


def of(heard: list[Snippet | Query], gates: Gates) -> tuple[Judged, tuple[str, ...]]:
    claims, newest = judged(heard, Weights(), gates)
    (one,) = (each for each in claims if each.claim.snippet.statement == CLAIM)
    return one, wanting(one, newest, Weights(), gates)


@pytest.mark.parametrize(
    ("gates", "closed"),
    [
        (Gates(), []),
        (Gates(score=0.9), ["score"]),
        (Gates(signals=2), ["signals"]),
        (Gates(questions=1), ["questions"]),
        (Gates(score=0.9, signals=5, questions=3), ["score", "signals", "questions"]),
    ],
)
def test_each_gate_is_told_by_itself(gates: Gates, closed: list[str]) -> None:
    claim, missing = of([snippet(CLAIM)], gates)
    assert [gate.name for gate in gates_of(claim, gates) if not gate.is_open] == closed
    assert bool(missing) == bool(closed)


@pytest.mark.parametrize("least", [0.3, 0.35, 0.4, 0.5])
def test_as_many_days_as_it_says_let_it_pass_and_one_less_does_not(least: float) -> None:
    gates = Gates(score=least, signals=2)
    _, missing = of([snippet(CLAIM)], gates)
    (said,) = (each for each in missing if "day" in each and "question" not in each)
    count = 1 if said.startswith("one") else int(re.findall(r"\d+", said)[0])
    again = [snippet(CLAIM, day=day) for day in range(count + 1)]
    assert not weigh(again[:-1], Weights(), gates)
    assert weigh(again, Weights(), gates)


def test_a_question_opens_the_gate_of_questions_and_no_day_does() -> None:
    gates = Gates(questions=2)
    heard: list[Snippet | Query] = [snippet(CLAIM), query(ASKED[0])]
    claim, missing = of(heard, gates)
    assert missing == ("one more question that it answers",)
    assert claim.answers == ((query(ASKED[0]), 1.0),)
    assert weigh([*heard, query(ASKED[1])], Weights(), gates)


def test_where_neither_is_enough_both_together_may_be() -> None:
    _, missing = of([snippet(CLAIM)], Gates(score=0.95))
    (both,) = missing
    assert "day" in both
    assert "question" in both


def test_a_theme_has_the_mean_of_its_claims_and_the_likeliest_first() -> None:
    heard = [snippet(f"{name} paints boats in the harbour.") for name in ("Ada", "Bo", "Cy")]
    claims, _ = judged([*heard, query("Who is Ada that paints boats?")], Weights(), Gates())
    themes = {theme.concept: theme for theme in dreamt(claims)}
    boat = themes["boat"]
    assert (boat.word, themes["harbour"].word) == ("boats", "harbour")
    assert boat.claims[0][0].claim.snippet.statement.startswith("Ada")
    assert boat.confidence == pytest.approx(sum(how for _, how in boat.claims) / 3)
    weights = {"relevance": 0.45, "recall": 0.25, "days": 0.20, "richness": 0.10}
    by_hand = sum(weights[name] * value for name, value in boat.parts.items())
    assert boat.confidence == pytest.approx(by_hand)
