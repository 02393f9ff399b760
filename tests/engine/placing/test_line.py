"""A new line is the person's words and their day, and opens no Markdown."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.engine.rules.placing import line
from dreamd.text.markdown.markdown import BlockKind, blocks
from dreamd.text.markdown.pointers import pointers
from dreamd.text.secrets.secrets import find
from dreamd.text.time.relative import is_anchored, relative_phrases
from tests.engine.placing.said import notes
from tests.sample import examples

MEMORY = notes({"MEMORY.md": "# M\n", "deploy.md": "# Deploy\n"})
HERE = PurePosixPath("facts.md")
DAY = date(2026, 5, 11)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Use pnpm.", "Use pnpm. (2026-05-11)"),
        ("Ask for one more " * 40, "Ask for one more " * 40 + "(2026-05-11)"),
        ("The freeze began 2026-05-11.", "The freeze began 2026-05-11."),
        ("The demo is next Friday.", "The demo is next Friday (said 2026-05-11)."),
        ("Use today's build", "Use today's (2026-05-11) build"),
        (
            "Broke yesterday, mended tomorrow.",
            "Broke yesterday (2026-05-10), mended tomorrow (2026-05-12). (2026-05-11)",
        ),
        ("Ada left last month.", "Ada left last month (2026-04). (2026-05-11)"),
        ("It broke a few days ago.", "It broke a few days ago (said 2026-05-11)."),
        ("The report of last year (2025)", "The report of last year (2025) (2026-05-11)"),
        ("# Heading", r"\# Heading (2026-05-11)"),
        ("- a dash", r"\- a dash (2026-05-11)"),
        ("1. first things first", r"1\. first things first (2026-05-11)"),
        ("| a | b |", r"\| a | b | (2026-05-11)"),
        ("[ ] not a task", r"\[ ] not a task (2026-05-11)"),
        ("[x]: http://example.org", r"\[x]: http://example.org (2026-05-11)"),
        ("Write <!-- in the margin", r"Write \<!-- in the margin (2026-05-11)"),
        ("see [x](gone.md)", r"see \[x](gone.md) (2026-05-11)"),
        ("see [[gone]] and [[deploy]]", r"see \[[gone]] and [[deploy]] (2026-05-11)"),
        ("```not a fence", r"\```not a fence (2026-05-11)"),
        ("two\nlines\tand\x00 bells\x07", "two lines and bells (2026-05-11)"),
        ("half a pair \ud83d", "half a pair ? (2026-05-11)"),
    ],
)
def test_a_line_is_the_words_and_the_day(said: str, expected: str) -> None:
    assert line(said, DAY, HERE, MEMORY) == expected


def test_without_a_day_there_is_no_bracket_and_no_relative_date() -> None:
    assert line("Use pnpm.", None, HERE, MEMORY) == "Use pnpm."
    assert line("The demo is next Friday.", None, HERE, MEMORY) is None
    assert line(" \n", DAY, HERE, MEMORY) is None


def test_a_secret_goes_and_the_rest_of_the_sentence_stays() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    words = line(f"The bot signs in with {token} on the runner.", DAY, HERE, MEMORY)
    assert words is not None
    assert not find(words)
    assert words.startswith("The bot signs in with [redacted: ")
    assert words.endswith("] on the runner. (2026-05-11)")


_MARKS = ["#", "-", "1.", "|", ">", "```", "~~~", "<!--", "-->", "[x](gone.md)", "[[gone]]"]
_MARKS += ["[a](b.md", "\\", "\\[", "![i](gone.md)", "*", "_", "**", "`c`", "`", "---", "[x]"]
_MARKS += ["[k]:", "](", "[[", "]]", "[", "]", "[ ]", "(", ")", "$", "&lt;"]
_WORDS = st.sampled_from(
    [*_MARKS, "next", "Friday", "yesterday", "today's", "tomorrow", "2026-05-11", "café", "東京"]
)


@given(st.lists(_WORDS | st.text(max_size=8), min_size=1, max_size=12).map(" ".join))
@settings(max_examples=examples(400), deadline=None, derandomize=True)
def test_whatever_is_said_it_is_one_item_with_all_its_words(said: str) -> None:
    found = line(said, DAY, HERE, MEMORY)
    if found is None or find(said):
        return
    rows = ["- before", f"- {found}", "- after"]
    assert [part.kind for part in blocks(rows)] == [BlockKind.ITEM] * 3
    text = "\n".join(rows) + "\n"
    assert {str(each.target) for each in pointers(text, HERE)} <= {"deploy.md"}
    assert all(is_anchored(text, phrase) for phrase in relative_phrases(text))
    words = re.findall(r"[^\W_]+", said.encode("utf-8", "replace").decode())
    rest = iter(re.findall(r"[^\W_]+", found))
    assert all(word in rest for word in words)
