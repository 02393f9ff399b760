"""A pattern with cues finds what the bare pattern finds, in every text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from dreamd.domain.prose import confided, pasted, private, reported, shown
from dreamd.domain.prose.cued import Cued, cued, vocabulary
from dreamd.evidence import asking, firmness, stated, taken_up
from tests.sample import examples

MODULES = (asking, confided, firmness, pasted, private, reported, shown, stated, taken_up)


BORROWED = (asking.HEDGES, asking.BEGINS_ASKING)


def _all() -> Iterator[tuple[str, Cued]]:
    for module in MODULES:
        for name, value in vars(module).items():
            each = value if isinstance(value, tuple) else (value,)
            for number, one in enumerate(each):
                if isinstance(one, Cued) and (module is asking or value not in BORROWED):
                    yield f"{module.__name__}.{name}.{number}", one


CUED = dict(_all())


def bare(one: Cued) -> re.Pattern[str]:
    return re.compile(one.pattern, re.IGNORECASE)


def collapsed(one: Cued) -> re.Pattern[str]:
    """The pattern for texts like those it is for: one space between words, and no other."""
    spaced = one.pattern.replace(r"\s+", " ").replace(r"\s*", " ?").replace(r"\s?", " ?")
    return re.compile(spaced, re.IGNORECASE)


@pytest.mark.parametrize("name", CUED)
def test_whatever_a_pattern_matches_has_its_cues(name: str) -> None:
    one = CUED[name]

    @settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(some.from_regex(collapsed(one)))
    def check(text: str) -> None:
        found, wanted = one.search(text), bare(one).search(text)
        assert (found and found.span()) == (wanted and wanted.span())
        found, wanted = one.match(text), bare(one).match(text)
        assert (found and found.span()) == (wanted and wanted.span())

    check()


@pytest.mark.parametrize("before", ["", "Straße: ", "ΌΣΟΣ ", "ﬁne, "])
def test_what_is_found_stands_where_it_stands_in_the_text_as_it_was_written(before: str) -> None:
    one, text = cued(r"\bmy kit\b", "kit"), f"{before}My KIT is red"
    found = one.search(text)
    assert found
    assert text[found.start() : found.end()] == "My KIT"
    at = one.match(text, len(before))
    assert at
    assert at.span() == found.span()


def test_a_group_with_a_name_is_given_as_it_was_written() -> None:
    found = cued(r"\bmy (?P<what>\w+)", "my").search("So MY Kit is red")
    assert found
    assert found["what"] == "Kit"


@pytest.mark.parametrize("text", ["kit", "KIT", "K\u0130T", "\u212aIT", "k\u0131t", "a \u017fkit"])
def test_letters_are_folded_as_the_pattern_folds_them(text: str) -> None:
    one = cued(r"\bs?kit\b", "kit skit")
    assert bare(one).search(text)
    assert one.search(text)


def test_every_group_of_cues_must_have_one_that_stands_in_the_text() -> None:
    one = cued(r"", "sign flag", "pre*")
    found = [
        one.search(text) for text in ("a sign", "suppressed", "a red flag, suppressed", "Sign pre")
    ]
    assert [each is not None for each in found] == [False, False, True, True]


def test_words_end_at_apostrophes_and_dashes_and_not_at_underscores() -> None:
    words = vocabulary("Don't re-read my_file, \u201cNow\u201d: 40%")
    assert words == {"don", "t", "re", "read", "my_file", "now", "40"}
