"""What is said of a session's cost before it: what it rests on, and in which words."""

from __future__ import annotations

from typing import Any

import msgspec.structs
import pytest
from msgspec.structs import replace

from dreamd.domain.cost import Estimate, price_of
from dreamd.domain.receipt import Usage
from dreamd.engine.model.conversation import begun
from dreamd.engine.model.estimate import Course, SessionPlan, estimate
from dreamd.engine.model.spending import Caps, Tokens
from dreamd.text.words import count, money
from tests.brain.caching import Cache, tokens_of

CAPS = Caps(turns=60, tokens=1_500_000, dollars=0.5, seconds=900, output_tokens=8_192)
PLAN = SessionPlan("claude-haiku-4-5", price_of("claude-haiku-4-5"), CAPS, "word " * 2_000)


@pytest.mark.parametrize(
    ("course", "tokens"),
    [
        (Course(1, 5_000, 500, 100), Tokens(0, 100, 0, 5_000)),
        (Course(3, 5_000, 500, 100), Tokens(0, 300, 5_000 + 5_500, 5_000 + 500 + 500)),
        (Course(3, 3_000, 500, 100), Tokens(3_000 + 3_500 + 4_000, 300, 0, 0)),
        (Course(3, 3_500, 400, 0), Tokens(3_500 + 3_900, 0, 0, 4_300)),
        (Course(2, 9_000, 500, 100, inherited=8_000), Tokens(0, 200, 8_000 + 9_000, 1_500)),
        (Course(1, 3_000, 0, 0, inherited=2_000), Tokens(3_000, 0, 0, 0)),
    ],
)
def test_each_request_reads_what_the_last_one_wrote(course: Course, tokens: Tokens) -> None:
    assert course.tokens(4_096) == tokens


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-6"])
@pytest.mark.parametrize("words", [10, 4_000])
def test_the_cache_is_reckoned_with_as_a_server_does(model: str, words: int) -> None:
    cache, requests, sizes = Cache(), 9, []
    conversation = begun(model, "You keep notes.", (), "word " * words)
    used = []
    for _ in range(requests):
        body = conversation.body(100)
        used.append(cache.use(body))
        sizes.append(
            sum(tokens_of(block) for each in body["messages"] for block in each["content"])
        )
        conversation.hear([{"type": "text", "text": "an answer " * 40}])
        conversation.say({"type": "text", "text": "a result of a call " * 60})
    first = used[0].input + used[0].cache_read + used[0].cache_write
    growth = (sizes[-1] - sizes[0]) // (requests - 1)
    least = 1_024 if "sonnet" in model else 4_096
    tokens = Course(requests, first, growth, 100).tokens(least)
    for kind, real in (
        (tokens.input, sum(each.input for each in used)),
        (tokens.cache_read, sum(each.cache_read for each in used)),
        (tokens.cache_write, sum(each.cache_write for each in used)),
    ):
        assert abs(kind - real) <= 0.05 * tokens.read


def test_past_sessions_say_how_many_requests_and_how_long_the_answers_are() -> None:
    past = [
        Usage(output_tokens=9_000, requests=3),
        Usage(output_tokens=1_000, requests=20),
        Usage(output_tokens=1_200, requests=4),
        Usage(output_tokens=50_000),  # of nobody knows how many
    ]
    first = estimate(PLAN, material=0)
    later = estimate(PLAN, material=0, past=past)
    assert (first.requests, later.requests) == (7, 4)
    assert later.output_tokens == 4 * 300
    capped = replace(PLAN, caps=replace(CAPS, turns=2))
    assert estimate(capped, material=0, past=past).requests == 2


def test_more_to_look_at_costs_more_but_no_call_brings_more_than_it_may() -> None:
    costs = [estimate(PLAN, material=size).tokens or 0 for size in (0, 20_000, 10**6, 10**9)]
    assert costs[0] < costs[1] < costs[2] == costs[3]


def test_a_longer_first_message_costs_more_by_a_quarter_of_its_bytes() -> None:
    longer = replace(PLAN, first=PLAN.first + "x" * 4_000)
    one = replace(CAPS, turns=1)
    costs = [estimate(replace(plan, caps=one), material=0).tokens or 0 for plan in (PLAN, longer)]
    assert costs[1] - costs[0] == 1_000


def test_a_model_without_a_price_is_counted_in_tokens_only() -> None:
    unknown = replace(PLAN, model="some-model-of-mine", price=None)
    told = estimate(unknown, material=0)
    assert (told.dollars, told.most_dollars) == (None, None)
    assert told.words == (
        f"about {count(told.tokens or 0)} tokens, no price of some-model-of-mine is known "
        "(model.price); at most 1.5M tokens"
    )


def test_what_another_client_said_already_is_read_from_the_cache() -> None:
    fork: dict[str, Any] = {
        "model": "claude-sonnet-4-5",
        "system": "You help. " * 2_000,
        "messages": [{"role": "user", "content": "word " * 4_000}],
        "max_tokens": 100,
    }
    order = replace(PLAN, fork=fork, model="claude-sonnet-4-5", first="Dream.")
    told = estimate(order, material=0)
    alone = (told.requests or 0) * 10_000
    assert (told.cache_read_tokens or 0) > alone  # the 40 kB of the parent, each time
    assert (told.cache_write_tokens or 0) < 10_000


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ((30_000, 0.0312, 100_000, 0.5), "about 30.0k tokens, $0.031; at most $0.50"),
        ((999, 0.0, 100_000, 0.25), "about 999 tokens, $0.00; at most $0.25"),
        (
            (999, 0.0042, 100_000, 0.0),
            (
                "about 999 tokens, $0.0042; at most $0.00, so that no session can begin "
                "(model.dollars, model.day_dollars, model.day_tokens)"
            ),
        ),
    ],
)
def test_an_estimate_is_a_clause(known: tuple[int, float, int, float], words: str) -> None:
    tokens, dollars, most_tokens, most = known
    told = Estimate("m", most_tokens, most, 1, tokens, 0, 0, 0, dollars)
    assert told.words == words
    later = msgspec.to_builtins(told) | {"what_a_later_version_adds": 1}
    assert msgspec.convert(later, Estimate) == told


def test_of_what_another_program_asks_only_the_limit_is_said() -> None:
    assert Estimate("m", 2_000_000, 0.5).words == "at most $0.50"


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        *((0, "0"), (999, "999"), (1_000, "1.0k"), (45_149, "45.1k"), (99_960, "100k")),
        *((999_499, "999k"), (999_500, "1.0M"), (1_500_000, "1.5M"), (123_456_789, "123M")),
    ],
)
def test_tokens_as_a_person_says_them(tokens: int, words: str) -> None:
    assert count(tokens) == words


@pytest.mark.parametrize(
    ("dollars", "words"),
    [
        *((0, "$0.00"), (0.00004, "$0.0001"), (0.0042, "$0.0042"), (0.0312, "$0.031")),
        *((0.0995, "$0.10"), (0.5, "$0.50"), (1_234.5, "$1,234.50")),
    ],
)
def test_dollars_with_as_many_places_as_say_something(dollars: float, words: str) -> None:
    assert money(dollars) == words
