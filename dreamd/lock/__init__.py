"""Who may change a memory directory: a lease on the one file that every client looks at.

`.consolidate-lock` holds the decimal PID of the holder or nothing; its mtime is the start of the
last successful consolidation, or while held the last heartbeat. Beside it `lease.json` in the
state directory says which process it is and what stood in the lock before. Whatever crashes
when: while the body names the lease's PID, the stamp from before stands in the lease; when it
does not, what stands in the lock is the truth.

`from dreamd import lock` gives all of it; a command that only looks calls `lock.standing` and
pays for nothing else.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.lock.grip import beat, beating, fence
    from dreamd.lock.release import finish, leave, put_back, roll_back
    from dreamd.lock.sight import dead_lease, standing
    from dreamd.lock.take import acquire, adopt

__all__ = [
    "acquire",
    "adopt",
    "beat",
    "beating",
    "dead_lease",
    "fence",
    "finish",
    "leave",
    "put_back",
    "roll_back",
    "standing",
]

_HOMES = {
    "grip": ("beat", "beating", "fence"),
    "release": ("finish", "leave", "put_back", "roll_back"),
    "sight": ("dead_lease", "standing"),
    "take": ("acquire", "adopt"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"dreamd.lock.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
