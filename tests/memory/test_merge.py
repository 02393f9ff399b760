"""What a merge keeps, drops and reports: one table of cases, and what holds for all texts."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import split
from dreamd.memory.merge import Dropped, Merged, MergedTree, merge3, merge_trees
from tests.pace import within
from tests.sample import examples

P = PurePosixPath
Text = str | bytes | None


def raw(text: Text) -> bytes | None:
    """Write `a/b` as two lines; bytes are meant as they are, None is no file."""
    return text.replace("/", "\n").encode() + b"\n" if isinstance(text, str) else text


def cell(text: str) -> Text:
    """Read a cell of `merge.tsv`: lines as in `a/b`, `-` for no file, bytes behind `b:`."""
    if text.startswith("b:"):
        return text[2:].encode("latin-1").decode("unicode_escape").encode("latin-1")
    return None if text == "-" else text


def text(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "surrogateescape").replace("\r", "").split("\n")


def lost(merged: Merged | MergedTree, sign: str = "+") -> list[str]:
    every = [each if isinstance(each, Dropped) else each[1] for each in merged.dropped]
    return [each.line for each in every if each.sign == sign]


INDEX = [f"- [n {n}](n{n}.md) is about topic {n} at length" for n in range(60)]
SHORT = [line.removesuffix(" at length") for line in INDEX]
MIB = b"x" * ((1 << 20) - 6) + b"\n"

# name: base, live, theirs, result; then theirs' lines that are lost, and removals that are not made
TABLE: dict[str, tuple[Text, Text, Text, Text, str, str]] = {
    "one of sixty shortened lines in conflict": (
        text(INDEX), text([*INDEX[:30], "mine", *INDEX[31:]]), text(SHORT),
        text([*SHORT[:30], "mine", *SHORT[31:]]), SHORT[30], "",
    ),
    "over 1 MiB": (b"a\n", b"a\nmine\n", b"x" * (1 << 20) + b"\n", b"a\nmine\n", ".", ""),
    "1 MiB": (MIB, MIB + b"mine\n", b"d\n" + MIB, b"d\n" + MIB + b"mine\n", "", ""),
}  # fmt: skip
for _row in (Path(__file__).parent / "merge.tsv").read_text("utf-8").splitlines()[1:]:
    _name, *_cells, _lost, _kept = _row.split("\t")
    TABLE[_name] = (*map(cell, _cells), _lost, _kept)  # type: ignore[assignment]


@pytest.mark.parametrize("name", TABLE)
def test_every_case_merges_as_the_table_says(name: str) -> None:
    base, live, theirs, result, gone, kept = TABLE[name]
    merged = merge3(raw(base), raw(live), raw(theirs))
    assert merged.data == raw(result)
    assert lost(merged) == ([gone.strip(".")] if gone else [])  # "." is the whole note
    assert lost(merged, "-") == ([kept.strip(".")] if kept else [])
    assert merged.is_whole is (not gone)


odd = st.lists(st.sampled_from([b"a", b"b", b"", b"\r", b"\n", b"\r\n", b"\0", b"\xff"]))
anything = st.none() | odd.map(b"".join) | st.binary(max_size=30)
rolls = st.builds(random.Random, st.integers(0, 2**32))


@given(anything, anything)
@settings(max_examples=examples(400), deadline=None)
def test_identity_where_one_side_did_nothing_any_bytes_come_out_exactly(
    before: bytes | None, after: bytes | None
) -> None:
    assert merge3(before, before, after) == Merged(after)
    assert merge3(before, after, before) == Merged(after)
    assert merge3(before, after, after) == Merged(after)
    rows = split(after or b"")
    assert b"".join(map(b"".join, zip(rows.texts, rows.ends, strict=True))) == (after or b"")


@given(anything, anything, anything)
@settings(max_examples=examples(700), deadline=None)
def test_live_wins_no_line_of_its_own_is_lost_and_insertions_take_nothing(
    base: bytes | None, live: bytes | None, theirs: bytes | None
) -> None:
    mine, result = Counter(lines(live)), Counter(lines(merge3(base, live, theirs).data))
    assert all(result[line] >= mine[line] for line in {*mine} - {*lines(base), ""})
    safe = merge3(base, live, merge3(None, base, theirs).data)
    assert not mine - Counter(lines(safe.data)) - Counter({"": mine[""]})


def edited(random: random.Random, base: Sequence[str], sign: str, most: int) -> list[str]:
    """Make up to so many changes; a new line carries the sign, or is one of few that repeat."""
    after = list(base)
    for number in range(random.randint(0, most)):
        at = random.randint(0, len(after))
        new = f"- {random.choice(WORDS)} {random.choice(WORDS)} {sign}{number}"
        match random.choice(["insert", "append", "remove", "rewrite", "move", "block", "repeat"]):
            case "append":
                after.append(new)
            case "remove":
                after[at : at + 1] = []
            case "rewrite":
                after[at : at + 1] = [f"{after[at]} {sign}" if at < len(after) else new]
            case "move":
                moved, after[at : at + 1] = after[at : at + 1], []
                after[(to := random.randint(0, len(after))) : to] = moved
            case "block":
                after[at : at + random.randint(1, 3)] = [new, f"{new} more"][: number % 3]
            case kind:
                after.insert(at, new if kind == "insert" else random.choice(REPEATED))
    return after


WORDS = ["tea", "port", "sky", "green", "red", "likes", "uses", "server", "runs", "note", "blue"]
REPEATED = ["- likes tea", "- port is 80", "", "---", "# Head", "```"]


def in_order(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether no line was moved."""
    return [each for each in before if each in after] == [each for each in after if each in before]


def crowded(random: random.Random, most: int = 4) -> tuple[list[str], list[str], list[str]]:
    size = random.randint(3, 25)
    base = [f"- {random.choice(WORDS)} {random.choice(WORDS)} b{n}" for n in range(size)]
    for n in range(random.choice([0, size // 3])):
        base[n * 3] = random.choice(REPEATED)
    return base, edited(random, base, "u", most), edited(random, base, "d", most)


@given(rolls, st.integers(1, 8))
@settings(max_examples=examples(1500), deadline=None)
def test_nothing_is_lost_unreported_and_what_both_share_stays(
    random: random.Random, most: int
) -> None:
    base, live, theirs = crowded(random, most)
    merged = merge3(text(base), text(live), text(theirs))
    result = lines(merged.data)
    before, mine, new, gone = {*base}, {*live}, {*theirs}, {*lost(merged)}
    counted = Counter(result)
    assert all(counted[line] >= live.count(line) for line in mine - before - {""})
    assert mine & new <= {*result, ""}, "what both share stays"
    assert new - before <= {*result} | gone | {""}, "theirs is there, or reported"
    assert gone <= new - {*result} | {*REPEATED}, "what is reported is not there"
    if in_order(base, live):
        stayed = (before - new) & mine & {*result}
        assert stayed <= {*lost(merged, "-"), *REPEATED}, "removed, or said why not"
    once = [line for line in live if line not in {*base, *REPEATED}]
    assert [line for line in result if line in once] == once, "live's lines keep their order"


@given(rolls)
@settings(max_examples=examples(500), deadline=None)
def test_undo_takes_back_what_the_dream_did_and_keeps_what_the_user_did_since(
    random: random.Random,
) -> None:
    before, dream, _ = crowded(random)
    live = edited(random, dream, "x", 4)
    merged = merge3(text(dream), text(live), text(before))
    result = {*lines(merged.data)}
    assert {*live} - {*dream} <= result
    assert {*before} - {*dream} <= result | {*lost(merged)} | {""}
    if in_order(dream, live):
        dreamt = {*dream} - {*before} - {*REPEATED}
        assert dreamt & {*live} & result <= {*lost(merged, "-")}


def test_of_four_thousand_crowded_edits_the_dream_is_whole_in_nine_of_ten() -> None:
    roll = random.Random(4000)
    whole = 0
    for _ in range(4000):
        base, live, theirs = map(text, crowded(roll))
        whole += merge3(base, live, theirs).is_whole
    assert whole >= 3600, whole


MANY = 20_000
ROLL = random.Random(1)
KINDS = {n: [f"- kind {ROLL.randrange(n)}" for _ in range(MANY)] for n in (1, 50, MANY)}
LONG = {
    "all edited": ([f"fact {n}" for n in range(MANY)], [f"fact {n} new" for n in range(MANY)]),
    "reversed": ([f"{n}" for n in range(MANY)], [f"{n}" for n in range(MANY, 0, -1)]),
    "blank every other line": (["a", ""] * (MANY // 2), ["b", ""] * (MANY // 2)),
    **{f"{n} kinds": (of, [*of[MANY // 3 :], *of[: MANY // 3]]) for n, of in KINDS.items()},
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_twenty_thousand_lines_merge_in_well_under_two_seconds(name: str) -> None:
    base, theirs = LONG[name]
    live = [*base[: MANY // 2], "mine", *base[MANY // 2 + 2 :], "mine too"]
    with within(2):
        merged = merge3(text(base), text(live), text(theirs))
    assert {"mine", "mine too"} | {*live} & {*theirs} <= {*lines(merged.data)}


# --- a whole memory -------------------------------------------------------------------------


def tree(at: int = 0, mode: int = 0o600, /, **files: str | Entry) -> Tree:
    return Tree(
        {
            P(f"{name}.md"): Entry(raw(each) or b"", mode, at) if isinstance(each, str) else each
            for name, each in files.items()
        }
    )


def test_bytes_modes_and_times_come_from_the_side_that_they_are_of() -> None:
    base, live = tree(1, 0o600, a="a", b="b", c="c"), tree(2, 0o640, a="a", b="b", c="c/mine")
    assert merge_trees(base, live, tree(3, a="a", b="B", c="new/c")).tree == tree(
        a=live.files[P("a.md")], b=Entry(b"B\n", 0o640, 3), c=Entry(b"new\nc\nmine\n", 0o640, 3)
    )
    assert merge_trees(base, tree(2, a="a", b="x", c="c"), tree(3, 0o644, a="a", b="y", c="c")) == (
        MergedTree(
            tree(a=Entry(b"a\n", 0o644, 3), b=Entry(b"x\n", 0o644, 2), c=Entry(b"c\n", 0o644, 3)),
            merge_trees(tree(b="b"), tree(b="x"), tree(b="y")).dropped,
            is_whole=False,
        )
    )
    for one, other in ((base, live), (live, base)):
        assert merge_trees(one, one, other) == MergedTree(other)


@pytest.mark.parametrize(
    ("base", "live", "theirs", "result"),
    [
        ({"a": "x/z", "b": "tea"}, {"a": "y/z", "b": "tea"}, {"a": "1/tea/z"},
         {"a": "y/z", "b": "tea"}),  # the file whose line cannot move stays
        ({"a": "tea/b", "b": "t"}, {"a": "tea/b"}, {"a": "b", "b": "t/tea"}, {"a": "tea/b"}),
        ({"a": "a", "b": "b/tea"}, {"a": "a/m", "b": "b/tea/m"}, {"a": "a/tea", "b": "b"},
         {"a": "a/tea/m", "b": "b/m"}),  # a line that can move moves
        ({"a": "a/m", "b": "b/c"}, {"a": "a/m/n", "b": "b/c/n"}, {"a": "a"},
         {"a": "a/n", "b": "b/c/n"}),  # a note that live wrote into stays whole
    ],
)  # fmt: skip
def test_a_line_that_moves_between_notes_is_in_one_of_them(
    base: dict[str, str], live: dict[str, str], theirs: dict[str, str], result: dict[str, str]
) -> None:
    assert merge_trees(tree(**base), tree(**live), tree(**theirs)).tree == tree(**result)


@given(rolls)
@settings(max_examples=examples(500), deadline=None)
def test_any_three_memories_merge_and_lose_no_line_unreported(random: random.Random) -> None:
    parts = [crowded(random) for _ in "abc"]
    base, live, theirs = (
        tree(**{name: "/".join(part[n]) for name, part in zip("abc", parts, strict=True)})
        for n in range(3)
    )
    for side in (live, theirs):
        if random.random() < 0.5:
            moved = side.files.pop(random.choice([*side.files]))  # type: ignore[attr-defined]
            if random.random() < 0.5:
                side.files[P("d.md")] = moved  # type: ignore[index]
    for result, kept in (
        (merge_trees(base, live, theirs), said(live) & said(theirs) | said(live) - said(base)),
        (merge_trees(base, live, merge_trees(Tree(), base, theirs).tree), said(live)),
    ):
        assert kept <= said(result.tree)
        assert said(theirs) - said(base) <= said(result.tree) | {*lost(result)} or not all(
            lost(result)
        )


def said(tree: Tree) -> set[str]:
    return {line for entry in tree.files.values() for line in lines(entry.data) if line}


def test_two_thousand_notes_merge_in_well_under_a_second() -> None:
    notes = {f"n{n}": "/".join(f"fact {n} {k}" for k in range(20)) for n in range(2000)}
    live, theirs = {**notes, "n7": "mine"}, {name: f"new/{note}" for name, note in notes.items()}
    with within(1):
        merged = merge_trees(tree(**notes), tree(**live), tree(**theirs))
    assert len(merged.tree.files) == 2000
