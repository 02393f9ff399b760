"""Run one tool on its arguments; nothing that goes wrong escapes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dreamd.engine.model.tools import BY_NAME
from dreamd.engine.model.tools.notes import Notes
from dreamd.engine.model.tools.page import MOST, within
from dreamd.engine.model.tools.patience import OutOfTimeError
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.errors import DreamdError
from dreamd.text.secrets.secrets import redact
from dreamd.transcripts.plain import plain


def answered(name: str, arguments: Mapping[str, Any], where: Place | Notes) -> Answer:
    """Return the answer to one call whose arguments were checked; `where` is what it works on.

    What goes to the model holds no secret and is no longer than a page, whatever the tool did. A
    tool's module is imported only when it is called: each has libraries of its own.
    """
    try:
        module = import_module(f"dreamd.engine.model.tools.{BY_NAME[name].name.lower()}")
        answer: Answer = module.run(arguments, where)
    except OutOfTimeError:
        return Answer(f"{name} took too long; ask for less at once.", is_error=True)
    except (DreamdError, OSError) as error:
        return Answer(within(redact(plain(str(error))), MOST), is_error=True)
    except Exception as error:  # noqa: BLE001 - one call's fault is not the session's end
        words = f"{name} failed inside: {type(error).__name__}."
        return Answer(words, is_error=True, facts={"fault": place_of(error)})
    text = within(redact(plain(answer.text)), MOST)
    return Answer(text, answer.is_error, answer.facts, answer.notes)


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
