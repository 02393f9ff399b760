"""What a model's dream costs: said before, kept to, billed and shown; real processes and HTTP."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dreamd import config
from dreamd.app import engines, wiring
from dreamd.cli.past import costs
from dreamd.domain.cost import Price, price_of
from dreamd.domain.receipt import Kind, Outcome, Phase, Receipt, Usage
from dreamd.domain.settings import EngineChoice, Model, Settings
from dreamd.dream.attempt import Night, Wish
from dreamd.dream.story import dream
from dreamd.engine.model.engine import Access, ModelEngine
from dreamd.errors import ConfigError, RefusedError
from dreamd.host import jsonl
from dreamd.ledger.spending import Amount, Purse
from dreamd.stores.identity import store_at
from tests.brain import Brain, Refusal, say, tool
from tests.brain.script import Answer, Step
from tests.laptop import Laptop
from tests.model_bench import twelve
from tests.scripted import picture
from tests.spoken import say as people_say

KEY = "sk-ant-" + "api03-Qw3rTy7uIoP9aSdF2gHjK5lZxC8vBnM1"
INDEX = "# Memory\n\n- The API listens on port 8040\n"
MOVED = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"


@pytest.fixture
def laptop(tmp_path: Path) -> Laptop:
    memory = tmp_path / "home" / ".claude" / "projects" / "-home-dev-tidepool" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(INDEX)
    os.utime(memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    people_say(memory.parent, "monday", "The API listens on port 9050 now, because 8040 was taken.")
    return Laptop(tmp_path / "home", memory)


def moves(laptop: Laptop) -> Answer:
    into = {"old_string": "- The API listens on port 8040", "new_string": MOVED}
    return say("## consolidate", tool("Edit", {"file_path": _index(laptop), **into}))


def four(laptop: Laptop) -> list[Step]:
    """A session of four requests."""
    return [
        say("## orient", tool("Read", {"file_path": _index(laptop)})),
        say("## gather", tool("Sessions", {"matching": "port"})),
        moves(laptop),
        say("## prune", "The port of the API is 9050 now."),
    ]


def _index(laptop: Laptop) -> str:
    return str(laptop.memory / "MEMORY.md")


def environ(brain: Brain) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__BASE_URL": brain.url}


def ledger(laptop: Laptop) -> Mapping[str, Any]:
    """The last word of the day's ledger."""
    (file,) = (laptop.home / ".local/state/dreamd/spending").glob("*.jsonl")
    last = json.loads(file.read_text().strip().splitlines()[-1])
    assert isinstance(last, dict)
    return last


@pytest.mark.parametrize("length", [4, 12])
def test_a_session_costs_between_half_and_twice_of_what_was_said_before(
    laptop: Laptop, length: int
) -> None:
    script = four(laptop) if length == 4 else twelve(laptop.memory, laptop.memory.parent)
    store = store_at(laptop.memory, laptop.home / "state")
    said: list[str] = []
    with Brain(script) as brain:
        engine = ModelEngine(
            Model(base_url=brain.url),
            Access(KEY, {"PATH": os.environ["PATH"]}, price_of("claude-haiku-4-5")),
            Purse(laptop.home / "state" / "spending", Amount(6_000_000, 2.0)),
        )
        wish = Wish(sessions=[laptop.memory.parent])

        def hear(_phase: Phase, words: str) -> None:
            said.append(words if not brain.requests else "")

        receipt = dream(store, Night(engine, Settings(), wish, hear))
    assert not brain.faults
    assert len(brain.requests) == receipt.usage.requests == length
    expected = receipt.estimate
    assert expected is not None
    assert expected.words in said  # before anything was asked
    assert re.fullmatch(r"about [\d.]+k tokens, \$0\.0\d+; at most \$0\.50", expected.words)
    assert 0.5 <= receipt.usage.tokens / (expected.tokens or 0) <= 2
    assert 0.5 <= receipt.usage.dollars / (expected.dollars or 0) <= 2
    assert jsonl.decode(jsonl.encode(receipt), Receipt) == receipt


def test_an_estimate_asks_nobody_needs_no_key_and_writes_nothing(laptop: Laptop) -> None:
    before = picture(laptop.home)
    with Brain([say("never")]) as brain:
        more = {"DREAMD_MODEL__BASE_URL": brain.url}
        words = ["dream", str(laptop.memory), "--estimate", "--engine", "model"]
        told = laptop.ok(*words, **more)
        value = json.loads(laptop.ok(*words, "--json", DREAMD_MODEL__NAME="some-model", **more))
        assert not brain.requests
    assert picture(laptop.home) == before
    assert re.search(r"model engine, claude-haiku-4-5: about .* tokens, \$0\.0.*; at most", told)
    assert "7 requests" in told
    assert (value["engine"], value["model"], value["dollars"]) == ("model", "some-model", None)
    assert value["cache_read_tokens"] > 0
    assert value["most_tokens"] == Model().tokens


def test_rules_cost_nothing_and_their_receipts_have_no_estimate(laptop: Laptop) -> None:
    assert "cost nothing" in laptop.ok("dream", str(laptop.memory), "--estimate")
    value = laptop.json("dream", str(laptop.memory), "--estimate")
    assert (value["engine"], value["dollars"], value["requests"]) == ("rules", 0.0, 0)
    assert laptop.json("dream", str(laptop.memory))["estimate"] is None
    for more in ("--gated", "--dry-run"):
        done = laptop.run("dream", str(laptop.memory), "--estimate", more)
        assert (done.returncode, done.stdout) == (2, "")


def test_a_dream_ends_capped_where_the_endpoint_goes_on_and_on_and_what_came_is_billed(
    laptop: Laptop,
) -> None:
    script = [moves(laptop), say("word " * 4_096, pace=0.001)]  # ten times 512 tokens
    with Brain(script) as brain:
        more = {"DREAMD_MODEL__OUTPUT_TOKENS": "512", **environ(brain)}
        done = laptop.run("dream", str(laptop.memory), "--json", **more)
        assert len(brain.requests) == 2  # asked once, not again
    receipt = json.loads(done.stdout)
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt
    assert "went on beyond the 512 tokens" in receipt["reason"]
    written = receipt["usage"]["output_tokens"]
    assert 512 < written < 2 * 512
    kinds = ("input", "output", "cache_read", "cache_write")
    assert ledger(laptop)["tokens"] == sum(receipt["usage"][f"{each}_tokens"] for each in kinds)
    assert ledger(laptop)["dollars"] == pytest.approx(receipt["usage"]["dollars"], abs=1e-6)
    told = laptop.ok("show", "--memory", str(laptop.memory))
    assert re.search(
        r"cost \$0\.0\d+ \(estimated \$0\.0\d+\) · \d requests? · [\d.]+k tokens new · "
        r"[\d.]+k? from the cache · [\d.]+k? written",
        told,
    ), told


def test_answers_that_nobody_counts_are_estimated_and_a_limit_keeps_what_they_did(
    laptop: Laptop,
) -> None:
    call = next(each for each in moves(laptop).blocks if each["type"] == "tool_use")
    start = {"type": "tool_use", "id": "toolu_1", "name": call["name"], "input": call["input"]}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"role": "assistant"}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]
    raw = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)
    answer = Refusal(200, raw=raw.encode(), headers={"content-type": "text/event-stream"})
    with Brain([answer]) as brain:
        more = {"DREAMD_MODEL__TURNS": "1", **environ(brain)}
        done = laptop.run("dream", str(laptop.memory), "--json", **more)
        asked = len(brain.requests[0].raw)
    receipt = json.loads(done.stdout)
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt
    assert receipt["usage"]["input_tokens"] == pytest.approx(asked / 4, rel=0.05)
    assert receipt["usage"]["output_tokens"] > 20
    assert ledger(laptop)["tokens"] > asked / 4
    assert any("did not count the tokens of 1 answer" in each for each in receipt["findings"])


PRICES = ["cheap", "1/5", "1/5/0.1/1.25/2", "1/five/0.1/1", "-1/5/0.1/1", "nan/5/0.1/1"]


@pytest.mark.parametrize("price", [*PRICES, "inf/5/0.1/1", "1e300/5/0.1/1", "1//0.1/1"])
def test_a_price_that_is_none_is_said_so(tmp_path: Path, price: str) -> None:
    given = {"HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__PRICE": price}
    app = wiring.App(config.load(given), tmp_path)
    for pick in (engines.engine, engines.estimating):
        with pytest.raises(ConfigError, match=r"^model\.price must be four numbers") as caught:
            pick(app, EngineChoice.MODEL)
        assert repr(price) in str(caught.value)


@pytest.mark.parametrize(
    ("model", "most", "said"),
    [
        (Model(dollars=0.0), Amount(10, 1.0), r"^model\.dollars is 0, so that no session may cost"),
        (
            Model(),
            Amount(10, 0.0),
            r"^the day's budget .* is nothing \(model\.day_dollars is 0\): raise",
        ),
        (
            Model(),
            Amount(0, 1.0),
            r"^the day's budget .* is nothing \(model\.day_tokens is 0\): raise",
        ),
    ],
)
def test_a_limit_of_nothing_is_said_before_anything_begins(
    laptop: Laptop, model: Model, most: Amount, said: str
) -> None:
    store = store_at(laptop.memory, laptop.home / "state")
    price = Price(1, 5, 0.1, 1.25)
    engine = ModelEngine(model, Access(KEY, {}, price), Purse(laptop.home / "spending", most))
    with pytest.raises(RefusedError, match=said):
        dream(store, Night(engine, Settings()))
    assert engine.spent == Usage()
    if not model.dollars or not most.dollars:  # a model without a price costs no dollars
        free = ModelEngine(model, Access(KEY, {}, None), Purse(laptop.home / "none", Amount()))
        with pytest.raises(RefusedError, match="day_tokens"):
            dream(store, Night(free, Settings()))


def receipt_of(**more: Any) -> Receipt:
    return Receipt(
        dream="a",
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.DREAMT,
        reason="",
        memory="/m",
        started="",
        **more,
    )


def test_the_cost_is_shown_by_kind() -> None:
    receipt = receipt_of(usage=Usage(2_100, 2_000, 88_000, 10_000, 0.0312, 13))
    assert costs(receipt) == (
        "cost $0.031 · 13 requests · 12.1k tokens new · 88.0k from the cache · 2.0k written"
    )
    assert costs(receipt_of()) == ""
    unpriced = costs(receipt_of(usage=Usage(2_100, 200, requests=1)))
    assert unpriced.startswith("cost not known: no price of the model · 1 request · 2.1k tokens")
