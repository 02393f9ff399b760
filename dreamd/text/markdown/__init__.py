"""Markdown notes: blocks, frontmatter, pointers."""

from pathlib import PurePosixPath

INDEX = PurePosixPath("MEMORY.md")  # of every memory directory
