"""Statements that nobody would want to find in a note that they did not ask for."""

from __future__ import annotations

from dreamd.domain.prose.confided import confides
from dreamd.domain.prose.cued import any_of, cued
from dreamd.text.late import late

_IS_TOLD = (
    r"(?:\s+(?:for|of|to|on)\s+(?:\S+\s+){1,4}?|\s+)(?:is|are|was|were|to|as|ist|lautet|=)"
    r"\s+(?!(?:\w+ed|kept|set|sent|in|on|at|not|too|always|never|required|optional|used|be|valid|invalid|missing|wrong|stale)\b)\S"
)
_SECRETS = cued(  # told, whatever they look like; "the password is hashed" tells none
    r"\b(?:passwor[dt]s?|passwd|pwd|pass\s?phrases?|passcodes?|(?:seed|recovery|secret)\s+(?:phrases?|words?)"
    r"|mnemonic|(?:api|access|private|secret|licen[cs]e)\s+keys?|tokens?|(?:door|alarm|gate|entry|safe|lock|pin)"
    rf"\s+codes?){_IS_TOLD}",
    "password passwords passwort passworts passwd pwd passphrase passphrases pass passcode"
    " passcodes phrase phrases word words mnemonic key keys token tokens code codes",
)
_PIN = cued(rf"\b(?-i:PIN){_IS_TOLD}", "pin")
_NUMBERS = cued(  # by which a person is known to a state, a bank or a doctor
    r"\b(?:social\s+security|ssn|iban|passport|insurance|tax\s+(?:id|number)|driver'?s\s+licen[cs]e|bank\s+account"
    r"|account\s+number|(?:credit|debit|bank)\s+card|cvv|cvc|national\s+id)\b"
    r"[^.!?]{0,60}?(?<![\w$€£.,])(?:[A-Z]{1,3}\d?|\d)[\d-]*\d(?: ?[\d-]){3}",
    "security ssn iban passport insurance tax license licence account card cvv cvc id",
)
_LONG = late(  # led by a figure, for the search to be quick
    r"\d(?:(?<![\w.,-]\d)[ -]?(?:\d[ -]?){11,17}\d(?![\w.,-])|(?<=\b\d)\d{2}-\d{2}-\d{4}\b)"
)
_BODY = cued(  # what only the one it befell may tell
    r"\b(?:hiv|aids|abortions?|miscarriages?|bipolar|schizophreni\w+|suicid\w+|overdos\w+|rehab|chlamydia"
    r"|gonorrh\w+|syphilis|herpes|raped?|sexually\s+(?:abused|assaulted))\b",
    "hiv aids abortion abortions miscarriage miscarriages bipolar schizophreni* suicid* overdos*"
    " rehab chlamydia gonorrh* syphilis herpes rape raped sexually",
)
_CONFIDED = cued(
    r"\b(?:told|tells|said|shared|confided|mentioned)\b[^.!?]{0,40}?\bin\s+(?:strict\s+)?confidence\b",
    "confidence",
)
_HIDDEN = any_of(_SECRETS, _PIN, _NUMBERS, _BODY, _CONFIDED)


def is_private(text: str) -> bool:
    """Whether words tell a secret, a number of somebody's papers, or of an illness that is hidden.

    Such is kept where a person asks for it only. A text from which a secret was taken out tells
    nothing any more.
    """
    return (
        "[redacted" in text
        or confides(text)
        or _HIDDEN.is_in(text)
        or _LONG.search(text) is not None
    )
