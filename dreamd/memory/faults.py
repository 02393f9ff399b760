"""What can be wrong with a memory directory as it stands: a table of rules, each pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import is_note, measure, notes, visible, warnings
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import INDEX, Tree
from dreamd.domain.words import plural
from dreamd.text.late import late
from dreamd.text.markdown.note import frontmatter
from dreamd.text.markdown.pointers import Pointer, called, nearest, pointers, resolve, unreachable
from dreamd.text.secrets.secrets import find
from dreamd.text.time.relative import is_anchored, relative_phrases

LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps, and is not merged
_USUAL_KEY = late(r"(?:name|description|type|metadata|pinned|title|tags):")
_JOURNAL = late(r".*\d{4}-\d\d-\d\d.*")
_BYTES = late("[\udc80-\udcff]")


class Reading(Struct, frozen=True):
    """A tree as it is read: the text of each note, what names mean, and every path of a note."""

    tree: Tree
    settings: Settings
    texts: Mapping[PurePosixPath, str]
    names: frozenset[PurePosixPath]
    wiki_names: Mapping[str, PurePosixPath]

    def goal(self, pointer: Pointer, source: PurePosixPath) -> PurePosixPath | None:
        """Return the note that a pointer leads to, None where it dangles."""
        return resolve(pointer, self.names, source, self.wiki_names)

    def dangling(self, source: PurePosixPath) -> tuple[Pointer, ...]:
        """Return the pointers of a note that lead nowhere."""
        found = pointers(self.texts[source], source)
        return tuple(pointer for pointer in found if self.goal(pointer, source) is None)


def read(tree: Tree, settings: Settings, *, known: Reading | None = None) -> Reading:
    """Read the notes of a tree; binary ones have no text, but can be pointed to.

    What an earlier reading `known` has already read is not read again.
    """
    texts = {path: text for path, text in notes(tree).items() if "\0" not in text}
    names = frozenset(filter(is_note, [*tree.files, *tree.unread]))
    wiki_names = known.wiki_names if known and known.texts == texts else called(texts)
    return Reading(tree, settings, texts, names, wiki_names)


class Rule(Struct, frozen=True):
    """One claim about a memory directory, and what finds where it does not hold.

    `only_warns` rules find no faults.
    """

    name: str
    claim: str
    judge: Callable[[Reading], Iterable[Finding]]
    only_warns: bool = False


def faults_of(reading: Reading) -> tuple[Finding, ...]:
    """Return the faults that stand in a tree, without warnings."""
    judged = [finding for rule in RULES if not rule.only_warns for finding in rule.judge(reading)]
    return tuple(finding for finding in judged if finding.severity is Severity.FAULT)


def undecodable(data: bytes) -> int | None:
    """Return the first line that is not UTF-8, None where all is."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return None


def line_starts(text: str) -> list[int]:
    """Return the column of a text at which each line begins."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def line_at(starts: Sequence[int], column: int) -> int:
    """Return the line (from 0) in which a column stands."""
    return bisect_right(starts, column) - 1


def frontmatter_fault(text: str) -> tuple[int, str] | None:
    """Return line and sentence if a note's frontmatter is not closed or not valid YAML."""
    head = frontmatter(text)
    rows = text.removeprefix("\ufeff").split("\n")
    if head is None:
        is_open = rows[0].rstrip() == "---" and len(rows) > 1 and _USUAL_KEY.match(rows[1])
        return (1, "the frontmatter has no closing `---`") if is_open else None
    import yaml  # noqa: PLC0415 - 20 ms that most commands do not need

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        value = yaml.load("\n".join(rows[1 : head.end - 1]), Loader=loader)  # noqa: S506 - it is safe
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return (mark.line + 2 if mark else 1, f"the frontmatter is not YAML: {error.problem}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return 1, f"the frontmatter is not YAML: {str(error).splitlines()[0]}"
    if value is not None and not isinstance(value, dict):
        return 1, "the frontmatter has no keys"
    return None


def stray(path: PurePosixPath, *, is_link: bool) -> str | None:
    """Return why a path has no place in a memory directory, None where it has one."""
    if any(part.startswith(".") for part in path.parts):
        return "is hidden; no reader of the memory sees it"
    if is_link:
        return "is a symbolic link; dreamd does not follow it"
    if path.suffix != ".md":
        return "is no Markdown note (`.md`); no reader of the memory looks for it"
    if _BYTES.search(str(path)) or not str(path).isprintable():
        return "has a name that is not plain text"
    return None


def _budget(reading: Reading) -> Iterator[Finding]:
    budget = reading.settings.budget
    yield from warnings(measure(reading.tree, budget), budget)
    seen = visible(reading.texts.get(INDEX, ""), budget)
    if seen.unseen is not None:
        most = budget.index_lines if seen.cut_by == "lines" else budget.index_units
        said = f"a new conversation sees nothing from here on: it loads {most:,} {seen.cut_by}"
        yield Finding("budget", INDEX, seen.unseen, said)


def _pointers(reading: Reading) -> Iterator[Finding]:
    for path in reading.texts:
        for pointer in reading.dangling(path):
            near = nearest(pointer.target, reading.names)
            hint = f"; {near} may be meant" if near else ""
            said = f"points to {pointer.target}, which does not exist{hint}"
            yield Finding("pointer", path, pointer.line + 1, said)


def _reachable(reading: Reading) -> Iterator[Finding]:
    lost = unreachable(reading.texts)
    if INDEX not in reading.names and any(path.parts[0] != "team" for path in lost):
        said = f"there is no index, so nothing leads to {plural(len(lost), 'note')}"
        yield Finding("reachable", INDEX, 0, said)
        return
    for path in lost:
        yield Finding("reachable", path, 0, f"no pointer leads here from {INDEX}")


def _frontmatter(reading: Reading) -> Iterator[Finding]:
    for path, text in reading.texts.items():
        if fault := frontmatter_fault(text):
            yield Finding("frontmatter", path, *fault)


def _text(reading: Reading) -> Iterator[Finding]:
    for path in filter(is_note, reading.tree.files):
        entry = reading.tree.files[path]
        if entry.is_link:
            continue
        if b"\0" in entry.data:
            yield Finding("text", path, 0, "is binary: it holds a NUL byte")
        elif len(entry.data) > LARGEST:
            size = len(entry.data) / LARGEST
            yield Finding("text", path, 0, f"has {size:.1f} MiB; dreamd works on 1 MiB at most")
        elif (line := undecodable(entry.data)) is not None:
            yield Finding("text", path, line, "is not UTF-8 here")


def _files(reading: Reading) -> Iterator[Finding]:
    folded: dict[str, PurePosixPath] = {}
    for path, entry in reading.tree.files.items():
        said = stray(path, is_link=entry.is_link)
        if said is None and entry.mode & 0o111:
            said = "is executable; a note need not be"
        other = folded.setdefault(str(path).casefold(), path)
        if said is None and other != path:
            said = f"differs from {other} in case only; macOS takes both for one file"
        if said is not None:
            yield Finding("file", path, 0, said, Severity.WARNING)
    for path in sorted(reading.tree.unread):
        if path.name != ".git":
            said = "is over 32 MiB or no regular file; dreamd does not read it"
            yield Finding("file", path, 0, said, Severity.WARNING)


def _secrets(reading: Reading) -> Iterator[Finding]:
    for path, text in reading.texts.items():
        starts = line_starts(text)
        for secret in find(text):
            said = f"holds a secret ({secret.kind}); `dreamd forget` removes it everywhere"
            yield Finding("secret", path, line_at(starts, secret.start) + 1, said)


def _relative_dates(reading: Reading) -> Iterator[Finding]:
    for path, text in reading.texts.items():
        if path.parts[0] == "logs" or _JOURNAL.fullmatch(path.stem):
            continue  # a daily note says its day in its name
        starts = line_starts(text)
        for phrase in relative_phrases(text):
            if not is_anchored(text, phrase):
                line = line_at(starts, phrase.start) + 1
                said = f'says "{" ".join(phrase.phrase.split())}", which is true for one day only'
                yield Finding("relative-date", path, line, said, Severity.WARNING)


RULES = (
    Rule("budget", "what is kept is seen: the index is within its limits", _budget),
    Rule("pointer", "every pointer leads to a note", _pointers),
    Rule("reachable", "every note has a pointer", _reachable),
    Rule("frontmatter", "frontmatter is closed and valid YAML", _frontmatter),
    Rule("text", "notes are UTF-8 text of at most 1 MiB", _text),
    Rule("file", "only Markdown lies below the memory directory", _files, only_warns=True),
    Rule("secret", "no note holds a secret", _secrets),
    Rule(
        "relative-date",
        "no note says a day that only its writer knew",
        _relative_dates,
        only_warns=True,
    ),
)
