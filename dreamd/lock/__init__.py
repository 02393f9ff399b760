"""Who may change a memory directory: a lease on the one file that every client looks at.

`.consolidate-lock` holds the decimal PID of the holder or nothing; its mtime is the start of the
last successful consolidation, or while held the last heartbeat. Beside it `lease.json` in the
state directory says which process it is and what stood in the lock before. Whatever crashes
when: while the body names the lease's PID, the stamp from before stands in the lease; when it
does not, what stands in the lock is the truth.
"""

from dreamd.lock.grip import beat, beating, fence
from dreamd.lock.release import finish, leave, put_back, roll_back
from dreamd.lock.standing import Standing, dead_lease, standing
from dreamd.lock.take import acquire, adopt

__all__ = [
    "Standing",
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
