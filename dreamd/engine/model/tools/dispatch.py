"""Run one tool on its arguments, for a limited time; nothing that goes wrong escapes."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dreamd.engine.model.page import MOST, within
from dreamd.engine.model.tools import BY_NAME
from dreamd.errors import DreamdError
from dreamd.text.secrets.secrets import redact
from dreamd.transcripts.plain import plain


class Answer(Struct, frozen=True):
    """What the model is told of one call; `fault` is for us: the place of a fault of our own."""

    text: str
    is_error: bool = False
    fault: str = ""


class OutOfTimeError(DreamdError):
    """The work inside `patience` took too long."""


def _ring(_number: int, _frame: object) -> None:
    raise OutOfTimeError("it took too long")


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError inside after so many seconds; in the main thread of a process only.

    The `re` module looks for signals while it backtracks, so a pattern that would never end does.
    """
    former = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def answered(name: str, arguments: Mapping[str, Any], where: object) -> Answer:
    """Return the answer to one call with checked arguments; `where` is a `ReadingPlace` or `Notes`.

    What goes to the model holds no secret and is no longer than a page, whatever the tool did. A
    tool's module is imported only when it is called: each has libraries of its own.
    """
    try:
        module = "change" if BY_NAME[name].home == "notes" else name.lower()
        run = getattr(import_module(f"dreamd.engine.model.tools.{module}"), name.lower())
        answer: Answer = run(arguments, where)
    except OutOfTimeError:
        return Answer(f"{name} took too long; ask for less at once.", is_error=True)
    except (DreamdError, OSError) as error:
        return Answer(within(redact(plain(str(error))), MOST), is_error=True)
    except Exception as error:  # noqa: BLE001 - one call's fault is not the session's end
        words = f"{name} failed inside: {type(error).__name__}."
        return Answer(words, is_error=True, fault=place_of(error))
    return replace(answer, text=within(redact(plain(answer.text)), MOST))


def place_of(error: BaseException) -> str:
    """Return the kind of an error and where it was raised: `TypeError at grep.py:120`.

    Its text is left out: it may quote a file, or the key.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    name = os.path.basename(trace.tb_frame.f_code.co_filename)  # noqa: PTH119
    return f"{type(error).__name__} at {name}:{trace.tb_lineno}"
