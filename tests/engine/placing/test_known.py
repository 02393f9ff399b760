"""A line says the same as another one only with the same words of weight in the same order."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.known import known, meaning, statement
from tests.engine.placing.said import notes


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("Use pnpm, never npm", "- use **pnpm**, never `npm` (2026-05-11)"),
        ("Never deploy on Fridays", "2. Never deploy on a Friday."),
        ("Ada left last month.", "- Ada left last month (2026-04). (2026-05-11)"),
        ("The port is 9090", "- The port is 9090. (2026-05-11) Previously: the port is 8080"),
        ("[x] is the mark of done", "- \\[x] is the mark of done (2026-05-11)"),
    ],
)
def test_a_line_that_says_the_same_is_known(said: str, row: str) -> None:
    assert meaning(said) == meaning(statement(row))


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("The staging port is 5433", "- The staging port is 5432"),
        ("Never use tabs", "- Use tabs"),
        ("I prefer tabs over spaces", "- I prefer spaces over tabs"),
        ("Use pnpm", "- Use pnpm in the web folder of the docs site"),
        ("The timeout is 30 seconds", "- The timeout is 30 minutes"),
        ("Run the tests with `make test`", "- Run the tests with `make check`"),
        ("The port is 8080", "- The port is 9090. (2026-05-11) Previously: the port is 8080"),
    ],
)
def test_a_line_that_says_another_thing_is_not(said: str, row: str) -> None:
    assert meaning(said) != meaning(statement(row))


@pytest.mark.parametrize(
    ("name", "text", "row"),
    [
        ("a.md", "# A\n\n1. first\n2. Never deploy on Fridays\n", "2. Never deploy on Fridays"),
        ("team/a.md", "> Never deploy on Fridays\n", "> Never deploy on Fridays"),
        ("a.md", "---\npinned: true\n---\nNever deploy on Fridays\r\n", "Never deploy on Fridays"),
        ("a.md", "## Never deploy on Fridays\n", "## Never deploy on Fridays"),
        ("a.md", "```\nnever deploy on Fridays\n```\n", None),
        ("a.md", "<!-- never deploy on Fridays -->\n", None),
        ("a.md", "---\ndescription: never deploy on Fridays\n---\n", None),
    ],
)
def test_every_note_is_searched_but_for_what_is_no_text(
    name: str, text: str, row: str | None
) -> None:
    found = known(notes({name: text})).find("Never deploy on Fridays.")
    assert (found and (str(found.path), found.row)) == (row and (name, row))


def test_the_note_is_found_before_the_index_that_repeats_it() -> None:
    texts = {"MEMORY.md": "- Never deploy on Fridays\n", "rules.md": "- Never deploy on Fridays\n"}
    found = known(notes(texts)).find("Never deploy on Fridays")
    assert found is not None
    assert str(found.path) == "rules.md"
