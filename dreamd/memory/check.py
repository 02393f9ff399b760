"""`dreamd check`: what is wrong with a memory directory, what is mechanical of it put right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd.domain.change import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.memory.faults import LARGEST, RULES, Reading, frontmatter_fault, read, undecodable
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, ending, lines
from dreamd.text.markdown.note import frontmatter, is_pinned
from dreamd.text.markdown.pointers import Pointer, aimed, nearest, unlinked

_KEYED = late(r"[\w.-]+:(?:[ \t].*)?|[ \t]+\S.*|- .*|#.*")
_FOREIGN = {"team", "logs"}  # shared notes and daily logs


def lint(tree: Tree, settings: Settings) -> tuple[Finding, ...]:
    """Return what is wrong or will soon be, by path and line; no secret is repeated."""
    reading = read(tree, settings)
    found = [finding for rule in RULES for finding in rule.findings(reading)]
    return tuple(sorted(found, key=lambda each: (each.path, each.line)))


def mend(tree: Tree, settings: Settings) -> tuple[Tree, tuple[Finding, ...]]:
    """Return the tree with what is mechanical put right, and what that was; all other bytes stay.

    A dangling pointer is aimed at the note it surely means, or becomes plain words; a note
    without a pointer gets one in the index; frontmatter that surely ends somewhere is closed.
    Pinned notes, `team/` and `logs/` are not touched.
    """
    found: list[Finding] = []
    for rule, step in (("frontmatter", _close), ("pointer", _aim), ("reachable", _point)):
        reading = read(tree, settings)
        newest = max((entry.mtime_ns for entry in tree.files.values()), default=0)
        files = dict(tree.files)
        for path, text, said in step(reading):
            files[path] = written(files.get(path) or Entry(b"", mtime_ns=newest), text)
            found += [Finding(rule, *each, Severity.MENDED) for each in said]
        tree = replace(tree, files=dict(sorted(files.items())))
    return tree, tuple(found)


_Mended = tuple[PurePosixPath, str, list[tuple[PurePosixPath, int, str]]]


def _close(reading: Reading) -> Iterator[_Mended]:
    for path, text in _ours(reading):
        if frontmatter_fault(text) and (whole := closed(text)) is not None:
            yield path, whole, [(path, 1, "the frontmatter had no closing `---`")]


def _aim(reading: Reading) -> Iterator[_Mended]:
    for path, text in _ours(reading):
        if dangling := reading.dangling(path):
            goals = [(each, nearest(each.target, reading.names)) for each in dangling]
            after, said = redirected(text, path, goals)
            yield path, after, [(path, *each) for each in said]


def _point(reading: Reading) -> Iterator[_Mended]:
    index = reading.texts.get(INDEX, "")
    missing = [path for path in reading.unreachable if path.parts[0] not in _FOREIGN]
    is_unreadable = INDEX in reading.names and INDEX not in reading.texts
    if missing and not is_unreadable and _is_ours(INDEX, index):
        text = with_lines(index, [line_for(path, reading.texts[path]) for path in missing])
        yield INDEX, text, [(path, 0, f"had no pointer in {INDEX}") for path in missing]


def _ours(reading: Reading) -> Iterator[tuple[PurePosixPath, str]]:
    return (each for each in reading.texts.items() if _is_ours(*each))


def _is_ours(path: PurePosixPath, text: str) -> bool:
    """Whether a note may be mended: not pinned, not shared, no daily log, of a size for notes."""
    return path.parts[0] not in _FOREIGN and len(text) <= LARGEST and not is_pinned(text)


def written(entry: Entry, text: str) -> Entry:
    """Return a note with another text."""
    return replace(entry, data=text.encode("utf-8", "surrogateescape"))


def redirected(
    text: str, path: PurePosixPath, goals: Sequence[tuple[Pointer, PurePosixPath | None]]
) -> tuple[str, list[tuple[int, str]]]:
    """Return a note with pointers aimed at their goals, without one as plain words; by line."""
    rows = list(lines(text))
    said = []
    for pointer, goal in reversed(goals):
        row = rows[pointer.line]
        line = aimed(bare(row), pointer, path, goal) if goal else unlinked(bare(row), pointer)
        rows[pointer.line] = line + ending(row)
        now = f"to {goal}" if goal else "plain words"
        said.append((pointer.line + 1, f"pointed to {pointer.target}; now {now}"))
    return "".join(rows), said[::-1]


def closed(text: str) -> str | None:
    """Return the note with its frontmatter closed, None where it is not sure where it ends.

    It is sure where lines of keys, valid as YAML, stand before a blank line or a heading.
    """
    rows = text.split("\n")
    at = 1
    while at < len(rows) and _KEYED.fullmatch(rows[at].rstrip("\r")):
        if rows[at].startswith("# "):
            break
        at += 1
    if at < len(rows) and rows[at].strip() and not rows[at].startswith("#"):
        return None
    end = "\r" if rows[0].endswith("\r") else ""
    text = "\n".join([*rows[:at], f"---{end}", *rows[at:]])
    return text if frontmatter(text) and frontmatter_fault(text) is None else None


def unfit(tree: Tree) -> str | None:
    """Return one sentence if the memory cannot be worked on at all, None where it can."""
    if INDEX in tree.unread:
        return f"{INDEX} is no regular file or is over 32 MiB; put a text file in its place"
    entry = tree.files.get(INDEX)
    if entry is None:
        return None
    if b"\0" in entry.data:
        at = entry.data.count(b"\n", 0, entry.data.index(b"\0")) + 1
        return f"{INDEX} is binary: a NUL byte stands in line {at}; put a text file in its place"
    if len(entry.data) > LARGEST:
        size = len(entry.data) / LARGEST
        return (
            f"{INDEX} has {size:.1f} MiB and dreamd works on 1 MiB at most; "
            "a new conversation sees 25,000 characters of it, so move the rest to other files"
        )
    if (line := undecodable(entry.data)) is not None:
        return f"{INDEX} is not UTF-8 in line {line}; save it as UTF-8"
    return None
