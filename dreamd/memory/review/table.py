"""The rules of the review, in the order in which they judge."""

from __future__ import annotations

from dreamd.memory.review.budget_rule import index_fits
from dreamd.memory.review.file_rules import (
    lines_end_as_before,
    only_markdown,
    only_text,
    pinned_stay,
)
from dreamd.memory.review.line_rules import (
    dates_are_real,
    frontmatter_is_valid,
    little_is_gone,
    no_new_secret,
)
from dreamd.memory.review.pointer_rules import notes_are_reached, pointers_resolve
from dreamd.memory.review.rule import Rule
from dreamd.memory.review.trust_rules import grounded, untainted
from dreamd.memory.review.vanished import nothing_vanishes

RULES = (
    Rule("file", "only Markdown comes, nothing hidden, executable or a link", only_markdown),
    Rule("text", "notes stay UTF-8 text of at most 1 MiB", only_text),
    Rule("pinned", "pinned notes and `team/` stay as they are", pinned_stay),
    Rule("line-end", "lines end as they did", lines_end_as_before),
    Rule("secret", "no new secret comes", no_new_secret),
    Rule("frontmatter", "frontmatter is closed and valid YAML", frontmatter_is_valid),
    Rule("relative-date", "what the dream wrote carries no relative date", dates_are_real),
    Rule("grounded", "what a model wrote was said, or stands in what it read", grounded),
    Rule("tainted", "nothing comes that only a tool returned", untainted),
    Rule("vanished", "what a model took out it retired, a few entries at most", nothing_vanishes),
    Rule("gone", "few entries go unless merged or superseded with a source", little_is_gone),
    Rule("pointer", "every pointer leads to a note", pointers_resolve),
    Rule("reachable", "every note has a pointer", notes_are_reached),
    Rule("budget", "the index is within its limits, or grows no further over them", index_fits),
)
