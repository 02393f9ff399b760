"""`find` as far as it only looks: its expressions are words of their own, judged one by one."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.engine.model.shell.policy import Judged
from dreamd.errors import RefusedError

_ALONE = frozenset(
    [
        "-print",
        "-print0",
        "-ls",
        "-prune",
        "-empty",
        "-not",
        "!",
        "-a",
        "-and",
        "-o",
        "-or",
        "(",
        ")",
        ",",
        "-true",
        "-false",
        "-depth",
        "-mount",
        "-xdev",
        "-readable",
        "-daystart",
        "-nouser",
        "-nogroup",
    ]
)
_WITH_VALUE = frozenset(
    [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-regex",
        "-iregex",
        "-regextype",
        "-type",
        "-maxdepth",
        "-mindepth",
        "-mtime",
        "-mmin",
        "-atime",
        "-amin",
        "-ctime",
        "-cmin",
        "-size",
        "-newermt",
        "-perm",
        "-user",
        "-group",
        "-printf",
        "-links",
        "-inum",
    ]
)


def judged(words: Sequence[str]) -> Judged:
    """Return the starting points of a find (as operands) and its expression.

    Raises:
        RefusedError: a part of it could change something, or is not known.
    """
    at = 0
    while at < len(words) and words[at] in {"-P", "-H"}:
        at += 1
    first = at
    while at < len(words) and not words[at].startswith(("-", "(", ")", "!", ",")):
        at += 1
    starts = tuple(words[first:at]) or (".",)
    expression = words[at:]
    at = 0
    while at < len(expression):
        word = expression[at]
        at += 1
        if word in _WITH_VALUE:
            if at >= len(expression):
                raise RefusedError(f"find {word} needs a value.")
            at += 1
        elif word not in _ALONE:
            raise RefusedError(
                f"find {word[:40]} is not allowed; find may only look: "
                f"{' '.join(sorted(_ALONE | _WITH_VALUE))}."
            )
    return Judged(tuple(expression), starts)
