"""The tools of a session, as one table: what the model may call, and where it works."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from dreamd.errors import RefusedError

_KINDS: Mapping[str, Any] = {"string": str, "integer": int, "boolean": bool}
_LENGTHS = {f"{end}{of}": f"{end}_length" for end in ("min", "max") for of in ("Items", "Length")}
_BOUNDS = {"minimum": "ge", "maximum": "le", **_LENGTHS}


class Tool(msgspec.Struct, frozen=True, dict=True, rename={"schema": "input_schema"}):
    """One tool: its name, what the model is told of it, its arguments, and where it works.

    `schema` is the JSON Schema of the arguments, an object. The reader is a process of its own;
    the notes are in memory.
    """

    name: str
    home: Literal["reader", "notes"]
    description: str
    schema: dict[str, Any]

    def checked(self, given: Any) -> dict[str, Any]:
        """Return the arguments of a call, all of the right kind; those that are null are left out.

        Raises:
            RefusedError: one is missing, unknown or wrong.
        """
        if isinstance(given, dict):
            given = {name: value for name, value in given.items() if value is not None}
        try:
            msgspec.convert(given, self._arguments)
        except msgspec.ValidationError as error:
            known = ", ".join(self.schema["properties"])
            raise RefusedError(f"{self.name}: {error}; it takes {known}.") from error
        return dict(given)

    @cached_property
    def _arguments(self) -> Any:
        return _kind(self.schema)


def _kind(schema: Mapping[str, Any]) -> Any:
    """Return the type that has such a schema, as far as the tools' own ones go."""
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    kind = _KINDS.get(schema["type"])
    if schema["type"] == "array":
        kind = list[_kind(schema["items"])]  # type: ignore[misc] # made as the table is read
    if kind is not None:
        bounds = {name: schema[each] for each, name in _BOUNDS.items() if each in schema}
        return Annotated[kind, msgspec.Meta(**bounds)] if bounds else kind
    fields = []
    for at, (name, each) in enumerate(schema["properties"].items()):  # "-i" is no name in Python
        if name in schema["required"]:
            fields.append((f"field{at}", _kind(each), msgspec.field(name=name)))
        else:
            field = msgspec.field(name=name, default=msgspec.UNSET)
            fields.append((f"field{at}", _kind(each) | msgspec.UnsetType, field))
    return msgspec.defstruct("Call", fields, kw_only=True, forbid_unknown_fields=True)


_TABLE = Path(__file__).with_name("tools.json").read_bytes()
TOOLS: tuple[Tool, ...] = msgspec.json.decode(_TABLE, type=tuple[Tool, ...])
BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
