import random
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.trees import MergedTree, insertions_only_tree, merge_trees
from tests.pace import within
from tests.sample import examples

P = PurePosixPath


def text(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def tree(
    *folders: str, at: int = 0, unread: tuple[str, ...] = (), **files: bytes | Entry | None
) -> Tree:
    """Build a tree; in names of files `__` stands for `/`, all else gets `.md`."""
    return Tree(
        {
            P(name.replace("__", "/") + ".md"): entry
            if isinstance(entry, Entry)
            else Entry(entry, mtime_ns=at)
            for name, entry in files.items()
            if entry is not None
        },
        dict.fromkeys((P(folder) for folder in folders), 0o700),
        frozenset(map(P, unread)),
    )


def link(target: str, at: int = 0) -> Entry:
    return Entry(target.encode(), 0o777, at, is_link=True)


def reports(merged: MergedTree) -> list[tuple[str, str, str]]:
    return [(str(path), each.sign, each.line) for path, each in merged.dropped]


# --- entries ---------------------------------------------------------------------------------


def test_what_the_dream_did_not_change_stands_as_it_is_with_its_mtime() -> None:
    live = Entry(text("mine"), 0o644, 77)
    merged = merge_trees(
        tree(a=text("a"), b=text("b")), tree(a=live), tree(a=text("a"), b=text("b"), at=99)
    )
    assert merged == MergedTree(Tree({P("a.md"): live}))
    touched = tree(a=text("a"), at=77)
    assert merge_trees(tree(a=text("a")), touched, tree(a=text("a"), at=99)).tree == touched


def test_where_the_result_has_the_dreams_bytes_its_mtime_comes_too() -> None:
    merged = merge_trees(tree(a=text("a"), at=1), tree(a=text("a"), at=2), tree(a=text("b"), at=3))
    assert merged.tree.files[P("a.md")] == Entry(text("b"), mtime_ns=3)


def test_where_the_result_has_the_live_bytes_the_live_entry_stands() -> None:
    live = Entry(text("port is 8080"), 0o600, 5)
    merged = merge_trees(tree(a=text("port is 80")), tree(a=live), tree(a=text("port is 81"), at=9))
    assert merged.tree.files[P("a.md")] == live
    assert reports(merged) == [("a.md", "+", "port is 81")]


def test_bytes_of_both_sides_get_the_later_mtime() -> None:
    for mine, new in ((5, 9), (9, 5)):
        merged = merge_trees(
            tree(a=text("a")), tree(a=text("a", "mine"), at=mine), tree(a=text("d", "a"), at=new)
        )
        assert merged.tree.files[P("a.md")] == Entry(text("d", "a", "mine"), mtime_ns=9)


@pytest.mark.parametrize(
    ("base", "live", "theirs", "result"),
    [
        (0o600, 0o600, 0o640, 0o640),
        (0o600, 0o644, 0o600, 0o644),
        (0o600, 0o644, 0o640, 0o644),
    ],
)
def test_the_mode_is_merged_on_its_own(base: int, live: int, theirs: int, result: int) -> None:
    merged = merge_trees(
        tree(a=Entry(text("a"), base)),
        tree(a=Entry(text("a", "mine"), live, 1)),
        tree(a=Entry(text("a"), theirs, 2)),
    )
    entry = merged.tree.files[P("a.md")]
    assert (entry.data, entry.mode) == (text("a", "mine"), result)
    assert entry.mtime_ns == (1 if result == live else 2)


def test_undo_of_a_tree_nobody_touched_is_exact_to_mode_and_mtime() -> None:
    before = tree("sub", a=Entry(b"a\0", 0o640, 1), sub__b=link("x", 2), c=text("c"), at=3)
    dream = tree("new", "new/deep", a=text("a"), new__deep__d=text("d"), at=9)
    assert merge_trees(before, before, dream) == MergedTree(dream)
    assert merge_trees(dream, dream, before) == MergedTree(before)


def test_a_link_is_never_merged_as_text() -> None:
    base, mine, new = link("one"), link("two", 4), link("three")
    assert merge_trees(tree(a=base), tree(a=base), tree(a=new)).tree == tree(a=new)
    merged = merge_trees(tree(a=base), tree(a=mine), tree(a=new))
    assert merged.tree == tree(a=mine)
    assert reports(merged) == [("a.md", "+", "")]


def test_a_file_that_became_a_link_meanwhile_stays_a_link() -> None:
    merged = merge_trees(tree(a=text("a")), tree(a=link("a")), tree(a=text("a", "dream")))
    assert merged.tree == tree(a=link("a"))
    assert not merged.is_whole


def test_a_link_the_dream_removed_stays_if_it_was_changed() -> None:
    merged = merge_trees(tree(a=link("one")), tree(a=link("two")), tree())
    assert merged.tree == tree(a=link("two"))
    assert reports(merged) == [("a.md", "-", "")]


# --- facts that move between files -----------------------------------------------------------


def test_a_fact_moved_between_files_is_not_lost_when_its_new_place_conflicts() -> None:
    base = tree(a=text("port is 80", "z"), b=text("likes tea"))
    theirs = tree(a=text("port is 81, likes tea", "likes tea", "z"))
    live = tree(a=text("port is 8080", "z"), b=text("likes tea"))
    merged = merge_trees(base, live, theirs)
    said = b"".join(entry.data for entry in merged.tree.files.values()).decode()
    assert "port is 8080" in said
    assert "likes tea" in said


def test_a_file_whose_only_line_lost_its_new_place_stays() -> None:
    base = tree(a=text("x", "port is 80"), b=text("- likes tea"))
    theirs = tree(a=text("x", "likes tea"))
    live = tree(a=text("x", "port is 8080"), b=text("- likes tea"))
    merged = merge_trees(base, live, theirs)
    assert merged.tree == live
    assert reports(merged) == [("a.md", "+", "likes tea"), ("b.md", "-", "")]


def test_a_line_moved_into_a_file_the_user_removed_stays_where_it_was() -> None:
    base = tree(index=text("- likes tea", "- b"), topic=text("t"))
    theirs = tree(index=text("- b"), topic=text("t", "- likes tea"))
    live = tree(index=text("- likes tea", "- b"))
    merged = merge_trees(base, live, theirs)
    assert merged.tree.files.keys() == {P("index.md")}
    assert merged.tree.data(P("index.md")) == text("- likes tea", "- b")
    assert reports(merged) == [("index.md", "-", "- likes tea"), ("topic.md", "+", "- likes tea")]


def test_undo_keeps_a_topic_file_while_its_lines_cannot_return_to_the_index() -> None:
    facts = [f"- fact number {n}" for n in range(41)]
    before = tree(index=text("# Index", *facts))
    dream = tree(index=text("# Index", "- [more](more.md)"), more=text("# More", *facts))
    live = tree(
        index=text("# Index", "- [more](more.md), I like it"), more=dream.files[P("more.md")]
    )
    merged = merge_trees(dream, live, before)
    said = b"".join(entry.data for entry in merged.tree.files.values()).decode().splitlines()
    assert set(facts) <= set(said)
    assert "- [more](more.md), I like it" in said
    assert not merged.is_whole


def test_a_line_that_moves_without_conflict_moves() -> None:
    base = tree(a=text("a"), b=text("b", "likes tea"))
    theirs = tree(a=text("a", "likes tea"), b=text("b"))
    live = tree(a=text("a", "mine"), b=text("b", "likes tea", "and mine"))
    assert merge_trees(base, live, theirs) == MergedTree(
        tree(a=text("a", "likes tea", "mine"), b=text("b", "and mine"))
    )


# --- folders ---------------------------------------------------------------------------------


def test_a_folder_the_dream_emptied_and_removed_goes() -> None:
    merged = merge_trees(tree("sub", sub__a=text("a")), tree("sub", sub__a=text("a")), tree())
    assert merged == MergedTree(Tree())


def test_a_folder_the_dream_removed_stays_for_what_stands_in_it() -> None:
    base = tree("sub", sub__a=text("a"))
    for live in (
        tree("sub", sub__a=text("a", "mine")),
        tree("sub", sub__a=text("a"), sub__b=text("mine")),
        tree("sub", "sub/mine", sub__a=text("a")),
        tree("sub", sub__a=text("a"), unread=("sub/socket",)),
    ):
        merged = merge_trees(base, live, tree())
        assert merged.tree.folders == live.folders
        assert merged.tree.unread == live.unread


def test_folders_of_both_sides_stay_and_missing_ones_are_made() -> None:
    merged = merge_trees(
        tree("old"), tree("old", "mine"), tree("old", "new", deep__er__a=text("a"))
    )
    assert merged.tree.folders == dict.fromkeys(
        map(P, ("old", "mine", "new", "deep", "deep/er")), 0o700
    )


def test_a_folder_the_user_removed_comes_back_only_if_a_file_needs_it() -> None:
    base = tree("sub", sub__a=text("a"))
    assert merge_trees(base, tree(), base).tree == Tree()
    merged = merge_trees(base, tree(), tree("sub", sub__a=text("a"), sub__b=text("b")))
    assert merged.tree == tree("sub", sub__b=text("b"))


def test_a_folders_mode_is_merged_on_its_own() -> None:
    def sub(mode: int) -> Tree:
        return Tree(folders={P("sub"): mode})

    assert merge_trees(sub(0o700), sub(0o700), sub(0o750)).tree == sub(0o750)
    assert merge_trees(sub(0o700), sub(0o755), sub(0o750)).tree == sub(0o755)


# --- one name, two things ----------------------------------------------------------------------


def test_a_live_file_stands_where_the_dream_made_a_folder() -> None:
    base, live = tree(), Tree({P("x"): Entry(text("mine"))})
    theirs = Tree({P("x/a.md"): Entry(text("dream"))}, {P("x"): 0o700})
    merged = merge_trees(base, live, theirs)
    assert merged.tree == live
    assert reports(merged) == [("x/a.md", "+", "dream")]


def test_a_live_folder_stands_where_the_dream_made_a_file() -> None:
    theirs = Tree({P("x"): Entry(text("dream"))})
    for live in (
        Tree({P("x/a.md"): Entry(text("mine"))}, {P("x"): 0o700}),
        Tree(folders={P("x"): 0o700}),
        Tree(unread=frozenset({P("x/socket")}), folders={P("x"): 0o700}),
        Tree(unread=frozenset({P("x")})),
    ):
        merged = merge_trees(tree(), live, theirs)
        assert merged.tree == live
        assert reports(merged) == [("x", "+", "dream")]


def test_an_empty_folder_in_the_way_of_a_live_file_is_reported() -> None:
    live = Tree({P("x"): Entry(text("mine"))})
    merged = merge_trees(tree(), live, Tree(folders={P("x"): 0o700}))
    assert merged.tree == live
    assert reports(merged) == [("x", "+", "")]


def test_what_the_user_left_alone_may_turn_from_file_to_folder_and_back() -> None:
    file = Tree({P("x"): Entry(text("a"))})
    folder = Tree({P("x/a.md"): Entry(text("b"))}, {P("x"): 0o700})
    assert merge_trees(file, file, folder) == MergedTree(folder)
    assert merge_trees(folder, folder, file) == MergedTree(file)
    empty = Tree(folders={P("x"): 0o700})
    assert merge_trees(empty, empty, file) == MergedTree(file)


def test_a_folder_turned_file_gives_way_to_the_users_new_note_in_the_folder() -> None:
    base = Tree({P("x/a.md"): Entry(text("one fact"))}, {P("x"): 0o700})
    live = Tree({**base.files, P("x/b.md"): Entry(text("mine"))}, {P("x"): 0o700})
    merged = merge_trees(base, live, Tree({P("x"): Entry(text("one fact"))}))
    assert merged.tree == live, "and the fact that had moved to the file stays where it was"
    assert reports(merged) == [("x", "+", "one fact"), ("x/a.md", "-", "")]


def test_a_note_moved_into_the_way_of_a_live_folder_does_not_become_a_link() -> None:
    base = Tree({P("a"): Entry(text("one fact"))})
    live = Tree({**base.files, P("x/b"): Entry(text("mine"))}, {P("x"): 0o700})
    theirs = Tree({P("a"): link("x"), P("x"): Entry(text("one fact"))})
    merged = merge_trees(base, live, theirs)
    assert merged.tree == live
    assert reports(merged) == [("a", "+", ""), ("x", "+", "one fact")]


# --- insertions only -----------------------------------------------------------------------------


def test_a_tree_held_to_insertions_keeps_every_line_file_folder_and_mode() -> None:
    base = tree("sub", a=Entry(text("a", "old"), 0o640, 1), sub__b=text("b"), c=link("a"))
    theirs = tree("new", a=Entry(text("a", "new"), 0o600, 9), new__d=text("d"), c=text("no link"))
    result = insertions_only_tree(base, theirs)
    assert result == Tree(
        {
            **base.files,
            P("a.md"): Entry(text("a", "old", "new"), 0o640, 9),
            P("new/d.md"): Entry(text("d")),
        },
        {P("new"): 0o700, P("sub"): 0o700},
    )


def test_a_tree_held_to_insertions_leaves_out_what_stands_in_the_way_of_base() -> None:
    base = Tree({P("x"): Entry(text("a"))})
    theirs = Tree({P("x/a.md"): Entry(text("b"))}, {P("x"): 0o700})
    assert insertions_only_tree(base, theirs) == base
    assert insertions_only_tree(theirs, base) == theirs


# --- random trees ----------------------------------------------------------------------------

NAMES = [P(name) for name in ("a", "b", "x", "x/a", "x/b", "x/y", "x/y/a", "y/b")]
WORDS = ["one", "two", "three", "four"]


def grown(random: random.Random, sign: str, start: Tree | None = None) -> Tree:
    """Change a tree at random; new lines carry the sign, so that no two sides write the same."""
    files = dict(start.files) if start else {}
    for step in range(random.randint(0, 5)):
        path = random.choice(NAMES)
        if path in files and random.random() < 0.7:
            lines = files[path].data.decode().split("\n")[:-1]
            at = random.randint(0, len(lines))
            if random.random() < 0.5:
                lines[at : at + 1] = []
            if random.random() < 0.7:
                lines[at:at] = [f"{sign} {step} says {random.choice(WORDS)}"]
            if text(*lines) != files[path].data:
                files[path] = Entry(text(*lines), mtime_ns=step)
        elif path in files:
            moved = files.pop(path)
            if random.random() < 0.5:
                files[random.choice(NAMES)] = moved
        elif random.random() < 0.2:
            files[path] = link(sign)
        else:
            files[path] = Entry(text(f"{sign} {step} in {path}", "common line"))
    for path in list(files):
        was = start.files.get(path) if start else None
        if was is not None and was.data == files[path].data:
            files[path] = was
        if any(parent in files for parent in path.parents):
            del files[path]
    folders = {parent for path in files for parent in path.parents if parent != P()}
    folders |= {P(name) for name in ("x", "y") if P(name) not in files and random.random() < 0.2}
    return Tree(files, dict.fromkeys(folders, 0o700))


def said(tree: Tree) -> set[str]:
    return {
        line
        for entry in tree.files.values()
        if not entry.is_link
        for line in entry.data.decode().split("\n")[:-1]
    }


def assert_stands(tree: Tree) -> None:
    for path in [*tree.files, *tree.folders, *tree.unread]:
        for parent in path.parents[:-1]:
            assert parent in tree.folders
    assert not tree.files.keys() & tree.folders.keys()


@given(st.builds(random.Random, st.integers(0, 2**32)))
@settings(max_examples=examples(1000), deadline=None)
def test_any_three_trees_merge_into_one_that_can_stand_and_lose_no_line_unreported(
    random: random.Random,
) -> None:
    base = grown(random, "b")
    live, theirs = grown(random, "u", base), grown(random, "d", base)
    merged = merge_trees(base, live, theirs)
    result = said(merged.tree)
    lost = {line for _, sign, line in reports(merged) if sign == "+"}
    assert_stands(merged.tree)
    assert said(live) - said(base) <= result, "what the user wrote stays"
    assert said(live) & said(theirs) <= result, "what both say stays"
    assert said(theirs) - said(base) <= result | lost, "the dream's is there or reported"
    assert {p for p, e in live.files.items() if e.is_link and base.files.get(p) != e} <= set(
        merged.tree.files
    )
    assert merge_trees(base, base, theirs) == MergedTree(theirs)
    assert merge_trees(theirs, theirs, base) == MergedTree(base)
    assert merge_trees(base, live, base) == MergedTree(live)
    assert merge_trees(base, live, live).tree == live


@given(st.builds(random.Random, st.integers(0, 2**32)))
@settings(max_examples=examples(500), deadline=None)
def test_a_dream_held_to_insertions_takes_nothing_from_any_live_tree(
    random: random.Random,
) -> None:
    base = grown(random, "b")
    live, theirs = grown(random, "u", base), grown(random, "d", base)
    safe = insertions_only_tree(base, theirs)
    assert_stands(safe)
    merged = merge_trees(base, live, safe)
    assert said(live) <= said(merged.tree)
    assert live.files.keys() <= merged.tree.files.keys()
    assert live.folders.keys() <= merged.tree.folders.keys()


def test_two_thousand_notes_merge_in_well_under_a_second() -> None:
    notes = {P(f"n{n}.md"): Entry(text(*(f"fact {n} {k}" for k in range(20)))) for n in range(2000)}
    live = {**notes, P("n7.md"): Entry(text("mine"))}
    theirs = {path: Entry(text("dream") + entry.data) for path, entry in notes.items()}
    with within(1):
        merged = merge_trees(Tree(notes), Tree(live), Tree(theirs))
    assert len(merged.tree.files) == 2000
