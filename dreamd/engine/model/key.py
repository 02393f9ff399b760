"""Where the key of the API is found: the environment, a key file, or systemd's credentials."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from dreamd.domain.dream import Brief
from dreamd.domain.settings import Model
from dreamd.errors import ConfigError
from dreamd.sandbox.denied import default


def denied(model: Model, environ: Mapping[str, str], brief: Brief) -> tuple[str, ...]:
    """Return the usual credential stores, the denied paths of the settings, and the keys' places.

    All are absolute, with `~` and `~user` expanded: a relative one is meant from the current
    directory, as the key file is when the key is read. The reader stands elsewhere.

    Raises:
        ConfigError: `model.denied` takes away what the session itself needs, or some of the notes.
    """
    for each in filter(str.strip, model.denied.split(":")):
        asked = Path(os.path.realpath(os.path.expanduser(each)))  # noqa: PTH111
        for place, what in _needed(brief):
            is_around = place.is_relative_to(asked)
            if is_around or asked.is_relative_to(place):
                raise ConfigError(
                    f"model.denied must leave a dream what it works with: {each} "
                    f"{'holds' if is_around else 'is part of'} {what} ({place}); name other "
                    "places, or folders below it"
                )
    named = [*model.denied.split(":"), model.key_file, environ.get("CREDENTIALS_DIRECTORY", "")]
    usual = default(Path(environ.get("HOME") or Path.home()))
    whole = map(os.path.expanduser, filter(str.strip, named))
    return tuple(dict.fromkeys((*map(str, usual), *map(os.path.abspath, whole))))


def _needed(brief: Brief) -> Iterator[tuple[Path, str]]:
    """Yield places that a session needs, with all that is below them, and what they are."""
    yield brief.memory.resolve(), "the notes"
    yield Path(__file__).resolve().parents[2], "dreamd itself"
    yield Path(os.__file__).resolve().parent, "the Python that runs it"
    yield Path(sys.executable).resolve(), "the Python that runs it"


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
        return _word(key, "ANTHROPIC_API_KEY")
    file = key_file
    if file is None and credentials_directory is not None:
        file = credentials_directory / _CREDENTIAL
        file = file if file.exists() else None
    if file is None:
        return None
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would never end
            raise ConfigError(f"the key file {file} is no regular file")
        return _word(file.read_text("utf-8").strip(), f"the key file {file}")
    except OSError as error:
        raise ConfigError(f"the key file {file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"the key file {file} holds no text") from error


def _word(text: str, place: str) -> str:
    """Return a key if a header may carry it; the sentence otherwise never shows it."""
    is_word = text.isascii() and text.isprintable() and " " not in text
    if not text or len(text) > _LONGEST or not is_word:
        raise ConfigError(
            f"{place} holds no key, which is one printable word: give it and nothing else"
        )
    return text


def exposed(key_file: Path) -> str | None:
    """Return a sentence where others than its owner may read a key file, else None."""
    try:
        mode = key_file.stat().st_mode
    except OSError:
        return None
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return None
    return f"others may read the key file {key_file}; `chmod 600 {key_file}` keeps it yours"
