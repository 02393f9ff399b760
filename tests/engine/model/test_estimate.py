"""What is said of a session's cost before it: what it rests on, and in which words."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from dreamd.domain.cost import Estimate, price_of
from dreamd.domain.receipt import Usage
from dreamd.engine.model.spending import Caps, SessionPlan, estimate
from dreamd.text.words import count, money

CAPS = Caps(turns=60, tokens=1_500_000, dollars=0.5, seconds=900, output_tokens=8_192)
PLAN = SessionPlan("claude-haiku-4-5", price_of("claude-haiku-4-5"), CAPS, "word " * 2_000)


def test_past_sessions_say_how_many_requests_and_how_long_the_answers_are() -> None:
    past = [
        Usage(output_tokens=9_000, requests=3),
        Usage(output_tokens=1_000, requests=20),
        Usage(output_tokens=1_200, requests=4),
        Usage(output_tokens=50_000),  # of nobody knows how many
    ]
    first, later = estimate(PLAN, material=0), estimate(PLAN, material=0, past=past)
    assert (first.requests, later.requests, later.output_tokens) == (7, 4, 4 * 300)
    capped = replace(PLAN, caps=replace(CAPS, turns=2))
    assert estimate(capped, material=0, past=past).requests == 2


def test_more_to_look_at_costs_more_but_no_call_brings_more_than_it_may() -> None:
    costs = [estimate(PLAN, material=size).tokens or 0 for size in (0, 20_000, 10**6, 10**9)]
    assert costs[0] < costs[1] < costs[2] == costs[3]
    longer = replace(PLAN, first=PLAN.first + "x" * 4_000)
    one = replace(CAPS, turns=1)
    costs = [estimate(replace(plan, caps=one), material=0).tokens or 0 for plan in (PLAN, longer)]
    assert costs[1] - costs[0] == 1_000, "a quarter of its bytes"


def test_an_estimate_is_a_clause_in_the_words_of_a_person() -> None:
    none = "so that no session can begin (model.dollars, model.day_dollars, model.day_tokens)"
    unpriced = "no price of mine is known (model.price); at most 1.5M tokens"
    for told, words in (
        (
            Estimate("m", 100_000, 0.5, 1, 30_000, 0, 0, 0, 0.0312),
            "about 30.0k tokens, $0.031; at most $0.50",
        ),
        (
            Estimate("m", 100_000, 0.0, 1, 999, 0, 0, 0, 0.0042),
            f"about 999 tokens, $0.0042; at most $0.00, {none}",
        ),
        (Estimate("mine", 1_500_000, None, 1, 999, 0, 0, 0), f"about 999 tokens, {unpriced}"),
        (Estimate("m", 2_000_000, 0.5), "at most $0.50"),  # of what another program asks
    ):
        assert told.words == words
        later = msgspec.to_builtins(told) | {"what_a_later_version_adds": 1}
        assert msgspec.convert(later, Estimate) == told
    unknown = estimate(replace(PLAN, model="mine", price=None), material=0)
    assert (unknown.dollars, unknown.most_dollars) == (None, None)
    numbers = (0, 999, 1_000, 45_149, 99_960, 999_499, 999_500, 1_500_000, 123_456_789)
    assert " ".join(map(count, numbers)) == "0 999 1.0k 45.1k 100k 999k 1.0M 1.5M 123M"
    sums = (0, 0.00004, 0.0042, 0.0312, 0.0995, 0.5, 1_234.5)
    assert " ".join(map(money, sums)) == "$0.00 $0.0001 $0.0042 $0.031 $0.10 $0.50 $1,234.50"
