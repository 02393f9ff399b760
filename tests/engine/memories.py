"""Memories for properties: every shape of Markdown that people write, and some they should not."""

from __future__ import annotations

from pathlib import PurePosixPath

from hypothesis import strategies as st
from msgspec import Struct

from dreamd.domain.settings import Budget
from dreamd.domain.tree import Entry, Tree

SMALL = Budget(memory_bytes=3000, index_lines=24, index_bytes=1800, index_units=1800, files=200)

WORDS = st.sampled_from(
    [
        *("alpha", "bravo", "port", "8080", "staging", "service", "A", "B", "deploy", "Straße"),
        *(
            "café",
            "東京",
            "データ",
            "🚀",
            "prefers",
            "always",
            "never",
            "the",
            "user",
            "must",
            "not",
        ),
        *("2", "v1.4", "build", "cache", "`code`", "**bold**", "done", "✅", "a|b", "x\u2028y"),
        *("tab\tbed", "must not", "yesterday"),
    ]
)
DAYS = st.sampled_from(
    [
        "2026-01-05",
        "2026-01-17",
        "2026-02-03",
        "2025-12-30",
        "3 March 2026",
        "2026-03",
        "2026-13-99",
    ]
)
TITLES = st.sampled_from(
    ["Notes", "Log", "Current status", "User preferences", "Completed work", "Service A", "Deploy"]
)
NAMES = st.sampled_from(
    [
        *("alpha.md", "deploy-notes.md", "Deploy_Notes.md", "2026-01-05.md", "sub/inner.md"),
        *("sub/deep/x y.md", "naïve.md", "a[b](c).md", "100%.md", "~home.md", "q?.md", "# h.md"),
        *("team/rules.md", "logs/2026/01/05.md", "notes.md", "log.md", "line\nbreak.md"),
    ]
)


class Counting(Struct):
    """Numbers the lines of one memory, so that no two of them are alike by chance."""

    number: int = 0

    def next(self) -> int:
        self.number += 1
        return self.number


@st.composite
def sentence(draw: st.DrawFn, counting: Counting | None) -> str:
    words = " ".join(draw(st.lists(WORDS, min_size=1, max_size=9)))
    return words if counting is None else f"{words} n{counting.next()}"


@st.composite
def link(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(["alpha", "deploy_notes", "deploy-note", "gone", "sub/inner", "x"]))
    title = draw(st.sampled_from(["Alpha", "A note", "Old"]))
    forms = [f"[{title}]({name}.md)", f"[{title}](./{name}.md#part)", f"[[{name}]]"]
    forms += [
        f"[[{name}|{title}]]",
        f"[{title}](<{name}.md>)",
        f"[{title}](https://x.org/{name}.md)",
    ]
    forms += [f"`[{title}]({name}.md)`", f"[{title}](../{name}.md)"]
    return draw(st.sampled_from(forms))


@st.composite
def piece(draw: st.DrawFn, counting: Counting | None, links: bool) -> list[str]:
    def said() -> str:
        return draw(sentence(counting))

    def several(least: int = 1, most: int = 6) -> range:
        return range(draw(st.integers(least, most)))

    kinds = ["heading", "dated", "bullets", "nested", "numbered", "label", "table", "fence", "text"]
    kinds += ["rule", "comment", "long", "many"] + (["pointer", "inline"] if links else [])
    match draw(st.sampled_from(kinds)):
        case "heading":
            tail = "" if counting is None else f" {counting.next()}x"
            return ["#" * draw(st.integers(1, 4)) + " " + draw(TITLES) + tail]
        case "dated":
            tail = "" if counting is None else f" - {counting.next()}x"
            return [f"{'#' * draw(st.integers(2, 3))} {draw(TITLES)} ({draw(DAYS)}){tail}"]
        case "bullets":
            mark = draw(st.sampled_from("-*+"))
            return [f"{mark} {said()}" for _ in several()]
        case "nested":
            return [f"- {said()}", *(f"  - {said()}" for _ in several()), "", f"  {said()}"]
        case "numbered":
            return [f"{number}. {said()}" for number, _ in enumerate(several(), 1)]
        case "label":
            return [f"**{said()}:**", *(f"- {said()}" for _ in several())]
        case "table":
            return ["| a | b |", "|---|---|", *(f"| {said()} | {said()} |" for _ in several())]
        case "fence":
            closing = draw(st.sampled_from(["```", "```", "```", ""]))
            return ["```sh", f"# {said()}", *(said() for _ in several()), closing]
        case "text":
            return [said() for _ in several(1, 3)]
        case "rule":
            return ["---"]
        case "comment":
            return [f"<!-- {said()} -->"]
        case "long":
            return [f"- {said()} " + "x" * draw(st.sampled_from([300, 2500]))]
        case "many":
            return [f"- {said()}" for _ in several(10, 40)]
        case "pointer":
            return [f"- {draw(link())}{draw(st.sampled_from(['', ' — ' + said()]))}"]
        case _:
            return [f"see {draw(link())} and {draw(link())}, {said()}"]


@st.composite
def text(draw: st.DrawFn, counting: Counting | None, links: bool, most: int) -> str:
    rows: list[str] = []
    head = draw(
        st.sampled_from(["", "", "name: x\n", "name: a\ntype: project\n", "broken\n", "a: 'b\n"])
    )
    if head:
        rows += ["---", *head.splitlines(), "---"]
    for _ in range(draw(st.integers(0, most))):
        rows += draw(piece(counting, links))
        rows += [""] * draw(st.sampled_from([0, 1, 1, 1, 2]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    whole = end.join(rows)
    return whole + draw(st.sampled_from(["", end]))


@st.composite
def memory(draw: st.DrawFn, *, unique: bool, links: bool) -> dict[PurePosixPath, str]:
    """A memory as texts; `unique` numbers every line, without `links` none points anywhere."""
    counting = Counting() if unique else None
    texts = {}
    if draw(st.integers(0, 9)):
        texts[PurePosixPath("MEMORY.md")] = draw(text(counting, links, 14))
    for name in draw(st.lists(NAMES, max_size=4, unique_by=str.casefold)):
        texts[PurePosixPath(name)] = draw(text(counting, links, 5))
    return texts


def tree(texts: dict[PurePosixPath, str]) -> Tree:
    return Tree({path: Entry(body.encode()) for path, body in texts.items()})
