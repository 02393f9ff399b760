"""What can go wrong, as one tree; every leaf carries a sentence for the user and an exit code.

DreamdError (1)
├── UsageError (2)         the command line cannot be meant
├── BusyError (75)         someone else is at it; try again later
├── ConfigError (78)       the configuration names something that does not exist
├── RefusedError (1)       dreamd will not do this, and nothing was changed
│   └── MemoryUnfitError (1)   the memory directory cannot be worked on as it stands
├── LeaseLostError (1)     another holder stands in the lock; nothing is committed
├── SessionError (1)       the model's session failed; no note was changed
├── HistoryError (1)       history does not hold, or cannot give, what is asked of it
├── EvidenceError (1)      a newer dreamd wrote the evidence; a dream goes on without it
└── HostError (1)          the operating system said no: disk full, read-only, no permission
    ├── DamagedError (1)   a database of ours is none any more; it is set aside
    └── WallsError (1)     the walls around a helper cannot be put up; it serves nobody
"""


class DreamdError(Exception):
    """Anything dreamd raises on purpose; `str()` of it is one sentence for the user.

    `dream` is the id of the transaction that it ended, where that one has a receipt.
    """

    exit_code = 1
    dream: str | None = None


class UsageError(DreamdError):
    """The command line cannot be meant as it stands."""

    exit_code = 2


class BusyError(DreamdError):
    """Someone else holds what this needs; trying again later may work."""

    exit_code = 75


class ConfigError(DreamdError):
    """The configuration is wrong; the sentence names file, key, and what would be right."""

    exit_code = 78


class RefusedError(DreamdError):
    """dreamd will not do this, and nothing was changed."""


class MemoryUnfitError(RefusedError):
    """The memory directory cannot be worked on as it stands."""


class LeaseLostError(DreamdError):
    """The lock no longer names this process; nothing may be committed or rolled back."""


class SessionError(DreamdError):
    """The model's session failed: the endpoint, the walls, or a process of it; nothing changed."""


class HistoryError(DreamdError):
    """History does not hold what is asked of it, or a newer dreamd wrote it."""


class EvidenceError(DreamdError):
    """The evidence was written by a newer dreamd; this one does not touch it."""


class HostError(DreamdError):
    """The operating system refused: disk full, read-only, no permission."""


class DamagedError(HostError):
    """A database of dreamd's own is damaged, or something else stands in its place."""


class WallsError(HostError):
    """The walls around a helper cannot be put up as asked; nothing runs without them."""
