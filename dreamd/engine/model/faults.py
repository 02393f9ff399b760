"""Where a fault of our own arose, without a word of what was at hand there."""

from __future__ import annotations

import os


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
