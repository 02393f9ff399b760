import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.memory.lines import Lines, hunks, join, matches, shown, split
from tests.pace import within
from tests.sample import examples

MANY = 20_000


@pytest.mark.parametrize(
    ("data", "texts", "ends"),
    [
        (b"", (), ()),
        (b"\n", (b"",), (b"\n",)),
        (b"a", (b"a",), (b"",)),
        (b"a\nb\n", (b"a", b"b"), (b"\n", b"\n")),
        (b"a\r\nb", (b"a", b"b"), (b"\r\n", b"")),
        (b"a\rb\n", (b"a\rb",), (b"\n",)),
        (b"a\r", (b"a\r",), (b"",)),
        (b"a\r\r\n", (b"a\r",), (b"\r\n",)),
    ],
)
def test_a_line_ends_at_a_newline_with_or_without_a_carriage_return(
    data: bytes, texts: tuple[bytes, ...], ends: tuple[bytes, ...]
) -> None:
    assert split(data) == Lines(texts, ends)


@given(st.text(alphabet="ab\r\n\0", max_size=40).map(str.encode) | st.binary(max_size=40))
@settings(max_examples=examples(500), deadline=None)
def test_splitting_loses_no_byte(data: bytes) -> None:
    lines = split(data)
    assert join(zip(lines.texts, lines.ends, strict=True)) == data
    assert all(end in (b"\n", b"\r\n") for end in lines.ends[:-1])
    assert b"\n" not in b"".join(lines.texts)
    assert lines.is_terminated == (data.endswith(b"\n") if data else None)


def test_style_tells_one_kind_of_line_end_from_two() -> None:
    assert split(b"a").style == b""
    assert split(b"a\nb").style == b"\n"
    assert split(b"a\r\nb\r\n").style == b"\r\n"
    assert split(b"a\r\nb\n").style == b"\n\r\n"


def test_what_is_no_text_is_shown_so_that_it_can_be_printed() -> None:
    assert shown("naïve — ✓".encode()) == "naïve — ✓"
    assert shown(b"caf\xe9") == "caf\\xe9"
    shown(bytes(range(256))).encode()


def longest_common(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    """The textbook table, as an oracle for short texts."""
    row = [0] * (len(b) + 1)
    for line in a:
        above = row[:]
        for j, other in enumerate(b):
            row[j + 1] = above[j] + 1 if line == other else max(above[j + 1], row[j])
    return row[-1]


def assert_rising_and_equal(
    a: Sequence[bytes], b: Sequence[bytes], pairs: list[tuple[int, int]]
) -> None:
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in itertools.pairwise(pairs))


few_lines = st.lists(st.sampled_from([b"", b"a", b"b", b"c", b"d"]), max_size=14)


@given(few_lines, few_lines)
@settings(max_examples=examples(500), deadline=None)
def test_pairs_are_equal_lines_in_rising_order(a: list[bytes], b: list[bytes]) -> None:
    pairs = matches(a, b)
    assert_rising_and_equal(a, b, pairs)
    assert len(pairs) <= longest_common(a, b)
    assert bool(pairs) == bool(set(a) & set(b))


@given(few_lines, st.data())
@settings(max_examples=examples(300), deadline=None)
def test_without_lines_of_their_own_two_texts_share_the_most_lines_possible(
    a: list[bytes], data: st.DataObject
) -> None:
    doubled = [line for line in a for _ in range(2)]
    before = [b"1", *doubled, b"2"]  # nothing to trim, nothing that stands once on both sides
    after = [b"3", *data.draw(st.permutations(doubled)), b"4"]
    assert len(matches(before, after)) == longest_common(before, after)


@given(st.lists(st.integers(0, 10**6), unique=True, max_size=60), st.data())
@settings(max_examples=examples(300), deadline=None)
def test_lines_that_both_sides_hold_once_and_in_order_are_all_found(
    tokens: list[int], data: st.DataObject
) -> None:
    a = [b"%d" % token for token in tokens if data.draw(st.booleans())]
    b = [b"%d" % token for token in tokens if data.draw(st.booleans())]
    assert [a[i] for i, _ in matches(a, b)] == [line for line in a if line in set(b)]


def test_an_appended_line_is_new_even_if_it_stood_before() -> None:
    before, after = [b"a", b"", b"b", b""], [b"a", b"", b"b", b"", b"a", b""]
    assert matches(before, after) == [(0, 0), (1, 1), (2, 2), (3, 3)]


@given(few_lines, few_lines)
@settings(max_examples=examples(300), deadline=None)
def test_hunks_turn_one_text_into_the_other(a: list[bytes], b: list[bytes]) -> None:
    built: list[bytes] = []
    at = 0
    for hunk in hunks(a, b):
        assert hunk.start < hunk.stop or hunk.first < hunk.last
        built += a[at : hunk.start] + b[hunk.first : hunk.last]
        at = hunk.stop
    assert built + a[at:] == b


def lines_of(kind: Callable[[int], object]) -> list[bytes]:
    return [str(kind(n)).encode() for n in range(MANY)]


ROLL = random.Random(1)
HARD = {
    "all different": (lines_of(lambda n: f"a{n}"), lines_of(lambda n: f"b{n}")),
    "all equal": (lines_of(lambda n: "x"), lines_of(lambda n: "x")),
    "equal lines, one fewer": (lines_of(lambda n: "x"), lines_of(lambda n: "x")[1:]),
    "equal lines between different ends": (
        [b"a", *lines_of(lambda n: "x"), b"b"],
        [b"c", *lines_of(lambda n: "x"), b"d"],
    ),
    "reversed": (lines_of(lambda n: n), lines_of(lambda n: MANY - n)),
    "shuffled": (lines_of(lambda n: n), ROLL.sample(lines_of(lambda n: n), MANY)),
    "ten lines in any order": (
        lines_of(lambda n: ROLL.randrange(10)),
        lines_of(lambda n: ROLL.randrange(10)),
    ),
    "two thousand lines in any order": (
        lines_of(lambda n: ROLL.randrange(2000)),
        lines_of(lambda n: ROLL.randrange(2000)),
    ),
    "every other line new": (lines_of(lambda n: n), lines_of(lambda n: f"new{n}" if n % 2 else n)),
    "blank every other line": (
        lines_of(lambda n: f"a{n}" if n % 2 else ""),
        lines_of(lambda n: f"b{n}" if n % 2 else ""),
    ),
    "anchors that come one by one": (
        lines_of(lambda n: n // 2 + (1 if n % 2 else 3)),
        [b"new", *lines_of(lambda n: n // 2 + (1 if n % 2 else 3))[::-1], b"end"],
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_twenty_thousand_lines_take_well_under_a_second(name: str) -> None:
    a, b = HARD[name]
    with within(1):
        pairs = matches(a, b)
    assert_rising_and_equal(a, b, pairs)


def test_a_large_gap_without_anchors_is_still_matched() -> None:
    a, b = HARD["equal lines between different ends"]
    assert len(matches(a, b)) == MANY
