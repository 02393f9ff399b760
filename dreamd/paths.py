"""Where things lie by the environment alone, for those who cannot wait for the configuration."""

from __future__ import annotations

TYPE_CHECKING = False  # a hook waits for this module
if TYPE_CHECKING:
    from collections.abc import Mapping


def absolute(text: str | None) -> str | None:
    """Return a path; None where it is empty or relative (XDG Base Directory 0.8, "Basics")."""
    return text if text and text.startswith("/") else None


def home_of(environ: Mapping[str, str]) -> str | None:
    """Return the user's home: HOME, else what the system has; None where neither names one."""
    if (named := absolute(environ.get("HOME"))) is not None:
        return named
    import os  # noqa: PLC0415 - only where HOME is not set
    import pwd  # noqa: PLC0415

    try:
        return absolute(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None


def state_of(environ: Mapping[str, str], home: str) -> str:
    """Return dreamd's state directory."""
    return f"{absolute(environ.get('XDG_STATE_HOME')) or f'{home}/.local/state'}/dreamd"
