"""What is said of a session that failed, and of what it met and survived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dreamd.domain.words import plural
from dreamd.text.secrets.secrets import redact


def failure(ended: Mapping[str, Any], *, is_edited: bool) -> tuple[str, bool]:
    """Return why a session failed, empty where it did not, and whether its work is dropped.

    What the endpoint cut short is whole as far as it came. After a fault of ours, or a signal,
    nobody can say that of it; where it had edited notes, the sentence tells.
    """
    if ended.get("event") != "failed":
        return "", False
    reason = redact(str(ended.get("reason") or "the model session failed without a word"))
    if ended.get("kind") == "api":
        return reason, False
    return reason + ("; what it had begun in the notes is dropped" if is_edited else ""), True


def mishaps(ended: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is to be known of a session beside how it ended.

    Of each fault of ours that a tool met its place, and how often; of answers whose tokens the
    endpoint did not count, that they are estimated.
    """
    if uncounted := int(ended.get("uncounted") or 0):
        yield (
            f"the endpoint did not count the tokens of {plural(uncounted, 'answer')}: they are "
            "estimated by their bytes"
        )
    for tool, place, count in ended.get("faults", ()):
        often = f" ({count} times)" if count > 1 else ""
        yield f"the tool {tool} met a fault of its own: {place}{often}"
