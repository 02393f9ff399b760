from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.domain.change import Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.memory.check import lint, mend
from dreamd.memory.index_lines import with_lines
from tests.memory.test_review import TOKEN, texts, told, tree
from tests.sample import examples

SETTINGS = Settings()
GOOD = {
    "MEMORY.md": "# Memory\n\n- [Tools](tools.md) — which tools\n",
    "tools.md": "---\nname: tools\ndescription: which tools\n---\n\nRuff since 2026-03-01.\n",
    "team/MEMORY.md": "- [Rules](rules.md)\n",
    "team/rules.md": "Be kind.\n",
    "logs/2026/03/2026-03-01.md": "Shipped it today.\n",
}


Row = tuple[str, str, int, str]
FAULTS: list[tuple[dict[str, str | bytes], Row]] = [
    ({"MEMORY.md": GOOD["MEMORY.md"] + "- [X](x.md)\n"}, ("pointer", "MEMORY.md", 4, "fault")),
    ({"tools.md": "see\n[[nothing]]\n"}, ("pointer", "tools.md", 2, "fault")),
    ({"loose.md": "Words.\n"}, ("reachable", "loose.md", 0, "fault")),
    ({"tools.md": "---\nname: [x\n---\n"}, ("frontmatter", "tools.md", 3, "fault")),
    ({"tools.md": "---\nname: a: b\n---\n"}, ("frontmatter", "tools.md", 2, "fault")),
    ({"tools.md": "---\nname: x\n\nWords.\n"}, ("frontmatter", "tools.md", 1, "fault")),
    ({"tools.md": "---\nd: 2026-13-45\n---\n"}, ("frontmatter", "tools.md", 1, "fault")),
    ({"tools.md": f"one\n\nkey {TOKEN}\n"}, ("secret", "tools.md", 3, "fault")),
    ({"tools.md": "one\nmoved it yesterday\n"}, ("relative-date", "tools.md", 2, "warning")),
    ({"tools.md": b"one\ntwo \xff\n"}, ("text", "tools.md", 2, "fault")),
    ({"notes.txt": "x"}, ("file", "notes.txt", 0, "warning")),
    ({"x.md/a.md": "x", "MEMORY.md": "[T](tools.md) [a](x.md/a.md)\n"},
     ("file", "x.md/a.md", 0, "warning")),
]  # fmt: skip
INDEX_TEXT = "[a](tools.md) [b](Tools.md)"
FOUND: list[tuple[Tree, list[Row]]] = [
    *((tree({**GOOD, **notes}), [fault]) for notes, fault in FAULTS),
    (
        Tree(
            tree({**GOOD, "Tools.md": "x", "MEMORY.md": INDEX_TEXT}, MEMORY=0o755).files,
            frozenset({PurePosixPath("l.md"), PurePosixPath("x.txt")}),
        ),
        [("file", f"{name}", 0, "warning")
         for name in ("MEMORY.md", "Tools.md", "l.md", "tools.md", "x.txt")],
    ),
    (
        tree({**GOOD, "MEMORY.md": "\n" + GOOD["MEMORY.md"] + "- fact\n" * 300}),
        [("budget", "MEMORY.md", 0, "fault"), ("budget", "MEMORY.md", 202, "fault")],
    ),
    (tree({**GOOD, **{f"team/{n}.md": "" for n in range(500)}}), [("budget", ".", 0, "warning")]),
    (tree({"a.md": "x\n", "b.md": "y\n"}), [("reachable", "MEMORY.md", 0, "fault")]),
    (tree({**GOOD, "tools.md": "moved it yesterday (2026-03-01)\n"}), []),
    (tree({**GOOD}), []),
]  # fmt: skip


@pytest.mark.parametrize(("given", "found"), FOUND)
def test_a_fault_is_named_with_rule_file_and_line(given: Tree, found: list[Row]) -> None:
    seen = lint(given, SETTINGS)
    assert [each for each in told(seen) if each[0] != "reachable" or each in found] == found
    assert TOKEN not in str(seen)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"MEMORY.md": "- [T](tool.md) — x\r\n\r\nend"},
         {"MEMORY.md": "- [T](tools.md) — x\r\n\r\nend"}),
        ({"MEMORY.md": "[T](tools.md)\nsee [gone](gone.md) [[nope]]\n"},
         {"MEMORY.md": "[T](tools.md)\nsee gone nope\n"}),
        ({"loose.md": f"---\ndescription: key {TOKEN}\n---\n# Loose [ends]\n"},
         {"MEMORY.md": GOOD["MEMORY.md"]
          + "- [Loose (ends)](loose.md) — key [redacted: GitHub key]\n"}),
        ({"tools.md": "---\nname: tools\ndescription: x\n\nWords.\n"},
         {"tools.md": "---\nname: tools\ndescription: x\n---\n\nWords.\n"}),
        ({"tools.md": "---\r\nname: tools\r\n# Tools\r\n"},
         {"tools.md": "---\r\nname: tools\r\n---\r\n# Tools\r\n"}),
    ],
)  # fmt: skip
def test_what_is_mechanical_is_mended_and_no_other_byte_changes(
    before: dict[str, str | bytes], after: dict[str, str]
) -> None:
    given = tree({**GOOD, **before})
    mended, findings = mend(given, SETTINGS)
    assert texts(mended) == {**texts(given), **after}
    assert {each.severity for each in findings} == {Severity.MENDED}
    assert all(mended.files[path].mode == entry.mode for path, entry in given.files.items())


@pytest.mark.parametrize(
    "notes",
    [
        {"team/rules.md": "see [x](nothing.md)\n"},
        {"logs/a.md": "see [x](nothing.md)\n"},
        {"tools.md": "---\npinned: true\n---\nsee [x](nothing.md)\n"},
        {"tools.md": "---\nname: [x\n---\n"},  # where it goes wrong is for a person to say
        {"tools.md": "---\nname: x\nWords that go on: and on\n more, [x\n\nEnd.\n"},
        {"tools.md": f"key {TOKEN} yesterday\n"},
        {"team/loose.md": "Words.\n"},
        {"MEMORY.md": "---\npinned: true\n---\n- [Tools](tools.md)\n", "a.md": "Words.\n"},
    ],
)
def test_what_is_not_mechanical_or_not_ours_is_left_alone(notes: dict[str, str | bytes]) -> None:
    given = tree({**GOOD, **notes})
    mended, findings = mend(given, SETTINGS)
    assert mended == given
    assert findings == ()
    assert lint(given, SETTINGS) != ()


ROWS = st.sampled_from([
    "", "# Title", "Words.", "- [A](a.md) — a", "- [[b]] x", "[gone](gone.md)", "---", "name: x",
    "- [sub](sub/c.md)", "[[nobody|somebody]]", "```", "\udcff", "é😀",
])  # fmt: skip
TEXTS = st.tuples(st.lists(ROWS, max_size=7), st.sampled_from(["\n", "\r\n"])).map(
    lambda each: each[1].join(each[0])
)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["MEMORY.md", "a.md", "b.md", "sub/c.md", "team/t.md"]), TEXTS, max_size=5
    )
)
def test_mending_leaves_nothing_mechanical_and_mends_once(notes: dict[str, str]) -> None:
    given = tree({name: text.encode("utf-8", "surrogateescape") for name, text in notes.items()})
    mended, findings = mend(given, SETTINGS)
    assert bool(findings) == (mended != given)
    assert mend(mended, SETTINGS) == (mended, ())
    foreign = {"team"}
    assert [
        str(each)
        for each in lint(mended, SETTINGS)
        if each.rule in {"pointer", "reachable"} and each.path.parts[0] not in foreign
    ] == []


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        ("", "# Memory\n\n- NEW\n"),
        ("# Mem\n\n- [A](a.md)\n", "# Mem\n\n- [A](a.md)\n- NEW\n"),
        ("# Mem\r\n\r\n* [A](a.md)\r\n", "# Mem\r\n\r\n* [A](a.md)\r\n* NEW\r\n"),
        ("1. [A](a.md)\n2. [B](b.md)\n\nend\n", "1. [A](a.md)\n2. [B](b.md)\n3. NEW\n\nend\n"),
        ("- [A](a.md)\n  more\n\n## Next\n", "- [A](a.md)\n  more\n- NEW\n\n## Next\n"),
        ("Words only.\n\n\n", "Words only.\n\n- NEW\n\n\n"),
        ("# Mem\n\nWords.\n```\nopen\n", "# Mem\n\n- NEW\n\nWords.\n```\nopen\n"),
        ("<!-- open\n", "- NEW\n\n<!-- open\n"),
        ("---\nname: x\n---\n```\n", "---\nname: x\n---\n\n- NEW\n\n```\n"),
    ],
)
def test_a_new_pointer_stands_at_the_end_of_the_list(index: str, wanted: str) -> None:
    line = "[New](new.md)"
    assert with_lines(index, []) == index
    assert with_lines(index, [line]) == wanted.replace("NEW", line)
