"""How much work waits for memory."""

from __future__ import annotations

from pathlib import Path

_MEMORY = Path("/proc/pressure/memory")


def memory_pressure(file: Path = _MEMORY) -> float | None:
    """Return the share of the last 10 s, in %, in which some task waited for memory.

    It is `avg10` of the line `some` (Linux, Documentation/accounting/psi.rst); None where the
    kernel keeps none, as before 4.20, with `psi=0`, and on a Mac.
    """
    try:
        lines = file.read_bytes()[:4096].splitlines()
    except OSError:
        return None  # with psi=0 the file is there, and reading it is refused
    for line in lines:
        first, *fields = line.split()[:4] or [b""]
        for field in fields:
            name, _, value = field.partition(b"=")
            if (first, name) == (b"some", b"avg10"):
                return _share(value)
    return None


def _share(value: bytes) -> float | None:
    try:
        share = float(value)
    except ValueError:
        return None
    return share if 0 <= share <= 100 else None
