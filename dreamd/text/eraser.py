"""A text that is to be forgotten, in every form in which it may stand, and what stands instead."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

from dreamd.errors import UsageError

_MARKS = ("[forgotten]", "{removed}", "<blank>", "(gone)")
_GAP = r"(?:(?:\n|\\n) *\d+(?:\t|\\t)|\s|\\[nrt])+"  # with the number of a line that a tool lists
_LEAST = 8  # characters of a line that is looked for alone
_DATED = re.compile(r"\s{0,9}\([^()]{0,200}?\d{4}-\d\d-\d\d[^()]{0,200}\)")
_LINE = re.compile(r"(\s*(?:[-*+]\s+|\d+[.)]\s+|#+\s+)?).*?([\r\n]*)\Z", re.DOTALL)


class Eraser(Struct, frozen=True):
    """Replaces a text by `mark`; in paths by `path_mark`, which stood in none of them before.

    The text is found with any white space for any, as JSON and a tool write it, in both Unicode
    forms, its first letter large or small. `by_line` finds each line of it too, and `lines`,
    which were drawn from it in other words.
    """

    pattern: re.Pattern[str]
    by_line: re.Pattern[str]
    mark: str
    path_mark: str
    lines: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, paths: Iterable[str] = (), lines: Iterable[str] = ()) -> Eraser:
        """Return the eraser of a text from notes and a history with these paths.

        Raises:
            UsageError: the text holds every mark that could stand for it, or is no text.
        """
        try:
            text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise UsageError("this text cannot stand in a file: it is no valid Unicode") from error
        forms = _forms(text)
        drawn = frozenset(line.strip() for line in lines) - {""}
        alone = {*text.splitlines(), *drawn, *(_DATED.sub("", line) for line in drawn)}
        bare = (line.strip().lstrip("-*+ ") for line in alone)
        by_line = forms.union(*(_forms(line) for line in bare if len(line) >= _LEAST))
        mark = next((mark for mark in _MARKS if _is_apart(mark, forms)), None)
        if mark is None:
            raise UsageError("this text holds every mark that could stand in its place")
        known = "\0".join(paths)
        others = (f"{mark[:-1]} {n}{mark[-1]}" for n in itertools.count(2))
        marks = (each for each in itertools.chain([mark], others) if each not in known)
        path_mark = next(each for each in marks if _is_apart(each, forms))
        return cls(_pattern(forms), _pattern(by_line), mark, path_mark, drawn)

    def text(self, text: str) -> str:
        """Return a text without it; a line that says it around a date goes whole."""
        text = self.pattern.sub(self.mark, text)
        return "".join(map(self._line, text.splitlines(keepends=True)))

    def record(self, text: str) -> str:
        """Return a text of what is kept line by line, without it and without any line of it."""
        return self.text(self.by_line.sub(self.mark, text))

    def content(self, data: bytes) -> bytes:
        """Return a note without the text."""
        said = data.decode("utf-8", "surrogateescape")
        left = self.text(said)
        return data if left == said else self._quoted(left).encode("utf-8", "surrogateescape")

    def path(self, path: str) -> str:
        """Return a path without the text."""
        return self.pattern.sub(self.path_mark, path)

    def _quoted(self, text: str) -> str:
        """Quote each value of a frontmatter that begins with the mark: YAML sees a list."""
        head, end, rest = text.partition("\n---")
        if not end or not head.removeprefix("\ufeff").startswith("---"):
            return text
        value = rf"(?m)^([ \t]*[\w.-]+:[ \t]+)({re.escape(self.mark)}[^\r\n]*)"
        head = re.sub(value, lambda at: at[1] + json.dumps(at[2], ensure_ascii=False), head)
        return head + end + rest

    def _line(self, line: str) -> str:
        plain = unicodedata.normalize("NFC", _DATED.sub("", line.strip()))
        if line.strip() not in self.lines and not self.pattern.search(plain):
            return line
        return _LINE.sub(lambda at: at[1] + self.mark + at[2], line, count=1)


def _forms(text: str) -> set[str]:
    forms = {text, text[0].swapcase() + text[1:]}
    forms |= {unicodedata.normalize(form, each) for each in forms for form in ("NFC", "NFD")}
    forms |= {json.dumps(each, ensure_ascii=False)[1:-1] for each in forms}
    return forms | {json.dumps(each)[1:-1] for each in forms}


def _pattern(forms: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(forms, key=len, reverse=True)
    split = (re.split(r"(?:\s|\\[nrt])+", form) for form in longest)
    found = "|".join(_GAP.join(map(re.escape, words)) for words in split)
    return re.compile(found.replace("<", "(?:<|&lt;)"))  # as a model is shown it


def _is_apart(mark: str, forms: Iterable[str]) -> bool:
    """Whether no form can arise anew where a mark meets what stands beside it."""
    heads = tuple(mark[:n] for n in range(1, len(mark)))
    tails = tuple(mark[-n:] for n in range(1, len(mark)))
    return not any(
        form in mark or mark in form or form.startswith(tails) or form.endswith(heads)
        for form in forms
    )
