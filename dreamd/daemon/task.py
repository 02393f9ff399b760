"""The process of a child: it dreams, or clears up after a dream that died, and ends with us."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import DreamdError
from dreamd.sandbox import privileges

MEND = "mend"  # as the first word; any others are a command of `dreamd`


def main(parent: str, *words: str) -> int:
    """Do as the daemon says, unless it is gone already; return the exit code.

    It may take a while. On Linux the kernel ends this process as soon as the daemon ends.
    """
    if sys.platform == "linux":
        privileges.die_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        return 130
    if words[0] != MEND:
        sys.argv = ["dreamd", *words]
        runpy.run_module("dreamd", run_name="__main__", alter_sys=True)
        return 0
    from dreamd.transaction import recovery  # noqa: PLC0415 - a dream imports its own

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    memory, state, name = words[1:]
    try:
        recovery.recover(Store(Path(memory), Path(state), name))
    except DreamdError as error:
        sys.stderr.write(f"dreamd: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
