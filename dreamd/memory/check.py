"""`dreamd check`: what is wrong with a memory directory, what is mechanical of it put right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.memory.faults import LARGEST, RULES, Reading, frontmatter_fault, read, undecodable
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, ending, lines
from dreamd.text.markdown.note import frontmatter, is_pinned
from dreamd.text.markdown.pointers import aimed, nearest, unlinked, unreachable

_KEYED = late(r"[\w.-]+:(?:[ \t].*)?|[ \t]+\S.*|- .*|#.*")
_FOREIGN = {"team", "logs"}  # shared notes and daily logs


def lint(tree: Tree, settings: Settings) -> tuple[Finding, ...]:
    """Return what is wrong or will soon be, by path and line; no secret is repeated."""
    reading = read(tree, settings)
    found = [finding for rule in RULES for finding in rule.judge(reading)]
    return tuple(sorted(found, key=lambda each: (each.path, each.line)))


def mend(tree: Tree, settings: Settings) -> tuple[Tree, tuple[Finding, ...]]:
    """Return the tree with what is mechanical put right, and what that was; all other bytes stay.

    A dangling pointer is aimed at the note it surely means, or becomes plain words; a note
    without a pointer gets one in the index; frontmatter that surely ends somewhere is closed.
    Pinned notes, `team/` and `logs/` are not touched.
    """
    found: list[Finding] = []
    for step in (_close, _aim, _point):
        reading = read(tree, settings)
        for path, text, findings in step(reading):
            tree = _with(tree, path, text)
            found += findings
    return tree, tuple(found)


_Mended = tuple[PurePosixPath, str, list[Finding]]


def _close(reading: Reading) -> Iterator[_Mended]:
    for path, text in reading.texts.items():
        fault = frontmatter_fault(text) if is_ours(path, text) else None
        if fault and (whole := closed(text)) is not None:
            said = "the frontmatter had no closing `---`"
            yield path, whole, [Finding("frontmatter", path, 1, said, Severity.MENDED)]


def _aim(reading: Reading) -> Iterator[_Mended]:
    for path, text in reading.texts.items():
        dangling = reading.dangling(path)
        if not dangling or not is_ours(path, text):
            continue
        rows = list(lines(text))
        found = []
        for pointer in reversed(dangling):
            row = rows[pointer.line]
            goal = nearest(pointer.target, reading.names)
            line = aimed(bare(row), pointer, path, goal) if goal else unlinked(bare(row), pointer)
            rows[pointer.line] = line + ending(row)
            said = f"pointed to {pointer.target}; now {f'to {goal}' if goal else 'plain words'}"
            found.append(Finding("pointer", path, pointer.line + 1, said, Severity.MENDED))
        yield path, "".join(rows), found[::-1]


def _point(reading: Reading) -> Iterator[_Mended]:
    index = reading.texts.get(INDEX, "")
    missing = [path for path in unreachable(reading.texts) if path.parts[0] not in _FOREIGN]
    is_unreadable = INDEX in reading.names and INDEX not in reading.texts
    if not missing or is_unreadable or not is_ours(INDEX, index):
        return
    said = f"had no pointer in {INDEX}"
    found = [Finding("reachable", path, 0, said, Severity.MENDED) for path in missing]
    yield INDEX, with_lines(index, [line_for(p, reading.texts[p]) for p in missing]), found


def is_ours(path: PurePosixPath, text: str) -> bool:
    """Whether a note may be mended: not pinned, not shared, no daily log, of a size for notes."""
    is_foreign = path.parts[0] in _FOREIGN or is_pinned(text)
    return not is_foreign and len(text) <= LARGEST


def _with(tree: Tree, path: PurePosixPath, text: str) -> Tree:
    data = text.encode("utf-8", "surrogateescape")
    newest = max((entry.mtime_ns for entry in tree.files.values()), default=0)
    entry = replace(tree.files.get(path, Entry(b"", mtime_ns=newest)), data=data)
    return replace(tree, files=dict(sorted({**tree.files, path: entry}.items())))


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
    if INDEX in tree.folders:
        return f"{INDEX} is a directory; move it away, the index is a text file of that name"
    if INDEX in tree.unread:
        return f"{INDEX} is no regular file or is over 32 MiB; put a text file in its place"
    entry = tree.files.get(INDEX)
    if entry is None:
        return None
    if entry.is_link:
        target = entry.data.decode("utf-8", "backslashreplace")
        return f"{INDEX} is a symbolic link to {target}; put the file itself in its place"
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
