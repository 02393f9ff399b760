"""Values of the rules as plain ones, which JSON can hold, and back."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any

from dreamd.domain.heard import PersonSaid

Made = Callable[[Any, PersonSaid], Any]
_AS_THEY_ARE = {str, int, float, bool}


def plain(value: Any) -> Any:
    """Return a value as lists of text and numbers; the message it was taken from is left out."""
    if isinstance(value, PersonSaid):
        return None
    if is_dataclass(value):
        return [plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if value is None or type(value) in _AS_THEY_ARE:
        return value
    raise TypeError(f"a {type(value).__name__} cannot be written down")


@cache
def maker(kind: Any) -> Made | None:
    """Return what makes values of a type from plain ones and the message they were taken from.

    None for a type whose values are plain. Known are dataclasses of known types and messages,
    enumerations, sets of text, tuples of one known type, and what may be None.

    Raises:
        TypeError: any other type.
    """
    if kind in _AS_THEY_ARE:
        return None
    if kind is PersonSaid:
        return lambda _, said: said
    if is_dataclass(kind):
        return _of_fields(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value, _: kind(value)
    if kind == frozenset[str]:
        return lambda value, _: frozenset(map(sys.intern, value))  # few words stand in many
    if typing.get_origin(kind) is tuple and typing.get_args(kind)[1:] == (...,):
        return _of_many(typing.get_args(kind)[0])
    if isinstance(kind, UnionType):
        return _of_one_or_none(kind)
    raise TypeError(f"{kind} cannot be written down")


def _of_fields(kind: Any) -> Made:
    types = typing.get_type_hints(kind)
    makers = [maker(types[each.name]) for each in fields(kind)]

    def made(value: Any, said: PersonSaid) -> Any:
        parts = zip(makers, value, strict=True)
        return kind(*[each if make is None else make(each, said) for make, each in parts])

    return made


def _of_many(kind: Any) -> Made:
    make = maker(kind)
    if make is None:
        return lambda value, _: tuple(value)
    return lambda value, said: tuple([make(each, said) for each in value])


def _of_one_or_none(kind: UnionType) -> Made | None:
    (one,) = (each for each in typing.get_args(kind) if each is not NoneType)
    make = maker(one)
    if make is None:
        return None
    return lambda value, said: None if value is None else make(value, said)
