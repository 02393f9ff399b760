"""What ships with dreamd beside its code: where it lies, and a private copy of the sample."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time
from pathlib import Path

from dreamd.errors import HostError
from dreamd.host import clock, files

_PACKAGE = Path(__file__).resolve().parents[1]
# Of a record in a transcript, and of a note's frontmatter.
_STAMP = re.compile(rb'(?:"timestamp": *"|^ *modified: *)(\d{4}-\d\d-\d\dT[\d:.]+Z)', re.MULTILINE)
_DAY = re.compile(rb"\b\d{4}-\d\d-\d\d\b")
_EVENING = time(18, tzinfo=UTC)


def folder(name: str) -> Path:
    """Return the folder `sample_memory` or `systemd`, from the wheel or from the checkout.

    A wheel carries them as `dreamd/data/<name>`; an editable install leaves them where the
    checkout has them, beside `pyproject.toml`.
    """
    installed = _PACKAGE / "data" / name
    if installed.is_dir():
        return installed
    checkout = _PACKAGE.parent / name
    if checkout.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return checkout
    raise HostError(
        f"the folder {name} of dreamd is neither {installed} nor {checkout}; install dreamd again"
    )


def copy_sample(to: Path) -> Path:
    """Copy the sample home into a new or empty folder; return the memory directory in the copy.

    Files are 0600 and folders 0700, as the client makes them. Their mtimes follow from what they
    hold, so two copies are alike: a transcript has that of its last record, a note that of its
    `modified:` key or 18:00 UTC of the latest day it names.
    """
    source, top = folder("sample_memory") / "projects", to / "projects"
    with files.faults("copy the sample into", to):
        _copy(source, top)
    return next(top.glob("*/memory"))


def _copy(source: Path, to: Path) -> None:
    """Copy a folder of the sample; a file that names no time has that of its youngest neighbour."""
    files.make_private(to)
    content = {}
    for each in sorted(source.iterdir()):
        if each.is_dir():
            _copy(each, to / each.name)
        else:
            content[each.name] = each.read_bytes()
    moments = {name: _moment(name, data) for name, data in content.items()}
    youngest = max(filter(None, moments.values()), default=datetime(2026, 1, 1, tzinfo=UTC))
    for name, data in content.items():
        stamp = clock.to_ns(moments[name] or youngest)
        files.write_new(to / name, data, mtime_ns=stamp, durable=False)


def _moment(name: str, data: bytes) -> datetime | None:
    """Return when a sample file was last written, by its own words; None where it names no time."""
    if stamps := _STAMP.findall(data):
        return max(datetime.fromisoformat(each.decode()) for each in stamps)
    days = _DAY.findall(name.encode() + b"\n" + data)
    return datetime.combine(datetime.fromisoformat(max(days).decode()), _EVENING) if days else None
