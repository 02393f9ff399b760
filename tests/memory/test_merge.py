import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.memory import merge
from dreamd.memory.merge import Merged, insertions_only, merge3
from tests.pace import within
from tests.sample import examples


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def lost(merged: Merged) -> list[str]:
    return [each.line for each in merged.dropped if each.sign == "+"]


def stayed(merged: Merged) -> list[str]:
    return [each.line for each in merged.dropped if each.sign == "-"]


# --- any bytes: exact where one side did nothing -------------------------------------------

odd_text = st.lists(st.sampled_from([b"a", b"b", b"", b"\r", b"\n", b"\r\n", b"\0", b"\xff"]))
anything = st.none() | odd_text.map(b"".join) | st.binary(max_size=30)


@given(anything, anything)
@settings(max_examples=examples(400), deadline=None)
def test_where_nothing_else_changed_the_dream_and_its_undo_are_exact(
    before: bytes | None, dream: bytes | None
) -> None:
    assert merge3(before, before, dream) == Merged(dream)
    assert merge3(dream, dream, before) == Merged(before)


@given(anything, anything)
@settings(max_examples=examples(400), deadline=None)
def test_where_the_dream_did_nothing_or_the_same_the_live_bytes_stand(
    before: bytes | None, live: bytes | None
) -> None:
    assert merge3(before, live, before) == Merged(live)
    assert merge3(before, live, live) == Merged(live)


@given(anything, anything, anything)
@settings(max_examples=examples(700), deadline=None)
def test_any_three_versions_merge_and_no_line_of_the_users_own_is_lost(
    base: bytes | None, live: bytes | None, theirs: bytes | None
) -> None:
    merged = merge3(base, live, theirs)
    before, mine, result = (
        Counter((data or b"").replace(b"\r", b"").split(b"\n"))
        for data in (base, live, merged.data)
    )
    del mine[b""]
    own = {line: count for line, count in mine.items() if line not in before}
    assert all(result[line] >= count for line, count in own.items())


# --- deletes, additions, bytes that are no text --------------------------------------------


def test_a_file_the_dream_removed_stays_if_the_user_edited_it() -> None:
    merged = merge3(text("a"), text("a", "mine"), None)
    assert merged.data == text("a", "mine")
    assert (merged.dropped[0].number, merged.dropped[0].sign) == (0, "-")
    assert merged.is_whole


def test_a_file_the_user_removed_stays_removed_and_the_dreams_lines_are_reported() -> None:
    merged = merge3(text("a", "b"), None, text("a", "new", "b"))
    assert merged.data is None
    assert [(each.line, each.number, each.sign) for each in merged.dropped] == [("new", 2, "+")]
    assert not merged.is_whole


def test_a_file_the_user_removed_is_reported_even_if_the_dream_only_took_lines() -> None:
    merged = merge3(text("a", "b"), None, text("a"))
    assert merged.data is None
    assert merged.is_whole
    assert merged.dropped == (merge.Dropped("", 0, "-", merge.FILE_GONE),)


def test_two_new_files_of_one_name_become_one_with_the_common_lines_once() -> None:
    merged = merge3(
        None,
        text("---", "name: tea", "---", "Likes green tea."),
        text("---", "name: tea", "---", "Drinks two cups."),
    )
    assert merged == Merged(text("---", "name: tea", "---", "Drinks two cups.", "Likes green tea."))


@pytest.mark.parametrize("odd", [b"a\0b\n", b"x" * (1 << 20) + b"\n"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_bytes_that_are_no_text_stand_as_they_are_in_live(odd: bytes, place: int) -> None:
    versions: list[bytes] = [text("a"), text("a", "mine"), text("dream", "a")]
    versions[place] = odd
    merged = merge3(*versions)
    assert merged.data == versions[1]
    assert [(each.line, each.number, each.sign) for each in merged.dropped] == [("", 0, "+")]


def test_one_mebibyte_is_still_text() -> None:
    base = b"x" * ((1 << 20) - 6) + b"\n"
    assert merge3(base, base + b"mine\n", b"d\n" + base).data == b"d\n" + base + b"mine\n"


# --- lines ----------------------------------------------------------------------------------

TABLE = {
    "both append: the user's note stays last": (
        text("a"), text("a", "mine"), text("a", "dream"), text("a", "dream", "mine"),
    ),
    "neighbouring lines edited": (
        text("tea is green", "port is 80"), text("tea is black", "port is 80"),
        text("tea is green", "port is 81"), text("tea is black", "port is 81"),
    ),
    "one side removes what the other keeps": (
        text("a", "b", "c"), text("a", "b", "c", "mine"), text("a", "c"), text("a", "c", "mine"),
    ),
    "each side removes a line": (text("a", "b", "c"), text("b", "c"), text("a", "b"), text("b")),
    "both remove the same line": (
        text("a", "b", "c"), text("a", "c", "mine"), text("a", "c"), text("a", "c", "mine"),
    ),
    "both insert the same line": (
        text("a", "z"), text("a", "same", "mine", "z"), text("a", "same", "dream", "z"),
        text("a", "same", "dream", "mine", "z"),
    ),
    "both insert the same lines in another order: the user's order": (
        text("a"), text("a", "x", "y"), text("a", "y", "x", "dream"), text("a", "x", "dream", "y"),
    ),
    "both make the same edit and one of them another": (
        text("tea is green", "b"), text("tea is black", "b"), text("dream", "tea is black", "b"),
        text("dream", "tea is black", "b"),
    ),
    "paragraphs keep their blank lines": (
        text("a"), text("a", "", "mine"), text("a", "", "dream"),
        text("a", "", "dream", "", "mine"),
    ),
    "fenced blocks keep their fences": (
        text("a"), text("a", "```", "mine", "```"), text("a", "```", "dream", "```"),
        text("a", "```", "dream", "```", "```", "mine", "```"),
    ),
    "insertion beside a rewritten line keeps its side": (
        text("a", "z is old"), text("a", "mine", "z is old"), text("a", "z is new"),
        text("a", "mine", "z is new"),
    ),
    "the dream's insertion among lines the user removed stays": (
        text("a", "b", "c", "d"), text("a", "d"), text("a", "b", "dream", "c", "d"),
        text("a", "dream", "d"),
    ),
    "the user's insertion among lines the dream removed stays": (
        text("a", "b", "c", "d"), text("a", "b", "mine", "c", "d"), text("a", "d"),
        text("a", "mine", "d"),
    ),
    "the user's insertion among lines the dream rewrote stays": (
        text("a", "b", "c", "d"), text("a", "b", "mine", "c", "d"), text("a", "X", "d"),
        text("a", "X", "mine", "d"),
    ),
    "the user removes one of several lines the dream rewrote": (
        text("a", "b", "c", "d"), text("a", "c", "d"), text("a", "X", "d"), text("a", "X", "d"),
    ),
    "the last line replaced and a note appended": (
        text("a", "b"), text("a", "B", "mine"), text("a", "b", "dream"),
        text("a", "dream", "B", "mine"),
    ),
    "the last line rewritten and the dream appends": (
        text("a", "b"), text("a", "B"), text("a", "b", "dream"), text("a", "B", "dream"),
    ),
    "the last line edited and a note appended": (
        text("a", "tea is green"), text("a", "tea is black", "mine"),
        text("a", "tea is green", "dream"), text("a", "tea is black", "dream", "mine"),
    ),
    "repeated lines: one of three goes, one comes": (
        text("x", "a", "x", "b", "x"), text("x", "a", "x", "b", "x", "x"),
        text("a", "x", "b", "x"), text("a", "x", "b", "x", "x"),
    ),
    "a line the user moved and the dream kept": (
        text("a", "b", "c"), text("b", "c", "a"), text("a", "b", "c", "dream"),
        text("b", "c", "dream", "a"),
    ),
    "an emptied file and an addition": (text("a"), b"", text("a", "dream"), text("dream")),
    "an empty file filled by both": (b"", text("mine"), text("dream"), text("dream", "mine")),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_lines_merge_without_loss(name: str) -> None:
    base, live, theirs, result = TABLE[name]
    merged = merge3(base, live, theirs)
    assert merged.data == result
    assert merged.is_whole


def test_where_both_rewrote_a_line_the_users_stands_and_the_dreams_is_reported() -> None:
    merged = merge3(
        text("a", "port is 80", "z"), text("a", "port is 8080", "z"), text("a", "port is 81", "z")
    )
    assert merged.data == text("a", "port is 8080", "z")
    assert [(each.line, each.number, each.sign) for each in merged.dropped] == [
        ("port is 81", 2, "+")
    ]
    assert not merged.is_whole


def test_what_the_dream_made_of_lines_the_user_removed_is_dropped_and_reported() -> None:
    merged = merge3(text("a", "b", "c", "d"), text("a", "d"), text("a", "merged", "d"))
    assert merged.data == text("a", "d")
    assert lost(merged) == ["merged"]


def test_a_rewrite_that_conflicts_leaves_all_lines_it_rewrote_as_they_are_in_live() -> None:
    merged = merge3(
        text("a", "fact one", "second truth", "z"),
        text("a", "fact one", "MINE", "z"),
        text("a", "X", "z"),
    )
    assert merged.data == text("a", "fact one", "MINE", "z")
    assert lost(merged) == ["X"]
    assert stayed(merged) == ["fact one"]


def test_lines_that_became_one_stand_or_fall_together() -> None:
    merged = merge3(
        text("a", "likes tea very much", "likes cake", "z"),
        text("a", "likes tea not much", "likes cake", "z"),
        text("a", "likes tea very much, likes cake", "z"),
    )
    assert merged.data == text("a", "likes tea not much", "likes cake", "z")
    assert lost(merged) == ["likes tea very much, likes cake"]
    assert stayed(merged) == ["likes cake"]


def test_one_of_many_shortened_lines_in_conflict_costs_that_line_only() -> None:
    base = [f"- [note {n}](n{n}.md) is about topic {n} at length" for n in range(60)]
    theirs = [f"- [note {n}](n{n}.md) is about topic {n}" for n in range(60)]
    live = [*base[:30], base[30] + ", edited", *base[31:]]
    merged = merge3(text(*base), text(*live), text(*theirs))
    assert merged.data == text(*theirs[:30], live[30], *theirs[31:])
    assert lost(merged) == [theirs[30]]


def test_an_edit_of_a_line_the_dream_removed_stands_and_is_reported_as_no_loss() -> None:
    merged = merge3(text("a", "b is so", "c"), text("a", "b is not so", "c"), text("a", "c"))
    assert merged.data == text("a", "b is not so", "c")
    assert stayed(merged) == ["b is so"]
    assert merged.is_whole


def test_an_index_shortened_while_a_note_was_appended_ends_at_201_lines() -> None:
    base = [f"- [note {n}](n{n}.md) says {n}" for n in range(230)]
    for gone in (range(200, 230), range(30), range(100, 130), range(0, 210, 7)):
        shorter = [line for n, line in enumerate(base) if n not in gone]
        merged = merge3(text(*base), text(*base, "- mine"), text(*shorter))
        assert merged == Merged(text(*shorter, "- mine"))
        assert len(shorter) == 200


def test_an_index_whose_tail_became_one_pointer_keeps_the_appended_note_last() -> None:
    base = [f"- fact {n}" for n in range(230)]
    theirs = [*base[:199], "- [more](more.md)"]
    merged = merge3(text(*base), text(*base, "- mine"), text(*theirs))
    assert merged == Merged(text(*theirs, "- mine"))


# --- line ends and the final newline ---------------------------------------------------------

ENDS = {
    "a mixed file is not normalised": (
        b"a\r\nb\nc\r\nd\n", b"a\r\nb\nc\r\nd\nmine\n", b"a\r\nB\nc\r\nd\n",
        b"a\r\nB\nc\r\nd\nmine\n",
    ),
    "the user's line keeps its end in a mixed file": (
        b"a\r\nb\n", b"a\r\nmine\r\nb\n", b"a\r\nb\ndream\n", b"a\r\nmine\r\nb\ndream\n",
    ),
    "the dream writes newlines into a CRLF file": (
        b"a\r\nb\r\n", b"a\r\nb\r\nmine\r\n", b"dream\na\r\nb\r\n", b"dream\na\r\nb\r\nmine\r\n",
    ),
    "the user turned the file to newlines, the dream's line follows": (
        b"a\r\nb\r\n", b"a\nb\n", b"a\r\nb\r\ndream\r\n", b"a\nb\ndream\n",
    ),
    "the dream turned the file to newlines, the user's line follows": (
        b"a\r\nb\r\n", b"a\r\nb\r\nmine\r\n", b"a\nb\n", b"a\nb\nmine\n",
    ),
    "one line's end changed by the dream, another line by the user": (
        b"a\r\nb\r\n", b"a\r\nmine\r\n", b"a\nb\r\n", b"a\nmine\r\n",
    ),
    "a new file twice: the live line ends": (None, b"a\r\n", b"b\n", b"b\r\na\r\n"),
    "no final newline before, behind neither": (b"a", b"a\nmine", b"dream\na", b"dream\na\nmine"),
    "the user appends without a newline": (b"a\n", b"a\nmine", b"d\na\n", b"d\na\nmine"),
    "the user adds the final newline": (b"a", b"a\n", b"a\ndream", b"a\ndream\n"),
    "the dream adds the final newline": (b"a", b"a\nmine", b"a\n", b"a\nmine\n"),
    "the dream takes the final newline": (b"a\nb\n", b"mine\na\nb\n", b"a\nb", b"mine\na\nb"),
    "an unterminated last line moves up": (b"a\r\nb", b"a\r\nB", b"a\r\nb\r\nd", b"a\r\nB\r\nd"),
    "a blank line at the end is no missing newline": (
        b"x\n\na", b"x\n\na\nmine", b"x\n\n", b"x\n\nmine\n",
    ),
    "a blank line of the user's stays where the dream took the unterminated line below": (
        b"p\nq\n", b"p\n\nq", b"p\n", b"p\n\n",
    ),
    "a carriage return inside a line is text": (
        b"a\rb\n", b"a\rb\nm\n", b"d\na\rb\n", b"d\na\rb\nm\n",
    ),
    "bytes that are not UTF-8": (
        b"\xff\n", b"\xff\n\xfe\n", b"\xfd\n\xff\n", b"\xfd\n\xff\n\xfe\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_line_ends_merge_on_their_own(name: str) -> None:
    base, live, theirs, result = ENDS[name]
    merged = merge3(base, live, theirs)
    assert merged.data == result
    assert not merged.dropped


# --- undo: base is what the dream left, theirs what was there before ---------------------------


def test_undo_keeps_a_note_appended_since() -> None:
    before = text("- tea is green", "- port is 80")
    dream = text("- tea is green", "- port is 81", "- dreamt")
    live = dream + b"- mine\n"
    assert merge3(dream, live, before) == Merged(before + b"- mine\n")


def test_undo_keeps_the_users_edit_of_a_line_the_dream_wrote() -> None:
    merged = merge3(text("a", "dreamt it"), text("a", "dreamt it, I agree"), text("a"))
    assert merged.data == text("a", "dreamt it, I agree")
    assert stayed(merged) == ["dreamt it"]


def test_undo_keeps_the_users_edit_of_a_line_the_dream_rewrote_and_takes_the_rest_back() -> None:
    before = text("port is 80", "tea is green", "sky is up")
    dream = text("port is 81", "tea is black", "sky is up")
    live = text("port is 8181", "tea is black", "sky is up")
    merged = merge3(dream, live, before)
    assert merged.data == text("port is 8181", "tea is green", "sky is up")
    assert lost(merged) == ["port is 80"]


def test_undo_brings_a_removed_file_back_and_keeps_one_the_user_wrote_in_its_place() -> None:
    assert merge3(None, None, text("a")) == Merged(text("a"))
    assert merge3(None, text("mine"), text("a")) == Merged(text("a", "mine"))


def test_undo_keeps_a_file_the_dream_made_and_the_user_edited() -> None:
    assert merge3(text("dreamt"), text("dreamt", "mine"), None).data == text("dreamt", "mine")


# --- random edits, every line with a token of its own: the record is the oracle ------------------


rolls = st.builds(random.Random, st.integers(0, 2**32))


@dataclass
class Edits:
    """One side's lines, and a record of what was done to get them."""

    sign: str
    lines: list[str]
    inserted: list[str] = field(default_factory=list)
    removed: set[str] = field(default_factory=set)
    rewrote: dict[str, str] = field(default_factory=dict)

    def insert(self, at: int) -> None:
        token = f"{self.sign}{len(self.inserted)}"
        self.inserted.append(token)
        self.lines.insert(at, token)

    def remove(self, at: int) -> None:
        gone = self.lines.pop(at)
        if gone in self.inserted:
            self.inserted[self.inserted.index(gone)] = ""
        else:
            self.removed.add(gone)

    def do(self, random: random.Random) -> None:
        for _ in range(random.randint(1, 6)):
            at = random.randint(0, len(self.lines))
            what = random.choice(["insert", "remove", "rewrite", "block"])
            if what == "insert" or at == len(self.lines):
                self.insert(at)
            elif what == "remove":
                self.remove(at)
            elif what == "rewrite":
                self.remove(at)
                self.insert(at)
            else:
                for _ in range(min(random.randint(1, 5), len(self.lines) - at)):
                    self.remove(at)
                for _ in range(random.randint(0, 3)):
                    self.insert(at)

    @property
    def own(self) -> list[str]:
        return [token for token in self.inserted if token]


def worded(tokens: list[str], prefix: str) -> bytes:
    """Write tokens as lines; with a prefix all lines share words and read as edits."""
    return text(*(prefix + token for token in tokens))


@given(rolls, st.booleans(), st.integers(0, 60))
@settings(max_examples=examples(2000), deadline=None)
def test_three_sided_edits_lose_nothing_unreported(
    random: random.Random, appends: bool, size: int
) -> None:
    base = [f"b{n}" for n in range(size)]
    user, dream = Edits("u", base[:]), Edits("d", base[:])
    user.do(random)
    dream.do(random)
    if appends:
        user.insert(len(user.lines))
    prefix = random.choice(["", "- the note of "])
    merged = merge3(worded(base, prefix), worded(user.lines, prefix), worded(dream.lines, prefix))
    assert merged.data is not None
    result = [line.removeprefix(prefix) for line in merged.data.decode().splitlines()]
    gone = [line.removeprefix(prefix) for line in lost(merged)]
    held = {line.removeprefix(prefix) for line in stayed(merged)}

    assert len(set(result)) == len(result)
    assert set(user.own) <= set(result), "the user's lines stay"
    assert set(dream.own) == (set(result) | set(gone)) & set(dream.own), "reported or there"
    assert not set(gone) & set(result), "nothing is reported that is there"
    assert set(gone) <= set(dream.own)
    assert set(base) - user.removed - dream.removed <= set(result), "both kept it"
    assert not user.removed & set(result), "what the user removed stays removed"
    assert (dream.removed - user.removed) & set(result) <= held, "removed, or said why not"
    assert held <= dream.removed
    for side in (user.lines, dream.lines):
        assert [t for t in result if t in side] == [t for t in side if t in result], "in order"
    if not gone:
        assert not dream.removed & set(result), "a dream that is whole removes what it removed"
    if appends and not set(base[-1:]) & user.removed:
        assert result[-1] == user.lines[-1], "an appended note stays last"


@given(rolls, st.integers(0, 10))
@settings(max_examples=examples(500), deadline=None)
def test_undo_after_edits_of_the_user_keeps_every_word_of_the_user(
    random: random.Random, size: int
) -> None:
    before = [f"b{n}" for n in range(size)]
    dream = Edits("d", before[:])
    dream.do(random)
    applied = merge3(text(*before), text(*before), text(*dream.lines)).data
    assert applied == text(*dream.lines)
    user = Edits("u", dream.lines[:])
    user.do(random)
    merged = merge3(applied, text(*user.lines), text(*before))
    result = (merged.data or b"").decode().split()
    assert set(user.own) <= set(result)
    brought_back = dream.removed & set(result)
    assert brought_back | set(lost(merged)) == dream.removed
    kept_of_dream = set(dream.own) & set(result)
    assert kept_of_dream <= set(stayed(merged))


few = st.lists(st.sampled_from(["x y", "a b", "c", "", "---", "same thing"]), max_size=8)


@given(few, few, few)
@settings(max_examples=examples(700), deadline=None)
def test_what_both_sides_say_is_said_in_the_result_however_lines_repeat_and_move(
    base: list[str], live: list[str], theirs: list[str]
) -> None:
    merged = merge3(text(*base), text(*live), text(*theirs))
    result = Counter((merged.data or b"").decode().split("\n")[:-1])
    assert set(live) & set(theirs) - {"", "---"} <= set(result)
    assert all(result[line] >= live.count(line) for line in set(live) - set(base) - {"", "---"})
    assert set(theirs) - set(base) - set(result) <= set(lost(merged))


def test_two_copies_of_a_line_do_not_both_go_because_each_side_removed_one() -> None:
    before = text("likes tea", "b", "likes tea")
    merged = merge3(before, text("likes tea", "b"), text("b", "likes tea"))
    assert merged.data == text("likes tea", "b")
    assert merged.is_whole


def test_a_line_the_dream_moved_into_a_rewrite_that_conflicts_stays_where_it_was() -> None:
    merged = merge3(
        text("likes tea", "b", "port is 80"),
        text("likes tea", "b", "port is 8080"),
        text("b", "likes tea", "and 81"),
    )
    assert merged.data == text("likes tea", "b", "port is 8080")
    assert lost(merged) == ["likes tea", "and 81"]
    assert stayed(merged) == ["likes tea"]


# --- insertions only -----------------------------------------------------------------------------


def test_insertions_only_puts_removed_lines_and_files_back() -> None:
    assert insertions_only(text("a", "old", "z"), text("a", "new", "z")) == text(
        "a", "old", "new", "z"
    )
    assert insertions_only(text("a"), None) == text("a")
    assert insertions_only(None, text("a")) == text("a")
    assert insertions_only(None, None) is None


def test_insertions_only_leaves_what_is_no_text_as_it_was() -> None:
    assert insertions_only(b"a\0", b"b\0") == b"a\0"
    assert insertions_only(b"a\n", b"a\nb\0") == b"a\n"


def test_insertions_only_says_a_moved_sentence_once() -> None:
    before, after = text("one fact", "a", "b"), text("a", "b", "one fact", "new")
    assert insertions_only(before, after) == text("one fact", "a", "b", "new")
    assert insertions_only(text("one fact", "a"), text("a", "one fact", "one fact")) == text(
        "one fact", "a", "one fact"
    )
    assert insertions_only(text("---", "a"), text("a", "---")) == text("---", "a", "---")


def test_insertions_only_keeps_line_ends_and_closes_the_line_before() -> None:
    assert insertions_only(b"a\r\nb", b"a\nb\nc") == b"a\r\nb\r\nc"
    assert insertions_only(b"a\n", b"a") == b"a\n"


@given(rolls, st.integers(0, 10))
@settings(max_examples=examples(500), deadline=None)
def test_a_dream_held_to_its_insertions_removes_nothing_and_loses_nothing(
    random: random.Random, size: int
) -> None:
    base = [f"b{n}" for n in range(size)]
    user, dream = Edits("u", base[:]), Edits("d", base[:])
    user.do(random)
    dream.do(random)
    safe = insertions_only(text(*base), text(*dream.lines))
    merged = merge3(text(*base), text(*user.lines), safe)
    result = (merged.data or b"").decode().split()
    assert not merged.dropped
    assert set(result) == set(user.lines) | set(dream.own)
    assert [token for token in result if token in user.lines] == user.lines


@given(anything, anything, anything)
@settings(max_examples=examples(500), deadline=None)
def test_insertions_only_never_takes_a_line_from_any_bytes(
    base: bytes | None, live: bytes | None, theirs: bytes | None
) -> None:
    merged = merge3(base, live, insertions_only(base, theirs))
    result, mine = (
        Counter((data or b"").replace(b"\r", b"").split(b"\n")) for data in (merged.data, live)
    )
    del mine[b""]
    assert not mine - result


# --- size ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["all different", "all edited", "every other line"])
def test_twenty_thousand_lines_merge_in_well_under_two_seconds(kind: str) -> None:
    base = [f"- fact {n}" for n in range(20_000)]
    live = {
        "all different": [f"- mine {n}!" for n in range(20_000)],
        "all edited": [f"- fact {n} mine" for n in range(20_000)],
        "every other line": [line + " mine" if n % 2 else line for n, line in enumerate(base)],
    }[kind]
    theirs = [line + " dream" if n % 2 == 0 else line for n, line in enumerate(base)]
    with within(2):
        merged = merge3(text(*base), text(*live), text(*theirs))
    assert set(live) - set(base) <= set((merged.data or b"").decode().splitlines())
