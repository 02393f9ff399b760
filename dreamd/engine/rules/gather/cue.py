"""Why a person's sentence is worth keeping."""

from __future__ import annotations

from enum import StrEnum


class Cue(StrEnum):
    """Why a sentence is worth keeping; also the rule that `dreamd why` shows for its line."""

    SAVE = "explicit save"
    CORRECTION = "correction"
    INSTRUCTION = "standing instruction"
    PREFERENCE = "preference"
