"""What can go wrong, as one tree: each error carries a sentence for the user and an exit code."""


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
