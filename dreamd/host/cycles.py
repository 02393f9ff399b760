"""No looking for cycles of garbage while very many values are made that all stay."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def unsought() -> Iterator[None]:
    """Let no cycle be looked for inside; what belongs to none is freed as ever.

    Python looks through all there is each time that a quarter more came, which of a hundred
    thousand claims takes a fifth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
