"""How deep a JSON value is nested: what is read deeper than any use has would exhaust the stack."""

from __future__ import annotations

from collections.abc import Iterable

DEEPEST = 100  # objects and lists within each other


def is_too_deep(value: object) -> bool:
    """Say whether a value has more than `DEEPEST` levels of objects and lists."""
    layer = [value]
    for _ in range(DEEPEST + 1):
        layer = [part for each in layer for part in _parts(each)]
        if not layer:
            return False
    return True


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
