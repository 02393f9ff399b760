"""Whatever the notes hold and whoever said what: nothing is lost, and nothing comes twice."""

from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.domain.change import Declined, Heeded
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.placing import KEPT, NewLine, Placed, place
from dreamd.text.markdown.markdown import blocks, is_closed
from dreamd.text.markdown.pointers import pointers, unreachable
from tests.engine.memories import WORDS, memory, tree
from tests.engine.placing.said import new
from tests.sample import examples

Texts = dict[PurePosixPath, str]
calm = settings(
    max_examples=examples(90),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ODD = ["# x", "- x", "1. x", "[[gone]]", "[x](gone.md)", "next Friday", "```", "| x", "<!-- x"]


@st.composite
def lines(draw: st.DrawFn) -> list[NewLine]:
    found = []
    for _ in range(draw(st.integers(1, 6))):
        words = draw(st.lists(WORDS | st.sampled_from(ODD), min_size=1, max_size=8))
        kind = draw(st.sampled_from(sorted(KEPT)))
        day, hour = draw(st.none() | st.integers(1, 28)), draw(st.integers(0, 23))
        found.append(new(" ".join(words), kind=kind, day=day, hour=hour))
    return found


def done(texts: Texts, said: list[NewLine], heeded: Heeded | None = None) -> Placed:
    return place(orient(tree(texts)), said, heeded or Heeded(), Refusals())


def after(texts: Texts, result: Placed) -> Texts:
    return {**texts, **{path: note.text for path, note in result.memory.notes.items()}}


def rows(text: str) -> list[str]:
    return [row.removesuffix("\r") for row in text.split("\n")]


@given(memory(unique=False, links=True), lines())
@calm
def test_lines_come_and_all_others_stay_in_their_order(texts: Texts, said: list[NewLine]) -> None:
    result = done(texts, said)
    reasons = {(why.path, why.line) for why in result.whys}
    for path, text in after(texts, result).items():
        old = iter(rows(texts.get(path, "")))
        left = next(old, None)
        for row in rows(text):
            if row == left:
                left = next(old, None)
            else:
                assert not row or (path, row) in reasons
        assert left in {None, ""}
        before = rows(texts.get(path, ""))
        is_open = any(not is_closed(before, part) for part in blocks(before)[-1:])
        assert not is_open or path.name == "MEMORY.md" or text == texts[path]
        assert ("\r\n" in text) <= (path not in texts or "\r\n" in texts[path])


@given(memory(unique=False, links=True), lines())
@calm
def test_a_second_run_changes_nothing(texts: Texts, said: list[NewLine]) -> None:
    first = done(texts, said)
    now = after(texts, first)
    assert after(now, done(now, said)) == now
    taken = {why.message: "d1" for why in first.whys if why.message}
    again = done(now, said, Heeded(taken=taken))
    assert not {why.message for why in again.whys} & set(taken)


@given(memory(unique=False, links=True), lines())
@calm
def test_links_lead_where_they_led_and_new_files_are_reached(
    texts: Texts, said: list[NewLine]
) -> None:
    now = after(texts, done(texts, said))
    assert set(unreachable(now)) <= set(unreachable(texts))
    for path, text in now.items():
        old = [(each.target, each.title) for each in pointers(texts.get(path, ""), path)]
        new_ones = [(each.target, each.title) for each in pointers(text, path)]
        assert all(each in new_ones for each in old)


@given(memory(unique=False, links=True), lines())
@calm
def test_what_was_taken_back_is_not_written_again(texts: Texts, said: list[NewLine]) -> None:
    first = place(orient(tree(texts)), said, Heeded(), Refusals())
    added = {(why.path, why.line): "d1" for why in first.whys if why.sign == "+" and why.quote}
    again = place(orient(tree(texts)), said, Heeded(), Refusals(Declined(added=added)))
    assert not {(why.path, why.line) for why in again.whys if why.sign == "+"} & set(added)
