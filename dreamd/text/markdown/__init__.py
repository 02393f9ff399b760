"""Markdown notes: blocks, frontmatter, pointers."""
