"""`git` as far as it reads commits: the arguments are built here, and nothing of a repository runs.

A repository can make git start programs: by `core.fsmonitor`, hooks, pagers, external diffs,
textconv, clean filters (whenever a file of the work tree is compared), `gpg.program` (whenever a
signature is shown), and by fetching what a partial clone lacks. Each is switched off, or cannot be
reached: only commits are compared with each other, never the work tree. Its settings, and links
among its own files, can name any file, lines of which stand in errors: those are not shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dreamd.engine.model.shell.policy import Judged, Rule
from dreamd.engine.model.shell.policy import judged as judged_by
from dreamd.errors import RefusedError

VARIABLES = (
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_ALLOW_PROTOCOL=none",  # unlike protocol.allow, over what a repository allows by name
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_ATTR_NOSYSTEM=1",
    "GIT_PAGER=cat",
)
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.untrackedCache=false",
    "blame.ignoreRevsFile=",
    "diff.external=",
    "diff.submodule=short",
    "log.showSignature=false",
    "format.pretty=medium",
    "gpg.program=/bin/false",
    "gpg.ssh.program=/bin/false",
    "gpg.x509.program=/bin/false",
    "protocol.allow=never",
    "color.ui=false",
)
_SHOWN = frozenset(
    [
        "stat",
        "numstat",
        "shortstat",
        "name-only",
        "name-status",
        "patch",
        "no-patch",
        "raw",
        "summary",
        "word-diff",
        "ignore-all-space",
        "ignore-space-change",
        "ignore-blank-lines",
        "minimal",
        "patience",
        "histogram",
        "find-renames",
        "no-renames",
        "text",
    ]
)
_LOGGED = frozenset(
    [
        "oneline",
        "graph",
        "all",
        "branches",
        "tags",
        "remotes",
        "merges",
        "no-merges",
        "first-parent",
        "reverse",
        "follow",
        "abbrev-commit",
        "decorate",
        "no-decorate",
        "date-order",
        "topo-order",
        "left-right",
        "cherry-pick",
        "regexp-ignore-case",
        "extended-regexp",
        "fixed-strings",
        "all-match",
        "invert-grep",
        "pickaxe-regex",
    ]
)
_LOGGED_BY = frozenset(
    [
        "max-count",
        "since",
        "until",
        "after",
        "before",
        "author",
        "committer",
        "grep",
        "format",
        "pretty",
        "date",
        "skip",
        "unified",
        "diff-filter",
        "decorate",
        "abbrev",
    ]
)
_SUBCOMMANDS: Mapping[str, Rule] = {
    "log": Rule("pwbiEF", "nSGULM", _SHOWN | _LOGGED, _LOGGED_BY, number=True),
    "show": Rule("pswb", "U", _SHOWN | _LOGGED, _LOGGED_BY),
    "diff": Rule("pwbMR", "USG", _SHOWN, frozenset({"unified", "diff-filter"})),
    "blame": Rule("wlsetMCfn", "L", frozenset({"show-name", "show-number"}), frozenset({"date"})),
}
_FORMATS = frozenset(["oneline", "short", "medium", "full", "fuller", "reference", "email", "raw"])
_ALLOWED = "git is allowed as: git [-C DIR] log|show|blame|diff …, for commits only"


def judged(words: Sequence[str]) -> tuple[list[str], Judged]:
    """Return the arguments with which git is to be run, and what they are.

    Operands of the answer are directories and paths that git would read.

    Raises:
        RefusedError: it is no reading command, has an option that is not allowed, or would
            look at the work tree.
    """
    folder, name, rest = _split(words)
    rule = _SUBCOMMANDS.get(name)
    if rule is None:
        raise RefusedError(f"git {name[:30]} is not allowed; {_ALLOWED}.")
    before, has_dashes, after = _at_dashes(rest)
    found = judged_by(f"git {name}", rule, before)
    _refuse_formats(found.options)
    revisions, paths = list(found.operands), list(after)
    if any(each.startswith(("-", ":")) for each in revisions):
        raise RefusedError(f"A revision may not begin with - or a colon; {_ALLOWED}.")
    if name == "diff":
        _refuse_work_tree(revisions)
    elif name == "blame":
        revisions, paths = _blamed(revisions, paths, has_dashes=has_dashes)
    arguments = ["--no-pager", "--no-optional-locks", "--no-replace-objects"]
    arguments += ["-C", folder] if folder else []
    for setting in _SETTINGS:
        arguments += ["-c", setting]
    more = [] if name == "blame" else ["--no-ext-diff", "--submodule=short"]
    arguments += [name, "--no-textconv", *more, *found.options, *revisions]
    if has_dashes or name in {"diff", "blame"}:
        arguments += ["--", *paths]
    return arguments, Judged(found.options, tuple(filter(None, [folder, *paths])))


def _blamed(
    revisions: list[str], paths: list[str], *, has_dashes: bool
) -> tuple[list[str], list[str]]:
    """Return the one commit and the one file of a blame; without a commit it is the last one."""
    if not has_dashes:
        revisions, paths = revisions[:-1], revisions[-1:]
    revisions = revisions or ["HEAD"]
    if len(paths) != 1 or len(revisions) != 1:
        raise RefusedError("git blame is allowed as: git [-C DIR] blame [-L 1,20] [REV] -- FILE")
    return revisions, paths


def _split(words: Sequence[str]) -> tuple[str, str, Sequence[str]]:
    """Return the directory of -C, the subcommand, and what follows it."""
    folder = ""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-C" and at + 1 < len(words) and not folder:
            folder = words[at + 1]
            at += 2
        elif words[at] in {"--no-pager", "--no-optional-locks", "-P"}:
            at += 1
        else:
            raise RefusedError(f"git {words[at][:30]} is not allowed; {_ALLOWED}.")
    if at >= len(words):
        raise RefusedError(f"{_ALLOWED}.")
    return folder, words[at], words[at + 1 :]


def _at_dashes(words: Sequence[str]) -> tuple[Sequence[str], bool, Sequence[str]]:
    if "--" not in words:
        return words, False, ()
    at = list(words).index("--")
    return words[:at], True, words[at + 1 :]


def _refuse_formats(options: Sequence[str]) -> None:
    """Refuse a format that shows a signature (that runs a program), or one the repository names."""
    for at, option in enumerate(options):
        name, has_value, value = option.partition("=")
        if name not in {"--format", "--pretty"}:
            continue
        if not has_value:
            value = options[at + 1] if at + 1 < len(options) else ""
        body = value.removeprefix("tformat:").removeprefix("format:")
        if re.search(r"%[+ -]?G", body):
            raise RefusedError("Formats with %G are not allowed; leave the signature out.")
        if "trunc" in body:
            raise RefusedError("Formats that cut with trunc are not allowed; show it whole.")
        if "%" not in body and value not in _FORMATS and body == value:
            raise RefusedError(f"{name} may be {', '.join(sorted(_FORMATS))} or hold % signs.")


def _refuse_work_tree(revisions: Sequence[str]) -> None:
    ranged = [each for each in revisions if ".." in each]
    if not (len(revisions) == 2 and not ranged) and not (len(revisions) == 1 and ranged):
        raise RefusedError("git diff is allowed between two commits: git diff A B -- PATH")
