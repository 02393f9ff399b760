"""Sentences that hand over a password or a code: no note is the place for one."""

from __future__ import annotations

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late
from dreamd.text.secrets.credentials import is_placeholder

_NAMES = cued(
    r"\b(?:passwor[dt]|passwd|pwd|passphrase|passcode|credentials?|log(?:s|ged)?\s?in\s+(?:as|with)|login"
    r"|sign\s+in\s+(?:as|with)|wi-?fi\s+key|(?P<code>(?-i:PIN)|pin\s+(?:code|of|for|is)|(?:backup|recovery|access|security|unlock|door|alarm|gate"
    r"|entry|2fa|mfa|login|verification)\s+codes?))\b",
    "password passwort passwd pwd passphrase passcode credential credentials log logs logged login"
    " logsin loggedin sign key pin code codes",
)
_ENDS = ".,;:!?\"'`()[]*…“”"
_KNOWN = late(r"v?\d+(?:\.\d+)+|\d{4}-\d\d-\d\d|.*://.*|~?/.*|\d+(?:[a-z]{1,2}|th|st|nd|rd)")
_LOCKS = late(r"\d{4,8}|(?=.*\d)[\w-]{6,}")  # what opens a door or an account


def confides(text: str) -> bool:
    """Whether words tell a password or a code, and not only where it is or what it must be like."""
    named = _NAMES.search(text)
    if named is None:
        return False
    values = [word.strip(_ENDS) for word in text.split()]
    if any(_is_password(value) for value in values):
        return True
    return named["code"] is not None and any(_LOCKS.fullmatch(value) for value in values)


def _is_password(value: str) -> bool:
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both and len(value) > 5 and not _KNOWN.fullmatch(value) and not is_placeholder(value)
