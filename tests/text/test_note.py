"""An edit of the frontmatter touches one line; every other byte stays."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dreamd.cli.change import with_pin
from dreamd.text.markdown.note import (
    frontmatter,
    hook,
    is_pinned,
    quoted,
    scalar,
    title,
    value,
)
from tests.sample import examples

NOTE = (
    "---\r\n"
    'name: "a: b"   # the name\r\n'
    "custom_key:   [1, 2]\r\n"
    "description: >-\r\n"
    "  folded over\r\n"
    "  two lines\r\n"
    "metadata:\r\n"
    "    type: 'project'\r\n"
    "    odd key: x\r\n"
    "tags:\r\n"
    "- one\r\n"
    "- two\r\n"
    "---\r\n"
    "Body\u2028stays.\r\n"
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_values_are_read_at_the_top_and_below_metadata() -> None:
    assert value(NOTE, "name") == "a: b"
    assert value(NOTE, "type") == "project"
    assert value(NOTE, "metadata.type") == "project"
    assert value(NOTE, "description") == "folded over two lines"
    assert value(NOTE, "pinned") is None
    assert value("no frontmatter", "name") is None
    found = frontmatter(NOTE)
    assert found is not None
    assert found.end == 13


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("plain", "plain"), ("it's  # note", "it's"), ("'it''s'", "it's"), ('"a\\tb"', "a\tb")),
        *(
            ("a#b", "a#b"),
            ("", ""),
            ('"unclosed', '"unclosed'),
            ("http://x.org/a", "http://x.org/a"),
        ),
    ],
)
def test_quoting_and_comments_are_understood(written: str, meant: str) -> None:
    assert value(f"---\nname: {written}\n---\n", "name") == meant


def test_a_broken_frontmatter_still_gives_what_it_can() -> None:
    text = "---\nname: a\n  : : broken\n\tpinned: x\ntype: user\n---\nbody"
    assert value(text, "name") == "a"
    assert value(text, "type") == "user"
    assert frontmatter("---\nname: never closed\n") is None


@pytest.mark.parametrize(
    ("text", "pinned"), [("true", True), ("True", True), ("no", False), ("", False)]
)
def test_pinned_is_pinned_only_when_it_says_so(text: str, pinned: bool) -> None:
    assert is_pinned(f"---\nname: a\npinned: {text}\n---\n") is pinned


def test_a_pin_is_one_line_and_changes_no_other_byte() -> None:
    pinned = with_pin(NOTE, pin=True)
    assert pinned == NOTE.replace("- two\r\n---", "- two\r\npinned: true\r\n---")
    assert with_pin(pinned, pin=True) == pinned
    assert with_pin(pinned, pin=False) == NOTE
    assert with_pin(NOTE, pin=False) == NOTE
    nested = NOTE.replace("    odd key: x", "    pinned: no")
    assert with_pin(nested, pin=True) == NOTE.replace("    odd key: x", "    pinned: true")


@pytest.mark.parametrize(
    "text", ["", "body", "body\r\nmore", "\ufeff# Title\n", "---\nno key\n---\n"]
)
def test_a_note_without_frontmatter_gets_one_and_gives_it_back(text: str) -> None:
    pinned = with_pin(text, pin=True)
    assert is_pinned(pinned)
    assert pinned.endswith(text.removeprefix("\ufeff"))
    assert with_pin(pinned, pin=False) == text


WRITTEN = [  # a value, and as what YAML reads it once it is quoted
    ("NEVER: access env files", None),
    ('"never squash" is an order', None),
    ("'s-Hertogenbosch is where Odo lives", None),
    ("@ana leads the team", None),
    ("`make ship` deploys", None),
    ("*.pem files stay out", None),
    ("see issue #7", None),
    ("what to do when asked:", None),
    ("[draft] notes", None),
    ("> 5 nodes", None),
    ("- a dash", None),
    ("first: one\n  goes on", "first: one goes on"),
]
ORDINARY = ["plain words", "10:30 stand-up", "'a: b'", '"a: b"  # why', "user  # or project"]
ORDINARY += ["[a, b]", "{a: b}", "true", "2026-05-01", ">-\n  a: b", "|\n  a: b", "http://x.org/a"]


def test_a_value_that_is_no_yaml_is_quoted_and_nothing_else_is() -> None:
    for raw, meant in WRITTEN:
        for form in (
            NOTE.replace('"a: b"   # the name', "{}"),
            "---\nmetadata:\n  name: {}\n---\n",
        ):
            if "\n" in raw and "metadata:\n  name" in form:
                continue
            text = quoted(form.replace("{}", raw))
            read = yaml.safe_load("".join(text.splitlines(keepends=True)[1:]).partition("---")[0])
            found = read["name"] if "name" in read else read["metadata"]["name"]
            assert found == (meant or raw), raw
            assert quoted(text) == text
    for raw in ORDINARY:
        text = NOTE.replace('"a: b"   # the name', raw)
        assert quoted(text) == text, raw
    assert quoted("# a: b\n") == "# a: b\n"
    assert quoted(NOTE) == NOTE


@example("\ufffe \uffff")
@given(TEXT)
@example("True")
@example("FALSE")
@settings(max_examples=examples(300), deadline=None, derandomize=True)
def test_yaml_reads_back_what_was_written(content: str) -> None:
    read = yaml.safe_load(f"name: {scalar(content)}")["name"]
    assert read == content or content in {"true", "false"}


@given(TEXT.filter(lambda content: "\\" not in content))
@settings(max_examples=examples(300), deadline=None, derandomize=True)
def test_what_was_written_is_read_back(content: str) -> None:
    assert value(f"---\nname: {scalar(content)}\n---\n", "name") == content


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "---\nname: some-name\n---\n\n# The *Title*\n", "The Title"),
        ("a.md", "---\nname: some-name\n---\ntext\n# Later", "Some name"),
        ("deploy_notes.md", "text", "Deploy notes"),
        ("2026-01-05.md", "text", "2026-01-05"),
        ("sub/a\nb.md", "", "a b"),
        ("a.md", "---\nname: Spelled out\n---\n", "Spelled out"),
    ],
)
def test_a_note_is_called_by_its_heading_its_name_or_its_file(
    path: str, text: str, expected: str
) -> None:
    assert title(PurePosixPath(path), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndescription: what it is\n---\nbody", "what it is"),
        ("# T\n\nOne sentence here. Another one.", "One sentence here."),
        ("# T\n\n**Facts:**\n- port 8080.\n- host `web`\n", "port 8080; host web"),
        ("# T\n", ""),
        ("", ""),
    ],
)
def test_a_hook_says_what_a_note_holds(text: str, expected: str) -> None:
    assert hook(text) == expected


def test_a_long_hook_is_cut_at_a_word() -> None:
    said = hook("word " * 100)
    assert len(said) <= 120
    assert said.endswith("word…")
    assert "\n" not in hook("---\ndescription: |\n  a\n  b\n---\n")
