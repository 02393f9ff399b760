"""Merge what a dream made of the notes into the notes as they are now; the live lines win."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import LF, Lines, Row, edits, matches, said, shown, split

_Keys = frozenset[bytes]  # lines that must stay, as `_key` gives them

MOST_BYTES = 1 << 20  # what is larger is not merged as text

CHANGED_SINCE = "the same lines were changed since"
FILE_GONE = "the file was removed since"
FILE_STAYS = "it was edited since, or says what nothing else would, so it stays"
NO_TEXT = "the file was changed since and is binary or over 1 MiB, so it stays as it is"


class Dropped(Struct, frozen=True):
    """A line that theirs wrote and that is lost ("+"), or removed and that stays ("-")."""

    line: str
    number: int  # from 1, in theirs or in base; 0 means the whole file
    sign: Literal["+", "-"]
    reason: str


class Merged(Struct, frozen=True):
    """The bytes that result, None for no file, and what of theirs did not make it."""

    data: bytes | None
    dropped: tuple[Dropped, ...] = ()

    @property
    def is_whole(self) -> bool:
        """No line that theirs wrote was lost."""
        return all(each.sign == "-" for each in self.dropped)


class MergedTree(Struct, frozen=True):
    """The notes that result, what of theirs did not make it, and whether no line was lost."""

    tree: Tree
    dropped: tuple[tuple[PurePosixPath, Dropped], ...] = ()
    is_whole: bool = True


def merge_trees(
    base: Tree, live: Tree, theirs: Tree, held: _Keys = frozenset(), *, is_undo: bool = False
) -> MergedTree:
    """Merge every note that theirs changed; the others are as in live, their mtimes too.

    A line that live and theirs both have, in whatever note, is in the result. With `is_undo` a
    note that theirs lacks is merged as an empty one, and removed where no line is left.
    """
    files = dict(live.files)
    dropped: list[tuple[PurePosixPath, Dropped]] = []
    for path in {*base.files, *theirs.files}:
        was, now, new = (tree.files.get(path) for tree in (base, live, theirs))
        if was and new and (was.data, was.mode) == (new.data, new.mode):
            continue
        is_emptied = bool(is_undo and now and not new)
        data = b"" if is_emptied else theirs.data(path)
        merged = merge3(
            base.data(path), live.data(path), data, held and held & _keys(base.data(path))
        )
        dropped += [(path, each) for each in merged.dropped]
        files.pop(path, None)
        if merged.data or (merged.data is not None and not is_emptied):
            present = [each for each in (now, new) if each]
            times = {each.data: each.mtime_ns for each in present}
            mode = present[-1 if was and now and was.mode == now.mode else 0].mode
            files[path] = Entry(merged.data, mode, times.get(merged.data, max(times.values())))
    tree = Tree(dict(sorted(files.items())), live.unread)
    apart = [path for path in {*live.files, *theirs.files} if live.data(path) != theirs.data(path)]
    one, other, result = (_keys(*map(each.data, apart)) for each in (live, theirs, tree))
    if gone := (one & other) - result - held:
        return merge_trees(base, live, theirs, held | gone, is_undo=is_undo)
    dropped.sort(key=itemgetter(0))
    return MergedTree(tree, tuple(dropped), all(each.sign == "-" for _, each in dropped))


def _keys(*texts: bytes | None) -> _Keys:
    return frozenset(_key(line) for text in texts for line in split(text or b"").texts) - {b""}


def _key(line: bytes) -> bytes:
    """Return a line without its list marks, by which it is found wherever it is."""
    return line.strip(b" \t-*+#>") or line.strip()


def merge3(
    base: bytes | None, live: bytes | None, theirs: bytes | None, held: _Keys = frozenset()
) -> Merged:
    """Carry what theirs changed of base over to live, for any bytes; None means no file.

    A line of base stays if both kept it; what either side inserted stays, theirs before live's.
    Where both rewrote one line, or live removed every line that theirs rewrote, live stands. A
    line that live and theirs both have, or that is `held`, stays where live has it.
    """
    if theirs in (base, live) or (live == base and not held):
        return Merged(live if theirs == base else theirs)
    if theirs is None:
        return Merged(live, (Dropped("", 0, "-", FILE_STAYS),))
    if live is None:
        is_lost = {*split(theirs).texts} - {*split(base or b"").texts}
        return Merged(None, (Dropped("", 0, "+" if is_lost else "-", FILE_GONE),))
    if any(b"\0" in data or len(data) > MOST_BYTES for data in (base or b"", live, theirs)):
        return Merged(live, (Dropped("", 0, "+", NO_TEXT),))
    texts = split(base or b""), split(live), split(theirs)
    merged = _merge_text(*texts, held)
    gone = (_keys(live) & _keys(theirs)) - _keys(merged.data)
    return _merge_text(*texts, held | gone) if gone else merged


def _merge_text(base: Lines, live: Lines, theirs: Lines, held: _Keys) -> Merged:
    mine, other = (dict(matches(base.texts, each.texts)) for each in (live, theirs))
    ours = [*edits(base.texts, live.texts, mine.items())]
    stays = mine.keys() & other.keys() | {k for k in mine if _key(base.texts[k]) in held}
    rewritten = {k for each in ours if each.first < each.last for k in range(each.start, each.stop)}
    our_rows, their_rows = ([*zip(each.texts, each.ends, strict=True)] for each in (live, theirs))
    # What comes before line k of base is kept under 2k, what comes in its place under 2k + 1.
    coming = defaultdict[int, tuple[list[Row], list[Row]]](lambda: ([], []))
    lost: list[int] = []
    for hunk in edits(base.texts, theirs.texts, other.items()):
        span, new = {*range(hunk.start, hunk.stop)}, range(hunk.first, hunk.last)
        if new and span and (span & rewritten or mine.keys().isdisjoint(span)):
            stays |= span & mine.keys()
            rewritten -= span
            lost += new
        else:
            at = 2 * hunk.start + bool(span)
            coming[at][0].extend(their_rows[hunk.first : hunk.last])
    for hunk in ours:
        # Where more lines came at the end than went, a note was appended: it stays last.
        more = hunk.last - hunk.first > hunk.stop - hunk.start and hunk.stop == len(base.texts)
        at = 2 * hunk.stop - (hunk.start < hunk.stop and not more)
        coming[at][1].extend(our_rows[hunk.first : hunk.last])
    rows: list[Row] = []
    for at in range(2 * len(base.texts) + 1):
        if at in coming:
            rows += _weave(*coming[at])
        if at % 2 and at // 2 in stays:
            rows.append((base.texts[at // 2], live.ends[mine[at // 2]]))
    present = {text for text, _ in rows}
    lost = [n for n in lost if theirs.texts[n] not in present]
    dropped = [Dropped(shown(theirs.texts[n]), n + 1, "+", CHANGED_SINCE) for n in lost]
    kept = sorted((stays | rewritten) - other.keys())
    dropped += [Dropped(shown(base.texts[k]), k + 1, "-", CHANGED_SINCE) for k in kept]
    return Merged(_closed(rows, base, live, theirs), tuple(dropped))


def _weave(theirs: list[Row], live: list[Row]) -> list[Row]:
    """Put two insertions at one place together: theirs first, then live's, equal lines once.

    Lines without words (blank lines, rules, fences) are equal only as part of equal text.
    """
    a, b = ([text for text, _ in rows] for rows in (theirs, live))
    pairs = matches(a, b)
    runs = {i - j for i, j in pairs if said(a[i])}
    pairs = [(i, j) for i, j in pairs if i - j in runs]
    places = {j for _, j in pairs}
    elsewhere = {text for j, text in enumerate(b) if j not in places and said(text)}
    result: list[Row] = []
    first = second = 0
    for i, j in [*pairs, (len(a), len(b))]:
        result += [row for row in theirs[first:i] if row[0] not in elsewhere]
        result += live[second : j + 1]
        first, second = i + 1, j + 1
    return result


def _closed(rows: list[Row], base: Lines, live: Lines, theirs: Lines) -> bytes:
    """Join lines, the kind of line ends and the final newline merged three-way."""
    styles = [{*text.ends} - {b""} for text in (base, live, theirs)]
    style = styles[2] if styles[0] == styles[1] else styles[1]
    rows = [(text, min(style) if len(style) == 1 else end or LF) for text, end in rows]
    last = [text.ends[-1:] != (b"",) for text in (base, live, theirs)]
    is_terminated = last[2] if last[0] == last[1] else last[1]
    if rows and rows[-1][0] and not is_terminated:
        rows[-1] = rows[-1][0], b""
    return b"".join(map(b"".join, rows))
