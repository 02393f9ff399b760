"""Whether there is a way to the network, without sending a packet."""

from __future__ import annotations

import sys
from pathlib import Path

_PROC = Path("/proc/net")
_UP, _REJECT = 0x1, 0x200  # RTF_UP, RTF_REJECT of <linux/route.h>
# UDP is connected without a packet; addresses for documentation (RFC 5737, RFC 3849).
_FAR = (("AF_INET", "192.0.2.1"), ("AF_INET6", "2001:db8::1"))


def has_route(proc: Path = _PROC, *, default: bool = True) -> bool | None:
    """Return whether a route leads off this machine; None where nobody can say.

    On Linux the routing tables in `/proc/net/route` and `/proc/net/ipv6_route` (proc(5)) are
    read. With `default` it must be one to everywhere; otherwise one to some network suffices.
    """
    if sys.platform != "linux":
        return _by_connecting()
    four, six = _rows(proc / "route"), _rows(proc / "ipv6_route")
    if four is None and six is None:
        return None
    return any(_leads_4(row, default=default) for row in (four or ())[1:]) or any(
        _leads_6(row, default=default) for row in six or ()
    )


def _rows(table: Path) -> list[list[bytes]] | None:
    try:
        return [line.split() for line in table.read_bytes().splitlines()]
    except OSError:
        return None


def _leads_4(row: list[bytes], *, default: bool) -> bool:
    """Judge a line: interface, destination, gateway, flags, three counters, mask, …, all hex."""
    try:
        name, target, flags, mask = row[0], int(row[1], 16), int(row[3], 16), int(row[7], 16)
    except (IndexError, ValueError):
        return False
    is_link_local = row[1].upper().endswith(b"FEA9")  # 169.254.0.0, in the order of the host
    if name == b"lo" or not flags & _UP or flags & _REJECT or is_link_local:
        return False
    return not default or (target == 0 and mask == 0)


def _leads_6(row: list[bytes], *, default: bool) -> bool:
    """Judge a line: destination and its length, source and its, next hop, …, flags, interface."""
    try:
        target, length, flags, name = row[0], int(row[1], 16), int(row[8], 16), row[9]
    except (IndexError, ValueError):
        return False
    if name == b"lo" or not flags & _UP or flags & _REJECT:
        return False
    if default:
        return length == 0
    return not target.startswith((b"fe80", b"ff"))  # those that each interface has by itself


def _by_connecting() -> bool | None:
    import socket  # noqa: PLC0415 - only off Linux

    asked = False
    for family, address in _FAR:
        try:
            with socket.socket(getattr(socket, family), socket.SOCK_DGRAM) as probe:
                asked = True
                probe.connect((address, 9))
        except OSError:
            continue
        return True
    return False if asked else None
