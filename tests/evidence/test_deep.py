"""How much speaks for a claim: terms by hand, gates, recurrence, and what no clock changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from dreamd.domain.evidence import Candidate, ClaimKind, Query, Snippet
from dreamd.domain.prose.concepts import tags, tokens
from dreamd.evidence.deep import Gates, Traces, Weights, score, terms
from dreamd.evidence.judging import judged
from dreamd.evidence.recurring import recurring
from dreamd.evidence.themes import confidence, themes
from dreamd.evidence.weigh import weigh

DAY = date(2026, 5, 11)


def snippet(statement: str, *, day: int = 0, kind: ClaimKind = ClaimKind.FACT) -> Snippet:
    at = datetime(2026, 5, 11, 9, tzinfo=UTC) + timedelta(days=day)
    found = tags(statement)
    message = f"{statement} {day}"
    return Snippet(
        statement, statement, kind, "", "", found, "person", "5e55", message, at, at.date()
    )


def query(text: str) -> Query:
    return Query(text, "5e55", text)


def weighed(*heard: Snippet | Query, gates: Gates | None = None) -> Sequence[Candidate]:
    return weigh(heard, Weights(), gates or Gates())


def test_the_terms_are_those_of_the_formula() -> None:
    days = [DAY - timedelta(days=30), DAY - timedelta(days=16)]
    traces = Traces(ClaimKind.FACT, 3, 4, days, [0.5, 1.0], 2)
    found = terms(traces, DAY, 16)
    assert found["relevance"] == 0.75
    assert found["frequency"] == pytest.approx(math.log(1 + 6) / math.log(11))
    assert found["diversity"] == pytest.approx(0.4)
    assert found["recency"] == pytest.approx(0.5)  # one half-life
    assert found["consolidation"] == pytest.approx(0.55 * math.log(2) / math.log(5) + 0.45)
    assert found["richness"] == pytest.approx(0.5)
    by_hand = 0.3 * 0.75 + 0.24 * found["frequency"] + 0.15 * 0.4 + 0.15 * 0.5
    by_hand += 0.1 * found["consolidation"] + 0.06 * 0.5
    assert score(found, Weights()) == pytest.approx(by_hand)


def test_a_claim_with_everything_scores_one_and_none_more() -> None:
    days = [DAY - timedelta(days=n) for n in range(40)]
    most = Traces(ClaimKind.FACT, 99, 99, days, [1.0] * 99, 99)
    assert score(terms(most, DAY, 30), Weights()) == pytest.approx(1.0)


def test_what_holds_until_it_is_taken_back_does_not_age() -> None:
    old = [DAY - timedelta(days=400)]
    fact = terms(Traces(ClaimKind.FACT, 3, 1, old), DAY, 30)
    wish = terms(Traces(ClaimKind.PREFERENCE, 3, 1, old), DAY, 30)
    assert fact["recency"] < 0.001
    assert wish["recency"] == 1.0


def test_recency_is_told_by_the_newest_evidence_and_no_clock() -> None:
    early = weighed(snippet("We rent 3 vans.", day=0), snippet("We own 2 carts.", day=9))
    late = weighed(snippet("We rent 3 vans.", day=900), snippet("We own 2 carts.", day=909))
    assert [each.score for each in early] == [each.score for each in late]


def test_a_claim_recurs_over_sessions_and_days_wherever_it_stands() -> None:
    said = [snippet("We rent 3 vans in Ghent.", day=day) for day in (0, 2, 5)]
    (found,) = weighed(*said, snippet("We rent 3 vans in Ghent!", day=5))
    assert (found.sightings, found.days) == (4, 3)
    assert found.snippet.day == date(2026, 5, 16)


def test_another_figure_is_another_claim() -> None:
    said = ["Our rent in Ghent is 940 euros.", "Our rent in Ghent is 960 euros."]
    assert len(recurring(map(snippet, said), 0.5)) == 2


def test_what_answers_a_question_is_more_relevant_than_what_does_not() -> None:
    rent = snippet("Our rent in Ghent is 940 euros.")
    hens = snippet("My 14 hens lay brown eggs.")
    asked = [query("How can I lower the rent in Ghent?"), query("Is 940 a fair rent in Ghent?")]
    found = {each.snippet.statement: each for each in weighed(rent, hens, *asked)}
    assert found[rent.statement].queries == 2
    assert found[hens.statement].queries == 0
    assert found[rent.statement].score > found[hens.statement].score


@pytest.mark.parametrize(
    "gates", [Gates(score=0.9), Gates(signals=3), Gates(questions=1)], ids=["score", "n", "asked"]
)
def test_each_gate_keeps_out_what_does_not_reach_it(gates: Gates) -> None:
    said = [snippet("We rent 3 vans in Ghent.", day=day) for day in (0, 4)]
    assert weighed(*said)
    assert not weighed(*said, gates=gates)


def test_a_statement_made_once_is_let_through_by_the_defaults() -> None:
    newest = snippet("Our cellar floods.", day=400)
    assert len(weighed(snippet("We rent 3 vans in Ghent.", day=0), newest)) == 2


def test_the_order_of_what_was_heard_changes_no_score() -> None:
    said = [snippet(f"We rent {n} vans in Ghent for team {n}.", day=n) for n in range(9)]
    asked = [query("How many vans do we rent in Ghent?")]
    one, other = weighed(*said, *asked), weighed(*asked, *said)
    assert one == other


def test_confidence_is_that_of_the_formula() -> None:
    traces = Traces(ClaimKind.FACT, 3, 2, [DAY, DAY, DAY - timedelta(days=1)], [0.6, 0.8], 2)
    by_hand = 0.45 * 0.7 + 0.25 * math.log(3) / math.log(7) + 0.2 * 2 / 3 + 0.1 * 0.5
    assert confidence(traces) == pytest.approx(by_hand)


def test_a_theme_is_a_concept_of_several_claims() -> None:
    said = ["We rent 3 vans.", "Our vans leak.", "A van costs 40 euros.", "My hens lay eggs."]
    found = themes([tags(each) for each in said])
    assert [(theme.concept, theme.claims) for theme in found] == [("van", (0, 1, 2))]


def test_words_of_any_script_are_weighed() -> None:
    assert tokens("Мы арендуем 3 фургона") == ["мы", "арендуем", "3", "фургона"]
    assert tokens("we are in the of") == []


def test_a_code_span_of_nothing_but_spaces_is_no_concept() -> None:
    assert tags("We put ` ` and `  ` between the `first name` and the surname.") == (
        "first name",
        "put",
        "surname",
    )


CLOCK_WRONG = (date(2099, 1, 1) - DAY).days


@pytest.mark.parametrize(
    ("days", "newest"),
    [
        ([0], 0),  # the only one there is
        ([CLOCK_WRONG], CLOCK_WRONG),
        ([0, 365], 365),
        ([0, 366], 0),
        ([0, 5, CLOCK_WRONG], 5),
        ([0, 5, CLOCK_WRONG, CLOCK_WRONG], 5),  # twice on one day
        ([0, 5, CLOCK_WRONG, CLOCK_WRONG + 900], 5),  # two clocks gone wrong
        ([0, 5, CLOCK_WRONG, CLOCK_WRONG + 3], CLOCK_WRONG + 3),  # time went on there
        ([0, 3650], 0),  # a decade apart, until the next day
        ([0, 3650, 3651], 3651),
        ([-20000, 0, 1], 1),  # a clock that began anew
    ],
)
def test_a_lone_day_far_behind_all_others_is_not_the_newest(days: list[int], newest: int) -> None:
    heard = [snippet(f"We rent {n} vans in Ghent.", day=day) for n, day in enumerate(days)]
    assert judged(heard, Weights(), Gates())[1] == DAY + timedelta(days=newest)


def test_one_wrong_clock_ages_nothing_and_its_own_claim_is_new() -> None:
    said = [snippet("We rent 3 vans in Ghent."), snippet("Our cellar floods at night.", day=4)]
    wrong = snippet("My 14 hens lay brown eggs.", day=CLOCK_WRONG)
    before, _ = judged(said, Weights(), Gates())
    after, _ = judged([*said, wrong], Weights(), Gates())
    recency = [each.terms["recency"] for each in after]
    assert recency[:2] == [each.terms["recency"] for each in before]
    assert recency[2] == 1.0
