"""What a note may be named."""

import pytest

from dreamd.engine.model.tools import names


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "a\0b", "a\nb", "a\x1b[31m", "a\x7f", "a\x85", "x" * 256, "é" * 128),
        *("e\u0301.md", "a\u202eb.md", "a\u200bb.md", "a\u2066b", "a\ufeffb", "a\u00adb"),
        *("\ud800", "a\u2028b", "\u3164"),
    ],
)
def test_a_name_that_is_not_what_it_looks_like_is_refused(name: str) -> None:
    assert names.objection(name) is not None


@pytest.mark.parametrize(
    "name", ["a.md", "é.md", "日本語.md", "with space.md", "x" * 255, "a..b", "...", "🙂.md"]
)
def test_an_honest_name_is_allowed(name: str) -> None:
    assert names.objection(name) is None
