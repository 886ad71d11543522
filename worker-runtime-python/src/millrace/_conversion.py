"""Makes Python values of JSON values, as annotations ask for: ``date``, ``Decimal``, dataclasses, and what contains them.

docs/reference/python-values.md has the rules. The script's annotations are read once, when it is loaded; what is made of
each is a function that takes a JSON value and returns a Python value or raises `Unfit`.
"""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from collections import abc, deque
from enum import Enum
from typing import cast

from . import _containers, _records, _scalars
from ._unfit import Convert, Expected, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["Conversions", "Convert", "Unfit"]

_SEQUENCES: Final[dict[object, type]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    deque: deque,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Collection: list,
    abc.Iterable: list,
    abc.Set: set,
    abc.MutableSet: set,
}
_MAPPINGS: Final = (dict, abc.Mapping, abc.MutableMapping)
_WRAPPERS: Final = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")
_NOTHING: Final[dict[str, Any]] = {}
_UNIONS: Final = (typing.Union, getattr(types, "UnionType", typing.Union))


class Conversions:
    """Finds the conversion for each annotation of one script. Knows types that refer to themselves."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: Final[dict[object, _Found]] = {}

    def find(self, hint: Any, namespace: dict[str, Any]) -> Convert | None:
        """Returns the conversion for an annotation; None if values stay as they are, because we do not know it."""
        expected = self._find(hint, namespace)
        return None if expected is None else expected.convert

    def _find(self, hint: Any, namespace: dict[str, Any]) -> Expected | None:
        if hint is None or hint is type(None):
            return _scalars.NULL
        if isinstance(hint, typing.ForwardRef):
            hint = hint.__forward_arg__
        if isinstance(hint, str):
            return self._once((hint, id(namespace)), hint, lambda: self._evaluate(hint, namespace))
        origin = typing.get_origin(hint)
        if origin is not None:
            return self._find_generic(hint, origin, namespace)
        if isinstance(hint, type):
            return self._find_class(hint)
        if type(hint).__name__ == "TypeAliasType":  # type X = …, of Python 3.12.
            return self._once(hint, str(hint), lambda: self._find(hint.__value__, _globals_of(hint, namespace)))
        if hasattr(hint, "__supertype__"):  # NewType.
            return self._find(hint.__supertype__, namespace)
        if type(hint).__name__ == "TypeAdapter" and hasattr(hint, "validate_json"):
            return _records.of_adapter(hint)
        return None

    def _evaluate(self, text: str, namespace: dict[str, Any]) -> Expected | None:
        try:
            hint = eval(text, namespace)
        except Exception:  # For example a name that the script imports for type checkers only.
            return None
        return None if isinstance(hint, str) and hint == text else self._find(hint, namespace)

    def _once(self, key: object, name: str, make: typing.Callable[[], Expected | None]) -> Expected | None:
        """Returns what was made for this key before, or a stand-in while it is being made."""
        found = self._found.get(key)
        if found is not None:
            return found.expected if found.is_made else found.stand_in
        found = self._found[key] = _Found(name)
        found.expected = make()
        found.is_made = True
        return found.expected

    def _find_class(self, hint: type) -> Expected | None:
        scalar = _scalars.BY_TYPE.get(hint)
        if scalar is not None:
            return scalar
        if hint in _SEQUENCES:
            return _containers.of_sequence(_SEQUENCES[hint], None)
        if hint in _MAPPINGS:
            return _containers.of_mapping(None, None)
        return self._once(hint, hint.__name__, lambda: self._make_class(hint))

    def _make_class(self, hint: Any) -> Expected | None:
        if hasattr(hint, "__pydantic_validator__"):
            return _records.of_pydantic(hint)
        if issubclass(hint, Enum):
            return _scalars.of_enum(hint)
        names = _globals_of(hint, _NOTHING)
        if dataclasses.is_dataclass(hint):
            return _records.of_dataclass(hint, lambda field: self._find(field, names))
        if hasattr(hint, "_fields") and issubclass(hint, tuple):
            return _records.of_named_tuple(hint, lambda field: self._find(field, names))
        if hasattr(hint, "__required_keys__") and issubclass(hint, dict):
            return _records.of_typed_dict(hint, lambda field: self._find(field, names))
        return None

    def _find_generic(self, hint: Any, origin: Any, namespace: dict[str, Any]) -> Expected | None:
        arguments: tuple[Any, ...] = typing.get_args(hint)
        if origin is typing.Annotated:
            by_pydantic = _records.of_annotated(hint)
            return by_pydantic or self._find(arguments[0], namespace)
        if origin in _UNIONS:
            return _containers.of_union([self._find(argument, namespace) for argument in arguments])
        if origin is typing.Literal:
            return _scalars.of_literal(arguments)
        if origin is tuple and arguments and arguments[-1] is not ...:
            return _containers.of_tuple([self._find(argument, namespace) for argument in arguments])
        if origin in _SEQUENCES:
            item = self._find(arguments[0], namespace) if arguments else None
            return _containers.of_sequence(_SEQUENCES[origin], item)
        if origin in _MAPPINGS:
            key, item = (self._find(argument, namespace) for argument in arguments or (None, None))
            return _containers.of_mapping(key if arguments else None, item if arguments else None)
        if getattr(origin, "_name", "") in _WRAPPERS or origin is typing.ClassVar:
            return self._find(arguments[0], namespace)
        return None if not isinstance(origin, type) else self._find_class(cast("type", origin))


class _Found:
    """What an annotation asks for, or that it is being read."""

    __slots__ = ("expected", "is_made", "stand_in")

    def __init__(self, name: str) -> None:
        self.expected: Expected | None = None
        self.is_made = False
        self.stand_in: Final = Expected(name, self._convert)

    def _convert(self, value: Any) -> Any:
        return value if self.expected is None else self.expected.convert(value)


def _globals_of(named: Any, namespace: dict[str, Any]) -> dict[str, Any]:
    module = sys.modules.get(getattr(named, "__module__", None) or "")
    return namespace if module is None else vars(module)
