"""The review of a dream: what is applied, what is held out as a proposal, and why.

Good work is never thrown away for one bad line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dreamd.domain.dream import Report
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.memory.check import lint
from dreamd.memory.faults import Reading, read
from dreamd.memory.lines import split
from dreamd.memory.review.case import Case, open_case
from dreamd.memory.review.hold import Objection, assembled, held_out
from dreamd.memory.review.rule import Mend, Rule
from dreamd.memory.review.table import RULES
from dreamd.memory.slots import said

__all__ = ["RULES", "Rule", "Verdict", "review"]

_ROUNDS = 12  # of which the last ones hold out whole files instead of lines
_STERN = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a review comes to: `applied` obeys every rule, `proposal` is all the dream wanted.

    `proposal` is None where nothing is held out. `refused` says why nothing at all could be
    applied; then `applied` is the tree before.
    """

    applied: Tree
    proposal: Tree | None
    findings: tuple[Finding, ...] = ()
    refused: str | None = None


def review(before: Tree, after: Tree, *, settings: Settings, report: Report) -> Verdict:
    """Judge what a dream did to notes, rule by rule; pure.

    Mechanical faults in the dream's own lines are mended. A line or a file that breaks a rule
    is held out: it stands in `applied` as it stood in `before`. Faults that stood there already
    are reported and left alone. The same serves for a merged tree, with the live one as before.
    """
    old = read(before, settings)
    after, findings = _readable(before, after)
    dreamt, mended = _mended(old, _with_modes(before, after), report)
    current, findings = dreamt, [*findings, *mended]
    for number in range(_ROUNDS):
        stern = number >= _STERN
        step = _judged(old, current, dreamt, report, stern=stern)
        if step is None:
            break
        current, found = step
        findings += found
    else:
        return Verdict(before, after, tuple(findings), _refusal(findings))
    faults = [finding for finding in lint(current, settings) if finding.severity is Severity.FAULT]
    differs = _contents(current) != _contents(dreamt)
    return Verdict(current, dreamt if differs else None, tuple(dict.fromkeys([*findings, *faults])))


def _readable(before: Tree, after: Tree) -> tuple[Tree, list[Finding]]:
    """Return the tree after the dream, with what cannot be read there as it was before."""
    lost = sorted(after.unread - before.unread)
    said = "is over 32 MiB or no regular file after the dream, so it is as it was"
    files = {**after.files, **{path: before.files[path] for path in lost if path in before.files}}
    found = [Finding("file", path, 0, said, Severity.HELD_OUT) for path in lost]
    return replace(after, files=files, unread=before.unread), found


def _with_modes(before: Tree, after: Tree) -> Tree:
    """Return the tree after the dream with the modes of before, but for new executable bits."""
    files = dict(after.files)
    for path, now in after.files.items():
        was = before.files.get(path)
        if was is None or was.mode == now.mode or was.is_link != now.is_link:
            continue
        mode = was.mode | (now.mode & 0o111)
        files[path] = was if (now.data, mode) == (was.data, was.mode) else replace(now, mode=mode)
    return assembled(before, after, files)


def _mended(before: Reading, after: Tree, report: Report) -> tuple[Tree, list[Finding]]:
    """Return all the dream wanted, with its mechanical faults mended."""
    found: list[Finding] = []
    for rule in RULES:
        case = open_case(before, after, after, report)
        mends = [each for each in rule.judge(case) if isinstance(each, Mend)]
        after = _with(case, mends)
        found += [_finding(rule, each, Severity.MENDED) for each in mends]
    return after, found


def _judged(
    before: Reading, after: Tree, dreamt: Tree, report: Report, *, stern: bool
) -> tuple[Tree, list[Finding]] | None:
    """Return the tree once every rule has spoken, None where none had anything to say."""
    found: list[Finding] = []
    for rule in RULES:
        case = open_case(before, after, dreamt, report, stern=stern)
        spoken = list(rule.judge(case))
        mends = [each for each in spoken if isinstance(each, Mend)]
        objections = [each for each in spoken if isinstance(each, Objection)]
        if objections:
            after = held_out(case, objections)
        elif mends:
            after = _with(case, mends)
            found += [_finding(rule, each, Severity.MENDED) for each in mends]
        found += [_held(rule, case, each) for each in objections]
    return (after, found) if found else None


def _with(case: Case, mends: list[Mend]) -> Tree:
    if not mends:
        return case.after.tree
    files = {**case.after.tree.files, **{mend.path: mend.entry for mend in mends}}
    return replace(case.after.tree, files=dict(sorted(files.items())))


def _finding(rule: Rule, mend: Mend, severity: Severity) -> Finding:
    return Finding(rule.name, mend.path, mend.line, mend.message, severity)


def _held(rule: Rule, case: Case, objection: Objection) -> Finding:
    """Return the finding: a line that came is counted in what the dream wrote, else in before."""
    line = 0
    if objection.added:
        line = _line_dreamt(case, objection)
    elif objection.removed:
        line = objection.removed[0] + 1
    return Finding(rule.name, objection.path, line, objection.message, Severity.HELD_OUT)


def _line_dreamt(case: Case, objection: Objection) -> int:
    """Return where an added line stands in all the dream wrote; what is held out moves lines."""
    at = objection.added[0]
    text = case.edits[objection.path].new.texts[at]
    entry = case.dreamt.files.get(objection.path)
    rows = split(entry.data).texts if entry else ()
    places = [number for number, row in enumerate(rows) if said(row) == said(text)]
    return min(places, key=lambda number: abs(number - at), default=at) + 1


def _contents(tree: Tree) -> dict[object, tuple[bytes, int, bool]]:
    return {path: (each.data, each.mode, each.is_link) for path, each in tree.files.items()}


def _refusal(findings: list[Finding]) -> str:
    last = findings[-1]
    return (
        f"the dream breaks rules that no part of it can be told from, the last being: {last}; "
        "no note was changed"
    )
