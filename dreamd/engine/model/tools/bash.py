"""Bash: readers joined by | && || ; each of which reads the files it names, behind these walls."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Mapping
from functools import cache
from glob import iglob
from itertools import islice
from pathlib import Path
from typing import Any

from dreamd.engine.model.page import MOST, hidden, within
from dreamd.engine.model.tools.dispatch import Answer, patience
from dreamd.engine.model.tools.open import (
    LARGEST,
    ReadingPlace,
    absolute,
    held,
    known,
    opened,
    refuse_denied,
)
from dreamd.errors import RefusedError
from dreamd.sandbox.landlock import READ_FILE, Domain
from dreamd.sandbox.run import Ran, piped, walls
from dreamd.sandbox.spawn import PATH
from dreamd.text.secrets.secrets import find
from dreamd.transcripts.plain import plain

_SECONDS = 30.0
_LOOKED = 5.0  # seconds in which files are found and looked through
_READ = 400_000  # bytes of output that are looked at
_LONGEST = 4_000  # characters of a command
_MOST_COMMANDS = 50
_MOST_FILES = 2_000  # that a word with wildcards may stand for
_QUOTED = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*"|\\.""")
_HIDDEN = {ord(sign): 0xE000 + at for at, sign in enumerate("*?[~|&;")}  # while they are quoted
_SHOWN = {letter: sign for sign, letter in _HIDDEN.items()}
_LITERAL = {letter: f"[{chr(sign)}]" for sign, letter in _HIDDEN.items()}  # in a pattern of names
_RANGES = re.compile(r"\d+(,(\d+|\$))?p(;\d+(,(\d+|\$))?p)*")
_ROWS = Path(__file__).with_name("readers.tsv").read_text("ascii").splitlines()
READERS = dict(row.split("\t", 1) for row in _ROWS if row[0] != "#")  # what it opens, options


def bash(arguments: Mapping[str, Any], place: ReadingPlace) -> Answer:
    """Run a command that only reads, and show what it printed."""
    if place.level == "paths":
        raise RefusedError("There is no shell on this machine; use Read, Grep, Glob and Sessions.")
    ran = _ran(arguments["command"], arguments.get("timeout", _SECONDS * 1_000) / 1_000, place)
    text = hidden(plain(known(ran.output.decode("utf-8", "replace"), place))).rstrip("\n")
    total = text.count("\n") + 1 if text else 0
    shown = within(text, MOST - 300)
    notes = []
    if shown != text:
        count = shown.count("\n")
        shown = shown.rpartition("\n")[0]
        more = "at least " if ran.stopped else ""
        notes.append(f"[lines 1-{count:,} of {more}{total:,}; use head, tail or sed -n for others]")
    elif ran.stopped:
        notes.append(f"[stopped at its limit of {ran.stopped}; ask for less]")
    if ran.status:
        notes.append(f"[exit code {ran.status}]")
    return Answer("\n".join(filter(None, [shown, *notes])) or "[no output]")


def _ran(command: str, seconds: float, place: ReadingPlace) -> Ran:
    over = time.monotonic() + seconds
    ran = Ran(0, b"", "")
    with walls(_programs()) as domain:
        with patience(_LOOKED):
            steps = [
                (sign, [judged(words, place, domain) for words in pipeline])
                for sign, pipeline in pipelines(command)
            ]
        for sign, pipeline in steps:
            if ran.stopped or (sign == "&&" and ran.status) or (sign == "||" and not ran.status):
                continue
            left, room = over - time.monotonic(), _READ - len(ran.output)
            more = piped(pipeline, domain=domain, cwd=place.stage, seconds=left, most=room)
            ran = Ran(more.status, ran.output + more.output, more.stopped)
    return ran


@cache
def _programs() -> tuple[Path, ...]:
    return tuple(Path(found) for name in READERS if (found := shutil.which(name, path=PATH)))


def pipelines(command: str) -> list[tuple[str, list[list[str]]]]:
    """Return the pipelines of a command, each with the sign before it ("" for the first).

    Signs that were quoted are other letters yet, which `judged` turns back.
    """
    found: list[tuple[str, list[list[str]]]] = [("", [[]])]
    for word in _words(command):
        if not word or word.strip("|&;"):
            found[-1][1][-1].append(word)
        elif word == "|":
            found[-1][1].append([])
        elif word in {"&&", "||", ";"}:
            found.append((word, [[]]))
        else:
            raise RefusedError(f"{word} is not allowed; join commands with |, &&, || and ;.")
    if found[-1] == (";", [[]]):
        found.pop()
    commands = [words for _, pipeline in found for words in pipeline]
    if not all(commands):
        raise RefusedError("A command is missing; give one, such as: ls -la")
    if len(commands) > _MOST_COMMANDS:
        raise RefusedError(f"That is more than {_MOST_COMMANDS} commands; give fewer at once.")
    return found


def _words(command: str) -> list[str]:
    if len(command) > _LONGEST or not command.isprintable():
        raise RefusedError(f"A command is one line of up to {_LONGEST:,} printable characters.")
    unquoted = _QUOTED.sub(lambda found: found[0] if found[0][0] == '"' else "", command)
    if re.search(r"[$`]", unquoted) or re.search(r"[<>(){}#]", _QUOTED.sub("", command)):
        raise RefusedError(
            "There are no variables, substitutions, redirections, braces or comments here (errors "
            "come back anyway); put such signs in single quotes where they are meant as themselves."
        )
    hidden = _QUOTED.sub(lambda found: found[0].translate(_HIDDEN), command)
    lexer = shlex.shlex(hidden, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return list(lexer)
    except ValueError as error:
        raise RefusedError("A quote is not closed.") from error


def judged(asked: list[str], place: ReadingPlace, domain: Domain) -> list[str]:
    """Return a command as it is to be run; the files that it names may be read from then on.

    Wildcards stand as the names they fit, paths of the memory directory are those of its copy.
    """
    name = asked[0]
    if name not in READERS:
        known = f"these are: {', '.join(READERS)}"
        raise RefusedError(f"{name[:40]!r} is not allowed; Grep searches folders; {known}.")
    opens, options = READERS[name].split("\t")
    words = [each for word in asked[1:] for each in _expanded(word, place)]
    for word in words:
        if word[:1] == "-" and word not in {"-", "--"} and not re.fullmatch(options, word):
            raise RefusedError(f"{name} {word[:40]} is not allowed; options fit {options}.")
    if name == "sed" and not (words[:1] == ["-n"] and _RANGES.fullmatch("".join(words[1:2]))):
        raise RefusedError("sed is allowed as: sed -n '10,20p' FILE")
    operands = [at for at, word in enumerate(words) if word[:1] != "-"]
    for at in operands[name in {"grep", "sed"} :] if opens != "words" else ():  # a pattern is first
        words[at] = _placed(words[at], place, domain if opens == "files" else None)
    return [name, *words]


def _expanded(word: str, place: ReadingPlace) -> list[str]:
    """Return the words that one with wildcards stands for; one that begins with - gets `./`."""
    word = os.path.expanduser(word)  # noqa: PTH111 - a `~` that was quoted is hidden yet
    if not re.search(r"[*?[]", word):
        return [word.translate(_SHOWN)]
    pattern = _copied(word.translate(_LITERAL), place)
    found = iglob(pattern, root_dir=place.stage)  # noqa: PTH207 - as a shell has it
    names = sorted(islice(found, _MOST_FILES + 1))
    if len(names) > _MOST_FILES:
        raise RefusedError(f"{word} stands for more than {_MOST_FILES:,} files; narrow it.")
    return [f"./{each}" if each[0] == "-" else each for each in names] or [word.translate(_SHOWN)]


def _copied(word: str, place: ReadingPlace) -> str:
    """Return a path of the memory directory as that of its copy, any other word as it is."""
    memory = str(place.memory)
    is_there = word == memory or word.startswith(f"{memory}/")
    return f"{place.stage}{word[len(memory) :]}" if is_there else word


def _placed(word: str, place: ReadingPlace, domain: Domain | None) -> str:
    """Return a path as a reader is to have it; a file that holds no secret is granted to it."""
    try:
        path = absolute(word, place.memory)
    except RefusedError:
        return word  # it can be no path
    if not os.path.lexists(path):
        return _copied(word, place)
    refuse_denied(path, place)
    if domain is not None and not path.is_dir():
        with opened(path, place) as (file, real, status):
            if real.suffix == ".jsonl":
                raise RefusedError(f"{word} is a transcript: a conversation for Sessions or Read.")
            if status.st_size > LARGEST:
                raise RefusedError(f"{word} is too large; files up to {LARGEST:,} bytes are read.")
            if find(plain(held(file).read_bytes().decode("utf-8", "replace"))):
                raise RefusedError(f"{word} holds a secret; Read and Grep show it without.")
            domain.grant(file, READ_FILE)
    return str(path) if word.startswith("/") or ".." in word.split("/") else word
