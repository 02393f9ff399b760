"""Which memory directory is meant, whose it is, and where dreamd keeps what belongs to it.

`from dreamd import stores` gives all of it; a command pays for what it uses.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.stores.belonging import transcript_folders
    from dreamd.stores.choice import locate, path_of
    from dreamd.stores.home import known, real, store_at
    from dreamd.stores.opening import open_home, take_back
    from dreamd.stores.project import project_root, slug
    from dreamd.stores.survey import Survey, every

__all__ = [
    "Survey",
    "every",
    "known",
    "locate",
    "open_home",
    "path_of",
    "project_root",
    "real",
    "slug",
    "store_at",
    "take_back",
    "transcript_folders",
]

_HOMES = {
    "belonging": ("transcript_folders",),
    "choice": ("locate", "path_of"),
    "home": ("known", "real", "store_at"),
    "opening": ("open_home", "take_back"),
    "project": ("project_root", "slug"),
    "survey": ("Survey", "every"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"dreamd.stores.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
