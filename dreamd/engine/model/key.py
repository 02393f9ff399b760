"""Where the key of the API is found, and to which host it may go."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from dreamd.domain.dream import Brief
from dreamd.domain.settings import Model
from dreamd.errors import ConfigError
from dreamd.host import files
from dreamd.sandbox.denied import default


def denied(model: Model, environ: Mapping[str, str], brief: Brief) -> tuple[str, ...]:
    """Return the usual credential stores, the denied paths of the settings, and the keys' places.

    All are absolute, with `~` and `~user` expanded: a relative one is meant from the current
    directory, as the key file is when the key is read. The reader stands elsewhere.

    Raises:
        ConfigError: `model.denied` takes away what the session itself needs, or some of the notes.
    """
    python = "the Python that runs it"
    needed = [(brief.memory, "the notes"), (Path(__file__).parents[2], "dreamd itself")]
    needed += [(Path(os.__file__).parent, python), (Path(sys.executable), python)]
    for each in filter(str.strip, model.denied.split(":")):
        asked = Path(os.path.realpath(os.path.expanduser(each)))  # noqa: PTH111
        for place, what in ((path.resolve(), what) for path, what in needed):
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


ANTHROPIC = "https://api.anthropic.com"
_CREDENTIAL = "anthropic-api-key"  # as in LoadCredential=anthropic-api-key:/path
_LONGEST = 4096  # characters; a key has about a hundred
_VARIABLES = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
_THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
_UNCONFIRMED = (
    "{} names {}, which your configuration does not: a project can set it too, so "
    "nothing is sent there; if it is yours, set model.base_url to it in config.yaml"
)


def find_key(
    model: Model,
    environ: Mapping[str, str],
    key_file: Path | None,
    *,
    is_own: bool = True,
    by_hand: bool = True,
) -> str | None:
    """Return the key that belongs with the endpoint; None where no model is meant.

    It is empty where an endpoint is set and no key belongs with it. A stored key, of the key file
    or else of systemd's credentials (`$CREDENTIALS_DIRECTORY`), belongs with the address of the
    configuration file; one in the environment, which is looked at `by_hand` only, with the host
    that ANTHROPIC_BASE_URL names beside it, else with Anthropic's. An address from the environment
    (not `is_own`) gets no key, and may be this machine only.

    Raises:
        ConfigError: the key file cannot be read, what stands in a place is no key, or the
            environment names a host that the configuration does not.
    """
    address = model.base_url
    if not is_own:
        ours = _origin(address)
        if ours[1] in _THIS_MACHINE:
            return ""
        raise ConfigError(_UNCONFIRMED.format("DREAMD_MODEL__BASE_URL", "://".join(ours[:2])))
    if (key := _stored(environ, key_file)) is not None:
        return key
    key = of_environment(environ, address) if by_hand else None
    return "" if address and key is None else key


def of_environment(environ: Mapping[str, str], address: str) -> str | None:
    """Return the key in the environment that belongs with an address, or with Anthropic's.

    Raises:
        ConfigError: it is no key, or it belongs with a host that no address of ours names.
    """
    if name := in_environment(environ):
        theirs = _origin(environ.get("ANTHROPIC_BASE_URL", "").strip() or ANTHROPIC)
        if theirs == _origin(address or ANTHROPIC):
            return word(environ[name].strip(), name)
        if not address:
            said = _UNCONFIRMED.format("ANTHROPIC_BASE_URL", "://".join(theirs[:2]))
            raise ConfigError(f"{said}, or let `dreamd install` ask you at a terminal")
    return None


def in_environment(environ: Mapping[str, str]) -> str | None:
    """Return the variable that holds a key, or a token in its place."""
    return next((name for name in _VARIABLES if environ.get(name, "").strip()), None)


def _stored(environ: Mapping[str, str], file: Path | None) -> str | None:
    if file is None and (credentials := environ.get("CREDENTIALS_DIRECTORY")):
        file = Path(credentials) / _CREDENTIAL
        file = file if file.exists() else None
    if file is None:
        return None
    try:
        text = files.content(file, 2 * _LONGEST).decode("utf-8", "replace")
        return word(text.strip(), f"the key file {file}")
    except OSError as error:
        raise ConfigError(f"the key file {file} cannot be read: {error.strerror}") from error


def _origin(address: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address (RFC 6454); empty for what is none."""
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return "", "", None
    return parts.scheme, parts.hostname or "", port


def word(text: str, place: str) -> str:
    """Return a key if a header may carry it; the sentence otherwise never shows it."""
    is_word = text.isascii() and text.isprintable() and " " not in text
    if not text or len(text) > _LONGEST or not is_word:
        raise ConfigError(
            f"{place} holds no key, which is one printable word: give it and nothing else"
        )
    return text


def exposed(key_file: Path) -> str | None:
    """Return a sentence where others than its owner may read a key file, else None."""
    with contextlib.suppress(OSError):
        if key_file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            return f"others may read the key file {key_file}; `chmod 600 {key_file}` keeps it yours"
    return None
