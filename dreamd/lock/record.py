"""The lease on disk: one small file beside the mutex, the same by every path to a directory.

Beside it lies how far its holder has come, one line that begins with the lease's token.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from msgspec import MsgspecError, json

from dreamd.domain.store import Lease, Store
from dreamd.errors import HostError
from dreamd.host.files import content, faults, replace
from dreamd.host.mutex import place


def file_of(store: Store) -> Path:
    """Return where the lease of a memory directory lies.

    Raises:
        MemoryUnfitError: there is no such directory.
    """
    return store.locks / f"{place(store.memory)}.lease"


def read(file: Path) -> Lease | None:
    """Return the lease recorded in a file; None where there is none or it is not of our making."""
    with faults("read", file):
        try:
            return json.decode(content(file), type=Lease)
        except (FileNotFoundError, NotADirectoryError, MsgspecError, ValueError, RecursionError):
            # Records are replaced whole, so what is odd is none of ours: it says nothing.
            return None


def write(file: Path, lease: Lease) -> None:
    """Make the record of a lease durable, in place of any other."""
    with faults("write", file):
        replace(file, json.format(json.encode(lease), indent=1) + b"\n")


def remove(file: Path, lease: Lease) -> None:
    """Remove the record of a lease, unless another lease stands there by now."""
    standing = read(file)
    if standing is not None and standing.token == lease.token:
        with faults("remove", file):
            file.unlink(missing_ok=True)
            _progress(file).unlink(missing_ok=True)


def tell(file: Path, lease: Lease, said: str) -> None:
    """Write down how far a holder has come; where the disk refuses, nobody hears it."""
    with contextlib.suppress(OSError, HostError):
        line = f"{lease.token} {said}".encode("utf-8", "replace")
        replace(_progress(file), line, durable=False)


def told(file: Path, lease: Lease) -> str:
    """Return how far the holder of a lease has come; "" where it said nothing."""
    with contextlib.suppress(OSError):
        token, _, said = content(_progress(file)).decode("utf-8", "replace").partition(" ")
        return said if token == lease.token else ""
    return ""


def _progress(file: Path) -> Path:
    return file.with_suffix(".progress")
