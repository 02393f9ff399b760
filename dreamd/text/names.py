"""File names that are the same in every memory directory."""

from __future__ import annotations

from pathlib import PurePosixPath

INDEX = PurePosixPath("MEMORY.md")
LOCK_NAME = ".consolidate-lock"
TEMP_PREFIX = ".dreamd-"
