"""Whatever the notes hold and whoever said what: nothing is lost, nothing comes twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.change import Declined, Heeded
from dreamd.domain.dream import Report
from dreamd.domain.finding import Severity
from dreamd.domain.settings import Settings
from dreamd.engine.rules.consolidated import Consolidated, Heard, consolidated
from dreamd.engine.rules.gather.claim import Claim
from dreamd.engine.rules.gather.cue import Cue
from dreamd.engine.rules.orient import orient
from dreamd.memory.review import review
from dreamd.text.markdown.pointers import unreachable
from tests.engine.gather.place_night import claim
from tests.engine.memories import SMALL, WORDS, memory, tree
from tests.engine.night import quiet
from tests.sample import examples

Texts = dict[PurePosixPath, str]
calm = settings(
    max_examples=examples(30),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ODD = ["# x", "- x", "1. x", "[[gone]]", "[x](gone.md)", "next Friday", "```", "| x", "<!-- x"]


@st.composite
def claims(draw: st.DrawFn) -> list[Claim]:
    found = []
    for _ in range(draw(st.integers(1, 6))):
        words = draw(st.lists(WORDS | st.sampled_from(ODD), min_size=1, max_size=8))
        cue = draw(st.sampled_from(Cue))
        day = draw(st.none() | st.integers(1, 28))
        found.append(claim(cue, " ".join(words), day=day, hour=draw(st.integers(0, 23))))
    return found


def dream(texts: Texts, said: list[Claim], heeded: Heeded | None = None) -> Consolidated:
    heard = Heard(said, heeded or Heeded())
    return consolidated(orient(tree(texts)), SMALL, Declined(), quiet, heard)


def after(texts: Texts, result: Consolidated) -> Texts:
    return {**texts, **result.texts}


def rows(texts: Texts) -> Counter[str]:
    every = (row.removesuffix("\r") for text in texts.values() for row in text.split("\n"))
    return Counter(row for row in every if row.strip())


@given(memory(unique=True, links=False), claims())
@calm
def test_no_line_is_lost_and_each_new_one_was_said(texts: Texts, said: list[Claim]) -> None:
    result = dream(texts, said)
    assert rows(texts) <= rows(after(texts, result))
    spoken = [re.findall(r"[^\W_]+", each.statement) for each in said]
    for why in result.whys:
        if why.speaker == "person" and why.sign == "+":
            line = re.sub(r" \((?:said )?2026-05-\d\d\)", "", why.line)
            words = re.findall(r"[^\W_]+", line)
            assert words in spoken


@given(memory(unique=False, links=True), claims())
@calm
def test_the_review_holds_nothing_out(texts: Texts, said: list[Claim]) -> None:
    alone, result = dream(texts, []), dream(texts, said)
    base = tree(after(texts, alone))
    report = Report(result.steps, result.whys)
    verdict = review(
        base, tree(after(texts, result)), settings=Settings(budget=SMALL), report=report
    )
    held = [each for each in verdict.findings if each.severity is Severity.HELD_OUT]
    broken = {each.path for each in verdict.findings if each.rule == "frontmatter"}
    assert [each for each in held if not broken] == []  # an index of the user's that is no YAML
    index = after(texts, result).get(PurePosixPath("MEMORY.md"), "")
    assert not is_over(index_sizes(index, SMALL), SMALL)


@given(memory(unique=False, links=True), claims())
@calm
def test_every_note_is_reached(texts: Texts, said: list[Claim]) -> None:
    now = after(texts, dream(texts, said))
    assert unreachable(now) == ()


@given(memory(unique=False, links=True), claims())
@calm
def test_a_second_dream_changes_nothing(texts: Texts, said: list[Claim]) -> None:
    first = dream(texts, said)
    now = after(texts, first)
    assert after(now, dream(now, said)) == now
    taken = {why.message: "d1" for why in first.whys if why.message}
    assert after(now, dream(now, said, Heeded(taken=taken))) == now
