"""What a model's dream costs: said before, kept to, billed and shown; real processes and HTTP."""

from __future__ import annotations

import itertools
import json
import os
import re
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dreamd import config
from dreamd.app import engines, wiring
from dreamd.cli.dream import Line
from dreamd.domain.cost import Estimate, count, money, price_of
from dreamd.domain.receipt import Phase, Usage
from dreamd.domain.settings import EngineChoice, Model
from dreamd.engine.model.spending import SessionPlan, estimate
from dreamd.errors import ConfigError
from tests.brain import Brain, Refusal, Step, say, stream, tool
from tests.laptop import Laptop
from tests.model_home import (
    KEY,
    MOVED,
    OLD,
    dreamt,
    edit,
    environ,
    four_phases,
    ledger,
    write,
)
from tests.scripted import picture


def twelve(memory: Path) -> list[Step]:
    """A session of twelve requests through all four phases: looks, pages, writes a note."""
    sessions = str(memory.parent)
    learned = "# Learned\n\n" + "".join(
        f"- Nothing new was said about {word}\n" for word in ("always", "never", "because", "port")
    )
    return [
        say("## orient", tool("Read", {"file_path": "MEMORY.md"})),
        say(tool("Glob", {"pattern": "**/*.md"})),
        say("## gather", tool("Sessions", {})),
        say(tool("Sessions", {"speaker": "all"})),
        say(tool("Sessions", {"matching": "always|never|remember|because"})),
        say(tool("Grep", {"pattern": "port", "path": sessions, "output_mode": "content"})),
        say(tool("Grep", {"pattern": "port|version|because", "output_mode": "content"})),
        say(tool("Bash", {"command": "wc -c *.md"})),
        say("## consolidate", write("learned.md", learned)),
        say("## prune", edit("MEMORY.md", OLD, f"{OLD}\n- [Learned](learned.md) — what is new")),
        say(tool("Read", {"file_path": "MEMORY.md"})),
        say("A note on what the last sessions taught is there, with its pointer."),
    ]


@pytest.mark.parametrize("length", [4, 12])
def test_a_session_costs_between_half_and_twice_its_estimate(laptop: Laptop, length: int) -> None:
    """And most of what twelve requests read comes from the cache."""
    receipt = dreamt(laptop, four_phases() if length == 4 else twelve(laptop.memory))
    usage, expected = receipt["usage"], msgspec.convert(receipt["estimate"], Estimate)
    bodies = [request.body for request in receipt["requests"]]
    assert len(bodies) == usage["requests"] == length
    assert re.fullmatch(r"about [\d.]+k tokens, \$0\.0\d+; at most \$0\.50", expected.words)
    read = sum(usage[f"{kind}_tokens"] for kind in ("input", "cache_write", "cache_read"))
    assert 0.5 <= (read + usage["output_tokens"]) / (expected.tokens or 0) <= 2
    assert 0.5 <= usage["dollars"] / (expected.dollars or 0) <= 2
    assert length == 4 or usage["cache_read_tokens"] >= 0.85 * read
    said = [block for each in bodies[-1]["messages"] for block in each["content"]]
    failed = [block["content"] for block in said if block.get("is_error")]
    assert all("files on disk" in each or "Bash" in each for each in failed), failed  # below /dev
    bare = [json.dumps(unmarked(body["messages"]))[:-1] for body in bodies]
    assert all(after.startswith(before) for before, after in itertools.pairwise(bare))


def unmarked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: unmarked(each) for name, each in value.items() if name != "cache_control"}
    return [unmarked(each) for each in value] if isinstance(value, list) else value


def test_an_estimate_needs_no_key_and_writes_nothing_and_rules_are_free(laptop: Laptop) -> None:
    before = picture(laptop.home)
    words = ["dream", str(laptop.memory), "--estimate"]
    with Brain([say("never")]) as brain:
        more = {"DREAMD_MODEL__BASE_URL": brain.url}
        told = laptop.ok(*words, "--engine", "model", **more)
        more["DREAMD_MODEL__NAME"] = "some-model"
        value = json.loads(laptop.ok(*words, "--engine", "model", "--json", **more))
        assert not brain.requests
    assert re.search(r"model engine, claude-haiku-4-5: about .* tokens, \$0\.0.*; at most", told)
    assert "7 requests" in told
    assert (value["engine"], value["model"], value["dollars"]) == ("model", "some-model", None)
    assert value["cache_read_tokens"] > 0
    assert value["most_tokens"] == Model().tokens
    assert "cost nothing" in laptop.ok(*words)
    value = laptop.json(*words)
    assert (value["engine"], value["dollars"], value["requests"]) == ("rules", 0.0, 0)
    for odd in ("--gated", "--dry-run"):
        done = laptop.run(*words, odd)
        assert (done.returncode, done.stdout) == (2, "")
    assert picture(laptop.home) == before
    assert laptop.json("dream", str(laptop.memory))["estimate"] is None
    assert "cost" not in laptop.ok("show", "--memory", str(laptop.memory))


def test_a_dream_whose_endpoint_goes_on_and_on_ends_capped_and_is_billed(laptop: Laptop) -> None:
    endless = say("word " * 4_096, pace=0.001)  # ten times 512 tokens
    script = [four_phases()[2], endless, say("never")]
    receipt = dreamt(laptop, script, DREAMD_MODEL__OUTPUT_TOKENS="512")
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt
    assert "went on beyond the 512 tokens" in receipt["reason"]
    assert 512 < receipt["usage"]["output_tokens"] < 2 * 512
    kinds = ("input", "output", "cache_read", "cache_write")
    assert ledger(laptop)["tokens"] == sum(receipt["usage"][f"{each}_tokens"] for each in kinds)
    assert ledger(laptop)["dollars"] == pytest.approx(receipt["usage"]["dollars"], abs=1e-6)
    told = laptop.ok("show", "--memory", str(laptop.memory))
    assert re.search(
        r"cost \$0\.0\d+ \(estimated \$0\.0\d+\) · \d requests? · [\d.]+k tokens new · "
        r"[\d.]+k? from the cache · [\d.]+k? written",
        told,
    ), told


def test_answers_that_nobody_counts_are_estimated_and_what_they_did_is_kept(laptop: Laptop) -> None:
    start = {**edit("MEMORY.md", OLD, MOVED), "id": "toolu_1"}
    odd, wrote = {"input_tokens": -1_000_000, "output_tokens": 30.5}, {"output_tokens": 10**400}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"role": "assistant", "usage": odd}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": wrote},
        {"type": "message_stop"},
    ]
    answer = stream(*map(json.dumps, events))
    receipt = dreamt(laptop, [answer], DREAMD_MODEL__TURNS="1", DREAMD_MODEL__NAME="some-model")
    asked = len(receipt["requests"][0].raw)
    assert (receipt["outcome"], receipt["proposed"]) == ("proposed", 1), receipt
    assert receipt["usage"]["input_tokens"] == pytest.approx(asked / 4, rel=0.05)
    assert receipt["usage"]["output_tokens"] > 20
    assert ledger(laptop)["tokens"] > asked / 4
    assert any("did not count the tokens of 1 answer" in each for each in receipt["findings"])
    told = laptop.ok("show", "--memory", str(laptop.memory))
    said = r"cost not known: no price of the model \(estimated [\d.]+k tokens\) · 1 request · "
    assert re.search(said, told), told


UNCONFIRMED = r"ANTHROPIC_BASE_URL names http://127\..* set model\.base_url to it in config\.yaml"


@pytest.mark.parametrize(
    ("settings", "words", "engine", "sent"),
    [
        ("DREAMD_ENGINE=model", "--gated", "rules", None),
        ("DREAMD_ENGINE=model", "--trigger=hook", "rules", None),
        ("engine: rules\nmodel.key_file: ~/key\nDREAMD_ENGINE=model", "--gated", "rules", None),
        ("engine: rules\nmodel.key_file: ~/key\nDREAMD_ENGINE=auto", "--gated", "rules", None),
        ("DREAMD_ENGINE=claude-cli", "--trigger=timer", "rules", None),
        ("", "--gated", "rules", None),
        ("", "--trigger=hook", "rules", None),
        ("", "--trigger=hand", UNCONFIRMED, None),
        ("engine: model\n", "--gated", UNCONFIRMED, None),
        ("engine: model\nmodel.base_url: {url}\n", "--gated", "model", KEY),
        ("model.base_url: {url}\n", "--gated", "model", KEY),
        ("model: {{base_url: '{url}', key_file: ~/key}}\n", "--gated", "model", "of-the-file"),
    ],
)
def test_a_key_that_is_only_in_the_environment_pays_for_nothing_unasked_and_goes_nowhere_else(
    laptop: Laptop, settings: str, words: str, engine: str, sent: str | None
) -> None:
    file = laptop.home / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    (laptop.home / "key").write_text("of-the-file")
    eager = {"DREAMD_GATES__SESSIONS": "1", "DREAMD_GATES__HOURS": "0"}
    with Brain(four_phases()) as brain:
        settings, _, variable = settings.format(url=brain.url).partition("DREAMD_ENGINE=")
        file.write_text(settings)
        eager |= {"DREAMD_ENGINE": variable} if variable else {}
        address = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": brain.url}
        done = laptop.run("dream", str(laptop.memory), "--json", words, **eager, **address)
    given = {request.headers["authorization"] for request in brain.requests}
    assert given == (set() if sent is None else {f"Bearer {sent}"})
    if engine == UNCONFIRMED:
        assert (done.returncode, len(done.stderr.splitlines())) == (78, 1)
        assert re.search(UNCONFIRMED, done.stderr)
    else:
        assert json.loads(done.stdout)["engine"] == engine


def test_how_long_an_endpoint_may_be_silent_is_a_setting(laptop: Laptop) -> None:
    receipt = dreamt(laptop, [say("Nothing to do.", late=1)], DREAMD_MODEL__SILENCE="5")
    assert (receipt["code"], len(receipt["requests"])) == (0, 1)


def test_a_price_that_is_none_is_said_so(tmp_path: Path) -> None:
    odd = ("cheap", "1/5", "1/5/0.1/1.25/2", "1/five/0.1/1", "1//0.1/1")
    for price in (*odd, *(f"{first}/5/0.1/1" for first in ("-1", "nan", "inf", "1e300"))):
        given = {"HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY, "DREAMD_MODEL__PRICE": price}
        app = wiring.App(config.load(given), tmp_path)
        for to_estimate in (False, True):
            with pytest.raises(ConfigError, match=r"^model\.price must be four") as caught:
                engines.engine(app, EngineChoice.MODEL, to_estimate=to_estimate)
            assert repr(price) in str(caught.value)


def test_a_limit_of_nothing_is_said_before_anything_begins(laptop: Laptop) -> None:
    day = r"^the day's budget .* is nothing \(model\.day_{} is 0\): raise"
    unpriced = {"DREAMD_MODEL__NAME": "some-model", "DREAMD_MODEL__DAY_TOKENS": "0"}
    for most, said in (
        ({"DREAMD_MODEL__DOLLARS": "0"}, r"^model\.dollars is 0, so"),
        ({"DREAMD_MODEL__DAY_DOLLARS": "0"}, day.format("dollars")),
        ({"DREAMD_MODEL__DAY_TOKENS": "0"}, day.format("tokens")),
        ({"DREAMD_MODEL__DAY_DOLLARS": "0", **unpriced}, day.format("tokens")),
    ):
        receipt = dreamt(laptop, [], **most)
        assert (receipt["code"], receipt["outcome"]) == (1, "refused")
        assert re.search(said, receipt["reason"]), receipt["reason"]


def test_the_cost_is_said_of_a_rehearsal_that_failed_and_of_a_dream(laptop: Laptop) -> None:
    with Brain([four_phases()[2], Refusal(401, "authentication_error")]) as brain:
        done = laptop.run("dream", str(laptop.memory), "--dry-run", **environ(brain))
    assert done.returncode == 1
    assert "until then it cost $0.0" in done.stderr
    with Brain([say("Nothing to do.")]) as brain:
        assert "\nCost $0.0" in laptop.ok("dream", str(laptop.memory), **environ(brain))


def test_the_line_of_progress_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    with os.fdopen(ours, "rb", buffering=0) as seen, os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        line = Line()
        line(Phase.GATHER, "x" * 200)
        line.end()
        shown = seen.read(4_096).decode()
    assert shown.startswith("\r\x1b[Kgather · xxx")
    assert max(map(len, shown.replace("\x1b[K", "").split("\r"))) == 39


@pytest.mark.parametrize("place", ["memory", "elsewhere"])
def test_a_third_dream_costs_within_a_fifth_of_its_estimate(laptop: Laptop, place: str) -> None:
    """Also of a session that reads nothing of many notes, or much beside them."""
    text = "The pump is primed by hand before the first start.\n" * 600
    manual = (laptop.memory if place == "memory" else laptop.home) / "manual.md"
    manual.write_text(text)
    looks = [tool("Grep", {"pattern": f"never{at}"}) for at in range(11)]
    if place == "elsewhere":
        looks = [tool("Read", {"file_path": str(manual), "offset": at * 50}) for at in range(1, 12)]
    ratios = []
    for _ in range(3):
        receipt = dreamt(laptop, [*map(say, looks), say("Nothing new.")])
        usage, expected = receipt["usage"], msgspec.convert(receipt["estimate"], Estimate)
        assert usage["requests"] == 12, receipt
        spent = sum(value for kind, value in usage.items() if kind.endswith("tokens"))
        ratios.append((spent / (expected.tokens or 0), usage["dollars"] / (expected.dollars or 0)))
    assert all(0.8 <= each <= 1.2 for each in ratios[2]), ratios


PLAN = SessionPlan(Model(), price_of(Model().name), "word " * 2_000)


def test_an_estimate_is_a_clause_in_the_words_of_a_person() -> None:
    none = "so that no session can begin (model.dollars, model.day_dollars, model.day_tokens)"
    few = "about 999 tokens"
    unpriced = "no price of mine is known (model.price); at most 1.5M tokens"
    for told, words in (
        (Estimate("m", 9, 0.0, 1, 999, 0, 0, 0, 0.0042), f"{few}, $0.0042; at most $0.00, {none}"),
        (Estimate("mine", 1_500_000, None, 1, 999, 0, 0, 0), f"{few}, {unpriced}"),
        (Estimate("m", 2_000_000, 0.5), "at most $0.50"),  # of what another program asks
    ):
        assert told.words == words
        later = msgspec.to_builtins(told) | {"what_a_later_version_adds": 1}
        assert msgspec.convert(later, Estimate) == told
    past = [Usage(output_tokens=50_000)]  # of nobody knows how many requests
    capped = estimate(replace(PLAN, model=Model(turns=2)), material=0, past=past)
    assert (estimate(PLAN, material=0, past=past).requests, capped.requests) == (7, 2)
    unknown = estimate(replace(PLAN, model=Model("mine"), price=None), material=0)
    assert (unknown.dollars, unknown.most_dollars) == (None, None)
    numbers = (0, 999, 1_000, 45_149, 99_960, 999_499, 999_500, 1_500_000, 123_456_789)
    assert " ".join(map(count, numbers)) == "0 999 1.0k 45.1k 100k 999k 1.0M 1.5M 123M"
    sums = (0, 0.00004, 0.0042, 0.0312, 0.0995, 0.5, 1_234.5)
    assert " ".join(map(money, sums)) == "$0.00 $0.0001 $0.0042 $0.031 $0.10 $0.50 $1,234.50"
