"""Clearing up after a dream whose process died, in a process of its own: it may take a while."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from dreamd.domain.store import Store
from dreamd.errors import DreamdError


def main(memory: str, state: str, name: str) -> int:
    """Complete or take back what dead processes left in a store; return the exit code."""
    from dreamd.transaction import ending  # noqa: PLC0415 - the daemon never pays for it

    signal.signal(signal.SIGTERM, _stop)
    try:
        ending.recover(Store(Path(memory), Path(state), name))
    except DreamdError as error:
        sys.stderr.write(f"dreamd: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
