"""A text, the forms it may take, and what stands in its place once it is forgotten."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from dreamd.errors import UsageError
from dreamd.memory import history_format

_OURS = frozenset({"kind", "mode", "sign"})  # values that a record's reader needs as they are
_MARKS = ("[forgotten]", "{removed}", "<blank>", "(gone)")


@dataclass(frozen=True, slots=True)
class Eraser:
    """Replaces a text by `mark`; in paths by `path_mark`, which stood in none of them before.

    So two paths that differ still do. `forms` are the text itself and, where they are others,
    its two JSON-escaped forms, longest first; `traces` are what these may leave in JSON.
    """

    text: str
    forms: tuple[str, ...]
    traces: tuple[bytes, ...]
    mark: str
    path_mark: str

    @classmethod
    def of(cls, text: str, paths: Iterable[bytes]) -> Eraser:
        """Return the eraser of a text from a history with these paths.

        Raises:
            UsageError: the text holds every mark that could stand for it, or is no text.
        """
        forms = tuple(sorted({text, *_escaped(text)}, key=len, reverse=True))
        try:
            traces = tuple({_encoded(each) for form in forms for each in _escaped(form)})
        except UnicodeEncodeError as error:
            raise UsageError("this text cannot stand in a file: it is no valid Unicode") from error
        mark = next((mark for mark in _MARKS if _is_apart(mark, forms)), None)
        if mark is None:
            raise UsageError("this text holds every mark that could stand in its place")
        known = b"\0".join(paths)
        numbered = (f"{mark[:-1]} {n}{mark[-1]}" for n in itertools.count(2))
        path_mark = next(
            each
            for each in itertools.chain([mark], numbered)
            if each.encode() not in known and _is_apart(each, forms)
        )
        return cls(text, forms, traces, mark, path_mark)

    def content(self, data: bytes) -> bytes:
        """Return a note or a message without the text."""
        for form in self.forms:
            data = data.replace(_encoded(form), self.mark.encode())
        return data

    def path(self, path: bytes) -> bytes:
        """Return the path of a commit without the text; our own names around it stay."""
        if not path.startswith(history_format.NOTES):
            return path
        note = str(history_format.note_path(path))
        if self.text not in note:
            return path
        return history_format.git_path(PurePosixPath(note.replace(self.text, self.path_mark)))

    def records(self, data: bytes) -> bytes:
        """Return `meta.jsonl` or `why.jsonl` without the text in any of its values.

        Raises:
            HistoryError: a line of one that may hold the text is no JSON.
        """
        if not any(trace in data for trace in self.traces):
            return data
        before = list(history_format.records(data))
        after = [
            {name: self._value(name, value) for name, value in each.items()} for each in before
        ]
        return data if after == before else b"".join(map(history_format.record, after))

    def _value(self, name: str, value: Any) -> Any:
        if name in _OURS or not isinstance(value, str):
            return value
        if name in {"path", "moved_to"}:
            return value.replace(self.text, self.path_mark)
        for form in self.forms:
            value = value.replace(form, self.mark)
        return value


def _is_apart(mark: str, forms: Iterable[str]) -> bool:
    """Whether no form can arise anew where a mark meets what stands beside it."""
    return all(
        form not in mark
        and mark not in form
        and not any(
            form.startswith(mark[-n:]) or form.endswith(mark[:n]) for n in range(1, len(mark))
        )
        for form in forms
    )


def _escaped(text: str) -> tuple[str, str]:
    return json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]


def _encoded(text: str) -> bytes:
    return os.fsencode(text)
