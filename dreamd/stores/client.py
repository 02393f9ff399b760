"""What the client's own settings say about where notes lie."""

from __future__ import annotations

import json
import os
from pathlib import Path

from dreamd.stores.peek import beginning

_LARGEST = 1 << 20  # bytes; a settings file beyond it is something else


def memory_directory(claude: Path) -> Path | None:
    """Return `autoMemoryDirectory` of the client's `settings.json`, None where it names nothing.

    It is an absolute path or begins with `~/`. The root, the home directory and what lies above
    it hold more than notes and are no memory; they count as not set, as does all else that makes
    no sense, for the client goes on without it too.
    """
    text = beginning(claude / "settings.json", _LARGEST)
    try:
        fields = json.loads(text or b"")
    except (ValueError, RecursionError):
        return None
    named = fields.get("autoMemoryDirectory") if isinstance(fields, dict) else None
    if not isinstance(named, str) or "\0" in named or not named.startswith(("/", "~/")):
        return None
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
    path = Path(os.path.normpath(home + named[1:] if named.startswith("~") else named))
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return None
    if not path.is_absolute() or path.parent == path or path in (Path(home), *Path(home).parents):
        return None
    return path
