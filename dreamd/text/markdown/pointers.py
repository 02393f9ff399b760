"""Find pointers from one note to another, their targets, and those without a target."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import PurePosixPath
from posixpath import normpath, relpath
from typing import NamedTuple
from urllib.parse import quote, unquote

from dreamd.text.late import late
from dreamd.text.markdown import INDEX
from dreamd.text.markdown.inline import blanked, code_spans
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.markdown.note import value

_LINK = late(
    r"(?<![\\!])\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((?P<inner>(?:[^()]|\([^()]*\))*)\)"
    r"|(?<![\\!])\[\[(?P<name>[^\[\]|]+)(?:\|(?P<label>[^\[\]|]*))?\]\]"
)
_SCHEME = late(r"[A-Za-z][A-Za-z0-9+.-]+:")
_WORD = late(r"\d+|[^\W\d_]+")
_GENERIC = {"readme", "index", "notes", "note", "todo", "changelog", "main", "memory", "log"}
Texts = Mapping[PurePosixPath, str]
_ALIKE = 0.8  # of two words that are one with a typing slip or an ending
_LEAD = 0.1  # by which the best note must beat the second


class Pointer(NamedTuple):
    """A link to a note: line (from 0) and columns (half-open) of the link as it is written.

    `target` is relative to the note that holds it, without fragment, decoded and normalised;
    of a wiki link it is the name with `.md`. `aim` are the columns in which it is written.
    """

    line: int
    start: int
    end: int
    target: PurePosixPath
    title: str
    wiki: bool
    aim: tuple[int, int]


def pointers(text: str, source: PurePosixPath = INDEX) -> tuple[Pointer, ...]:
    """Return the links to Markdown files inside the memory directory, in order.

    Not those in frontmatter, comments, code fences and code spans, nor URLs, absolute paths,
    `~/`, or a `../` that leads out of the directory as seen from `source`.
    """
    return _pointers(text, source) if "](" in text or "[[" in text else ()


@lru_cache(maxsize=16_384)  # a dream asks for the pointers of each note seven times
def _pointers(text: str, source: PurePosixPath) -> tuple[Pointer, ...]:
    found: list[Pointer] = []
    rows = lines(text)
    for block in blocks(rows):
        if block.kind in {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE}:
            continue
        fence = ""
        for number in range(block.start, block.end):
            row = bare(rows[number])
            mark = row.strip(" \t")[:3]
            if mark in {"```", "~~~"}:  # a fence inside a list item
                fence = "" if fence == mark else fence or mark
            elif not fence and ("](" in row or "[[" in row):
                found.extend(_in_row(row, number, source))
    return tuple(found)


def _in_row(row: str, number: int, source: PurePosixPath) -> Iterator[Pointer]:
    for match in _LINK.finditer(blanked(row, code_spans(row))):
        wiki = match["name"] is not None
        said, at = match["name" if wiki else "inner"], match.start("name" if wiki else "inner")
        if wiki:
            aim = (at, at + len(said.removesuffix("\\"))) if said == said.strip() else None
        else:
            aim = _aim(said, at)
        target = _target(row[aim[0] : aim[1]].strip("<>"), wiki, source) if aim else None
        if aim and target is not None:
            part = "label" if wiki and match["label"] else "name" if wiki else "title"
            title = row[match.start(part) : match.end(part)].removesuffix("\\").strip()
            yield Pointer(number, *match.span(), target, title, wiki, aim)


def _aim(inner: str, at: int) -> tuple[int, int] | None:
    """Return the columns of the target in `target "title"`, None where that is none."""
    said = inner.rstrip(" \t")
    if said[-1:] in {'"', "'"} and (opens := said.find(said[-1])) < len(said) - 1:
        said = said[:opens] if said[opens - 1 : opens] in {" ", "\t"} else "<"
    said = said.rstrip(" \t")
    raw = said.lstrip(" \t")
    is_angled = raw[:1] == "<" and raw[-1:] == ">"
    is_target = is_angled or not any(each in raw for each in ("<", ">", "\t", "  "))
    return (at + len(said) - len(raw), at + len(said)) if is_target else None


def _target(raw: str, wiki: bool, source: PurePosixPath) -> PurePosixPath | None:
    """Return what a link means, None where that is no note in this directory."""
    raw = raw.partition("#")[0].strip()
    if raw.startswith(("/", "~", "\\")) or (not wiki and _SCHEME.match(raw)):
        return None
    if not wiki:
        raw = unquote(raw.partition("?")[0], errors="surrogateescape")
    elif not any(letter.isalpha() for letter in raw):
        return None  # [[1]] is an index, not a note
    elif not raw.lower().endswith(".md"):
        raw += ".md"
    if not raw.lower().endswith(".md") or "\0" in raw:
        return None
    target = _normal(PurePosixPath(raw))
    inside = target if len(source.parts) == 1 else _normal(source.parent / target)
    return None if not inside.parts or inside.parts[0] == ".." or not target.stem else target


def _normal(path: PurePosixPath) -> PurePosixPath:
    return PurePosixPath(normpath(path)) if ".." in path.parts else path


def called(texts: Texts) -> dict[str, PurePosixPath]:
    """Return which note each wiki name means: by its stem, else by name; of two the upper one."""
    order = sorted(texts, key=lambda path: (len(path.parts), path.parts), reverse=True)
    headed = (path for path in order if texts[path][:4].lstrip("\ufeff").startswith("---"))
    named = {name: path for path in headed if (name := value(texts[path], "name"))}
    return named | {path.stem: path for path in order}


def resolve(
    pointer: Pointer,
    names: Collection[PurePosixPath],
    source: PurePosixPath,
    wiki_names: Mapping[str, PurePosixPath],
) -> PurePosixPath | None:
    """Return the note a pointer leads to: from its folder, from the root, or by a wiki name."""
    if pointer.target in names and len(source.parts) == 1:
        return pointer.target
    for folder in (source.parent, PurePosixPath()):
        path = _normal(folder / pointer.target)
        if path in names:
            return path
    stems = (str(pointer.target.with_suffix("")), pointer.target.stem) if pointer.wiki else ()
    return next((wiki_names[stem] for stem in stems if stem in wiki_names), None)


def nearest(target: PurePosixPath, names: Collection[PurePosixPath]) -> PurePosixPath | None:
    """Return the one note that a dangling target surely means, None where that is not sure.

    The same stem but for case, `_`, `-` and folder; else as many words, each the same but for a
    slip (short words and numbers exactly: `client-eu` is not `client-us`), ahead of all others.
    """
    words = _WORD.findall(target.stem.casefold())
    if not words or (len(target.parts) > 1 and "".join(words) in _GENERIC):
        return None
    theirs = _spelled(frozenset(names))
    same = [path for path in theirs if "".join(theirs[path]) == "".join(words)]
    if same:
        return same[0] if len(same) == 1 else None
    scored = sorted(((_likeness(words, theirs[path]), path) for path in theirs), reverse=True)
    best, second = [*(score for score, _ in scored), 0.0, 0.0][:2]
    return scored[0][1] if best and best - second >= _LEAD else None


@lru_cache(maxsize=2)  # for every dangling pointer of a memory
def _spelled(names: frozenset[PurePosixPath]) -> dict[PurePosixPath, list[str]]:
    return {path: _WORD.findall(path.stem.casefold()) for path in sorted(names) if path != INDEX}


def _likeness(ours: list[str], theirs: list[str]) -> float:
    """Return 0 to 1: the mean likeness of the words pair by pair, 0 if any pair differs."""
    if len(ours) != len(theirs):
        return 0.0
    total = 0.0
    for one, other in zip(ours, theirs, strict=True):
        is_exact = min(len(one), len(other)) <= 3 or one[0] != other[0] or one[0].isdigit()
        match = SequenceMatcher(None, one, other, autojunk=False)
        if (is_exact and one != other) or (ratio := match.ratio()) < _ALIKE:
            return 0.0
        total += ratio
    return total / len(ours)


def href(path: PurePosixPath) -> str:
    """Return a path as the target of a Markdown link; letters of any script stay readable."""
    return "".join(
        letter if letter.isalnum() else quote(letter, "-._/+,=@", errors="surrogateescape")
        for letter in str(path)
    ).replace("~", "%7E")  # which `quote` leaves, and which means a home folder in front


def aimed(row: str, pointer: Pointer, source: PurePosixPath, goal: PurePosixPath) -> str:
    """Return a line of `source` with one pointer aimed at another note; its words stay."""
    start, end = pointer.aim
    _, mark, fragment = row[start:end].strip("<>").partition("#")
    path = PurePosixPath(relpath(f"/{goal}", f"/{source.parent}"))
    target = goal.stem if pointer.wiki else href(path)
    return f"{row[:start]}{target}{mark}{fragment}{row[end:]}"


def unlinked(line: str, pointer: Pointer) -> str:
    """Return the line with one link turned into its words; a target in a folder stays as code."""
    words = pointer.title or str(pointer.target)
    if len(pointer.target.parts) > 1 and words.strip("`") != str(pointer.target):
        words += f" (`{pointer.target}`)"
    return line[: pointer.start] + words + line[pointer.end :]


def reached(texts: Texts, *starts: PurePosixPath) -> dict[PurePosixPath, None]:
    """Return the notes that a reader who begins with some comes to, in the order of reading."""
    wiki_names = called(texts) if any("[[" in text for text in texts.values()) else {}
    ahead = [path for path in starts if path in texts]
    order = dict.fromkeys(ahead)
    for source in ahead:
        for pointer in pointers(texts[source], source):
            path = resolve(pointer, texts.keys(), source, wiki_names)
            if path is not None and path not in order:
                order[path] = None
                ahead.append(path)
    return order


def unreachable(texts: Texts) -> tuple[PurePosixPath, ...]:
    """Return the notes, sorted, to which neither index leads (`team/` has its own), logs apart."""
    lost = texts.keys() - reached(texts, INDEX, "team" / INDEX).keys()
    return tuple(sorted(path for path in lost if path.parts[0] != "logs"))
