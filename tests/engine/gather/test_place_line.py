"""A claim as one line: the words stay, the day comes, and no Markdown opens."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.engine.rules.gather.place_line import statement_of, written
from dreamd.engine.rules.orient import orient
from dreamd.text.markdown.markdown import BlockKind, blocks
from dreamd.text.markdown.pointers import pointers
from dreamd.text.time.dates import is_anchored, relative_phrases
from tests.engine.gather.place_night import tree
from tests.sample import examples

MEMORY = orient(tree({"MEMORY.md": "# M\n", "deploy.md": "# Deploy\n"}))
HERE = PurePosixPath("facts.md")
DAY = date(2026, 5, 11)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Use pnpm.", "Use pnpm. (2026-05-11)"),
        ("The freeze began 2026-05-11.", "The freeze began 2026-05-11."),
        ("The freeze began on May 11, 2026", "The freeze began on May 11, 2026"),
        ("The freeze ends 2026-06-01.", "The freeze ends 2026-06-01. (2026-05-11)"),
        ("The demo is next Friday.", "The demo is next Friday (said 2026-05-11)."),
        ("Use today's build", "Use today's (2026-05-11) build"),
        (
            "Broke yesterday, open next week.",
            "Broke yesterday (2026-05-10), open next week (2026-05-18 to 2026-05-24). (2026-05-11)",
        ),
        ("Ada left last month.", "Ada left last month (2026-04). (2026-05-11)"),
        ("We began two years ago.", "We began two years ago (2024). (2026-05-11)"),
        ("It stood 200 years ago.", "It stood 200 years ago (said 2026-05-11)."),
        ("It broke a few days ago.", "It broke a few days ago (said 2026-05-11)."),
        (
            "Freeze next Friday, demo tomorrow.",
            "Freeze next Friday (said 2026-05-11), demo tomorrow (2026-05-12). (2026-05-11)",
        ),
        (
            "It broke on 2026-05-11 and is mended tomorrow.",
            "It broke on 2026-05-11 and is mended tomorrow (2026-05-12). (2026-05-11)",
        ),
        ("The report of last year (2025)", "The report of last year (2025) (2026-05-11)"),
        (
            "The demo is next Friday (2026-05-15).",
            "The demo is next Friday (2026-05-15). (2026-05-11)",
        ),
        ("# Heading", r"\# Heading (2026-05-11)"),
        ("#42 is the release issue", "#42 is the release issue (2026-05-11)"),
        ("- a dash", r"\- a dash (2026-05-11)"),
        ("-1 means forever", "-1 means forever (2026-05-11)"),
        ("1. first things first", r"1\. first things first (2026-05-11)"),
        ("5433 is the port", "5433 is the port (2026-05-11)"),
        ("> quoted", r"\> quoted (2026-05-11)"),
        ("| a | b |", r"\| a | b | (2026-05-11)"),
        ("[ ] not a task", r"\[ ] not a task (2026-05-11)"),
        ("[x]: http://example.org", r"\[x]: http://example.org (2026-05-11)"),
        ("Write <!-- in the margin", r"Write \<!-- in the margin (2026-05-11)"),
        ("see [x](gone.md)", r"see \[x](gone.md) (2026-05-11)"),
        ("see [[gone]] and [[deploy]]", r"see \[[gone]] and [[deploy]] (2026-05-11)"),
        ("see [x](deploy.md)", "see [x](deploy.md) (2026-05-11)"),
        ("see `[x](gone.md)`", "see `[x](gone.md)` (2026-05-11)"),
        (
            "see [x](https://example.org/gone.md)",
            "see [x](https://example.org/gone.md) (2026-05-11)",
        ),
        ("```not a fence", r"\```not a fence (2026-05-11)"),
        ("two\nlines\tand\x00 bells\x07", "two lines and bells (2026-05-11)"),
        ("half a pair \ud83d", "half a pair ? (2026-05-11)"),
    ],
)
def test_a_line_is_the_words_and_the_day(said: str, line: str) -> None:
    assert written(said, DAY, HERE, MEMORY) == line


def test_what_bears_no_day_gets_none() -> None:
    assert written("Use pnpm.", None, HERE, MEMORY) == "Use pnpm."
    assert written("The demo is next Friday.", None, HERE, MEMORY) is None
    assert written(" \n", DAY, HERE, MEMORY) is None


_MARKS = ["#", "-", "1.", "|", ">", "```", "~~~", "<!--", "-->", "[x](gone.md)", "[[gone]]"]
_MARKS += [
    "[a](b.md",
    "\\",
    "\\[",
    "![i](gone.md)",
    "*",
    "_",
    "**",
    "`c`",
    "`",
    "---",
    "***",
    "[x]",
]
_MARKS += ["[k]:", "](", "[[", "]]", "[", "]", "[ ]", "(", ")", "$", "&lt;"]
_WORDS = st.sampled_from(
    [*_MARKS, "next", "Friday", "yesterday", "today's", "tomorrow", "2026-05-11", "café", "東京"]
)


@given(st.lists(_WORDS | st.text(max_size=8), min_size=1, max_size=12).map(" ".join))
@settings(max_examples=examples(400), deadline=None, derandomize=True)
def test_whatever_is_said_it_is_one_item_with_all_its_words(said: str) -> None:
    line = written(said, DAY, HERE, MEMORY)
    if line is None:
        return
    rows = ["- before", f"- {line}", "- after"]
    assert [part.kind for part in blocks(rows)] == [BlockKind.ITEM] * 3
    text = "\n".join(rows) + "\n"
    assert {str(each.target) for each in pointers(text, HERE)} <= {"deploy.md"}
    assert all(is_anchored(text, phrase) for phrase in relative_phrases(text))
    words = re.findall(r"[^\W_]+", said.encode("utf-8", "replace").decode())
    rest = iter(re.findall(r"[^\W_]+", line))
    assert all(word in rest for word in words)


def test_the_statement_of_a_line_is_what_was_said() -> None:
    dated = ["The demo is next Friday", "Ada left last month", "We met yesterday, and next week"]
    plain = ["Use pnpm", "# Heading", "1. first", "see [[gone]]", "The report (2025)"]
    for said in (*plain, *dated):
        line = written(said, DAY, HERE, MEMORY)
        assert statement_of(f"- {line}") == said.replace("[[", "").replace("]]", "")
