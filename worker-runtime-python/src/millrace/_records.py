"""Makes dataclasses, named tuples, typed dictionaries and pydantic's models of JSON objects."""

from __future__ import annotations

import dataclasses
import sys
import typing

from ._results import encode_value
from ._unfit import Expected, Unfit, array, member, members, no

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ._unfit import Convert

    Find: TypeAlias = Callable[[Any], Expected | None]


class _Field:
    """A field of a record."""

    __slots__ = ("convert", "is_required")

    def __init__(self, expected: Expected | None, is_required: bool, takes_none: bool = False) -> None:
        self.is_required = is_required
        self.convert: Convert | None = None
        if expected is not None:
            self.convert = or_none(expected.convert) if takes_none else expected.convert


def or_none(convert: Convert) -> Convert:
    """Lets None pass: a default of None makes a parameter or field optional."""
    return lambda value: None if value is None else convert(value)


def of_dataclass(kind: Any, find: Find) -> Expected:
    """Makes an instance of its fields; ``__init__`` and ``__post_init__`` run as always."""
    annotations = _annotations(kind)
    fields: dict[str, _Field] = {}
    for name, field in kind.__dataclass_fields__.items():
        hint = annotations.get(name, field.type)
        if not field.init or _is_class_variable(hint):
            continue
        if isinstance(hint, dataclasses.InitVar):
            hint = hint.type  # pyright: ignore
        is_required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        fields[name] = _Field(find(hint), is_required, field.default is None)
    return _of_fields(kind.__name__, fields, lambda given: kind(**given))


def of_named_tuple(kind: Any, find: Find) -> Expected:
    """Makes a named tuple of an object, or of an array with its values in their order."""
    annotations = _annotations(kind)
    defaults = kind._field_defaults
    fields = {
        name: _Field(find(annotations.get(name, object)), name not in defaults, defaults.get(name, ...) is None)
        for name in kind._fields
    }
    by_name = _of_fields(kind.__name__, fields, lambda given: kind(**given))

    def convert(value: Any) -> Any:
        if type(value) is not list:
            return by_name.convert(value)
        items = array(value)
        if len(items) > len(fields):
            raise no(items, f"an array of {len(fields)} items")
        try:
            return by_name.convert(dict(zip(fields, items)))
        except Unfit as unfit:
            for index, name in enumerate(fields):
                if unfit.path.startswith(member(name)):
                    unfit.path = f"[{index}]" + unfit.path[len(member(name)) :]
                    break
            raise

    return Expected(f"{by_name.name} or an array", convert)


def of_typed_dict(kind: Any, find: Find) -> Expected:
    """Checks and converts the keys that it names, and keeps all others."""
    fields = {
        name: _Field(find(hint), _is_required(hint, name in kind.__required_keys__))
        for name, hint in kind.__annotations__.items()
    }
    return _of_fields(kind.__name__, fields, lambda given: given, is_open=True)


def of_pydantic(kind: Any) -> Expected | None:
    """Leaves a model or dataclass of pydantic to pydantic."""
    adapter = getattr(sys.modules.get("pydantic"), "TypeAdapter", None)
    return None if adapter is None else of_adapter(adapter(kind), kind.__name__)


def of_annotated(hint: Any) -> Expected | None:
    """Leaves ``Annotated[…]`` to pydantic if some of its annotations are made for that; else returns None."""
    adapter = getattr(sys.modules.get("pydantic"), "TypeAdapter", None)
    modules = {type(metadata).__module__.partition(".")[0] for metadata in hint.__metadata__}
    if adapter is None or not modules & {"pydantic", "pydantic_core", "annotated_types"}:
        return None
    try:
        return of_adapter(adapter(hint))
    except Exception:  # Pydantic does not know the type inside.
        return None


def of_adapter(adapter: Any, name: str = "a valid value") -> Expected:
    """Lets a ``TypeAdapter`` of pydantic check the JSON, by the rules that it has for JSON."""
    errors = sys.modules["pydantic"].ValidationError

    def convert(value: Any) -> Any:
        try:
            return adapter.validate_json(encode_value(value))
        except errors as error:
            found = error.errors(include_url=False)
            first, more = found[0], len(found) - 1
            problem = str(first["msg"]) + (f" ({more} more in this value)" if more else "")
            unfit = Unfit(problem.rstrip("."))
            for place in reversed(first["loc"]):
                unfit.found_at(f"[{place}]" if isinstance(place, int) else member(str(place)))
        raise unfit

    return Expected(name, convert)


def _of_fields(
    name: str, fields: dict[str, _Field], make: Callable[[dict[str, Any]], Any], *, is_open: bool = False
) -> Expected:
    required = [key for key, field in fields.items() if field.is_required]
    kind = f"an object with the fields of {name}"

    def convert(value: Any) -> Any:
        given: dict[str, Any] = {}
        for key, item in members(value, kind).items():
            field = fields.get(key)
            if field is None and not is_open:
                raise Unfit(f'the key "{key}" is none of {name}: it has {", ".join(fields) or "no fields"}')
            try:
                given[key] = item if field is None or field.convert is None else field.convert(item)
            except Unfit as unfit:
                unfit.found_at(member(key))
                raise
        for key in required:
            if key not in given:
                raise Unfit(f'the key "{key}" of {name} is missing')
        try:
            return make(given)
        except (ValueError, TypeError) as error:  # The class has checks of its own.
            raise Unfit(f"{name} rejects it: {error}".rstrip(".")) from None

    return Expected(kind, convert)


def _annotations(kind: Any) -> dict[str, Any]:
    """Returns the annotations of a class and its bases."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found.update(getattr(base, "__annotations__", {}) if base is not object else {})
    return found


def _is_class_variable(hint: Any) -> bool:
    if isinstance(hint, str):
        return hint.replace("typing.", "").startswith("ClassVar")
    return hint is typing.ClassVar or typing.get_origin(hint) is typing.ClassVar


def _is_required(hint: Any, otherwise: bool) -> bool:
    """Looks for ``Required`` and ``NotRequired``, which Python does not see in annotations that are text."""
    text = hint if isinstance(hint, str) else getattr(hint, "__forward_arg__", "")
    name = text.partition("[")[0].rpartition(".")[2] or getattr(typing.get_origin(hint), "_name", "")
    return otherwise if name not in ("Required", "NotRequired") else name == "Required"
