"""The command line: a table of commands, one module each, imported only when it runs."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from collections.abc import Sequence

from dreamd import __version__
from dreamd.errors import DreamdError, HostError, UsageError
from dreamd.host.cycles import unsought

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, NoReturn

    from dreamd.domain.ending import Outcome

# command: (module below dreamd.cli, what it does)
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "a real dream on a private copy of the sample memory"),
    "dream": ("dream", "consolidate a memory directory now"),
    "run": ("run", "the daemon: watch the memory directories, dream when every gate is open"),
    "status": ("status", "the state of the daemon and of each memory directory"),
    "why": ("why", "why no dream starts now; where a line came from"),
    "log": ("log", "past dreams"),
    "show": ("show", "what one dream did, and why"),
    "diff": ("diff", "what one dream changed, line by line"),
    "undo": ("reversal", "take a dream back"),
    "redo": ("reversal", "apply an undone dream again"),
    "accept": ("reversal", "apply what a dream proposed"),
    "reject": ("reversal", "reject a proposal for good"),
    "restore": ("restore", "bring notes back exactly as they were when a dream began"),
    "pin": ("pin", "protect a note: no dream changes it"),
    "unpin": ("pin", "let dreams change a note again"),
    "adopt": ("adopt", "give a memory directory the history of another, as after a copy"),
    "forget": ("forget", "remove a text from notes and history for good"),
    "check": ("check", "lint a memory directory"),
    "doctor": ("doctor", "check that everything a dream needs is there"),
    "config": ("config", "the settings in force and where each comes from"),
    "nudge": ("nudge", "make the daemon look now; without one, dream if due (for hooks)"),
    "install": ("install", "run dreamd as a service; add it to Claude Code"),
    "uninstall": ("uninstall", "remove what `install` added"),
}

_CHANGING = {"demo", "dream", "restore", "pin", "unpin", "adopt", "forget", "check"} | {
    name for name, (module, _) in COMMANDS.items() if module == "reversal"
}

_INTRODUCTION = """\
dreamd keeps a coding agent's memory directory correct, short and current,
and never loses a note.

commands:
{commands}

`dreamd COMMAND --help` says more. Which memory directory: the one you name, else
DREAMD_MEMORY, else the one you are in, else that of the current project.
Exit codes: 0 done or nothing to do, 1 failed or refused, 2 usage, 75 busy, 78 configuration.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # no name may fail on the way out
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(words)
    except DreamdError as error:
        return _say(error, as_json="--json" in words)
    except BrokenPipeError:  # the reader of our output went away, e.g. `dreamd log | head`
        sys.stderr.close()
        return 0
    except OSError as error:  # a folder closed to us, a disk that fails: the system's own words
        named = f"{error.filename}: " if error.filename is not None else ""
        return _say(HostError(f"{named}{error.strerror or error}"), as_json="--json" in words)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("dreamd"):
            raise
        lacks = f"{sys.executable} lacks the module {error.name}, which dreamd needs"
        mend = "install dreamd anew, or use another Python; `dreamd doctor` says more"
        return _say(HostError(f"{lacks}: {mend}"), as_json="--json" in words)
    except KeyboardInterrupt:
        print("dreamd: stopped; no note was changed after the last receipt", file=sys.stderr)
        return 130


def _run(words: list[str]) -> int:
    # All words are ours, and English: to look for a catalogue of others costs a command 2 ms.
    vars(argparse)["_"] = str
    name = words[0]
    if name not in COMMANDS:
        if name.startswith("-"):
            _parser().parse_args(words[:1])
        raise UsageError(_unknown(name))
    module_name, what = COMMANDS[name]
    with unsought():  # what is imported stays
        _import_msgspec()
        command = importlib.import_module(f"dreamd.cli.{module_name}")
    own = _Parser(
        prog=f"dreamd {name}",
        description=f"{what[0].upper()}{what[1:]}.",
        formatter_class=_plain,
        allow_abbrev=False,
    )
    own.set_defaults(command=name)
    command.configure(own, name)
    if name in _CHANGING:
        _stop_in_order()
    code: int = command.run(own.parse_args(words[1:]))
    sys.stdout.flush()
    return code


def _import_msgspec() -> None:
    """Import it without `typing_extensions`, of which it asks what `typing` has since Python 3.11.

    That one imports `inspect`, a tenth of a short command.
    """
    is_lacking = "typing_extensions" not in sys.modules
    if is_lacking:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment] # so Python has it
    try:
        importlib.import_module("msgspec")
    finally:
        if is_lacking:
            del sys.modules["typing_extensions"]


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are dreamd's: one sentence, or one JSON object."""

    def error(self, message: str) -> NoReturn:
        """Raise what the command line got wrong.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{message} (`{self.prog} --help` says more)")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse `--option=--`, of which Python 3.11 makes an empty list."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f'argument {"/".join(action.option_strings)}: "--" is no value')
        return super()._get_values(action, arg_strings)


def _plain(prog: str) -> argparse.HelpFormatter:
    """Format help at a fixed width: asking the terminal for its own costs an import of shutil."""
    return argparse.HelpFormatter(prog, width=96)


def _parser() -> argparse.ArgumentParser:
    table = "\n".join(f"  {name:9} {what}" for name, (_, what) in COMMANDS.items())
    parser = _Parser(
        prog="dreamd",
        usage="dreamd COMMAND [ARGUMENT ...]",
        description=_INTRODUCTION.format(commands=table),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dreamd {__version__}")
    return parser


def _unknown(word: str) -> str:
    import difflib  # noqa: PLC0415 - only on a slip of the finger

    near = difflib.get_close_matches(word, COMMANDS, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else "; `dreamd --help` lists them"
    return f'there is no command "{word}"{hint}'


def _say(error: DreamdError, *, as_json: bool) -> int:
    from dreamd.cli.paint import on_one_line  # noqa: PLC0415 - only when something went wrong

    sentence = on_one_line(" ".join(str(error).split()))
    if as_json:
        import json  # noqa: PLC0415 - only where it is asked for

        from dreamd.domain.ending import Kind, Outcome  # noqa: PLC0415
        from dreamd.domain.receipt import Receipt, to_json  # noqa: PLC0415

        outcome = {75: Outcome.BUSY, 2: Outcome.REFUSED}.get(error.exit_code, _outcome(error))
        ended = Receipt(None, Kind.CONSOLIDATION, outcome, sentence, memory="", started="")
        keys = ("dream", "outcome", "reason", "engine", "proposed", "changes", "usage", "seconds")
        print(json.dumps({key: to_json(ended)[key] for key in keys}))
    print(f"dreamd: {sentence}", file=sys.stderr)
    return error.exit_code


def _outcome(error: DreamdError) -> Outcome:
    from dreamd.domain.ending import Outcome  # noqa: PLC0415 - beside its only use
    from dreamd.errors import RefusedError  # noqa: PLC0415

    return Outcome.REFUSED if isinstance(error, RefusedError) else Outcome.FAILED


def _open_streams() -> None:
    """Open what the caller closed of the first three descriptors: else a note would get one."""
    import os  # noqa: PLC0415 - seldom needed

    while (opened := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        each or open(number, mode, closefd=False)  # noqa: SIM115 - it stays open
        for number, (each, mode) in enumerate(
            ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
        )
    )


def _stop_in_order() -> None:
    """Let SIGTERM end a command as Ctrl-C does: rolled back, or completed where it is committed."""
    import signal  # noqa: PLC0415 - not for a command that only looks

    signal.signal(signal.SIGTERM, _stop)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
