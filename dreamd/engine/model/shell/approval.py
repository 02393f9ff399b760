"""Whether a whole command only reads; if so, as the text that is to be run in its place."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from glob import iglob
from itertools import islice
from pathlib import Path

from dreamd.engine.model.shell import find, git
from dreamd.engine.model.shell.parsing import Command, Word, parsed
from dreamd.engine.model.shell.policy import COMMANDS, Judged, judged
from dreamd.engine.model.tools.opening import refuse_denied
from dreamd.engine.model.tools.paths import absolute
from dreamd.engine.model.tools.patience import patience
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError

_MOST_FILES = 2_000  # that a word with wildcards may stand for
_SECONDS = 5  # in which they are found


def approved(command: str, place: Place) -> str:
    """Return a command that does what was asked and nothing else, written out by us.

    Every word is quoted, wildcards stand as the names they fit, paths of the memory directory
    are those of its copy; so the shell that runs it, in the copy, has nothing left to interpret.

    Raises:
        RefusedError: it could change something, or read what may not be read; the sentence says
            what would be allowed.
    """
    parts = []
    for joined in parsed(command):
        pipeline = " | ".join(_written(each, place) for each in joined.commands)
        parts.append(f"{joined.sign} {pipeline}".strip())
    return " ".join(parts)


def _written(command: Command, place: Place) -> str:
    name = command[0]
    if name.is_pattern or name.is_home:
        raise RefusedError("The name of a command must be written out.")
    words = [each for word in command[1:] for each in _expanded(word, place)]
    if name.text == "git":
        arguments, found = git.judged(words)
        _refuse_paths(found.operands, place, shows=False)
        arguments = [_placed(each, place) for each in arguments]
        # What git complains of may quote any file that a repository names or links to.
        return " ".join([*git.VARIABLES, "git", *map(shlex.quote, arguments), "2>/dev/null"])
    if name.text == "find":
        found = find.judged(words)
        _refuse_paths(found.operands, place, shows=False)
        starts = [_placed(each, place) for each in found.operands]
        return " ".join(map(shlex.quote, ["find", *starts, *found.options]))
    if name.text == "echo":
        return " ".join(map(shlex.quote, ["echo", *words]))
    if name.text == "printf":
        if words[:1] == ["--"]:
            words = words[1:]
        elif words and words[0].startswith("-"):
            raise RefusedError("printf takes no options; put -- before a format that begins so.")
        # The program: the shell's own sets variables (-v, %n), and by their subscripts runs code.
        return " ".join(map(shlex.quote, ["env", "printf", "--", *words]))
    rule = COMMANDS.get(name.text)
    if rule is None:
        if name.text in {"rg", "ag", "ack"}:
            raise RefusedError(f"{name.text} is not allowed; the tool Grep searches folders.")
        known = ", ".join(sorted([*COMMANDS, "find", "git"]))
        raise RefusedError(f"{name.text[:40]!r} is not allowed; these are: {known}.")
    found = judged(name.text, rule, words)
    is_given = any(_is_option(each, rule.pattern_options) for each in found.options)
    skipped = 0 if is_given else rule.words
    paths = found.operands[skipped:]
    _refuse_paths(paths, place, shows=rule.shows, enters=rule.enters)
    return _put_together(name.text, rule.added, found, skipped, place)


def _put_together(
    name: str, added: Sequence[str], found: Judged, skipped: int, place: Place
) -> str:
    texts, paths = found.operands[:skipped], found.operands[skipped:]
    words = [name, *added, *found.options]
    words += ["--"] if name not in {"true", "false", "pwd", "date"} else []
    words += [*texts, *(_placed(each, place) for each in paths)]
    return " ".join(map(shlex.quote, words))


def _is_option(word: str, names: frozenset[str]) -> bool:
    return any(
        word == each
        or word.startswith(f"{each}=")
        or (len(each) == 2 and word.startswith(each) and not word.startswith("--"))
        for each in names
    )


def _expanded(word: Word, place: Place) -> list[str]:
    """Return the words that one with wildcards stands for; one that begins with - gets `./`."""
    text = os.path.expanduser(word.text) if word.is_home else word.text  # noqa: PTH111
    if not word.is_pattern:
        return [text]
    if text.startswith("-"):
        raise RefusedError("Put an option that holds wildcards in single quotes.")
    start = "" if text.startswith("/") else place.stage
    pattern = _placed(text, place)
    found = iglob(pattern, root_dir=start or None)  # noqa: PTH207 - as a shell has it
    with patience(_SECONDS):
        names = sorted(islice(found, _MOST_FILES + 1))
    if len(names) > _MOST_FILES:
        raise RefusedError(f"{text} stands for more than {_MOST_FILES:,} files; narrow it.")
    return [f"./{each}" if each.startswith("-") else each for each in names] or [text]


def _placed(word: str, place: Place) -> str:
    """Return a word with the copy in place of the memory directory it stands for."""
    memory = str(place.memory)
    if word == memory or word.startswith(f"{memory}/"):
        return f"{place.stage}{word[len(memory) :]}"
    return word


def _refuse_paths(paths: Sequence[str], place: Place, *, shows: bool, enters: bool = False) -> None:
    for each in paths:
        if each in {"", "-", "/dev/null"}:
            continue
        path = absolute(each, place.memory)
        refuse_denied(path, place)
        if enters and path.is_dir():
            raise RefusedError(f"{each[:200]} is a directory; name the files in it that you want.")
        if shows and Path(os.path.realpath(path)).suffix == ".jsonl":
            raise RefusedError(
                f"{each[:200]} is a transcript of records; use Sessions, Read or Grep, which show "
                "it as a conversation."
            )
