"""What an engine's rules notice in one message, so that each message is read by them once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attention:
    """Rules that read the messages of people one at a time.

    `notice` returns what they find in the text of one, in their own words, the same for the same
    text; empty for nothing. `version` is another one whenever they may find something else.
    """

    version: bytes
    notice: Callable[[str], str]
