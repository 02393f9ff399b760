"""Rules about what lines say: no new secret, valid frontmatter, real dates, nothing unexplained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from dreamd.memory.check import closed
from dreamd.memory.faults import frontmatter_fault, line_at, line_starts
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.entries import gone
from dreamd.memory.review.hold import Objection
from dreamd.memory.review.rule import Mend
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.markdown.note import frontmatter
from dreamd.text.secrets.secrets import find
from dreamd.text.time.dates import has_date
from dreamd.text.time.relative import is_anchored, relative_phrases

_MARKS = " \t-*+#>"
_WORD = late(r"\w+")


def no_new_secret(case: Case) -> Iterator[Objection]:
    """No line comes with a secret that stood in no note before; the secret is not repeated."""
    for edit, text in case.come():
        added = set(edit.added)
        starts = line_starts(text)
        for secret in find(text):
            value = text[secret.start : secret.end]
            if any(value in before for before in case.before.texts.values()):
                continue
            rows = range(line_at(starts, secret.start), line_at(starts, secret.end - 1) + 1)
            said = f"would add a secret ({secret.kind})"
            yield Objection(edit.path, said, added=tuple(sorted(added & set(rows))))
    for path in case.after.texts.keys() - case.before.texts.keys():
        if found := find(str(path)):
            yield Objection(path, f"has a secret in its name ({found[0].kind})")


def frontmatter_is_valid(case: Case) -> Iterator[Objection | Mend]:
    """A dream leaves no frontmatter that is open or no YAML."""
    for edit, text in case.come():
        fault = frontmatter_fault(text)
        old = case.before.texts.get(edit.path, "")
        if case.grounding is not None and frontmatter(old) and frontmatter(text) is None:
            yield _without_head(case, edit, old, text)
            continue
        if fault is None or edit.now is None or _head(old) == _head(text):
            continue
        line, said = fault
        if (whole := closed(text)) is not None:
            entry = replace(edit.now, data=whole.encode("utf-8", "surrogateescape"))
            yield Mend(edit.path, line, f"{said}; it has one now", entry)
            continue
        head, old_head = frontmatter(text), frontmatter(old)
        came = tuple(n for n in edit.added if head and n < head.end)
        went = tuple(n for n in edit.removed if old_head and n < old_head.end)
        if case.stern or edit.was is None or head is None:
            came = went = ()
        yield Objection(edit.path, said, came, went)


def _without_head(case: Case, edit: Edit, old: str, text: str) -> Objection:
    """Return what to say of a note whose frontmatter a model took away: it stands again."""
    said = "would lose its frontmatter, by which it is found"
    head = frontmatter(old)
    if case.stern or head is None:
        return Objection(edit.path, said)
    went = tuple(n for n in edit.removed if n < head.end)
    keys = {field.key for field in head.fields}
    rows = lines(text)
    came = tuple(n for n in edit.added if _key(rows[n]) in keys or bare(rows[n]).strip() == "---")
    return Objection(edit.path, said, came, went)


def _key(row: str) -> str:
    return row.partition(":")[0].strip()


def _head(text: str) -> str:
    """Return what would be read as frontmatter: up to its end, else up to a blank line."""
    head = frontmatter(text)
    rows = lines(text)
    end = head.end if head else next((n for n, row in enumerate(rows) if not row.strip()), None)
    return "".join(rows[:end])


def dates_are_real(case: Case) -> Iterator[Objection]:
    """A line that the dream wrote as a dated fact carries no relative date.

    Neither does one without a date, unless it has the phrase, with the words around it, from a
    line that stood before. A phrase with its date in brackets beside it may stay.
    """
    own: _OwnWords | None = None
    for edit, text in case.come():
        added = set(edit.added)
        rows = [bare(row) for row in lines(text)]
        starts = line_starts(text)
        for phrase in relative_phrases(text):
            number = line_at(starts, phrase.start)
            if number not in added or is_anchored(text, phrase):
                continue
            own = own or _OwnWords(case.before.texts.values())
            at = phrase.start - starts[number]
            row = rows[number]
            if not own.hold(row, at, min(at + len(phrase.phrase), len(row))):
                said = " ".join(phrase.phrase.split())
                message = f'says "{said}" where a date should stand'
                yield Objection(edit.path, message, added=(number,))


class _OwnWords:
    """What stood in the notes before, to be searched for words in a row."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._rows = {bare(row).strip(_MARKS) for text in texts for row in lines(text)}
        self._dated = self._joined(row for row in self._rows if has_date(row))
        self._undated = self._joined(row for row in self._rows if not has_date(row))

    def hold(self, row: str, start: int, end: int) -> bool:
        """Whether the row stood there, or a phrase in it does in the same words, dated if it is."""
        if row.strip(_MARKS) in self._rows:
            return True
        before, after = _in_words(row[:start]).split()[-3:], _in_words(row[end:]).split()[:3]
        words = [*before, _in_words(row[start:end]), *([] if before else after)]
        wanted = f" {' '.join(words)} "
        return wanted in self._dated or (not has_date(row) and wanted in self._undated)

    @staticmethod
    def _joined(rows: Iterable[str]) -> str:
        return "\n".join(f" {_in_words(row)} " for row in rows)


def _in_words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def little_is_gone(case: Case) -> Iterator[Objection]:
    """At most 25 % of the entries go without being merged, moved or superseded with a source."""
    unexplained, total = gone(case)
    most = case.settings.review.most_gone
    number = sum(map(len, unexplained.values()))
    if not number or number <= most * total:
        return
    for path, removed in unexplained.items():
        said = (
            f"{number} of {total} entries would be gone without standing elsewhere or a source "
            f"({most:.0%} may be); {len(removed)} of them here"
        )
        yield Objection(path, said, removed=removed)
