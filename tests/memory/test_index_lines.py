from pathlib import PurePosixPath as P

import pytest

from dreamd.domain.tree import INDEX
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.text.markdown.pointers import pointers, resolve


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        ("", "# Memory\n\n- NEW\n"),
        ("# Mem\n\n- [A](a.md)\n", "# Mem\n\n- [A](a.md)\n- NEW\n"),
        ("# Mem\n\n- [A](a.md)", "# Mem\n\n- [A](a.md)\n- NEW\n"),
        ("# Mem\r\n\r\n* [A](a.md)\r\n", "# Mem\r\n\r\n* [A](a.md)\r\n* NEW\r\n"),
        ("1. [A](a.md)\n2. [B](b.md)\n\nend\n", "1. [A](a.md)\n2. [B](b.md)\n3. NEW\n\nend\n"),
        ("- [A](a.md)\n  more\n\n## Next\n", "- [A](a.md)\n  more\n- NEW\n\n## Next\n"),
        ("Words only.\n\n\n", "Words only.\n\n- NEW\n\n\n"),
        ("- an item\n", "- an item\n- NEW\n"),
        ("# Mem\n\nWords.\n```\nopen\n", "# Mem\n\n- NEW\n\nWords.\n```\nopen\n"),
        ("<!-- open\n", "- NEW\n\n<!-- open\n"),
        ("---\nname: x\n---\n```\n", "---\nname: x\n---\n\n- NEW\n\n```\n"),
    ],
)
def test_a_new_pointer_stands_at_the_end_of_the_list(index: str, wanted: str) -> None:
    line = "[New](new.md)"
    assert with_lines(index, [line]) == wanted.replace("NEW", line)


def test_nothing_to_add_leaves_every_byte() -> None:
    assert with_lines("a\r\nb", []) == "a\r\nb"


def test_the_line_of_a_note_says_title_and_hook_and_no_secret() -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"---\nname: ci\ndescription: the token is {secret}\n---\n# CI [main]\n"
    assert line_for(P("ops/ci notes.md"), text) == (
        "[CI (main)](ops/ci%20notes.md) — the token is [redacted: GitHub key]"
    )
    (pointer,) = pointers(line_for(P("ops/ci notes.md"), text))
    assert resolve(pointer, [P("ops/ci notes.md")], INDEX, {}) == P("ops/ci notes.md")
