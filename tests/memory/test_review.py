"""What a review lets through, mends and holds out; trees are written as small texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dreamd.domain.dream import Report
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Budget, Review, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.review import RULES, Rule, Verdict, review
from dreamd.memory.review.case import Case
from dreamd.memory.review.rule import Mend
from tests.pace import within
from tests.sample import examples

Notes = Mapping[str, str | bytes | None]
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
INDEX_TEXT = "# Memory\n\n- [Tools](tools.md) — which tools\n- [Food](food.md) — meals\n"
TOOLS = "# Tools\n\n" + "".join(
    f"- {line}\n"
    for line in (
        "Ruff checks the Python code",
        "Mypy checks the types of it",
        "The database listens on port 5432",
        "The bundle has 240 kB since 2026-03-01",
        "Deploys never happen on Fridays",
        "`make all` builds the wheel",
    )
)
FOOD = "# Food\n\n- Ann likes rye bread\n- Bob cannot eat nuts\n"
BEFORE: Notes = {"MEMORY.md": INDEX_TEXT, "tools.md": TOOLS, "food.md": FOOD}


def tree(notes: Notes, **modes: int) -> Tree:
    files = {
        PurePosixPath(name): Entry(
            data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"),
            modes.get(name.partition(".")[0], 0o640),
            1,
        )
        for name, data in sorted(notes.items())
        if data is not None
    }
    folders = {parent: 0o750 for path in files for parent in path.parents if parent.parts}
    return Tree(files, folders)


def texts(given: Tree | None) -> dict[str, str]:
    assert given is not None
    return {
        str(path): entry.data.decode("utf-8", "surrogateescape")
        for path, entry in given.files.items()
    }


def judge(
    before: Notes, changes: Notes, report: Report | None = None, **budget: int
) -> tuple[Verdict, list[Finding]]:
    """Review a dream that makes these changes; the faults of before are left out."""
    verdict = review(
        tree(before),
        tree({**before, **changes}),
        settings=Settings(budget=Budget(**budget)),
        report=report or Report(),
    )
    return verdict, [each for each in verdict.findings if each.severity is not Severity.FAULT]


def told(findings: list[Finding]) -> list[tuple[str, str, int, str]]:
    return [(each.rule, str(each.path), each.line, each.severity.value) for each in findings]


def test_a_dream_that_breaks_no_rule_is_applied_whole() -> None:
    changes = {"tools.md": TOOLS.replace("Ruff checks", "Ruff 0.9 checks")}
    verdict, findings = judge(BEFORE, changes)
    assert texts(verdict.applied) == {**BEFORE, **changes}
    assert (verdict.proposal, verdict.refused, findings) == (None, None, [])


def test_one_bad_line_is_held_out_and_the_good_ones_are_applied() -> None:
    good = "- Pytest runs the tests\n"
    bad = f"- The token is {TOKEN}\n"
    verdict, findings = judge(BEFORE, {"tools.md": TOOLS + bad + good})
    assert texts(verdict.applied)["tools.md"] == TOOLS + good
    assert texts(verdict.proposal)["tools.md"] == TOOLS + bad + good
    assert told(findings) == [("secret", "tools.md", 9, "held out")]
    assert TOKEN not in findings[0].message


def test_what_a_held_out_line_replaced_stands_again_at_its_place() -> None:
    changed = TOOLS.replace("port 5432", f"port 5432, token {TOKEN}")
    verdict, _ = judge(BEFORE, {"tools.md": changed})
    assert texts(verdict.applied) == BEFORE
    assert texts(verdict.proposal)["tools.md"] == changed


def test_lines_merged_into_a_line_that_is_held_out_stand_again() -> None:
    merged = f"- Ann likes rye bread, Bob cannot eat nuts, they share {TOKEN}\n"
    verdict, _ = judge(BEFORE, {"food.md": "# Food\n\n", "tools.md": TOOLS + merged})
    assert texts(verdict.applied) == BEFORE


def test_lines_moved_into_a_file_that_is_held_out_stand_where_they_stood() -> None:
    moved = "".join(TOOLS.splitlines(keepends=True)[4:6])
    rest = TOOLS.replace(moved, "")
    verdict, findings = judge(BEFORE, {"tools.md": rest, "moved.txt": moved})
    assert texts(verdict.applied) == BEFORE
    assert told(findings) == [("file", "moved.txt", 0, "held out")]


def test_a_line_put_back_stands_below_its_heading() -> None:
    cars = "\n## Cars\n\n- Ann drives a red one\n- Bob drives none at all\n\n***\n\nThe end.\n"
    before = {**BEFORE, "food.md": FOOD + cars}
    merged = f"- Ann drives a red one\n- Bob drives none at all, {TOKEN}\n"
    verdict, _ = judge(before, {"food.md": FOOD + "The end.\n", "tools.md": TOOLS + merged})
    assert texts(verdict.applied)["food.md"] == FOOD + cars.replace("- Ann drives a red one\n", "")


def test_part_of_a_code_block_is_put_back_with_all_of_it() -> None:
    block = "\n```\nexport A=1\nexport B=2 of it\n```\n"
    before = {**BEFORE, "tools.md": TOOLS + block}
    merged = f"- export B=2 of it, {TOKEN}\n"
    verdict, _ = judge(before, {"tools.md": TOOLS, "food.md": FOOD + merged})
    assert texts(verdict.applied) == before


def test_a_heading_moved_into_a_file_that_is_held_out_stands_where_it_stood() -> None:
    before = {**BEFORE, "food.md": FOOD + "\n## Cars of Ann\n"}
    verdict, _ = judge(before, {"food.md": FOOD, ".cars.md": "## Cars of Ann\n"})
    assert texts(verdict.applied) == before


def test_each_line_put_back_stands_where_it_stood_among_new_ones() -> None:
    rows = TOOLS.splitlines(keepends=True)
    good = "- Zoe hums\n"
    now = "".join([*rows[:2], f"- He sings {TOKEN}\n", good, *rows[4:]])
    verdict, _ = judge(BEFORE, {"tools.md": now})
    assert texts(verdict.applied)["tools.md"] == "".join([*rows[:3], good, *rows[4:]])
    now = "".join([*rows[:2], good, f"- He sings {TOKEN}\n", *rows[4:]])
    verdict, _ = judge(BEFORE, {"tools.md": now})
    assert texts(verdict.applied)["tools.md"] == "".join([*rows[:2], good, *rows[3:]])


def test_a_held_out_line_leaves_no_trace_at_an_end_without_newline() -> None:
    before = {**BEFORE, "food.md": FOOD + "- the end"}
    verdict, _ = judge(before, {"food.md": FOOD + f"- the end\n- token {TOKEN}\n"})
    assert texts(verdict.applied) == before


def test_a_moved_section_comes_back_with_its_heading() -> None:
    section = "\n## Cars\n\n- Ann drives a red one\n- Bob drives none\n"
    before = {**BEFORE, "food.md": FOOD + section}
    verdict, _ = judge(before, {"food.md": FOOD, ".cars.md": "# Cars\n" + section})
    assert texts(verdict.applied) == before


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"notes.txt": "words\n"}, "notes.txt"),
        ({".hidden.md": "words\n"}, ".hidden.md"),
        ({"sub/.x/a.md": "words\n"}, "sub/.x/a.md"),
        ({"Tools.md": "words\n"}, "Tools.md"),
        ({"a\nb.md": "words\n"}, "a\nb.md"),
        ({"a\udcff.md": "words\n"}, "a\udcff.md"),
        ({"tools.md/inner.md": "words\n", "tools.md": None}, "tools.md/inner.md"),
        ({"data.json": '{"a": 2}\n'}, "data.json"),
        ({"data.json": None}, "data.json"),
        ({".gitignore": None}, ".gitignore"),
    ],
)
def test_only_markdown_comes_and_other_files_stay_as_they_are(changes: Notes, path: str) -> None:
    before = {**BEFORE, "data.json": '{"a": 1}\n', ".gitignore": "*~\n"}
    verdict, findings = judge(before, changes)
    assert texts(verdict.applied) == before
    assert ("file", path, 0, "held out") in told(findings)
    assert verdict.refused is None


def test_a_link_is_not_added_and_not_turned_elsewhere() -> None:
    before = tree(BEFORE)
    link = Entry(b"/etc/passwd", 0o777, 1, is_link=True)
    old = Entry(b"tools.md", 0o777, 1, is_link=True)
    was = replace(before, files={**before.files, PurePosixPath("old.md"): old})
    for name in ("old.md", "new.md", "food.md"):
        after = replace(was, files={**was.files, PurePosixPath(name): link})
        verdict = review(was, after, settings=Settings(), report=Report())
        assert verdict.applied.files == was.files
        assert verdict.proposal is not None
        assert verdict.proposal.files[PurePosixPath(name)] == link


def test_an_executable_bit_is_dropped_and_other_modes_stay() -> None:
    before = tree(BEFORE, food=0o751)
    index = INDEX_TEXT + "- [New](new.md)\n"
    changes = {"MEMORY.md": index, "new.md": "words\n", "tools.md": TOOLS + "- x\n"}
    after = tree({**BEFORE, **changes}, tools=0o755, food=0o600, new=0o711)
    verdict = review(before, after, settings=Settings(), report=Report())
    modes = {str(path): oct(entry.mode) for path, entry in verdict.applied.files.items()}
    assert modes == {
        "MEMORY.md": "0o640", "tools.md": "0o640", "food.md": "0o751", "new.md": "0o600"
    }  # fmt: skip
    mended = [each for each in verdict.findings if each.rule == "file"]
    assert told(mended) == [("file", "new.md", 0, "mended"), ("file", "tools.md", 0, "mended")]
    assert verdict.proposal is None


@pytest.mark.parametrize("data", [b"a\0b", b"x" * (1024 * 1024 + 1)], ids=["binary", "over 1 MiB"])
def test_a_note_that_becomes_no_text_is_held_out(data: bytes) -> None:
    verdict, findings = judge(BEFORE, {"tools.md": data})
    assert texts(verdict.applied) == BEFORE
    assert told(findings) == [("text", "tools.md", 0, "held out")]


def test_a_line_that_is_not_utf8_is_held_out_alone() -> None:
    verdict, findings = judge(BEFORE, {"tools.md": (TOOLS + "- Zo\udcfc\n- more tools\n")})
    assert texts(verdict.applied)["tools.md"] == TOOLS + "- more tools\n"
    assert told(findings) == [("text", "tools.md", 9, "held out")]


def test_what_cannot_be_read_after_the_dream_is_as_it_was() -> None:
    before = tree(BEFORE)
    after = tree({**BEFORE, "tools.md": None})
    after = replace(after, unread=frozenset({PurePosixPath("tools.md"), PurePosixPath("pipe")}))
    verdict = review(before, after, settings=Settings(), report=Report())
    assert verdict.applied == before
    held = [each for each in verdict.findings if each.severity is Severity.HELD_OUT]
    assert [str(each.path) for each in held] == ["pipe", "tools.md"]


@pytest.mark.parametrize("name", ["team/rules.md", "kept.md"])
@pytest.mark.parametrize("change", ["edited", "removed", "unpinned"])
def test_pinned_and_shared_notes_stay_as_they_are(name: str, change: str) -> None:
    pinned = "---\nname: kept\npinned: true\n---\n\nBe kind to everyone here.\n"
    index = INDEX_TEXT + "- [Rules](team/rules.md)\n- [Kept](kept.md)\n"
    before = {"MEMORY.md": index, "tools.md": TOOLS, "food.md": FOOD}
    before |= {"team/rules.md": "Be kind.\n", "kept.md": pinned}
    now = {
        "edited": f"{before[name]}More.\n",
        "removed": None,
        "unpinned": before[name].replace("pinned: true\n", "") + "x\n",
    }[change]
    verdict, findings = judge(before, {name: now, "tools.md": TOOLS + "- Pytest runs\n"})
    assert texts(verdict.applied) == {**before, "tools.md": TOOLS + "- Pytest runs\n"}
    assert ("pinned", name, 0, "held out") in told(findings)


def test_nothing_comes_below_team() -> None:
    verdict, findings = judge(BEFORE, {"team/new.md": "Be kind.\n"})
    assert texts(verdict.applied) == BEFORE
    assert ("pinned", "team/new.md", 0, "held out") in told(findings)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a word\n", "a word\nmore", "a word\nmore\n"),
        ("a word", "a word\nmore", "a word\nmore\n"),
        ("a word", "new\na word", "new\na word"),
        ("a word\r\nb\r\n", "a word\r\nmore\nb\r\n", "a word\r\nmore\r\nb\r\n"),
        ("a word\r\nb\r\n", "a word\nb\nmore\n", "a word\r\nb\r\nmore\r\n"),
        ("a word\nb\n", "a word\r\nmore\r\nb\r\n", "a word\nmore\nb\n"),
        ("a word\nb\r\n", "a word\nmore\nb\r\n", "a word\nmore\nb\r\n"),
        ("\ufeffa word\nb\n", "a word\nb\nc\n", "\ufeffa word\nb\nc\n"),
    ],
)
def test_lines_end_as_the_note_does(old: str, new: str, wanted: str) -> None:
    before = {**BEFORE, "food.md": old}
    verdict, findings = judge(before, {"food.md": new})
    assert texts(verdict.applied)["food.md"] == wanted
    assert verdict.proposal is None
    assert {each.rule for each in findings} <= {"line-end"}
    assert bool(findings) == (new != wanted)


def test_a_secret_that_stood_there_is_reported_and_may_move() -> None:
    line = f"- The token is {TOKEN}\n"
    before = {**BEFORE, "food.md": FOOD + line}
    verdict, findings = judge(before, {"food.md": FOOD, "tools.md": TOOLS + line})
    assert texts(verdict.applied)["tools.md"] == TOOLS + line
    assert findings == []
    (fault,) = verdict.findings
    assert (fault.rule, str(fault.path), fault.line) == ("secret", "tools.md", 9)


def test_a_private_key_is_held_out_with_all_its_lines() -> None:
    mark = "-" * 5
    rows = "\n".join("Ab3" * 20 for _ in range(4))
    key = f"{mark}BEGIN PRIVATE KEY{mark}\n{rows}\n{mark}END PRIVATE KEY{mark}\n"
    verdict, _ = judge(BEFORE, {"tools.md": TOOLS + key + "- Pytest runs\n"})
    assert texts(verdict.applied)["tools.md"] == TOOLS + "- Pytest runs\n"


HEAD = "---\nname: food\ndescription: meals\n---\n"


@pytest.mark.parametrize(
    "broken",
    [
        "---\nname: food\ndescription: a: b: c\n---\n",
        "---\nname: [food\n---\n",
        "---\nname: food\n\tdescription: x\n---\n",
    ],
)
def test_broken_frontmatter_is_held_out_and_the_body_is_applied(broken: str) -> None:
    before = {**BEFORE, "food.md": HEAD + FOOD}
    verdict, findings = judge(before, {"food.md": broken + FOOD + "- Cid eats all\n"})
    assert texts(verdict.applied)["food.md"] == HEAD + FOOD + "- Cid eats all\n"
    assert [(each.rule, str(each.path)) for each in findings] == [("frontmatter", "food.md")]


def test_a_new_note_with_broken_frontmatter_is_held_out_with_its_pointer() -> None:
    changes = {
        "MEMORY.md": INDEX_TEXT + "- [New](new.md) — new\n- Ann is here\n",
        "new.md": "---\nname: [x\n---\n\nWords here.\n",
    }
    verdict, _ = judge(BEFORE, changes)
    assert texts(verdict.applied) == {**BEFORE, "MEMORY.md": INDEX_TEXT + "- Ann is here\n"}
    assert texts(verdict.proposal) == {**BEFORE, **changes}


def test_open_frontmatter_is_closed_where_its_end_is_sure() -> None:
    new = "---\nname: new\ndescription: x\n\nWords here.\n"
    verdict, findings = judge(
        BEFORE, {"new.md": new, "MEMORY.md": INDEX_TEXT + "- [New](new.md)\n"}
    )
    assert texts(verdict.applied)["new.md"] == new.replace("x\n\n", "x\n---\n\n")
    assert told(findings) == [("frontmatter", "new.md", 1, "mended")]


def test_broken_frontmatter_of_the_user_stays_and_is_reported() -> None:
    broken = "---\nname: [food\n---\n"
    before = {**BEFORE, "food.md": broken + FOOD}
    verdict, findings = judge(before, {"food.md": broken + FOOD + "- Cid eats all\n"})
    assert texts(verdict.applied)["food.md"] == broken + FOOD + "- Cid eats all\n"
    assert findings == []
    assert [(f.rule, f.line) for f in verdict.findings] == [("frontmatter", 3)]


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-30: the disk filled up yesterday",
        "Ann joined last week",
        "On 30 March 2026 Bob said the launch is tomorrow",
    ],
)
def test_a_dated_fact_with_a_relative_date_is_held_out(line: str) -> None:
    verdict, findings = judge(BEFORE, {"food.md": FOOD + f"- {line}\n- Cid eats all\n"})
    assert texts(verdict.applied)["food.md"] == FOOD + "- Cid eats all\n"
    assert told(findings) == [("relative-date", "food.md", 5, "held out")]


@pytest.mark.parametrize(
    "line",
    [
        "The disk filled up on 2026-03-29",
        "The disk filled up yesterday (2026-03-29)",
        'On 2026-03-30 Ann said "I moved it yesterday"',
        "The last week of the plan is for tests, as of 2026-03-30",
        "Run `date -d yesterday`, said 2026-03-30",
    ],
)
def test_a_line_whose_day_is_known_passes(line: str) -> None:
    verdict, findings = judge(BEFORE, {"food.md": FOOD + f"- {line}\n"})
    assert verdict.proposal is None
    assert findings == []


OWN = "- Ann moved the queue to Redis yesterday, oh well\n"


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("- Ann moved the queue to Redis yesterday\n", True),
        ("- Bob eats no nuts; Ann moved the queue to Redis yesterday; …\n", True),
        ("- 2026-03-30: Ann moved the queue to Redis yesterday\n", False),
        ("- Yesterday was a good day\n", False),
    ],
)
def test_the_users_own_words_keep_their_relative_date_while_no_date_is_put_beside(
    line: str, stays: bool
) -> None:
    verdict, findings = judge({**BEFORE, "food.md": FOOD + OWN}, {"food.md": FOOD + line})
    assert texts(verdict.applied)["food.md"] == FOOD + (line if stays else OWN)
    assert [each.rule for each in findings] == ([] if stays else ["relative-date"])


def without(*lines: int) -> str:
    return "".join(
        row for number, row in enumerate(TOOLS.splitlines(keepends=True)) if number not in lines
    )


def test_a_quarter_of_the_entries_may_go() -> None:
    before = {**BEFORE, "food.md": "# Food\n"}
    verdict, findings = judge(before, {"tools.md": without(2, 3)})  # 2 of 8
    assert texts(verdict.applied)["tools.md"] == without(2, 3)
    assert findings == []


def test_more_than_a_quarter_gone_stands_again() -> None:
    good = "- Pytest runs the tests\n"
    verdict, findings = judge(BEFORE, {"tools.md": without(2, 3, 6) + good})
    assert texts(verdict.applied)["tools.md"] == TOOLS + good
    assert told(findings) == [("gone", "tools.md", 3, "held out")]
    assert texts(verdict.proposal)["tools.md"] == without(2, 3, 6) + good


def test_a_note_removed_without_a_word_stands_again_with_its_pointer() -> None:
    index = INDEX_TEXT.replace("- [Tools](tools.md) — which tools\n", "")
    verdict, _ = judge(BEFORE, {"tools.md": None, "MEMORY.md": index})
    assert texts(verdict.applied) == BEFORE


@pytest.mark.parametrize(
    ("gone", "merged", "explained"),
    [
        ((2, 3), "Ruff checks the Python code and mypy checks the types of it", True),
        ((2,), "Python code: ruff checks it", True),  # 4 of 5 words
        ((2,), "Ruff checks it", False),
        ((2, 3), "Ruff checks the Python code", False),
        ((4, 5), "The database listens on port 5432, the bundle has 240 kB since 2026-03-01", True),
        ((4,), "The database listens on port 5433", False),
        ((5,), "The bundle has 240 kB since 2026-03-02", False),
        ((6,), "Deploys on Fridays never happen", True),
        ((6,), "Deploys happen on Fridays", False),  # four of five words, and the wrong ones
        ((7,), "Use `make all`: builds the wheel", True),
        ((7,), "Use `make`: builds all the wheel", False),
    ],
)
def test_a_line_is_merged_if_one_line_has_its_values_and_most_words(
    gone: tuple[int, ...], merged: str, explained: bool
) -> None:
    after = without(*gone) + f"- {merged}\n"
    verdict = review(
        tree(BEFORE),
        tree({**BEFORE, "tools.md": after}),
        settings=Settings(review=Review(most_gone=0.0)),
        report=Report(),
    )
    assert (texts(verdict.applied)["tools.md"] == after) is explained
    assert {each.rule for each in verdict.findings} == (set() if explained else {"gone"})


def test_a_line_superseded_with_a_source_is_explained() -> None:
    gone = without(2, 3, 6)
    lines = ("Ruff checks the Python code", "Mypy checks the types of it")
    report = Report(superseded=tuple((PurePosixPath("tools.md"), f"- {each}") for each in lines))
    verdict, findings = judge(BEFORE, {"tools.md": gone}, report)
    assert texts(verdict.applied)["tools.md"] == gone
    assert findings == []


def test_lines_that_move_are_neither_gone_nor_new() -> None:
    stale = "- Ann joined yesterday, on 2026-01-02\n"
    before = {**BEFORE, "tools.md": TOOLS + stale}
    index = INDEX_TEXT + "- [More](more.md)\n"
    changes = {"tools.md": "# Tools\n", "more.md": (TOOLS + stale)[9:], "MEMORY.md": index}
    verdict, findings = judge(before, changes)
    assert texts(verdict.applied) == {**before, **changes}
    assert findings == []


def test_exact_duplicates_may_become_one() -> None:
    before = {**BEFORE, "more.md": TOOLS, "MEMORY.md": INDEX_TEXT + "- [More](more.md)\n"}
    verdict, findings = judge(before, {"more.md": None, "MEMORY.md": INDEX_TEXT})
    assert texts(verdict.applied) == BEFORE
    assert findings == []


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("- [T](tool.md)", "- [T](tools.md)"),
        ("- see [Plan](plan.md) for 3 more", "- see Plan for 3 more"),
        ("- see [[foods]] and [[cars]]", "- see [[food]] and cars"),
    ],
)
def test_a_dangling_pointer_in_a_line_of_the_dream_is_mended(line: str, wanted: str) -> None:
    verdict, findings = judge(BEFORE, {"MEMORY.md": INDEX_TEXT + line + "\n"})
    assert texts(verdict.applied)["MEMORY.md"] == INDEX_TEXT + wanted + "\n"
    assert verdict.proposal is None
    assert {each.severity for each in findings} == {Severity.MENDED}
    assert {(each.rule, each.line) for each in findings} == {("pointer", 5)}


def test_a_dangling_pointer_of_the_user_is_reported_even_when_it_moves() -> None:
    line = "- [Plan](plan.md) — the plan\n"
    before = {**BEFORE, "MEMORY.md": INDEX_TEXT + line}
    verdict, findings = judge(before, {"MEMORY.md": INDEX_TEXT, "food.md": FOOD + line})
    assert texts(verdict.applied)["food.md"] == FOOD + line
    assert findings == []
    assert [(f.rule, str(f.path), f.line) for f in verdict.findings] == [("pointer", "food.md", 5)]


def test_a_note_stays_while_a_line_that_stays_points_to_it() -> None:
    before = {**BEFORE, "tools.md": TOOLS + "- see [food](food.md)\n"}
    index = INDEX_TEXT.replace("- [Food](food.md) — meals\n", "")
    verdict, findings = judge(
        before, {"food.md": None, "MEMORY.md": index + FOOD.replace("# Food\n\n", "")}
    )
    assert texts(verdict.applied)["food.md"] == FOOD
    assert ("pointer", "food.md", 0, "held out") in told(findings)


def test_a_new_note_gets_a_pointer_in_the_index() -> None:
    new = "---\nname: new\ndescription: what is new\n---\n\nWords.\n"
    verdict, findings = judge(BEFORE, {"new.md": new})
    assert texts(verdict.applied)["MEMORY.md"] == INDEX_TEXT + "- [New](new.md) — what is new\n"
    assert told(findings) == [("reachable", "MEMORY.md", 0, "mended")]
    assert verdict.proposal is None


def test_the_first_note_gets_an_index() -> None:
    verdict, _ = judge({}, {"new.md": "Words.\n"})
    assert texts(verdict.applied)["MEMORY.md"] == "# Memory\n\n- [New](new.md) — Words.\n"


def test_the_last_pointer_to_a_note_stands_again() -> None:
    index = INDEX_TEXT.replace("- [Food](food.md) — meals\n", "- Ann is here\n")
    verdict, findings = judge(BEFORE, {"MEMORY.md": index})
    assert texts(verdict.applied)["MEMORY.md"] == (
        "# Memory\n\n- [Tools](tools.md) — which tools\n- [Food](food.md) — meals\n- Ann is here\n"
    )
    assert told(findings) == [("reachable", "MEMORY.md", 4, "held out")]


def test_a_pinned_index_gets_no_pointer_so_a_new_note_is_held_out() -> None:
    before = {**BEFORE, "MEMORY.md": "---\npinned: true\n---\n" + INDEX_TEXT}
    verdict, _ = judge(before, {"new.md": "Words.\n"})
    assert texts(verdict.applied) == before
    assert texts(verdict.proposal) == {**before, "new.md": "Words.\n"}


def test_notes_of_the_user_without_a_pointer_are_reported_only() -> None:
    before = {**BEFORE, "loose.md": "Words.\n"}
    verdict, findings = judge(before, {"loose.md": "Words.\nMore words.\n"})
    assert texts(verdict.applied)["MEMORY.md"] == INDEX_TEXT
    assert findings == []
    assert [(f.rule, str(f.path)) for f in verdict.findings] == [("reachable", "loose.md")]


def test_the_newest_lines_of_an_index_over_budget_are_held_out_pointers_last() -> None:
    changes = {
        "MEMORY.md": f"# Memory\n\n- first fact\n{INDEX_TEXT[10:]}- last fact\n- [New](new.md)\n",
        "new.md": "Words.\n",
    }
    verdict, findings = judge(BEFORE, changes, index_lines=5)
    assert texts(verdict.applied) == {
        **BEFORE,
        "MEMORY.md": INDEX_TEXT + "- [New](new.md)\n",
        "new.md": "Words.\n",
    }
    assert told(findings) == [
        ("budget", "MEMORY.md", 3, "held out"),
        ("budget", "MEMORY.md", 6, "held out"),
    ]
    assert texts(verdict.proposal) == {**BEFORE, **changes}


def test_a_note_whose_only_pointer_does_not_fit_is_held_out_with_it() -> None:
    changes = {"MEMORY.md": INDEX_TEXT + "- [New](new.md)\n", "new.md": "Words.\n"}
    verdict, _ = judge(BEFORE, changes, index_lines=4)
    assert texts(verdict.applied) == BEFORE
    assert texts(verdict.proposal) == {**BEFORE, **changes}


def test_what_moved_out_of_the_index_with_a_note_that_does_not_fit_stays_in_it() -> None:
    before = {**BEFORE, "MEMORY.md": INDEX_TEXT + "- Ann has 3 cats\n- Bob has 2 dogs\n"}
    changes = {
        "MEMORY.md": INDEX_TEXT + "- [Pets](pets.md) — " + "x" * 400 + "\n",
        "pets.md": "- Ann has 3 cats\n- Bob has 2 dogs\n",
    }
    verdict, _ = judge(before, changes, index_bytes=300)
    assert texts(verdict.applied) == before


def test_an_index_that_was_over_budget_may_shrink_but_not_grow() -> None:
    facts = [f"- fact number {n} of many\n" for n in range(12)]
    before = {**BEFORE, "MEMORY.md": INDEX_TEXT + "".join(facts)}
    shrunk = {"MEMORY.md": INDEX_TEXT + "".join(facts[:10]), "food.md": FOOD + "".join(facts[10:])}
    verdict, findings = judge(before, shrunk, index_lines=10)
    assert texts(verdict.applied) == {**before, **shrunk}
    assert findings == []
    assert {each.rule for each in verdict.findings} == {"budget"}  # still over: said, not blocked
    merged = {"MEMORY.md": INDEX_TEXT + "".join(facts[:9]) + "- facts number 9 10 11 of many\n"}
    verdict, findings = judge(before, merged, index_lines=10)
    assert texts(verdict.applied) == {**before, **merged}
    grown = {"MEMORY.md": str(before["MEMORY.md"]) + "- one more\n"}
    verdict, findings = judge(before, grown, index_lines=10)
    assert texts(verdict.applied) == before
    assert told(findings) == [("budget", "MEMORY.md", 17, "held out")]


def test_an_edit_of_the_user_that_breaks_a_rule_is_reported_not_touched() -> None:
    live = {**BEFORE, "food.md": FOOD + f"- yesterday he pasted {TOKEN}\n- [x](gone.md)\n"}
    verdict, findings = judge(live, {"tools.md": TOOLS + "- Pytest runs\n"})
    assert texts(verdict.applied) == {**live, "tools.md": TOOLS + "- Pytest runs\n"}
    assert findings == []
    assert {each.rule for each in verdict.findings} == {"secret", "pointer"}


def test_a_code_block_is_never_torn_open() -> None:
    block = f"```\nexport A=1\nexport TOKEN={TOKEN}\n```\n"
    verdict, _ = judge(BEFORE, {"tools.md": TOOLS + block})
    kept = texts(verdict.applied)["tools.md"]
    assert kept.count("```") % 2 == 0
    assert TOKEN not in kept


WORDS = [
    "Ann",
    "likes",
    "rye",
    "bread",
    "2026-03-01",
    "port",
    "5432",
    "never",
    "`make`",
    "yesterday",
]
LINES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(
        lambda each: "- " + " ".join(each)
    ),
    st.sampled_from(
        [
            "",
            "# Title",
            "## Part",
            "```",
            "---",
            "name: x",
            "pinned: true",
            "name: [x",
            "- [A](a.md) — hook",
            "- [B](b.md)",
            "- [C](sub/c.md)",
            "see [[a]] and [[zzz]]",
            f"- token {TOKEN}",
        ]
    ),
)
TEXTS = st.lists(LINES, max_size=9).flatmap(
    lambda rows: st.sampled_from(["\n", "\r\n"]).flatmap(
        lambda end: st.sampled_from([end.join(rows), "".join(row + end for row in rows)])
    )
)
NAMES = st.sampled_from(
    ["MEMORY.md", "MEMORY.md", "a.md", "b.md", "sub/c.md", "team/t.md", "x.txt", ".h.md", "A.md"]
)
TREES = st.dictionaries(NAMES, TEXTS, max_size=5)


@st.composite
def dreams(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    """A memory, and what a careless dream makes of it: lines moved, dropped, written, files too."""
    before = draw(TREES)
    after = {**before, **draw(TREES)}
    for name in draw(st.lists(st.sampled_from(sorted(after) or ["a.md"]), max_size=2)):
        after.pop(name, None)
    for name in sorted(after):
        rows = after[name].splitlines(keepends=True)
        if draw(st.booleans()) and rows:
            at = draw(st.integers(0, len(rows) - 1))
            line = rows.pop(at)
            goal = draw(st.sampled_from([*sorted(after), "gone"]))
            after[name] = "".join(rows)
            if goal != "gone":
                after[goal] += line
    return before, after


SMALL = Settings(budget=Budget(index_lines=6, index_bytes=200, index_units=200))


def contents(given: Tree) -> dict[PurePosixPath, tuple[bytes, int, bool]]:
    return {path: (each.data, each.mode, each.is_link) for path, each in given.files.items()}


@settings(max_examples=examples(250), deadline=None)
@given(dreams(), st.sampled_from([Settings(), SMALL]))
def test_what_is_applied_needs_no_further_review(
    dream: tuple[dict[str, str], dict[str, str]], limits: Settings
) -> None:
    before, after = map(tree, dream)
    verdict = review(before, after, settings=limits, report=Report())
    assert {each.rule for each in verdict.findings} <= {rule.name for rule in RULES}
    again = review(before, verdict.applied, settings=limits, report=Report())
    assert [str(each) for each in again.findings if each.severity is Severity.HELD_OUT] == []
    assert [str(each) for each in again.findings if each.severity is Severity.MENDED] == []
    assert contents(again.applied) == contents(verdict.applied)
    held = [each for each in verdict.findings if each.severity is Severity.HELD_OUT]
    mended = [each for each in verdict.findings if each.severity is Severity.MENDED]
    if not held:
        assert verdict.proposal is None
        if not mended:
            assert contents(verdict.applied) == contents(after)
    if verdict.refused:
        assert contents(verdict.applied) == contents(before)


@settings(max_examples=examples(100), deadline=None)
@given(TREES)
def test_a_dream_that_changes_nothing_is_never_judged(notes: dict[str, str]) -> None:
    given = tree(notes)
    verdict = review(given, given, settings=SMALL, report=Report())
    assert verdict.applied == given
    assert verdict.proposal is None
    assert {each.severity for each in verdict.findings} <= {Severity.FAULT}


@settings(max_examples=examples(100), deadline=None)
@given(TREES, TREES)
def test_what_is_wholly_held_out_leaves_every_byte(
    notes: dict[str, str], more: dict[str, str]
) -> None:
    kept = {name: text for name, text in notes.items() if name != "MEMORY.md"}
    before = {f"team/{name}": text for name, text in kept.items()}
    after = {**before, **{f"team/{name}": text for name, text in more.items()}}
    verdict = review(tree(before), tree(after), settings=SMALL, report=Report())
    assert contents(verdict.applied) == contents(tree(before))


@settings(max_examples=examples(100), deadline=None)
@given(dreams())
def test_a_line_of_before_is_never_lost_beside_a_proposal_unless_it_is_said(
    dream: tuple[dict[str, str], dict[str, str]],
) -> None:
    """No line is gone from what is applied that the dream itself had kept somewhere."""
    before, after = map(tree, dream)
    verdict = review(before, after, settings=Settings(), report=Report())

    def said(given: Tree) -> set[str]:
        return {
            row.strip(" \t-*+#>\r")
            for path, entry in given.files.items()
            for row in entry.data.decode().split("\n")
            if path.suffix == ".md" and not any(part.startswith(".") for part in path.parts)
        }

    kept = said(before) & said(after)
    words = {row for row in kept if any(map(str.isalnum, row)) and "[" not in row}
    assert words <= said(verdict.applied)


def test_a_dream_that_no_part_of_can_be_told_from_its_faults_is_refused_whole() -> None:
    def never_content(case: Case) -> Iterator[Mend]:
        path = PurePosixPath("tools.md")
        entry = case.after.tree.files[path]
        yield Mend(path, 0, "is never long enough", replace(entry, data=entry.data + b"- x\n"))

    before, after = tree(BEFORE), tree({**BEFORE, "food.md": FOOD + "- Cid eats all\n"})
    verdict = review(
        before,
        after,
        settings=Settings(),
        report=Report(),
        rules=(*RULES, Rule("endless", "there is never enough", never_content)),
    )
    assert verdict.applied == before
    assert verdict.proposal == after
    assert verdict.refused is not None
    assert "no note was changed" in verdict.refused
    assert "endless" in verdict.refused


def test_every_rule_of_the_table_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names)) == 14


def test_a_review_of_two_hundred_notes_is_quick() -> None:
    notes: dict[str, str] = {
        f"note-{n}.md": f"---\nname: note-{n}\ndescription: about {n}\n---\n\n"
        + "".join(f"- fact {n}.{m} about the thing number {m * 7}\n" for m in range(40))
        for n in range(200)
    }
    index = "# Memory\n\n" + "".join(f"- [N{n}](note-{n}.md) — {n}\n" for n in range(190))
    notes["MEMORY.md"] = index
    after = {**notes, **{f"note-{n}.md": notes[f"note-{n}.md"] + "- more\n" for n in range(100)}}
    with within(3.0):
        review(tree(notes), tree(after), settings=Settings(), report=Report())
