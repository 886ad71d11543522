"""What does not fit an annotation, and how it is said."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps
from typing import Any, TypeAlias, cast

SHOWN_LENGTH_MAX = 100
"""Longest JSON that a message shows. Longer values are described: half a secret would not be found by the host."""

Convert: TypeAlias = Callable[[Any], Any]


class Unfit(Exception):
    """A value does not fit; each container adds where it found it."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = ""
        self.depth = 0

    def found_at(self, place: str) -> None:
        """Puts `place`, such as ``[3]`` or ``.price``, in front of the path."""
        self.path = place + self.path
        self.depth += 1


class Expected:
    """What an annotation asks for.

    Attributes:
        name: The kind of value in words, such as "a decimal number".
        convert: Makes such a value of a JSON value, or raises `Unfit`.
    """

    __slots__ = ("convert", "name")

    def __init__(self, name: str, convert: Convert) -> None:
        self.name = name
        self.convert = convert


def no(value: object, expected: str) -> Unfit:
    """Returns the error for a value of the wrong kind."""
    return Unfit(f"{shown(value)} is not {expected}")


def array(value: Any) -> list[Any]:
    """Returns an array as it is; raises `Unfit` for all else."""
    if type(value) is not list:
        raise no(value, "an array")
    return cast("list[Any]", value)


def members(value: Any, expected: str) -> dict[str, Any]:
    """Returns an object as it is; raises `Unfit` for all else."""
    if type(value) is not dict:
        raise no(value, expected)
    return cast("dict[str, Any]", value)


def shown(value: Any) -> str:
    """Returns a JSON value in full, or its kind and size if it is long."""
    if isinstance(value, (str, list, dict)) and len(value) > SHOWN_LENGTH_MAX:  # pyright: ignore[reportUnknownArgumentType]
        return _described(value)
    text = dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_LENGTH_MAX else _described(value)


def member(key: str) -> str:
    """Returns the place of a key in a path."""
    return f".{key}" if key.isidentifier() else f"[{dumps(key, ensure_ascii=False)}]"


def _described(value: Any) -> str:
    if isinstance(value, str):
        return f"a string of {len(value)} characters"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "a number with many digits"
