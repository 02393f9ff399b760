"""How a message is read: tokens, stems, sentences, clauses, and the tables of words and cues."""

# ruff: noqa: E501 - a row of a table is one line
from __future__ import annotations

import re
import time
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from dreamd.evidence.light import beginnings
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses, masked, mood
from dreamd.text.sentences import Kind, sentences
from dreamd.text.statement import clean, leans, otherwise
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import tokens, words


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("run `make dev` on 10.0.0.4", ["word", "code", "word", "number"]),
        ("see ~/notes/a.md or https://x.org/a?b=1", ["word", "address", "word", "address"]),
        ("mail ana@example.org, please", ["word", "address", "mark", "word"]),
        ("64GB in 2026-01-02", ["number", "word", "number"]),
        ("don't", ["word"]),
    ],
)
def test_tokens_have_kinds(text: str, kinds: list[str]) -> None:
    assert [token.kind for token in tokens(text)] == kinds
    assert all(text[token.start : token.end] == token.text for token in tokens(text))


def test_stems_join_the_forms_of_a_word() -> None:
    assert stem("deployed") == stem("Deploys") == stem("deploy")
    assert stem("ran") == stem("running") == "run"
    assert content("The server's ports were moved.") == content("Move the server port")
    assert ordered("port 80 before port 81") == ("port", "80", "port", "81")
    assert words("Don’t push") == ("don't", "push")
    assert beginnings("Deployed on Friday") == beginnings("deploys, on Friday")


P, I, Q, X, C = Kind.PROSE, Kind.ITEM, Kind.QUOTED, Kind.PASTED, Kind.CODE  # noqa: E741


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One thing. another thing", [(P, "One thing."), (P, "another thing")]),
        ("Ask Dr. Weiss, e.g. today. Then go.", [(P, "Ask Dr. Weiss, e.g. today."), (P, "Then go.")]),
        ("first row\nsecond row", [(P, "first row"), (P, "second row")]),
        ("- one\n- two", [(I, "one"), (I, "two")]),
        ("1. yes\n2) the second", [(I, "yes"), (I, "the second")]),
        ("> they said so\nI say no", [(Q, "> they said so"), (P, "I say no")]),
        ("look:\n```\nx = 1\n```\nfine", [(P, "look:"), (C, "x = 1"), (P, "fine")]),
        ("the log says:\nall is lost\nfor ever", [(P, "the log says:"), (Q, "all is lost"), (Q, "for ever")]),
        ("[12:01] disk full\n[12:02] disk empty", [(X, "[12:01] disk full"), (X, "[12:02] disk empty")]),
        ('He wrote "Always stop. Never go" and I laughed', [(P, 'He wrote "Always stop. Never go" and I laughed')]),
        ("", []),
    ],
)  # fmt: skip
def test_a_message_is_cut_into_sentences_of_a_kind(
    text: str, found: list[tuple[Kind, str]]
) -> None:
    assert [(each.kind, each.text) for each in sentences(text)] == found
    assert all(text[each.start : each.end] == each.text for each in sentences(text))


def test_a_wrapped_sentence_is_one() -> None:
    text = "This is a long row that somebody wrapped at some sixty signs and\nwhich goes on here."
    assert [each.text for each in sentences(text)] == [text]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The kiln is in the yard.", Mood.STATED),
        ("Is the kiln in the yard?", Mood.ASKED),
        ("could you move the kiln", Mood.ASKED),
        ("Move the kiln to the yard.", Mood.ORDERED),
        ("ok, and please move the kiln", Mood.ORDERED),
        ("Don't move the kiln.", Mood.ORDERED),
        ("We will move the kiln next year.", Mood.PLANNED),
        ("I would like to move the kiln.", Mood.SUPPOSED),
        ("If we moved the kiln, it might break.", Mood.SUPPOSED),
        ("Maybe the kiln is broken.", Mood.SUPPOSED),
        ("Ana says that the kiln is broken.", Mood.REPORTED),
        ("According to the manual the kiln is safe.", Mood.REPORTED),
    ],
)
def test_a_sentence_has_a_mood(sentence: str, expected: Mood) -> None:
    assert mood(sentence) is expected


def test_a_clause_has_subject_verb_tense_negation_and_scope() -> None:
    first, second = clauses("The build runs on Linux, and we don't test on Windows.")
    assert (first.subject, first.verb, first.tense, first.negated) == (
        "the build", "runs", "present", False,
    )  # fmt: skip
    assert first.scope == ("on linux",)
    assert second.negated
    assert clauses("We moved the shop")[0].tense == "past"
    assert clauses("We will move")[0].tense == "future"
    assert clauses("The mugs are in the yard")[0].tense == "present"
    assert clauses("The mugs were in the yard")[0].tense == "past"


def test_a_quotation_of_several_words_is_left_out() -> None:
    assert masked('they said "always stop here" once') == "they said" + " " * 20 + "once"
    assert masked("end it with '_w' now") == "end it with '_w' now"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ok, and please never push to main", "Never push to main."),
        ("also, the kiln is new", "The kiln is new."),
        ("`make dev` starts it", "`make dev` starts it."),
    ],
)
def test_a_line_is_cleaned_of_what_only_leads_to_it(text: str, line: str) -> None:
    assert clean(text) == line


def test_a_line_that_leans_on_another_is_seen() -> None:
    assert leans("It runs there.")
    assert not leans("The kiln runs at night.")
    assert not leans("This kiln runs at night.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The kiln holds ninety mugs.", ""),
        ("Our mugs are glazed by Kim.", ""),
        ("I am allergic to lead glaze.", ""),
        ("The kiln is cold today.", "state of the moment"),
        ("We fired it on Monday and it broke.", "state of the moment"),
        ("Move the kiln.", "task"),
        ("We will fire the kiln.", "plan"),
    ],
)
def test_only_a_lasting_statement_is_one(text: str, kind: str) -> None:
    assert otherwise(text) == kind


def test_each_row_of_words_has_an_example_with_one_of_them() -> None:
    for name, known, said in lexicon.table("lexicon"):
        low = f" {said.lower()} "
        assert any(word.replace("_", " ") in low for word in known.split()), name


CUES = [*lexicon.cues(is_change=False)[0], *lexicon.cues(is_change=True)[0]]


@pytest.mark.parametrize("row", list(lexicon.table("cues")), ids=lambda row: str(row[0]))
def test_each_cue_matches_its_example_and_not_the_other(row: list[str]) -> None:
    name, asks, _, _, pattern, example, counterexample, hits, right = row

    def finds(text: str) -> bool:
        if asks == "change":
            return re.search(pattern, text.lower()) is not None
        return any(found.name == name for found, _ in lexicon.find(text.lower()))

    assert finds(example), example
    if asks in {"save", "correction"}:
        assert not finds(counterexample), counterexample
    assert 0 <= int(right) <= int(hits)
    assert int(hits) < 8 or int(right) >= 0.75 * int(hits), "too often wrong on real messages"


def test_cues_have_names_of_their_own() -> None:
    assert len({cue.name for cue in CUES}) == len(CUES) == len(list(lexicon.table("cues")))


@pytest.mark.parametrize("row", list(lexicon.table("patterns")), ids=lambda row: str(row[0]))
def test_each_pattern_matches_its_example_and_not_the_other(row: list[str]) -> None:
    name, _, example, counterexample = row
    assert lexicon.pattern(name).search(example)
    assert not lexicon.pattern(name).search(counterexample)


def runs(items: Any) -> set[str]:
    """What stands in every text that a pattern matches: runs of letters, "\0" for all else."""
    found = {""}
    for code, argument in items:
        if code is op.LITERAL:
            step = {chr(argument)}
        elif code is op.BRANCH:
            step = {run for branch in argument[1] for run in runs(branch)}
        elif code is op.SUBPATTERN:
            step = runs(argument[3])
        elif code in {op.MAX_REPEAT, op.MIN_REPEAT} and argument[0]:
            step = {f"\0{run}\0" for run in runs(argument[2])}
        elif code is op.ASSERT and argument[0] == 1:
            step = {f"\0{run}\0" for run in runs(argument[1])}
        else:
            step = {"" if code is op.AT else "\0"}
        found = {before + run for before in found for run in step}
    return found


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: cue.name)
def test_no_cue_matches_without_one_of_its_words(cue: lexicon.Cue) -> None:
    every = runs(_parser.parse(cue.pattern.pattern))
    assert [run for run in every if not any(mark in run for mark in cue.words)] == []


def test_long_text_is_read_in_time_that_grows_with_it() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        for each in sentences(text):
            content(each.text)
        return time.process_time() - began

    for part in (
        "word ",
        "a.b ",
        "x,y; ",
        "`c` ",
        "(( ",
        "don't ",
        "a--a",
        ".",
        "。",
        '"q" ',
        "1,2.3 ",
    ):
        short, long = part * 2_000 + "x", part * 10_000 + "x"
        assert min(seconds(long) for _ in range(2)) < 12 * max(seconds(short), 0.02)
