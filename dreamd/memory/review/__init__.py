"""The review of a dream: what is applied, what is held out as a proposal, and why.

Good work is never thrown away for one bad line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.dream import Report
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.memory.faults import faults_of, read
from dreamd.memory.lines import said, split
from dreamd.memory.review.case import Case, open_case
from dreamd.memory.review.hold import Mend, Objection, held_out
from dreamd.memory.review.rules import RULES, Rule

__all__ = ["RULES", "Rule", "Verdict", "review"]

_ROUNDS = 12  # of which the last ones hold out whole files instead of lines
_STERN = 8


class Reviewed(Struct, frozen=True):
    """What a review comes to: `applied` obeys every rule, `proposal` is all the dream wanted.

    `proposal` is None where nothing is held out. `refused` says why nothing at all could be
    applied; then `applied` is the tree before.
    """

    applied: Tree
    proposal: Tree | None
    findings: tuple[Finding, ...] = ()
    refused: str | None = None


def review(
    before: Tree,
    after: Tree,
    *,
    settings: Settings,
    report: Report,
    rules: tuple[Rule, ...] = RULES,
) -> Reviewed:
    """Judge what a dream did to notes, rule by rule; pure.

    Mechanical faults in the dream's own lines are mended. A line or a file that breaks a rule
    is held out: it stands in `applied` as it stood in `before`. Faults that stood there already
    are reported and left alone. The same serves for a merged tree, with the live one as before.
    """
    reading = read(before, settings)
    if after == before:
        return Reviewed(before, None, _in_order([*faults_of(reading)]))
    after, findings = _readable(before, after)
    case = open_case(reading, _with_modes(before, after), report)
    dreamt = _mended(case, rules)
    case = replace(case, dreamt=dreamt)
    for number in range(_ROUNDS):
        case, found = _judged(replace(case, stern=number >= _STERN), rules)
        if not found:
            break
        findings += found
    else:
        return Reviewed(before, after, _in_order(findings), _refusal(findings))
    applied = case.after.tree
    proposal = dreamt if _contents(applied) != _contents(dreamt) else None
    return Reviewed(applied, proposal, _in_order([*findings, *faults_of(case.after)]))


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=lambda each: (each.path, each.line)))


def _readable(before: Tree, after: Tree) -> tuple[Tree, list[Finding]]:
    """Return the tree after the dream, with what cannot be read there as it was before."""
    lost = sorted(after.unread - before.unread)
    said = "is over 32 MiB or no regular file after the dream, so it is as it was"
    files = {**after.files, **{path: before.files[path] for path in lost if path in before.files}}
    found = [Finding("file", path, 0, said, Severity.HELD_OUT) for path in lost]
    return replace(after, files=files, unread=before.unread), found


def _with_modes(before: Tree, after: Tree) -> Tree:
    """Return the tree after the dream with the modes of before, new notes not executable."""
    files = dict(after.files)
    for path, now in after.files.items():
        was = before.files.get(path)
        mode = was.mode if was else now.mode & ~0o111
        if mode != now.mode:
            is_same = was is not None and now.data == was.data
            files[path] = was if was and is_same else replace(now, mode=mode)
    return replace(after, files=files)


def _mended(case: Case, rules: tuple[Rule, ...]) -> Tree:
    """Return all that the dream wanted, its mechanical faults mended."""
    for _ in range(_ROUNDS):
        case, found = _judged(case, rules, with_objections=False)
        if not found:
            break
    return case.after.tree


def _judged(
    case: Case, rules: tuple[Rule, ...], *, with_objections: bool = True
) -> tuple[Case, list[Finding]]:
    """Return the case once every rule has spoken, and what they said.

    Where a rule objects, what it would mend waits for the next round: it may be held out.
    """
    found: list[Finding] = []
    for rule in rules:
        spoken, changed = list(rule.judge(case)), set(case.changed)
        objections = [o for o in spoken if isinstance(o, Objection) and o.path in changed]
        mends = [each for each in spoken if isinstance(each, Mend)]
        if with_objections and objections:
            found += _held(rule, case, objections)
            case = case.moved_on(held_out(case, objections))
        elif mends:
            found += [
                Finding(rule.name, each.path, each.line, each.message, Severity.MENDED)
                for each in mends
            ]
            files = {**case.after.tree.files, **{each.path: each.entry for each in mends}}
            tree = replace(case.after.tree, files=dict(sorted(files.items())))
            case = case.moved_on(tree)
    return case, found


def _held(rule: Rule, case: Case, objections: list[Objection]) -> Iterator[Finding]:
    """Yield the findings: a line that came is counted in what the dream wrote, else in before."""
    places: dict[PurePosixPath, dict[bytes, list[int]]] = {}
    for each in objections:
        line = each.removed[0] + 1 if each.removed else 0
        if each.added:
            if each.path not in places:
                places[each.path] = _places(case.dreamt, each.path)
            # What was held out before moves lines, so the nearest one that says the same.
            at = each.added[0]
            there = places[each.path].get(said(case.edits[each.path].new.texts[at]), [at])
            after = bisect_left(there, at)
            line = min(there[max(after - 1, 0) : after + 1], key=lambda n: abs(n - at)) + 1
        yield Finding(rule.name, each.path, line, each.message, Severity.HELD_OUT)


def _places(tree: Tree, path: PurePosixPath) -> dict[bytes, list[int]]:
    found: dict[bytes, list[int]] = {}
    for number, row in enumerate(split(tree.data(path) or b"").texts):
        found.setdefault(said(row), []).append(number)
    return found


def _contents(tree: Tree) -> dict[object, tuple[bytes, int]]:
    return {path: (each.data, each.mode) for path, each in tree.files.items()}


def _refusal(findings: list[Finding]) -> str:
    last = findings[-1]
    return (
        f"the dream breaks rules that no part of it can be told from, the last being: {last}; "
        "no note was changed"
    )
