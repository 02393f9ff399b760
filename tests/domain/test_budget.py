from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain import budget
from dreamd.domain.budget import is_over, measure, visible, warnings
from dreamd.domain.change import Severity
from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree

SMALL = Budget(index_lines=4, index_units=20, index_bytes=24, files=3, memory_bytes=40)


def tree(notes: dict[str, str]) -> Tree:
    files = {PurePosixPath(name): Entry(text.encode()) for name, text in notes.items()}
    return Tree(dict(sorted(files.items())))


@pytest.mark.parametrize(
    ("text", "lines", "start", "unseen", "cut_by"),
    [
        ("", (), 1, None, ""),
        ("\n \n\n", (), 1, None, ""),
        ("a\nb", ("a", "b"), 1, None, ""),
        ("a\nb\nc\nd\n\n\n", ("a", "b", "c", "d"), 1, None, ""),
        ("a\nb\nc\nd\ne", ("a", "b", "c", "d"), 1, 5, "lines"),
        ("\n\na\nb\nc\nd\ne", ("a", "b", "c", "d"), 3, 7, "lines"),
        ("\ufeff\na\n\u2028", ("a",), 2, None, ""),
        ("a\r\nb\r\n", ("a", "b"), 1, None, ""),
        ("123456789\r\n123456789", ("123456789", "123456789"), 1, None, ""),  # 20 with the \r
        ("123456789\r\n1234567890", ("123456789",), 1, 2, "UTF-16 units"),
        ("123456789\n1234567890", ("123456789", "1234567890"), 1, None, ""),  # 20 exactly
        ("123456789\n12345678901", ("123456789",), 1, 2, "UTF-16 units"),
        ("1234567890123456789😀", ("1234567890123456789",), 1, 1, "UTF-16 units"),  # half a pair
        ("😀" * 10, ("😀" * 10,), 1, None, ""),
        ("é" * 20, ("é" * 20,), 1, None, ""),  # 40 bytes, 20 units
        ("a\x1cb\x85c\vd", ("a\x1cb\x85c\vd",), 1, None, ""),  # one line for the client
    ],
)
def test_a_new_conversation_sees_the_index_up_to_the_first_limit(
    text: str, lines: tuple[str, ...], start: int, unseen: int | None, cut_by: str
) -> None:
    seen = visible(text, SMALL)
    assert (seen.lines, seen.start, seen.unseen, seen.cut_by) == (lines, start, unseen, cut_by)


def test_a_directory_is_measured_as_its_readers_do() -> None:
    notes = {"MEMORY.md": "\n# Memory\n\n- 😀\r\n", "a.md": "é", "sub/b.md": "bb"}
    given = tree({**notes, ".hidden.md": "no", "data.json": "{}"})
    sizes = measure(given, SMALL)
    assert (sizes.index_lines, sizes.index_units, sizes.index_bytes) == (3, 14, 19)
    assert (sizes.index_seen, sizes.files, sizes.memory_bytes) == (3, 3, 23)


@pytest.mark.parametrize(
    ("notes", "severities"),
    [
        ({"MEMORY.md": "a"}, []),
        ({"MEMORY.md": "a" * 17}, []),  # 85 % of 20 units
        ({"MEMORY.md": "a" * 18}, [Severity.WARNING]),
        ({"MEMORY.md": "a" * 21}, [Severity.FAULT]),  # units; bytes 87 %
        ({"MEMORY.md": "1\n2\n3\n4\n5"}, [Severity.FAULT]),
        ({"MEMORY.md": "1", "a.md": "", "b.md": ""}, [Severity.WARNING]),
        ({"MEMORY.md": "1", "a.md": "a" * 36}, [Severity.WARNING]),
        ({}, []),
    ],
)
def test_a_warning_comes_from_ninety_percent_and_a_fault_above_the_index_limits(
    notes: dict[str, str], severities: list[Severity]
) -> None:
    found = warnings(measure(tree(notes), SMALL), SMALL)
    assert [each.severity for each in found] == severities
    assert is_over(measure(tree(notes), SMALL), SMALL) is (Severity.FAULT in severities)


def test_a_warning_says_the_measure_and_its_limit() -> None:
    limits = Budget()
    found = warnings(measure(tree({"MEMORY.md": "x\n" * 190}), limits), limits)
    assert [str(each) for each in found] == [
        "MEMORY.md: the index has 190 lines, 95 % of its limit of 200 (budget)"
    ]
    found = warnings(measure(tree({"MEMORY.md": "x\n" * 703}), limits), limits)
    assert [str(each) for each in found] == [
        "MEMORY.md: the index has 703 lines, over its limit of 200 (budget)"
    ]


READ = {
    "MEMORY.md": "- [B](b.md)\n- [[a]]\n- [gone](gone.md)\n",
    "a.md": "see [deep](sub/d.md)\n",
    "b.md": "see [a](a.md), [me](MEMORY.md)\n",
    "c.md": "loose\n",
    "sub/d.md": "deep\n",
}


def test_notes_are_read_index_first_then_as_they_are_linked_then_by_name() -> None:
    order = [str(path) for path in budget.reading_order(tree(READ))]
    assert order == ["MEMORY.md", "b.md", "a.md", "sub/d.md", "c.md"]
