"""Which commands only read, with which options, and how the words of one are judged by that."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from dreamd.errors import RefusedError


class Judged(Struct, frozen=True):
    """What a command's words are: its options as written, the paths it reads, other operands."""

    options: tuple[str, ...]
    operands: tuple[str, ...]


class Rule(Struct, frozen=True):
    """What one command may be given; an option that is not named here is refused.

    `flags` are one-letter options, those in `valued` take a value; `long` and `long_valued` the
    same with two dashes. The first `words` operands are no paths. `shows` says that it prints
    what files hold, `enters` that of a directory it would print those in it. `number` allows `-5`.
    """

    flags: str = ""
    valued: str = ""
    long: frozenset[str] = frozenset()
    long_valued: frozenset[str] = frozenset()
    words: int = 0
    most: int | None = None
    shows: bool = True
    enters: bool = False
    number: bool = False
    pattern_options: frozenset[str] = frozenset()  # with one of these no operand is a pattern
    check: Callable[[Judged], None] | None = None
    added: tuple[str, ...] = ()  # options that we put in


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Nothing here walks through folders and shows what is in their files: a walk meets credentials
# that no wall knows (a `.env`, a second hard link) and raw transcripts. Grep, the tool, does that.
# Nothing cuts a line, or joins words to it: a part of a secret looks like none.
_GREP = Rule(
    flags="EFGPinvwxclLhHsqa",
    valued="eABCm",
    long=_names(
        "extended-regexp fixed-strings perl-regexp ignore-case no-ignore-case invert-match "
        "word-regexp line-regexp count files-with-matches files-without-match no-filename "
        "with-filename no-messages quiet silent line-number text"
    ),
    long_valued=_names("regexp after-context before-context context max-count color"),
    words=1,
    number=True,
    pattern_options=frozenset({"-e", "--regexp"}),
    added=("--color=never",),
)


def _only_ranges(judged: Judged) -> None:
    ranges = r"\d+(?:,(?:\d+|\$))?p"
    if not {"-n", "--quiet", "--silent"} & set(judged.options):
        raise RefusedError("sed is allowed as: sed -n '10,20p' FILE")
    if not judged.operands or not re.fullmatch(rf"{ranges}(?:;{ranges})*", judged.operands[0]):
        raise RefusedError("sed is allowed as: sed -n '10,20p' FILE")


def _prints_time(judged: Judged) -> None:
    if any(not each.startswith("+") for each in judged.operands):
        raise RefusedError("date is allowed as: date, date -u, date '+FORMAT', date -d 'WORDS'.")


_LS = "aAlhtrSRd1FipsknoGgXuUcCmxQBqN"
COMMANDS: Mapping[str, Rule] = {
    "cat": Rule("nbsETAv", long=_names("number number-nonblank squeeze-blank show-all")),
    "head": Rule("qv", "n", _names("quiet verbose"), _names("lines"), number=True),
    "tail": Rule("qv", "n", _names("quiet verbose"), _names("lines"), number=True),
    "tac": Rule(),
    "nl": Rule("", "bnwv", frozenset(), _names("body-numbering number-width")),
    "wc": Rule("clmwL", long=_names("bytes chars lines words max-line-length"), shows=False),
    "ls": Rule(
        _LS,
        long=_names(
            "all almost-all human-readable reverse recursive directory inode size "
            "group-directories-first full-time numeric-uid-gid"
        ),
        long_valued=_names("sort time time-style format color"),
        shows=False,
    ),
    "stat": Rule("t", "c", _names("terse"), _names("format printf"), shows=False),
    "du": Rule(
        "shacbkm",
        "d",
        _names("summarize human-readable all total bytes"),
        _names("max-depth"),
        shows=False,
    ),
    "df": Rule("hTik", long=_names("human-readable"), shows=False),
    "sort": Rule(
        "rnfuVhbdgiMs",
        "kt",
        _names("reverse numeric-sort ignore-case unique version-sort human-numeric-sort stable"),
        _names("key field-separator"),
    ),
    "uniq": Rule(
        "cdui", "fsw", _names("count repeated unique ignore-case"), _names("skip-fields"), most=1
    ),
    "comm": Rule("123", long=_names("nocheck-order check-order"), most=2),
    "cmp": Rule("s", long=_names("quiet silent"), most=2, shows=False),
    "diff": Rule(
        "uqNbwiBEas",
        "UC",
        _names(
            "unified brief new-file ignore-case ignore-all-space ignore-space-change "
            "ignore-blank-lines text report-identical-files"
        ),
        _names("unified context color"),
        most=2,
        enters=True,
        added=("--color=never",),
    ),
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "sed": Rule("nEr", "", _names("quiet silent"), words=1, check=_only_ranges),
    "basename": Rule("a", "s", _names("multiple"), _names("suffix"), shows=False),
    "dirname": Rule(shows=False),
    "realpath": Rule("emsq", long=_names("canonicalize-existing no-symlinks"), shows=False),
    "readlink": Rule("femnqv", long=_names("canonicalize"), shows=False),
    "pwd": Rule("LP", most=0, shows=False),
    "echo": Rule(shows=False),  # whatever it is given, it prints
    "printf": Rule(shows=False),
    "date": Rule(
        "uR",
        "d",
        _names("utc rfc-email"),
        _names("date iso-8601"),
        words=1,
        most=1,
        shows=False,
        check=_prints_time,
    ),
    "true": Rule(most=0, shows=False),
    "false": Rule(most=0, shows=False),
    "sha256sum": Rule(shows=False),
    "md5sum": Rule(shows=False),
}


def judged(name: str, rule: Rule, words: Sequence[str]) -> Judged:
    """Return what the words after a command are, read as getopt_long(3) reads them.

    Raises:
        RefusedError: an option is not allowed; the sentence says which are.
    """
    options: list[str] = []
    operands: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            operands += words[at:]
            break
        if word.startswith("--"):
            option, has_value, _ = word.partition("=")
            if option[2:] in rule.long_valued:
                options.append(word)
                if not has_value and not _is_optional(name, option):
                    options.append(_next(name, option, words, at))
                    at += 1
            elif option[2:] in rule.long and not has_value:
                options.append(word)
            else:
                raise _not_allowed(name, rule, option)
        elif word.startswith("-") and len(word) > 1:
            at = _short(name, rule, words, at, options)
        else:
            operands.append(word)
    if rule.most is not None and len(operands) > rule.most:
        raise RefusedError(f"{name} takes {rule.most} operands at most here.")
    found = Judged(tuple(options), tuple(operands))
    if rule.check:
        rule.check(found)
    return found


def _short(name: str, rule: Rule, words: Sequence[str], at: int, options: list[str]) -> int:
    """Take a group of one-letter options, and return where to go on."""
    word = words[at - 1]
    if rule.number and re.fullmatch(r"-\d{1,9}", word):
        options.append(word)
        return at
    for place, letter in enumerate(word[1:], 1):
        if letter in rule.valued:
            rest = word[place + 1 :]
            if rest:
                options.append(f"-{letter}{rest}")
            else:
                options += [f"-{letter}", _next(name, f"-{letter}", words, at)]
                at += 1
            return at
        if letter not in rule.flags:
            raise _not_allowed(name, rule, f"-{letter}")
        options.append(f"-{letter}")
    return at


def _is_optional(name: str, option: str) -> bool:
    """Whether an option's value may be left out, so that the next word is none."""
    optional = {("diff", "--unified"), ("diff", "--context"), ("date", "--iso-8601")}
    return option == "--color" or (name, option) in optional


def _next(name: str, option: str, words: Sequence[str], at: int) -> str:
    if at >= len(words):
        raise RefusedError(f"{name} {option} needs a value.")
    return words[at]


def _not_allowed(name: str, rule: Rule, option: str) -> RefusedError:
    short = [f"-{letter}" for letter in rule.flags + rule.valued]
    long = [f"--{each}" for each in sorted(rule.long | rule.long_valued)]
    known = " ".join([*short, *long]) or "none"
    if option in {"-r", "-R", "--recursive"}:
        return RefusedError(f"{name} {option} is not allowed; the tool Grep searches folders.")
    return RefusedError(f"{name} {option} is not allowed here; allowed options: {known}.")
