"""What a review lets through, mends and holds out; trees are written as small texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dreamd.domain.change import Finding, Severity
from dreamd.domain.dream import Report
from dreamd.domain.evidence import PersonSaid, ToolReturned, sources
from dreamd.domain.settings import Budget, Review, Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.review import RULES, Reviewed, review
from dreamd.memory.review.case import Case, Mend
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
    return Tree(files)


def texts(given: Tree | None) -> dict[str, str]:
    assert given is not None
    return {
        str(path): entry.data.decode("utf-8", "surrogateescape")
        for path, entry in given.files.items()
    }


def judge(
    before: Notes, changes: Notes, report: Report | None = None, **budget: int
) -> tuple[Reviewed, list[Finding]]:
    """Review a dream that makes these changes; the faults of before are left out."""
    verdict = review(
        tree(before),
        tree({**before, **changes}),
        settings=Settings(budget=Budget(**budget)),
        report=report or Report(),
    )
    return verdict, [each for each in verdict.findings if each.severity is not Severity.FAULT]


def told(findings: Iterable[Finding]) -> list[tuple[str, str, int, str]]:
    return [(each.rule, str(each.path), each.line, each.severity.value) for each in findings]


KEY = f"- The token is {TOKEN}\n"
GOOD = "- Pytest runs the tests\n"
MARK = "-" * 5
PEM = "\n".join(
    [f"{MARK}BEGIN PRIVATE KEY{MARK}", *["Ab3" * 20] * 4, f"{MARK}END PRIVATE KEY{MARK}", ""]
)
HEAD = "---\nname: food\ndescription: meals\n---\n"
OPEN = "---\nname: new\ndescription: x\n\nWords here.\n"
OWN = "- Ann moved the queue to Redis yesterday, oh well\n"
STALE = "- Ann joined yesterday, on 2026-01-02\n"
CARS = "\n## Cars\n\n- Ann drives a red one\n- Bob drives none at all\n\n***\n\nThe end.\n"
BLOCK = "\n```\nexport A=1\nexport B=2 of it\n```\n"
ROWS = TOOLS.splitlines(keepends=True)
PLAN = "- [Plan](plan.md) — the plan\n"
TO_NEW = INDEX_TEXT + "- [New](new.md)\n"
PINNED = "---\npinned: true\n---\n"
KEPT = "---\nname: kept\npinned: true\n---\n\nBe kind to everyone here.\n"
RULED = INDEX_TEXT + "- [Rules](team/rules.md)\n- [Kept](kept.md)\n"
PETS = "- Ann has 3 cats\n- Bob has 2 dogs\n"
FACTS = [f"- fact number {n} of many\n" for n in range(12)]
FULL = INDEX_TEXT + "".join(FACTS)
NO_FOOD = INDEX_TEXT.replace("- [Food](food.md) — meals\n", "")


def without(*lines: int) -> str:
    return "".join(row for number, row in enumerate(ROWS) if number not in lines)


def held(rule: str, name: str, *lines: int) -> list[tuple[str, str, int, str]]:
    return [(rule, name, line, "held out") for line in lines or (0,)]


def mended(rule: str, name: str, *lines: int) -> list[tuple[str, str, int, str]]:
    return [(rule, name, line, "mended") for line in lines or (0,)]


# name: what BEFORE has beside, what the dream changes, what is applied of it (None: all), what
# is said of it (None: whatever), and the limits of the index
Row = tuple[Notes, Notes, Notes | None, list[tuple[str, str, int, str]] | None, dict[str, int]]
TABLE: dict[str, Row] = {
    "good work is applied whole": ({}, {"tools.md": TOOLS + GOOD}, None, [], {}),
    "one bad line is held out": (
        {}, {"tools.md": TOOLS + KEY + GOOD}, {"tools.md": TOOLS + GOOD},
        held("secret", "tools.md", 9), {},
    ),
    "lines merged into a bad line stand again": (
        {},
        {"food.md": "# Food\n\n",
         "tools.md": f"{TOOLS}- Ann likes rye bread, Bob cannot eat nuts, they share {TOKEN}\n"},
        {}, None, {},
    ),
    "lines moved into a bad file stand again": (
        {}, {"tools.md": without(4, 5), "moved.txt": "".join(ROWS[4:6])}, {},
        held("file", "moved.txt"), {},
    ),
    "a line put back stands below its heading": (
        {"food.md": FOOD + CARS},
        {"food.md": FOOD + "The end.\n",
         "tools.md": f"{TOOLS}- Ann drives a red one\n- Bob drives none at all, {TOKEN}\n"},
        {"food.md": FOOD + CARS.replace("- Ann drives a red one\n", ""),
         "tools.md": TOOLS + "- Ann drives a red one\n"},
        None, {},
    ),
    "a code block is put back with all of it": (
        {"tools.md": TOOLS + BLOCK},
        {"tools.md": TOOLS, "food.md": f"{FOOD}- export B=2 of it, {TOKEN}\n"}, {}, None, {},
    ),
    "a code block is never torn open": (
        {}, {"tools.md": f"{TOOLS}```\nexport A=1\nexport TOKEN={TOKEN}\n```\n"},
        {"tools.md": f"{TOOLS}```\nexport A=1\n```\n"}, None, {},
    ),
    "the first note gets an index": (
        dict.fromkeys(BEFORE), {"new.md": "Words.\n"},
        {"new.md": "Words.\n", "MEMORY.md": "# Memory\n\n- [New](new.md) — Words.\n"}, None, {},
    ),
    "a section moved into a bad file stands again": (
        {"food.md": FOOD + CARS}, {"food.md": FOOD, ".cars.md": "# Cars\n" + CARS}, {}, None, {},
    ),
    "a line put back stands before new ones": (
        {}, {"tools.md": "".join([*ROWS[:2], f"- He sings {TOKEN}\n", "- Zoe hums\n", *ROWS[4:]])},
        {"tools.md": "".join([*ROWS[:3], "- Zoe hums\n", *ROWS[4:]])}, None, {},
    ),
    "a line put back stands behind new ones": (
        {}, {"tools.md": "".join([*ROWS[:2], "- Zoe hums\n", f"- He sings {TOKEN}\n", *ROWS[4:]])},
        {"tools.md": "".join([*ROWS[:2], "- Zoe hums\n", *ROWS[3:]])}, None, {},
    ),
    "no trace is left at an end without newline": (
        {"food.md": FOOD + "- the end"}, {"food.md": FOOD + "- the end\n" + KEY}, {}, None, {},
    ),
    "binary": ({}, {"tools.md": b"a\0b"}, {}, held("text", "tools.md"), {}),
    "over 1 MiB": ({}, {"tools.md": b"x" * (1 << 20) + b"\n"}, {}, held("text", "tools.md"), {}),
    "a line that is no UTF-8": (
        {}, {"tools.md": TOOLS + "- Zo\udcfc\n" + GOOD}, {"tools.md": TOOLS + GOOD},
        held("text", "tools.md", 9), {},
    ),
    "nothing comes below team": (
        {}, {"team/new.md": "Be kind.\n"}, {}, held("pinned", "team/new.md"), {},
    ),
    "a secret that stood there may move": (
        {"food.md": FOOD + KEY}, {"food.md": FOOD, "tools.md": TOOLS + KEY}, None, [], {},
    ),
    "a private key goes with all its lines": (
        {}, {"tools.md": TOOLS + PEM + GOOD}, {"tools.md": TOOLS + GOOD}, None, {},
    ),
    "a secret in a name": ({}, {f"{TOKEN}.md": "words\n"}, {}, None, {}),
    "a new note with bad frontmatter takes its pointer along": (
        {}, {"MEMORY.md": TO_NEW + "- Ann is here\n", "new.md": "---\nx: y\n- a\n---\n\nWords\n"},
        {"MEMORY.md": INDEX_TEXT + "- Ann is here\n"}, None, {},
    ),
    "open frontmatter is closed where its end is sure": (
        {}, {"new.md": OPEN, "MEMORY.md": TO_NEW},
        {"new.md": OPEN.replace("x\n\n", "x\n---\n\n"), "MEMORY.md": TO_NEW},
        mended("frontmatter", "new.md", 1), {},
    ),
    "bad frontmatter of the user stays": (
        {"food.md": "---\nname: [food\n---\n" + FOOD},
        {"food.md": "---\nname: [food\n---\n" + FOOD + GOOD}, None, [], {},
    ),
    "the user's own words keep their relative date": (
        {"food.md": FOOD + OWN},
        {"food.md": FOOD + "- Bob eats no nuts; Ann moved the queue to Redis yesterday; …\n"},
        None, [], {},
    ),
    "but not with a date beside it": (
        {"food.md": FOOD + OWN},
        {"food.md": FOOD + "- 2026-03-30: Ann moved the queue to Redis yesterday\n"},
        {}, held("relative-date", "food.md", 5), {},
    ),
    "a quarter of the entries may go": (
        {"food.md": "# Food\n"}, {"tools.md": without(2, 3)}, None, [], {},
    ),
    "more than a quarter stand again": (
        {}, {"tools.md": without(2, 3, 6) + GOOD}, {},
        held("gone", "tools.md", 3), {},
    ),
    "a note removed without a word stands again with its pointer": (
        {}, {"tools.md": None, "MEMORY.md": "# Memory\n\n- [Food](food.md) — meals\n"},
        {}, None, {},
    ),
    "lines that move are neither gone nor new": (
        {"tools.md": TOOLS + STALE},
        {"tools.md": "# Tools\n", "more.md": (TOOLS + STALE)[9:],
         "MEMORY.md": INDEX_TEXT + "- [More](more.md)\n"},
        None, [], {},
    ),
    "exact duplicates may become one": (
        {"more.md": TOOLS, "MEMORY.md": INDEX_TEXT + "- [More](more.md)\n"},
        {"more.md": None, "MEMORY.md": INDEX_TEXT}, None, [], {},
    ),
    "a dangling pointer of the user may move": (
        {"MEMORY.md": INDEX_TEXT + PLAN}, {"MEMORY.md": INDEX_TEXT, "food.md": FOOD + PLAN},
        None, [], {},
    ),
    "a note stays while a line that stays points to it": (
        {"tools.md": TOOLS + "- see [food](food.md)\n"},
        {"food.md": None, "MEMORY.md": NO_FOOD + FOOD.replace("# Food\n\n", "")},
        {}, None, {},
    ),
    "a new note gets a pointer": (
        {}, {"new.md": "---\nname: new\ndescription: what is new\n---\n\nWords.\n"},
        {"new.md": "---\nname: new\ndescription: what is new\n---\n\nWords.\n",
         "MEMORY.md": INDEX_TEXT + "- [New](new.md) — what is new\n"},
        mended("reachable", "MEMORY.md"), {},
    ),
    "the last pointer to a note stands again": (
        {}, {"MEMORY.md": NO_FOOD + "- Ann is here\n"}, {},
        held("reachable", "MEMORY.md", 4), {},
    ),
    "a pinned index gets no pointer": (
        {"MEMORY.md": PINNED + INDEX_TEXT}, {"new.md": "Words.\n"}, {}, None, {},
    ),
    "a note of the user without a pointer": (
        {"loose.md": "Words.\n"}, {"loose.md": "Words.\nMore words.\n"}, None, [], {},
    ),
    "the newest lines over budget, pointers last": (
        {}, {"MEMORY.md": f"# Memory\n\n- first fact\n{TO_NEW[10:]}".replace(
            "- [New]", "- last fact\n- [New]"), "new.md": "Words.\n"},
        {"MEMORY.md": TO_NEW, "new.md": "Words.\n"}, held("budget", "MEMORY.md", 3, 6),
        {"index_lines": 5},
    ),
    "a note whose pointer does not fit": (
        {}, {"MEMORY.md": TO_NEW, "new.md": "Words.\n"}, {}, None, {"index_lines": 4},
    ),
    "what moved with a note that does not fit": (
        {"MEMORY.md": INDEX_TEXT + PETS},
        {"MEMORY.md": INDEX_TEXT + "- [Pets](pets.md) — " + "x" * 400 + "\n", "pets.md": PETS},
        {}, None, {"index_bytes": 300},
    ),
    "an index over budget may shrink": (
        {"MEMORY.md": FULL},
        {"MEMORY.md": INDEX_TEXT + "".join(FACTS[:10]), "food.md": FOOD + "".join(FACTS[10:])},
        None, [], {"index_lines": 10},
    ),
    "but not grow": (
        {"MEMORY.md": FULL}, {"MEMORY.md": FULL + "- one more\n"}, {},
        held("budget", "MEMORY.md", 17), {"index_lines": 10},
    ),
    **{
        f"a pinned or shared note stays: {name} {how}": (
            {"MEMORY.md": RULED, "team/rules.md": "Be kind.\n", "kept.md": KEPT},
            {name: now, "tools.md": TOOLS + GOOD}, {"tools.md": TOOLS + GOOD},
            held("pinned", name) if now else None, {},
        )
        for name, how, now in (
            ("team/rules.md", "edited", "Be kind.\nMore.\n"), ("team/rules.md", "removed", None),
            ("kept.md", "edited", KEPT + "More.\n"), ("kept.md", "removed", None),
            ("kept.md", "unpinned", KEPT.replace("pinned: true\n", "") + "x\n"),
        )
    },
    **{
        f"only Markdown with a plain name: {name!r}": ({}, {name: "words\n"}, {}, None, {})
        for name in ("notes.txt", ".h.md", "sub/.x/a.md", "Tools.md", "a\nb.md", "a\udcff.md",
                     "tools.md/inner.md")
    },
    **{
        f"broken frontmatter, good body: {row}": (
            {"food.md": HEAD + FOOD}, {"food.md": f"---\nname: food\n{row}\n---\n{FOOD}{GOOD}"},
            {"food.md": HEAD + FOOD + GOOD}, None, {},
        )
        for row in ("- a\n- b", "{x: y}")
    },
    "a description that is no YAML is quoted": (
        {"food.md": HEAD + FOOD},
        {"food.md": f"---\nname: food\ndescription: NEVER: touch rye\n---\n{FOOD}{GOOD}"},
        {"food.md": f'---\nname: food\ndescription: "NEVER: touch rye"\n---\n{FOOD}{GOOD}'},
        mended("frontmatter", "food.md", 3), {},
    ),
    **{
        f"a relative date: {row}": (
            {}, {"food.md": f"{FOOD}- {row}\n{GOOD}"}, {"food.md": FOOD + GOOD},
            held("relative-date", "food.md", 5), {},
        )
        for row in ("2026-03-30: the disk filled up yesterday", "Ann joined last week")
    },
    **{
        f"a day that is known: {row}": ({}, {"food.md": f"{FOOD}- {row}\n"}, None, [], {})
        for row in (
            "Ann moved last year (said 2024-05-30)", "Run `date -d yesterday`, said 2026-03-30",
            'On 2026-03-30 Ann said "I moved it yesterday"',
        )
    },
    **{
        f"lines end as the note does: {old!r} {new!r}": (
            {"food.md": old}, {"food.md": new}, {"food.md": wanted},
            None if new != wanted else [], {},
        )
        for old, new, wanted in (
            ("a word", "a word\nmore", "a word\nmore\n"),
            ("a word", "new\na word", "new\na word"),
            ("a word\r\nb\r\n", "a word\r\nmore\nb\r\n", "a word\r\nmore\r\nb\r\n"),
            ("a word\r\nb\r\n", "a word\nb\nmore\n", "a word\r\nb\r\nmore\r\n"),
            ("a word\nb\n", "a word\r\nmore\r\nb\r\n", "a word\nmore\nb\n"),
            ("a word\nb\r\n", "a word\nmore\nb\r\n", "a word\nmore\nb\r\n"),
            ("\ufeffa word\nb\n", "a word\nb\nc\n", "\ufeffa word\nb\nc\n"),
        )
    },
    **{
        f"a dangling pointer is mended: {line}": (
            {}, {"MEMORY.md": f"{INDEX_TEXT}{line}\n"}, {"MEMORY.md": f"{INDEX_TEXT}{wanted}\n"},
            None, {},
        )
        for line, wanted in (
            ("- [T](tool.md)", "- [T](tools.md)"),
            ("- see [[foods]] and [[cars]]", "- see [[food]] and cars"),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_of_every_dream_the_good_part_is_applied(name: str) -> None:
    more, changes, applied, found, limits = TABLE[name]
    before = {**BEFORE, **more}
    verdict, findings = judge(before, changes, None, **limits)
    changed = texts(tree({**before, **changes}))
    wanted = changed if applied is None else texts(tree({**before, **applied}))
    assert texts(verdict.applied) == wanted
    assert found is None or told(findings) == found
    assert TOKEN not in "".join(each.message for each in findings)
    assert verdict.refused is None
    if applied is None:
        assert verdict.proposal is None
    elif any(each.severity is Severity.HELD_OUT for each in findings):
        proposal = texts(verdict.proposal)
        assert all(proposal.get(path) == changed.get(path) for path in changes)


def test_modes_stay_and_a_new_note_is_not_executable() -> None:
    before = tree(BEFORE, food=0o751)
    changes = {"MEMORY.md": TO_NEW, "new.md": "words\n", "tools.md": TOOLS + "- x\n"}
    after = tree({**BEFORE, **changes}, tools=0o755, food=0o600, new=0o711)
    verdict = review(before, after, settings=Settings(), report=Report())
    modes = {str(path): entry.mode for path, entry in verdict.applied.files.items()}
    assert modes == {"MEMORY.md": 0o640, "tools.md": 0o640, "food.md": 0o751, "new.md": 0o600}
    assert (verdict.findings, verdict.proposal) == ((), None)


def test_faults_of_the_user_are_reported_where_they_are_now() -> None:
    line = f"{PLAN[:-1]} {TOKEN}\n"
    verdict, _ = judge(
        {**BEFORE, "food.md": HEAD.replace("food", "[food") + FOOD + line, "loose.md": "Words.\n"},
        {"food.md": HEAD.replace("food", "[food") + FOOD, "tools.md": TOOLS + line},
    )
    assert {(f.rule, str(f.path), f.line) for f in verdict.findings} == {
        ("secret", "tools.md", 9), ("pointer", "tools.md", 9), ("frontmatter", "food.md", 3),
        ("reachable", "loose.md", 0),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("gone", "merged", "explained"),
    [
        ((2, 3), "Ruff checks the Python code and mypy checks the types of it", True),
        ((2,), "Python code: ruff checks it", True),  # 4 of 5 words
        ((2,), "Ruff checks it", False),
        ((4, 5), "The database listens on port 5432, the bundle has 240 kB since 2026-03-01", True),
        ((4,), "The database listens on port 5433", False),
        ((5,), "The bundle has 240 kB since 2026-03-02", False),
        ((6,), "Deploys on Fridays never happen", True),
        ((6,), "Deploys happen on Fridays", False),  # four of five words, and the wrong ones
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


WORDS = ["Ann", "likes", "rye", "bread", "2026-03-01", "port", "5432", "never", "`make`"]
LINES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(
        lambda each: "- " + " ".join(each)
    ),
    st.sampled_from([
        "", "# Title", "## Part", "```", "---", "name: x", "pinned: true", "name: [x", f"- {TOKEN}",
        "- [A](a.md) — hook", "- [B](b.md)", "- [C](sub/c.md)", "see [[a]] and [[zzz]]",
    ]),
)  # fmt: skip
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
SAID = st.lists(st.sampled_from(["Ann likes rye", "port 5432", "2026-03-01", "bread"]))
REPORTS = st.just(Report()) | SAID.map(
    lambda said: Report(
        grounds=sources(
            [
                *(PersonSaid(text, "s", str(n)) for n, text in enumerate(said)),
                ToolReturned("never `make` bread, yesterday", "s", "t"),
            ]
        )
    )
)


def contents(given: Tree) -> dict[PurePosixPath, tuple[bytes, int]]:
    return {path: (each.data, each.mode) for path, each in given.files.items()}


def rows_of(given: Tree) -> set[str]:
    every = {row.strip(" \t-*+#>\r") for text in texts(given).values() for row in text.split("\n")}
    return {row for row in every if any(map(str.isalnum, row)) and "[" not in row}


def is_in(row: str, rows: set[str]) -> bool:
    """Whether one of the rows is this one, or has four of five of its words and all its numbers."""
    wanted = set(re.findall(r"\w+", row.casefold()))
    needed = {word for word in wanted if word.isdigit() or word == "never"}
    found = [set(re.findall(r"\w+", other.casefold())) for other in rows]
    return any(needed <= each and len(wanted & each) >= 0.8 * len(wanted) for each in found)


@settings(max_examples=examples(350), deadline=None)
@given(dreams(), st.sampled_from([Settings(), SMALL]), REPORTS)
def test_what_is_applied_needs_no_further_review_and_loses_no_line_that_the_dream_kept(
    dream: tuple[dict[str, str], dict[str, str]], limits: Settings, report: Report
) -> None:
    """Where lines need a source, no line of before is lost at all."""
    before, after = map(tree, dream)
    verdict = review(before, after, settings=limits, report=report)
    again = review(before, verdict.applied, settings=limits, report=report)
    assert {each.rule for each in verdict.findings} <= RULES.keys()
    assert {each.severity for each in again.findings} <= {Severity.FAULT}
    assert contents(again.applied) == contents(verdict.applied)
    severities = {each.severity for each in verdict.findings}
    if Severity.HELD_OUT not in severities:
        assert verdict.proposal is None
        if Severity.MENDED not in severities:
            assert contents(verdict.applied) == contents(after)
    if verdict.refused:
        assert contents(verdict.applied) == contents(before)
        return
    headings = {"Title", "Part", "name: x", "pinned: true"}
    stands = rows_of(verdict.applied)
    proposal = verdict.applied if verdict.proposal is None else verdict.proposal
    assert rows_of(after) <= rows_of(proposal) | headings
    if report.grounds:
        assert all(is_in(row, stands) for row in rows_of(before) - headings)
    elif limits is not SMALL:
        assert rows_of(before) & rows_of(after) <= stands


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
        rules={**RULES, "endless": never_content},
    )
    assert verdict.applied == before
    assert verdict.proposal == after
    assert verdict.refused is not None
    assert "no note was changed" in verdict.refused
    assert "endless" in verdict.refused
