"""Pointers are found where a reader would follow them, and mended only where that is sure."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.text.markdown.pointers import (
    aimed,
    called,
    href,
    nearest,
    pointers,
    resolve,
    unlinked,
    unreachable,
)
from tests.pace import within
from tests.sample import examples

INDEX = PurePosixPath("MEMORY.md")


def paths(*names: str) -> list[PurePosixPath]:
    return [PurePosixPath(name) for name in names]


@pytest.mark.parametrize(
    ("text", "target", "title"),
    [
        *(
            ("[T](x.md)", "x.md", "T"),
            ("[T](./x.md)", "x.md", "T"),
            ("[T](a/../x.md)", "x.md", "T"),
        ),
        *(("[T](sub/x.md#part)", "sub/x.md", "T"), ("[T](<x y.md>)", "x y.md", "T")),
        *(("[T](x%20y.md)", "x y.md", "T"), ('[T](x.md "why")', "x.md", "T")),
        *(("[a [b] c](x.md)", "x.md", "a [b] c"), ("[T](x (1).md)", "x (1).md", "T")),
        *(("[[name]]", "name.md", "name"), ("[[name|label]]", "name.md", "label")),
        *(
            ("[[sub/name.md#part]]", "sub/name.md", "sub/name.md#part"),
            ("[[a]](x.md)", "x.md", "[a]"),
        ),
        ("| [[name\\|label]] |", "name.md", "label"),
    ],
)
def test_a_pointer_is_found(text: str, target: str, title: str) -> None:
    (found,) = pointers(f"first line\n- see {text} and more\n")
    assert (found.line, found.target, found.title) == (1, PurePosixPath(target), title)
    assert f"- see {text} and more"[found.start : found.end] in text
    assert found.wiki is ("](" not in text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "`[T](x.md)`",
            "`` a ` [T](x.md) ``",
            "```\n[T](x.md)\n```",
            "- a\n  ```\n  [T](x.md)\n  ```",
        ),
        *(
            "[T](https://x.org/x.md)",
            "[T](/x.md)",
            "[T](~/x.md)",
            "[T](mailto:a@x.md)",
            "[T](../x.md)",
        ),
        *(
            "[T](x.txt)",
            "[T](x.md",
            "![T](x.md)",
            "\\[T](x.md)",
            "<!-- [T](x.md) -->",
            "[[1]]",
            "[[ -f x ]]",
        ),
        "---\nname: a\nsee: '[[x]]'\n---\n",
    ],
)
def test_what_only_looks_like_a_pointer_is_none(text: str) -> None:
    assert pointers(text) == ()


def test_a_step_up_may_lead_back_into_the_memory() -> None:
    (found,) = pointers("[T](../x.md)", PurePosixPath("sub/a.md"))
    assert resolve(found, paths("x.md"), PurePosixPath("sub/a.md"), {}) == PurePosixPath("x.md")
    assert pointers("[T](../../x.md)", PurePosixPath("sub/a.md")) == ()


def test_a_pointer_leads_from_its_folder_first_then_from_the_root() -> None:
    names = paths("x.md", "sub/x.md", "y.md")
    source = PurePosixPath("sub/a.md")
    near, far, gone = pointers("[1](x.md) [2](y.md) [3](z.md)", source)
    assert resolve(near, names, source, {}) == PurePosixPath("sub/x.md")
    assert resolve(far, names, source, {}) == PurePosixPath("y.md")
    assert resolve(gone, names, source, {}) is None


def test_a_wiki_link_means_a_stem_or_a_frontmatter_name() -> None:
    texts = {
        INDEX: "[[deep]] [[spoken-name]] [[nobody]]",
        PurePosixPath("sub/deep.md"): "",
        PurePosixPath("x.md"): "---\nname: spoken-name\n---\n",
    }
    known = called(texts)
    found = [resolve(each, texts.keys(), INDEX, known) for each in pointers(texts[INDEX])]
    assert found == [PurePosixPath("sub/deep.md"), PurePosixPath("x.md"), None]


@given(
    st.text(
        st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=12
    )
)
@settings(max_examples=examples(400), deadline=None, derandomize=True)
def test_any_name_can_be_pointed_to(name: str) -> None:
    path = PurePosixPath(f"{name.strip()}.md")
    if path.name != f"{name.strip()}.md" or not path.stem or path.suffix != ".md":
        return
    (found,) = pointers(f"- [T]({href(path)}) — hook")
    assert resolve(found, [path], INDEX, {}) == path


def test_a_name_that_is_no_text_can_be_pointed_to() -> None:
    path = PurePosixPath("caf\udce9.md")
    (found,) = pointers(f"[T]({href(path)})")
    assert found.target == path


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        *(("deploy-notes.md", "Deploy_Notes.md"), ("old/deploy notes.md", "Deploy_Notes.md")),
        *(("deploy-note.md", "Deploy_Notes.md"), ("buildsystem.md", "sub/build-system.md")),
        *(
            ("client-fr.md", None),
            ("sprint-13.md", None),
            ("user-path.md", None),
            ("notes.md", None),
        ),
        *(("docs/readme.md", None), ("twin.md", None), ("MEMORIES.md", None), ("resting.md", None)),
    ],
)
def test_a_dangling_pointer_means_a_note_only_where_that_is_sure(
    target: str, expected: str | None
) -> None:
    names = paths(
        *("Deploy_Notes.md", "sub/build-system.md", "client-eu.md", "client-us.md", "sprint-12.md"),
        *("user-auth.md", "readme.md", "a/twin.md", "b/twin.md", "MEMORY.md", "testing.md"),
    )
    wanted = PurePosixPath(expected) if expected else None
    assert nearest(PurePosixPath(target), names) == wanted


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see [the *plan*](plan.md), soon", "see the *plan*, soon"),
        ("see [plan](docs/plan.md)", "see plan (`docs/plan.md`)"),
        ("see [docs/plan.md](docs/plan.md)", "see docs/plan.md"),
        ("see [[plan|our plan]].", "see our plan."),
        ("see [](plan.md)", "see plan.md"),
    ],
)
def test_an_unlinked_line_loses_nothing_but_the_link(line: str, expected: str) -> None:
    (pointer,) = pointers(line)
    assert unlinked(line, pointer) == expected
    assert pointers(expected) == ()


def test_reaching_goes_on_from_note_to_note_and_logs_need_no_pointer() -> None:
    texts = {
        PurePosixPath(name): body
        for name, body in {
            "MEMORY.md": "[A](a.md)",
            "a.md": "[[b]]",
            "b.md": "[A](a.md)",
            "lost.md": "[C](c.md)",
            "c.md": "",
            "logs/2026/01/05.md": "",
            "team/MEMORY.md": "[R](rules.md)",
            "team/rules.md": "",
            "team/lost.md": "",
        }.items()
    }
    assert unreachable(texts) == (*paths("c.md", "lost.md", "team/lost.md"),)
    assert unreachable({PurePosixPath("a.md"): ""}) == (*paths("a.md"),)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[" * 100_000 + "](",
            "[x](" + " " * 100_000,
            "[a" * 50_000 + "](",
            "[x](" + "(" * 100_000,
        ),
        *(
            "[[" + "a " * 50_000 + "](",
            "`a``b" * 20_000 + "](",
            "[x](<" * 20_000,
            "[x](a " * 20_000,
        ),
    ],
)
def test_a_hostile_line_costs_no_more_than_its_length(text: str) -> None:
    with within(1):
        pointers(text)


@pytest.mark.parametrize(
    ("row", "source", "goal", "wanted"),
    [
        ("- [A](a.md) — x", "MEMORY.md", "b.md", "- [A](b.md) — x"),
        ("- [A](a.md#part)", "MEMORY.md", "b.md", "- [A](b.md#part)"),
        ('- [A](a.md "hint") x', "MEMORY.md", "b.md", '- [A](b.md "hint") x'),
        ("- [A](<a b.md>)", "MEMORY.md", "c d.md", "- [A](c%20d.md)"),
        ("- [A](a_(1).md)", "MEMORY.md", "b.md", "- [A](b.md)"),
        ("- [A [1]](a.md)", "MEMORY.md", "b.md", "- [A [1]](b.md)"),
        ("see [A](a.md)", "topics/t.md", "b.md", "see [A](../b.md)"),
        ("see [A](a.md)", "topics/t.md", "topics/b.md", "see [A](b.md)"),
        ("see [[a]] here", "MEMORY.md", "sub/b.md", "see [[b]] here"),
        ("see [[a|the words]]", "MEMORY.md", "b.md", "see [[b|the words]]"),
        ("see [[a#part]]", "MEMORY.md", "b.md", "see [[b#part]]"),
    ],
)
def test_a_pointer_is_aimed_anew_and_its_words_stay(
    row: str, source: str, goal: str, wanted: str
) -> None:
    (pointer,) = pointers(row, PurePosixPath(source))
    after = aimed(row, pointer, PurePosixPath(source), PurePosixPath(goal))
    assert after == wanted
    (again,) = pointers(after, PurePosixPath(source))
    assert resolve(
        again, [PurePosixPath(goal)], PurePosixPath(source), called({PurePosixPath(goal): ""})
    ) == PurePosixPath(goal)
