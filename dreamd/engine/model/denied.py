"""What a session may not read: credential stores, its own key, and what was asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dreamd.domain.settings import Model
from dreamd.sandbox.denied import default


def denied(model: Model, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the usual credential stores, the denied paths of the settings, and the keys' places.

    All are absolute, with `~` and `~user` expanded: a relative one is meant from the current
    directory, as the key file is when the key is read. The processes of a session stand elsewhere.
    """
    named = [*model.denied.split(":"), model.key_file, environ.get("CREDENTIALS_DIRECTORY", "")]
    usual = default(Path(environ.get("HOME") or Path.home()))
    asked = (os.path.abspath(os.path.expanduser(each)) for each in named if each.strip())  # noqa: PTH100, PTH111
    return tuple(dict.fromkeys((*map(str, usual), *asked)))
