"""A very long line, in a message or a note, takes each function time that grows with it.

A step that is quadratic takes many seconds for 200 kB.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import PurePosixPath

import pytest

from dreamd.text.markdown.inline import plain, prose
from dreamd.text.markdown.markdown import blocks, lines
from dreamd.text.markdown.note import frontmatter, hook, title
from dreamd.text.markdown.pointers import pointers
from dreamd.text.time.dates import dates
from dreamd.text.time.meaning import meant
from dreamd.text.time.relative import dated_phrases, is_anchored, relative_phrases
from dreamd.text.tokens import word_set
from dreamd.text.values import found, grounds
from tests.pace import within
from tests.sample import WHOLE, rounds

SIZE = 200_000 if WHOLE else 100_000
SECONDS = SIZE * 2.25e-6  # 2 s for 900 kB
DAY, NOTE = date(2026, 5, 15), PurePosixPath("a-note.md")
PIECES = [
    "the quick build of the web app ran over and over ",
    "Zoe met Ann, and iPhone of McAdam ",
    "12 ms, 3.5 kB; 1,200 $40 v1.2.3 14:30 4a7f 3rd x 1920x1080 ",
    "27 March 2026, 2026-03-27, march 3 to 5, 27.3.2026; ",
    "last Friday it broke, yesterday too, two weeks ago ",
    "on Tuesday we moved it. I will call on Friday. ",
    "see [the notes](notes.md) and [[name|label]], [x](https://x.org/a) ",
    "src/app.py ../../x.toml ~/a/b C:\\a\\b www.x.org/a?b#c ann@x.org ",
    "`code` ``more ` code`` ` **bold** _soft_ ~~gone~~ ",
    "\"said\" “quoted” it's 'so' ",
    "[" * 40,
    "   ",
]
ASKED: dict[str, Callable[[str], object]] = {
    "found": lambda text: list(found(text)),
    "grounds": lambda text: grounds([text]),
    "meant": lambda text: meant(DAY, text),
    "dates": lambda text: dates(text.lower()),
    "dated": lambda text: dated_phrases(text, DAY),
    "anchored": lambda text: [is_anchored(text, each) for each in relative_phrases(text)[:500]],
    "prose": prose,
    "plain": plain,
    "words": word_set,
    "pointers": pointers,
    "blocks": lambda text: blocks(lines(text)),
    "hook": lambda text: (hook(text), title(NOTE, text)),
    "frontmatter": lambda text: frontmatter(f"---\nname: {text}\n---\n"),
}


@pytest.mark.parametrize(("turn", "name"), list(enumerate(ASKED)))
def test_a_long_line_costs_seconds_at_most(turn: int, name: str) -> None:
    for piece in rounds(PIECES, turn, 4):
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        with within(SECONDS):
            ASKED[name](text)


@pytest.mark.parametrize("asked", [pointers, hook])
@pytest.mark.parametrize("row", ["- a\n", "\n", "| a |\n", "```\n", "x\n", "# a\n", "<!-- a\n"])
def test_many_lines_cost_seconds_at_most(row: str, asked: Callable[[str], object]) -> None:
    with within(SECONDS):
        asked(f"[x](y.md)\n{row * (SIZE // len(row))}")
