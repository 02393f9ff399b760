"""Who may change a memory directory: a lease on the one file that every client looks at.

`.consolidate-lock` holds the decimal PID of the holder or nothing; its mtime is the start of the
last successful consolidation, or while held the last heartbeat. The lease, a small file in the
state directory, says which process holds it and what stood in the lock before. Whatever crashes
when: while the body names the lease's PID, the mtime from before stands in the lease; when it
does not, what stands in the lock is the truth.
"""

from dreamd.lock.acquisition import acquire, progress, running, standing
from dreamd.lock.holder import beat, beating, fence, finish, roll_back, tell

__all__ = ["acquire", "beat", "beating", "fence", "finish", "progress", "roll_back", "running"]
__all__ += ["standing", "tell"]
