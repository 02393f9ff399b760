"""Words that stand together are found as by reading every place, and much sooner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.dream import Report
from dreamd.domain.evidence import Sources
from dreamd.domain.settings import Settings
from dreamd.memory.review import review
from dreamd.text.places import Places, stem, stems
from dreamd.text.values import grounds
from tests.memory.test_review import tree
from tests.pace import within
from tests.sample import WHOLE, examples

WORDS = [
    *("deploy", "deploying", "server", "servers", "never", "the", "of", "export", "exports", "42"),
    *("cellar", "plumber", "boiler", "x9", "4cats", "cat", "category", "concat", "über", "straße"),
    *("日本語", "run.sh", "src/app.py", "don't", "_under", "backup", "delete", "deleting", "sent"),
    *("migrate", "table-tennis,", "(tennis)", '"key"', "½cup"),
]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)
    .flatmap(lambda some: st.integers(1, 60).map(lambda times: " ".join(some * times)))
    .flatmap(lambda text: st.sampled_from([text, text.replace(" ", "\n", 9), "y" * 700 + text])),
    min_size=1,
    max_size=4,
)
LINES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def read_all(texts: Sequence[str], content: frozenset[str], share: float) -> bool:
    """Whether the words stand together, by reading what is around each of them."""
    needed = max(1, ceil(share * len(content) - 1e-9))
    anchors = sorted(content, key=lambda word: (-len(word), word))[: len(content) - needed + 1]
    for text in texts:
        words = list(re.finditer(r"[^\W\d_]+", text))
        for anchor in anchors:
            for place in re.finditer(r"(?<![^\W_])[^\W\d_]{2,}", text):
                if stem(place[0]) != anchor:
                    continue
                near = range(place.start() - 180, place.start() + 240)
                there = stems(" ".join(word[0] for word in words if word.start() in near))
                if len(content & there) >= needed:
                    return True
    return False


@settings(max_examples=examples(200), deadline=None, derandomize=True)
@given(TEXTS, LINES, st.sampled_from([0.34, 0.5, 0.6, 0.75, 0.9, 1.0]))
def test_words_are_found_together_where_reading_every_place_finds_them(
    texts: list[str], line: str, share: float
) -> None:
    content = stems(line)
    assert Places(texts).say(content, share) is read_all(texts, content, share)


@pytest.mark.parametrize("gap", [1, 20, 100, 170, 230, 250, 500, 5000])
@pytest.mark.parametrize("at", [0, 300, 500, 512, 1000, 1020])
def test_distance_decides_wherever_it_begins(at: int, gap: int) -> None:
    text = f"{'. ' * (at // 2)}boiler {'. ' * (gap // 2)}cellar {'. ' * 400}"
    both = frozenset({"boil", "cellar"})
    assert Places([text]).say(both, 1.0) is (gap < 180)  # `cellar` is asked for first


def test_a_denial_and_a_needed_word_stand_there_too() -> None:
    content = stems("delete the old backups there")
    heard = Places(["never delete old backups", "x " * 900 + "old backups"])
    assert heard.say(content, 0.6, stems("delete"), denied=True)
    assert not heard.say(content, 0.6, stems("delete"))
    assert not heard.say(content, 0.6, stems("upload"), denied=True)


def test_a_line_of_very_many_words_stands_nowhere() -> None:
    letters = "abcdefghij"
    words = [f"{a}{b}{c}{a}" for a in letters for b in letters for c in letters]
    with within(0.5):
        assert not Places([" ".join(words)]).say(frozenset(words), 0.75)


def test_five_hundred_wordy_lines_against_megabytes_of_people_and_of_tools_are_quick() -> None:
    letters = "abcdefghijklmnop"
    vocabulary = [f"{a}{b}{c}{d}" for a in letters for b in letters for c in letters for d in "xyz"]
    size = len(vocabulary)

    def text(step: int) -> str:
        return " ".join(
            vocabulary[(n * n // 7 + n * step) % size % (40 if n % 3 == 0 else size)]
            for n in range(2_000_000 if WHOLE else 400_000)  # ten megabytes, or two
        )

    given = Sources(grounds([text(7919)]), grounds([]), grounds([text(104_729)]))
    notes = {"MEMORY.md": "# Memory\n\n- [N](note.md)\n", "note.md": "# Note\n\n- a fact\n"}
    rows = "".join(
        f"- {' '.join(vocabulary[(n * 131 + m * 2_017) % size] for m in range(12))}\n"
        for n in range(500)
    )
    after = tree({**notes, "note.md": notes["note.md"] + rows})
    with within(4.0 if WHOLE else 0.8):  # measured: 3 s of ten; reading all takes 12 s
        review(tree(notes), after, settings=Settings(), report=Report(grounds=given))
