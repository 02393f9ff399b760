"""The review of a dream: what is applied, what is held out as a proposal, and why.

Good work is never thrown away for one bad line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.change import Finding, Severity
from dreamd.domain.dream import Report
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree
from dreamd.memory.diff import differing
from dreamd.memory.faults import faults_of, read
from dreamd.memory.lines import split
from dreamd.memory.review.case import Case, Mend, Objection, grounded, held_out, open_case
from dreamd.memory.review.rules import MENDING, RULES, Judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.memory.review.grounding import Grounding

__all__ = ["RULES", "Reviewed", "grounded", "review"]

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
    rules: Mapping[str, Judge] = RULES,
    grounding: Grounding | None = None,
) -> Reviewed:
    """Judge what a dream did to notes, rule by rule; pure.

    Mechanical faults in the dream's own lines are mended. A line or a file that breaks a rule
    is held out: in `applied` it is as it was in `before`. Faults that were there already are
    reported and left alone. The same serves for a merged tree, with the live one as before.
    `grounding` is that of an earlier review with the same notes before and the same sources.
    """
    reading = read(before, settings)
    if after == before:
        return Reviewed(before, None, _in_order([*faults_of(reading)]))
    after, findings = _readable(before, after)
    case = open_case(reading, after, report, grounding)
    wanted, mending = case, {name: rules[name] for name in MENDING}
    for _ in range(_ROUNDS):
        wanted, found = _judged(wanted, mending, holds=False)
        if not found:
            break
    case = replace(case, dreamt=wanted.after.tree)
    for number in range(_ROUNDS):
        case, found = _judged(replace(case, stern=number >= _STERN), rules, holds=True)
        if not found:
            break
        findings += found
    else:
        refusal = (
            "the dream breaks rules that no part of it can be told from, the last being: "
            f"{findings[-1]}; no note was changed"
        )
        return Reviewed(before, after, _in_order(findings), refusal)
    proposal = case.dreamt if differing(case.after.tree, case.dreamt) else None
    return Reviewed(case.after.tree, proposal, _in_order([*findings, *faults_of(case.after)]))


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=lambda each: (each.path, each.line)))


def _readable(before: Tree, after: Tree) -> tuple[Tree, list[Finding]]:
    """Return the tree after the dream, what cannot be read in it and modes as they were."""
    lost = sorted(after.unread - before.unread)
    said = "is over 32 MiB or no regular file after the dream, so it is as it was"
    files = {**after.files, **{path: before.files[path] for path in lost if path in before.files}}
    for path, now in files.items():
        was = before.files.get(path)
        if was and was.data == now.data:
            files[path] = now if was.mode == now.mode else was
        else:
            files[path] = replace(now, mode=was.mode if was else now.mode & ~0o111)
    found = [Finding("file", path, 0, said, Severity.HELD_OUT) for path in lost]
    return replace(after, files=files, unread=before.unread), found


def _judged(case: Case, rules: Mapping[str, Judge], *, holds: bool) -> tuple[Case, list[Finding]]:
    """Return the case once every rule has spoken, and what they said.

    Where a rule objects, what it would mend waits for the next round: it may be held out.
    """
    found: list[Finding] = []
    for name, judge in rules.items():
        spoken = list(judge(case))
        objections = [o for o in spoken if isinstance(o, Objection) and o.path in case.edits]
        mends = [each for each in spoken if isinstance(each, Mend)]
        if holds and objections:
            found += _held(name, case, objections)
            whole = [Objection(each.path, each.message) for each in objections]
            case = case.moved_on(held_out(case, whole if case.stern else objections))
        elif mends:
            found += [Finding(name, m.path, m.line, m.message, Severity.MENDED) for m in mends]
            files = {**case.after.tree.files, **{each.path: each.entry for each in mends}}
            case = case.moved_on(replace(case.after.tree, files=dict(sorted(files.items()))))
    return case, found


def _held(name: str, case: Case, objections: list[Objection]) -> Iterator[Finding]:
    """Yield the findings: a line that came is counted in what the dream wrote, else in before."""
    places: dict[PurePosixPath, dict[bytes, list[int]]] = {}
    for each in objections:
        line = min(each.removed) + 1 if each.removed else 0
        if each.added:
            if each.path not in places:
                places[each.path] = {}
                for number, row in enumerate(split(case.dreamt.data(each.path) or b"").texts):
                    places[each.path].setdefault(row, []).append(number)
            # What was held out before moves lines, so the nearest one that says the same.
            at = min(each.added)
            there = places[each.path].get(case.edits[each.path].new.texts[at], [at])
            line = min((abs(n - at), n) for n in there)[1] + 1
        yield Finding(name, each.path, line, each.message, Severity.HELD_OUT)
