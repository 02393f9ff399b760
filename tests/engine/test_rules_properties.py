"""Whatever the notes hold: nothing is lost, and a second dream has nothing to do."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from hypothesis import HealthCheck, given, settings

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.change import Declined
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Settings
from dreamd.engine.rules.consolidated import Consolidated, consolidated
from dreamd.engine.rules.orient import orient
from tests.engine.memories import SMALL, memory, tree
from tests.sample import examples

Texts = dict[PurePosixPath, str]
INDEX = PurePosixPath("MEMORY.md")
calm = settings(
    max_examples=examples(60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def quiet(phase: Phase, words: str) -> None:
    del phase, words


def dream(texts: Texts, declined: Declined | None = None) -> Consolidated:
    return consolidated(orient(tree(texts)), Settings(budget=SMALL), declined or Declined(), quiet)


def after(texts: Texts, result: Consolidated) -> Texts:
    return {**texts, **result.texts}


def rows(body: str) -> list[str]:
    return [row.removesuffix("\r") for row in body.split("\n")]


def said(texts: Texts) -> Counter[str]:
    """Every line that is not blank, over all files; the oracle knows no Markdown."""
    return Counter(row for body in texts.values() for row in rows(body) if row.strip())


@given(memory(unique=True, links=False))
@calm
def test_no_line_is_lost_and_none_changes(texts: Texts) -> None:
    assert said(texts) <= said(after(texts, dream(texts)))


@given(memory(unique=False, links=True))
@calm
def test_what_goes_is_a_copy_or_a_link_or_the_heading_over_them(texts: Texts) -> None:
    there = said(after(texts, dream(texts)))
    words = {re.sub(r"^\s*([-*+]|\d+\.)\s+", "", row) for row in there}
    spoken = "\n".join(there)
    for row in said(texts) - there:
        link = re.search(r"\[\[([^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\(", row)
        is_frame = re.match(r"\s*#|.*:\**$|---$", row)
        is_copy = re.sub(r"^\s*([-*+]|\d+\.)\s+", "", row) in words
        assert is_copy or is_frame or link, row
        if link and not is_copy and not re.match(r"- \S+$", row):
            assert re.sub(r".*\W", "", row) in spoken


@given(memory(unique=False, links=True))
@calm
def test_a_second_dream_changes_nothing(texts: Texts) -> None:
    once = after(texts, dream(texts))
    twice = dream(once)
    assert after(once, twice) == once
    assert twice.steps == ()
    assert twice.whys == ()


@given(memory(unique=False, links=True))
@calm
def test_the_index_ends_within_its_limits(texts: Texts) -> None:
    body = after(texts, dream(texts)).get(INDEX, "")
    assert not is_over(index_sizes(body, SMALL), SMALL)


@given(memory(unique=False, links=True))
@calm
def test_the_same_notes_give_the_same_bytes(texts: Texts) -> None:
    backwards = dict(reversed(texts.items()))
    assert after(texts, dream(texts)) == after(backwards, dream(backwards))


@given(memory(unique=False, links=True))
@calm
def test_every_line_that_came_or_went_has_a_reason(texts: Texts) -> None:
    result = dream(texts)
    reasons = {(why.path, why.sign, why.line) for why in result.whys}
    for path, body in after(texts, result).items():
        old, new = Counter(rows(texts.get(path, ""))), Counter(rows(body))
        for row in (old - new) if path in texts else ():
            assert not row.strip() or (path, "-", row) in reasons
        for row in new - old:
            assert not row.strip() or (path, "+", row) in reasons


@given(memory(unique=False, links=True))
@calm
def test_what_was_undone_is_not_done_again(texts: Texts) -> None:
    first = dream(texts)
    removed, added = set(), set()
    for path, body in after(texts, first).items():
        old, new = Counter(rows(texts.get(path, ""))), Counter(rows(body))
        removed |= {(path, row) for row in old - new}
        added |= {(path, row) for row in new - old}
    declined = Declined(dict.fromkeys(removed, "a1b2c3d4e5"), dict.fromkeys(added, "a1b2c3d4e5"))
    second = dream(texts, declined)
    again = after(texts, second)
    for path, body in again.items():
        old, new = Counter(rows(texts.get(path, ""))), Counter(rows(body))
        assert not {
            row for row in old - new if re.search(r"[^\W_]", row) and (path, row) in removed
        }
        new -= Counter({"## Topics": len(new)})  # our heading may stand over another pointer
        assert not {row for row in new - old if re.search(r"[^\W_]", row) and (path, row) in added}
    third = dream(again, declined)
    assert after(again, third) == again


@given(memory(unique=False, links=True))
@calm
def test_shared_notes_and_daily_logs_are_not_touched(texts: Texts) -> None:
    result = after(texts, dream(texts))
    for path, body in texts.items():
        if path.parts[0] in {"team", "logs"}:
            assert result[path] == body
