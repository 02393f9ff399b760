"""Where the key of the API is found: the environment, a key file, or systemd's credentials."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from dreamd.errors import ConfigError

_CREDENTIAL = "anthropic-api-key"  # as in LoadCredential=anthropic-api-key:/path
_LONGEST = 4096  # characters; a key has about a hundred


def find_key(
    environ: Mapping[str, str], key_file: Path | None, credentials_directory: Path | None
) -> str | None:
    """Return the key, None where there is none; the first place that has one counts.

    The places are `ANTHROPIC_API_KEY`, the key file of the configuration, and the file
    `anthropic-api-key` in the directory that systemd names in `$CREDENTIALS_DIRECTORY`.

    Raises:
        ConfigError: the key file cannot be read, or what stands in a place is no key.
    """
    if key := environ.get("ANTHROPIC_API_KEY", "").strip():
        return _judged(key, "ANTHROPIC_API_KEY")
    if key_file is not None:
        return _judged(_read(key_file), f"the key file {key_file}")
    if credentials_directory is not None:
        credential = credentials_directory / _CREDENTIAL
        if credential.exists():
            return _judged(_read(credential), f"the credential {credential}")
    return None


def exposed(key_file: Path) -> str | None:
    """Return a sentence where others than its owner may read a key file, else None."""
    try:
        mode = key_file.stat().st_mode
    except OSError:
        return None
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return None
    return f"others may read the key file {key_file}; `chmod 600 {key_file}` keeps it yours"


def _read(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError(f"the key file {path} is no regular file")
        with path.open(encoding="utf-8") as file:
            return file.read(_LONGEST + 1).strip()
    except OSError as error:
        raise ConfigError(f"the key file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"the key file {path} holds no text") from error


def _judged(key: str, place: str) -> str:
    """Return the key if a header may carry it; the sentence otherwise never shows it."""
    if not key:
        raise ConfigError(f"{place} is empty; it should hold the key and nothing else")
    if len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(f"{place} holds no key: a key is one printable word")
    return key
