"""What can be wrong with notes: the one table of rules, for `check` and for the review."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import is_note, measure, notes, visible, warnings
from dreamd.domain.change import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import INDEX, Tree
from dreamd.text.late import late
from dreamd.text.markdown.markdown import lines
from dreamd.text.markdown.note import frontmatter
from dreamd.text.markdown.pointers import Pointer, called, nearest, pointers, resolve, unreachable
from dreamd.text.secrets.secrets import find
from dreamd.text.time.dates import has_date
from dreamd.text.time.relative import is_anchored, relative_phrases
from dreamd.text.words import plural

LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps, and is not merged
_USUAL_KEY = late(r"(?:name|description|type|metadata|pinned|title|tags):")
_VALID = late(r"---\r?\n(?:[A-Za-z_][\w-]*:(?: [A-Za-z][\w ,.;/()'-]*)?\r?\n)*---\r?(?:\n|$)")
_JOURNAL = late(r".*\d{4}-\d\d-\d\d.*")
_BYTES = late("[\udc80-\udcff]")
_WORD = late(r"\w+")
_SAID_ON = late(r"\([^()]*(?<!\d)\d{4}-\d\d-\d\d(?!\d)[^()]*\)")


class Reading(Struct, frozen=True, dict=True):
    """A tree as it is read: the text of each note, what names mean, and every path of a note."""

    tree: Tree
    settings: Settings
    texts: Mapping[PurePosixPath, str]
    names: frozenset[PurePosixPath]

    def goal(self, pointer: Pointer, source: PurePosixPath) -> PurePosixPath | None:
        """Return the note that a pointer leads to, None where it dangles."""
        return resolve(pointer, self.names, source, self.wiki_names if pointer.wiki else {})

    @cached_property
    def wiki_names(self) -> Mapping[str, PurePosixPath]:
        """Which note each wiki name means."""
        return called(self.texts)

    @cached_property
    def unreachable(self) -> tuple[PurePosixPath, ...]:
        """The notes that a reader of the index cannot come to."""
        return unreachable(self.texts)

    def dangling(self, source: PurePosixPath) -> tuple[Pointer, ...]:
        """Return the pointers of a note that lead nowhere."""
        found = pointers(self.texts[source], source)
        return tuple(pointer for pointer in found if self.goal(pointer, source) is None)


def read(tree: Tree, settings: Settings, *, known: Reading | None = None) -> Reading:
    """Read the notes of a tree; binary ones have no text, but can be pointed to.

    What an earlier reading `known` has already read is not read again.
    """
    if known and known.tree == tree:
        return known
    texts = {path: text for path, text in notes(tree).items() if "\0" not in text}
    names = frozenset(filter(is_note, [*tree.files, *tree.unread]))
    return Reading(tree, settings, texts, names)


class Fault(Struct, frozen=True):
    """One place where a rule does not hold: a line (from 1), several up to `last`, or 0, the note.

    `about` is the same for a fault that was there before a dream, wherever it is now. What is
    said behind a semicolon is for the one whose note it is.
    """

    path: PurePosixPath
    line: int
    message: str
    about: Hashable
    last: int = 0
    is_warning: bool = False


class Rule(Struct, frozen=True):
    """One claim about notes; `judge` finds where some of them break it, `only_warns` or not."""

    name: str
    claim: str
    judge: Callable[[Reading, Iterable[PurePosixPath]], Iterator[Fault]]
    only_warns: bool = False

    def findings(self, reading: Reading) -> Iterator[Finding]:
        """Yield what is wrong anywhere."""
        for each in self.judge(reading, reading.tree.files):
            kind = Severity.WARNING if self.only_warns or each.is_warning else Severity.FAULT
            yield Finding(self.name, each.path, each.line, each.message, kind)


def faults_of(reading: Reading) -> tuple[Finding, ...]:
    """Return the faults that stand in a tree, without warnings."""
    judged = (each for rule in RULES if not rule.only_warns for each in rule.findings(reading))
    return tuple(finding for finding in judged if finding.severity is Severity.FAULT)


def undecodable(data: bytes) -> int | None:
    """Return the first line that is not UTF-8, None where all is."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return None


def frontmatter_fault(text: str) -> tuple[int, str] | None:
    """Return line and sentence if a note's frontmatter is not closed or not valid YAML."""
    if not text.removeprefix("\ufeff").startswith("---") or _VALID.match(text):
        return None
    head = frontmatter(text)
    rows = text.removeprefix("\ufeff").split("\n")
    if head is None:
        is_open = rows[0].rstrip() == "---" and len(rows) > 1 and _USUAL_KEY.match(rows[1])
        return (1, "the frontmatter has no closing `---`") if is_open else None
    import yaml  # noqa: PLC0415 - 20 ms that most commands do not need

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        inside = "\n".join(rows[1 : head.end - 1])
        value = yaml.load(inside, Loader=loader)  # noqa: S506 - it is safe
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return (mark.line + 2 if mark else 1, f"the frontmatter is not YAML: {error.problem}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return 1, f"the frontmatter is not YAML: {str(error).splitlines()[0]}"
    if value is not None and not isinstance(value, dict):
        return 1, "the frontmatter has no keys"
    return None


def head_of(text: str) -> str:
    """Return what would be read as frontmatter: up to its end, else up to a blank line."""
    head = frontmatter(text)
    rows = lines(text)
    end = head.end if head else next((n for n, row in enumerate(rows) if not row.strip()), None)
    return "".join(rows[:end])


def _texts(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[tuple[PurePosixPath, str]]:
    return ((path, reading.texts[path]) for path in paths if path in reading.texts)


def _lines_of(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the lines (from 1) in which each span begins and ends."""
    starts: list[int] = []
    for start, end in spans:
        starts = starts or [0, *(match.end() for match in re.finditer("\n", text))]
        yield bisect_right(starts, start), bisect_right(starts, end - 1)


def _budget(reading: Reading, _paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    budget = reading.settings.budget
    for each in warnings(measure(reading.tree, budget), budget):
        is_warning = each.severity is Severity.WARNING
        yield Fault(each.path, 0, each.message, each.message, is_warning=is_warning)
    seen = visible(reading.texts.get(INDEX, ""), budget)
    if seen.unseen is not None:
        most = budget.index_lines if seen.cut_by == "lines" else budget.index_units
        said = f"a new conversation sees nothing from here on: it loads {most:,} {seen.cut_by}"
        yield Fault(INDEX, seen.unseen, said, said)


def _pointers(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    for path, _ in _texts(reading, paths):
        for pointer in reading.dangling(path):
            near = nearest(pointer.target, reading.names)
            hint = f"; {near} may be meant" if near else ""
            said = f"points to {pointer.target}, which does not exist{hint}"
            yield Fault(path, pointer.line + 1, said, pointer.target)


def _reachable(reading: Reading, _paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    lost = reading.unreachable
    if INDEX not in reading.names and any(path.parts[0] != "team" for path in lost):
        said = f"there is no index, so nothing leads to {plural(len(lost), 'note')}"
        yield Fault(INDEX, 0, said, said)
        return
    for path in lost:
        yield Fault(path, 0, f"no pointer leads here from {INDEX}", path)


def _frontmatter(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    for path, text in _texts(reading, paths):
        if fault := frontmatter_fault(text):
            yield Fault(path, *fault, head_of(text))


def _text(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    for path in filter(is_note, paths):
        data = reading.tree.data(path) or b""
        if b"\0" in data:
            yield Fault(path, 0, "is binary: it holds a NUL byte", data)
        elif len(data) > LARGEST:
            said = f"has {len(data) / LARGEST:.1f} MiB; dreamd works on 1 MiB at most"
            yield Fault(path, 0, said, data)
        elif undecodable(data) is not None:
            for number, row in enumerate(data.split(b"\n"), 1):
                if undecodable(row) is not None:
                    yield Fault(path, number, "is not UTF-8 here", row)


def _files(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    folded: defaultdict[str, list[PurePosixPath]] = defaultdict(list)
    for path in reading.tree.files:
        folded[str(path).casefold()].append(path)
    for path in paths:
        others = [each for each in folded[str(path).casefold()] if each != path]
        said = _misplaced(path)
        if said is None and reading.tree.files[path].mode & 0o111:
            said = "is executable; a note need not be"
        if said is None and others:
            said = f"differs from {others[0]} in case only; macOS takes both for one file"
        if said:
            yield Fault(path, 0, said, path)
    for path in sorted(reading.tree.unread):
        said = _misplaced(path) or "is over 32 MiB or no regular file; dreamd does not read it"
        yield Fault(path, 0, said, path)


def _misplaced(path: PurePosixPath) -> str | None:
    """Return why a path has no place in a memory directory, None where it has one."""
    if any(part.startswith(".") for part in path.parts):
        return "is hidden; no reader of the memory sees it"
    if path.suffix != ".md":
        return "is no Markdown note (`.md`); no reader of the memory looks for it"
    if any(part.endswith(".md") for part in path.parts[:-1]):
        return "is in a folder that is named like a note; dreamd does not look there"
    if _BYTES.search(str(path)) or not str(path).isprintable():
        return "has a name that is not plain text"
    return None


def _secrets(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    for path, text in _texts(reading, paths):
        found = find(text)
        spans = _lines_of(text, ((secret.start, secret.end) for secret in found))
        for secret, (line, last) in zip(found, spans, strict=True):
            said = f"holds a secret ({secret.kind}); `dreamd forget` removes it everywhere"
            yield Fault(path, line, said, text[secret.start : secret.end], last)


def _relative_dates(reading: Reading, paths: Iterable[PurePosixPath]) -> Iterator[Fault]:
    for path, text in _texts(reading, paths):
        if path.parts[0] == "logs" or _JOURNAL.fullmatch(path.stem):
            continue  # a daily note says its day in its name
        found = [each for each in relative_phrases(text) if not is_anchored(text, each)]
        spans = _lines_of(text, ((each.start, each.end) for each in found))
        rows = text.split("\n")
        for phrase, (line, _) in zip(found, spans, strict=True):
            if _SAID_ON.search(rows[line - 1]):
                continue
            said = f'says "{" ".join(phrase.phrase.split())}", which is true for one day only'
            yield Fault(path, line, said, _in_words(text, phrase.start, phrase.end))


def _in_words(text: str, start: int, end: int) -> Hashable:
    """Return a phrase with the words before it, else behind it, and whether its line is dated."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    before, said, after = (
        _WORD.findall(each.casefold())
        for each in (text[first:start], text[start:end], text[end : last if last > 0 else None])
    )
    words = (*before[-3:], *said, *([] if before else after[:3]))
    return words, has_date(text[first : last if last > 0 else None])


RULES = (
    Rule("budget", "what is kept is seen: the index is within its limits", _budget),
    Rule("pointer", "every pointer leads to a note", _pointers),
    Rule("reachable", "every note has a pointer", _reachable),
    Rule("frontmatter", "frontmatter is closed and valid YAML", _frontmatter),
    Rule("text", "notes are UTF-8 text of at most 1 MiB", _text),
    Rule("file", "only Markdown lies below the memory directory", _files, only_warns=True),
    Rule("secret", "no note holds a secret", _secrets),
    Rule("relative-date", "no note says a day that only its writer knew", _relative_dates, True),
)
