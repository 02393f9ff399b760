"""Whether a call's arguments are what its tool takes; if not, one sentence says what would be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dreamd.engine.model.tools import Schema, Tool
from dreamd.errors import RefusedError

_KINDS: Mapping[str, tuple[Any, str]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_QUOTED = 40  # characters of a wrong value that are repeated


def checked(tool: Tool, given: Any) -> dict[str, Any]:
    """Return the arguments of a call, all of the right kind; those that are null are left out.

    Raises:
        RefusedError: one is missing, unknown or wrong.
    """
    return _object(tool.schema, given, tool.name)


def _object(schema: Schema, given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise RefusedError(f"The arguments of {where} must be an object, not {_shown(given)}.")
    known: Mapping[str, Schema] = schema["properties"]
    for name in given:
        if name not in known:
            near = get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise RefusedError(
                f"{where} has no argument {_shown(name)}; {hint}It takes {', '.join(known)}."
            )
    found = {name: value for name, value in given.items() if value is not None}
    for name in schema["required"]:
        if name not in found:
            raise RefusedError(f"{where} needs {name}: {known[name]['description']}")
    return {name: _value(known[name], value, f"{where}: {name}") for name, value in found.items()}


def _value(schema: Schema, value: Any, where: str) -> Any:
    kind, words = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RefusedError(f"{where} must be {words}, not {_shown(value)}.")
    if kind is str:
        if _SURROGATE.search(value):
            raise RefusedError(f"{where} holds half a surrogate pair; send whole characters.")
        if value not in schema.get("enum", [value]):
            raise RefusedError(f"{where} must be one of {', '.join(schema['enum'])}.")
    elif kind is int and not schema["minimum"] <= value <= schema["maximum"]:
        raise RefusedError(
            f"{where} must be from {schema['minimum']:,} to {schema['maximum']:,}, not {value}."
        )
    elif kind is list:
        if not schema["minItems"] <= len(value) <= schema["maxItems"]:
            raise RefusedError(
                f"{where} must have {schema['minItems']} to {schema['maxItems']} entries, "
                f"not {len(value)}."
            )
        return [_object(schema["items"], each, f"{where}[{at}]") for at, each in enumerate(value)]
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
