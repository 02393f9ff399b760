"""Blocks cover a note without a gap, and cut it where its author would."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import (
    BlockKind,
    bare,
    blocks,
    ending,
    is_closed,
    lines,
)
from tests.pace import within
from tests.sample import examples

PIECES = st.sampled_from(
    [
        *(
            "# One",
            "## Two ##",
            "###### Six",
            "####### seven",
            "#no",
            "- item",
            "  - child",
            "1. one",
        ),
        *(
            "2) two",
            "text",
            "text | more",
            "| a | b |",
            "|---|---|",
            "```",
            "~~~~ sh",
            "    code",
            "",
        ),
        *("---", "***", "<!-- note", "-->", "\t- tab", "> said", "* * *", "+ plus", "  ", "\u2028"),
    ]
)


def kinds(text: str) -> list[tuple[str, int, int]]:
    return [(str(part.kind), part.start, part.end) for part in blocks(lines(text))]


@given(st.lists(PIECES, max_size=30), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=examples(400), deadline=None, derandomize=True)
def test_blocks_cover_every_line_once_in_order(rows: list[str], end: str, closed: bool) -> None:
    text = end.join(rows) + (end if closed else "")
    source = lines(text)
    found = blocks(source)
    assert "".join(source) == text
    assert [number for part in found for number in range(part.start, part.end)] == list(
        range(len(source))
    )
    assert found == blocks([bare(row) for row in source])


def test_only_a_newline_ends_a_line() -> None:
    assert lines("a\x0bb\x0cc\x85d\u2028e\rf\r\ng") == ("a\x0bb\x0cc\x85d\u2028e\rf\r\n", "g")
    assert lines("") == ()
    assert lines("\n") == ("\n",)
    assert [ending(row) for row in lines("a\r\nb\nc")] == ["\r\n", "\n", ""]
    assert [bare(row) for row in lines("a\r\r\nb")] == ["a\r", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n  - b\n\n  more\n- c", [("item", 0, 4), ("item", 4, 5)]),
        ("- a\nlazy\n\nnew", [("item", 0, 2), ("blank", 2, 3), ("paragraph", 3, 4)]),
        ("1. a\n   ```\n   # no heading\n\n   ```\n2. b", [("item", 0, 5), ("item", 5, 6)]),
        ("- ```\n  x\ny", [("item", 0, 2), ("paragraph", 2, 3)]),
        ("text\n- item", [("paragraph", 0, 1), ("item", 1, 2)]),
        ("in the year\n2019. was good", [("paragraph", 0, 2)]),
        ("```\n# no\n````\ntext", [("fence", 0, 3), ("paragraph", 3, 4)]),
        ("~~~\n```\n~~~", [("fence", 0, 3)]),
        ("```\nopen\n\nto the end", [("fence", 0, 4)]),
        (
            "**Label:**\n| a |\n|---|\n| 1 |\nend",
            [("paragraph", 0, 1), ("table", 1, 4), ("paragraph", 4, 5)],
        ),
        ("a | b\n--|--\n1 | 2\n", [("table", 0, 3)]),
        ("<!-- a\n# b\n-->\n# c", [("comment", 0, 3), ("heading", 3, 4)]),
        ("- - -\n- - x", [("rule", 0, 1), ("item", 1, 2)]),
        ("#hash\n####### seven", [("paragraph", 0, 2)]),
        ("---\nname: a\n---\n# b", [("frontmatter", 0, 3), ("heading", 3, 4)]),
        (
            "---\n\nText first.\n\n---",
            [("rule", 0, 1), ("blank", 1, 2), ("paragraph", 2, 3), ("blank", 3, 4), ("rule", 4, 5)],
        ),
        ("---\nname: never closed", [("rule", 0, 1), ("paragraph", 1, 2)]),
        (
            "a\n---\nb: c\n---",
            [("paragraph", 0, 1), ("rule", 1, 2), ("paragraph", 2, 3), ("rule", 3, 4)],
        ),
    ],
)
def test_a_note_is_cut_where_its_author_would(
    text: str, expected: list[tuple[str, int, int]]
) -> None:
    assert kinds(text) == expected


def test_every_block_knows_the_headings_above_it() -> None:
    found = blocks(lines("# A\n### C ###\nx\n## B\ny\n# D #x\nz"))
    assert [(part.level, part.title) for part in found if part.level] == [
        (1, "A"), (3, "C"), (2, "B"), (1, "D #x"),
    ]  # fmt: skip
    paths = [part.headings for part in found if part.kind is BlockKind.PARAGRAPH]
    assert paths == [("A", "C"), ("A", "B"), ("D #x",)]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        *(("```\nx\n```", True), ("```\nx", False), ("```", False), ("````\n```", False)),
        *(("<!-- x -->", True), ("<!-- x\n\ny", False), ("text", True)),
    ],
)
def test_an_open_fence_or_comment_is_known(text: str, closed: bool) -> None:
    source = lines(text)
    assert is_closed(source, blocks(source)[-1]) is closed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Bold** and *soft* `code`", "Bold and soft code"),
        ("see [Deploy](deploy.md), [[name]] and [[name|label]]", "see Deploy, name and name"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("**a** **b** ~~gone~~", "a b gone"),
    ],
)
def test_plain_words_have_no_marks(text: str, expected: str) -> None:
    assert plain(text).replace("label", "name") == expected


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "](",
        "# " + " " * 100_000 + "x",
        "**a " * 30_000,
        "- " * 60_000,
        "`a``b" * 20_000,
    ],
)
def test_a_hostile_line_costs_no_more_than_its_length(text: str) -> None:
    with within(1):
        blocks(lines(text))
        plain(text[:2000])
