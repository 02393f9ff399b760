"""The command line: a table of commands, one module each, imported only when it runs."""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from dreamd import __version__
from dreamd.cli.table import CHANGING, SHARED, TEXT, WITHOUT_JSON
from dreamd.errors import DreamdError, HostError, UsageError


def _commands() -> dict[str, tuple[str, str, dict[str, str]]]:
    """Return for each command of the table its function, what it does, and its arguments."""
    found: dict[str, tuple[str, str, dict[str, str]]] = {}
    arguments, spec = dict[str, str](), ""
    for line in TEXT.strip().split("\n"):
        head, _, about = line.strip().partition(": ")
        if line.startswith("    "):
            arguments[spec] += f" {line.strip()}"
        elif line.startswith("  "):
            spec, arguments[head] = head, about
        else:
            name, _, function = head.partition(" ")
            arguments = {}
            found[name] = (function.strip("()") or name, about, arguments)
    return found


COMMANDS = _commands()
_DAY = 86_400  # seconds
_ESCAPED = "backslashreplace"  # no name may fail on the way out
_INTRODUCTION = """\
usage: dreamd COMMAND [ARGUMENT ...]    (or --help, --version)

dreamd keeps a coding agent's memory directory correct, short and current,
and never loses a note.

commands:
{commands}

`dreamd COMMAND --help` says more. Which memory directory: the one you name, else
DREAMD_MEMORY, else the one you are in, else that of the current project.
Exit codes: 0 done or nothing to do, 1 failed, refused, or the output could not be written,
2 usage, 75 busy, 78 configuration.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    taken = _streams()
    code = _ended(words)
    out, err = taken.get("stdout"), taken.get("stderr")
    if out and out.lost and out.lost.errno != errno.EPIPE:
        said = f"standard output: {out.lost.strerror}; the command itself ran to its end"
        print(f"dreamd: {said}", file=sys.stderr)
    sys.stderr.flush()
    return code or int(any(each and each.lost for each in (out, err)))


def _ended(words: list[str]) -> int:
    """Run one command; say what went wrong."""
    as_json = "--json" in words
    try:
        return _run(words)
    except DreamdError as error:
        return _say(error, as_json=as_json)
    except OSError as error:  # a folder closed to us, a disk that fails: the system's own words
        named = f"{error.filename}: " if error.filename is not None else ""
        return _say(HostError(f"{named}{error.strerror or error}"), as_json=as_json)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("dreamd"):
            raise
        lacks = f"{sys.executable} lacks the module {error.name}, which dreamd needs"
        mend = "install dreamd anew, or use another Python; `dreamd doctor` says more"
        return _say(HostError(f"{lacks}: {mend}"), as_json=as_json)
    except SystemExit as ended:  # help was asked for
        return int(ended.code or 0)
    except KeyboardInterrupt:
        print("dreamd: stopped; no note was changed after the last receipt", file=sys.stderr)
        return 130
    finally:
        sys.stdout.flush()


class _Stream(io.FileIO):
    """Standard output or error; what cannot be written there is remembered, not raised.

    So a command whose reader is gone, or whose disk is full, still ends its work, and Python
    meets no second fault as it ends (its exit code 120). The exit code is then 1, also for a
    closed pipe: as Python's documentation of SIGPIPE has it, which the interpreter ignores.
    """

    lost: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Write, or drop what comes after a fault."""
        try:
            while self.lost is None:
                if (count := super().write(data)) is not None:
                    return count
                from select import select  # noqa: PLC0415 - seldom needed

                select([], [self], [])  # a pipe that its other end keeps from blocking
        except OSError as error:
            self.lost = error
        return len(data)


def _streams() -> dict[str, _Stream]:
    """Let the interpreter's own standard output and error be streams that never raise."""
    taken = {}
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        given = getattr(sys, name)
        if given is None:  # the caller closed it: else a note would get its number
            os.open(os.devnull, os.O_RDWR)
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, errors=_ESCAPED, closefd=False))  # noqa: SIM115
        elif number and given is getattr(sys, f"__{name}__"):  # not one of a test, nor taken
            taken[name] = _Stream(number, "w", closefd=False)
            buffer, how = io.BufferedWriter(taken[name]), (given.encoding, _ESCAPED, None)
            setattr(sys, name, io.TextIOWrapper(buffer, *how, given.line_buffering))
    return taken


def _run(words: list[str]) -> int:
    # All words are ours, and English: to look for a catalogue of others costs a command 2 ms.
    vars(argparse)["_"] = str
    name = words[0]
    if name in {"-h", "--help"}:
        rows = (f"  {each:9} {about}" for each, (_, about, _) in COMMANDS.items())
        print(_INTRODUCTION.format(commands="\n".join(rows)), end="")
        return 0
    if name == "--version":
        print(f"dreamd {__version__}")
        return 0
    if name not in COMMANDS:
        raise UsageError(_unknown(name))
    module, _, function = COMMANDS[name][0].partition(".")
    _import_msgspec()
    run = getattr(importlib.import_module(f"dreamd.cli.{module}"), function or "run")
    if name in CHANGING:
        _stop_in_order()
    arguments = parser(name).parse_args(words[1:])
    if max(abs(time.timezone), abs(time.altzone)) >= _DAY:
        raise HostError("the time zone (TZ) is a day or more from UTC: name one that exists")
    return int(run(arguments))


def parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command's arguments."""
    _, about, arguments = COMMANDS[name]
    said = f"{about[0].upper()}{about[1:]}."
    # A fixed width: asking the terminal for its own costs an import of shutil.
    plain = partial(argparse.HelpFormatter, width=96)
    own = _Parser(f"dreamd {name}", None, said, formatter_class=plain, allow_abbrev=False)
    own.set_defaults(command=name)
    for spec, words in arguments.items():
        _add(own, spec, words or SHARED.get(spec, argparse.SUPPRESS))
    _add(own, "--memory DIR", "the memory directory")
    if name not in WITHOUT_JSON:
        _add(own, "--json", "print one JSON object")
    return own


def _add(own: argparse.ArgumentParser, spec: str, about: str) -> None:
    """Add an argument that is written as the table says."""
    option, _, value = spec.rpartition(" ") if spec.startswith("-") else ("", "", spec)
    bare, _, usual = value.strip("[]*").partition("=")
    how: dict[str, Any] = {"help": about, "metavar": bare}
    if not option and value.startswith("--"):
        option, how = value, {"help": about, "action": "store_true"}
    elif "|" in bare:
        how = {"help": about, "choices": bare.split("|")}
    elif usual:
        how |= {"type": _count, "default": int(usual)}
    elif option and value.endswith("*"):
        how |= {"action": "append", "default": []}
    elif value.endswith("]"):
        how["nargs"] = "?"
    elif value.endswith("*"):
        how |= {"nargs": "*", "default": []}
    names = ["-n", option] if usual else [option or bare]
    own.add_argument(*names, **how)


def _count(text: str) -> int:
    if text.isascii() and text.isdecimal():
        return int(text[:9])
    raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 0 on')


def _import_msgspec() -> None:
    """Import it without `typing_extensions`, which imports `inspect`: a tenth of a short command.

    msgspec asks it for what `typing` has since Python 3.11.
    """
    hides = sys.modules.setdefault("typing_extensions", None) is None  # type: ignore[arg-type]
    try:
        importlib.import_module("msgspec")
    finally:
        if hides:
            del sys.modules["typing_extensions"]


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are dreamd's: one sentence, or one JSON object."""

    def error(self, message: str) -> NoReturn:
        """Raise what the command line got wrong."""
        raise UsageError(f"{message} (`{self.prog} --help` says more)")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse `--option=--`, of which Python 3.11 makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f'argument {"/".join(action.option_strings)}: "--" is no value')
        return super()._get_values(action, arg_strings)


def _unknown(word: str) -> str:
    import difflib  # noqa: PLC0415 - only on a slip of the finger

    near = difflib.get_close_matches(word, COMMANDS, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else "; `dreamd --help` lists them"
    return f'there is no command "{word}"{hint}'


def _say(error: DreamdError, *, as_json: bool) -> int:
    from dreamd.cli.paint import on_one_line  # noqa: PLC0415 - only when something went wrong

    sentence = on_one_line(" ".join(str(error).split()))
    if as_json:
        from dreamd.cli import common  # noqa: PLC0415 - only where it is asked for

        common.answer(common.refusal(error, sentence))
    print(f"dreamd: {sentence}", file=sys.stderr)
    return error.exit_code


def _stop_in_order() -> None:
    """Let SIGTERM end a command as Ctrl-C does: rolled back, or completed where it is committed."""
    import signal  # noqa: PLC0415 - not for a command that only looks

    def stop(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
