"""Finds the JSON form of Python values: dates, ``Decimal``, dataclasses, sets, numpy's arrays and others.

docs/reference/python-values.md lists them. Packages are only looked at if the script has imported them.
"""

from __future__ import annotations

import dataclasses
import sys
from base64 import b64encode
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from uuid import UUID

from . import _durations
from .blobs import Blob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NoForm(TypeError):
    """JSON has no form for a value; the message is a clause that follows the value's place."""


def plain(value: Any) -> Any:
    """Returns a value that JSON has a form for, or whose items have one.

    Raises:
        NoForm: There is none.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (date, time)):
        return None if value != value else _moment(value)  # pandas.NaT is a datetime, and no time.
    if isinstance(value, timedelta):
        return None if value != value else _durations.write(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NoForm(f"is {value}, which JSON has no number for")
        return str(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return b64encode(bytes(value)).decode()  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, Blob):
        return value.reference()
    if isinstance(value, (set, frozenset)):
        return _in_order(value)  # pyright: ignore[reportUnknownArgumentType]
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
    if hasattr(kind, "__pydantic_serializer__") and hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return _of_packages(value)


def plain_deep(value: Any) -> Any:
    """Returns a copy in which the keys of all dictionaries are such as JSON has, too.

    Raises:
        NoForm: There is no JSON form for a value inside.
    """
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, dict):
        members = {_key(key): plain_deep(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
        if len(members) < len(value):  # pyright: ignore[reportUnknownArgumentType]
            raise NoForm("has two keys that JSON writes alike")
        return members
    if isinstance(value, (list, tuple)):
        return [plain_deep(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return plain_deep(plain(value))


def key_text(key: Any) -> str:
    """Returns the text that JSON has for a key, with its quotes.

    Raises:
        NoForm: There is none.
        ValueError: The key is infinite, or not a number.
    """
    from json import dumps

    return dumps({_key(key): 0}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))[1:-3]


def _key(key: Any) -> Any:
    if key is None or isinstance(key, (str, int, float)):
        return key
    found = plain(key)
    if not isinstance(found, (str, int, float)):
        raise NoForm("has a key that is no string")
    return found


def _moment(value: date | time) -> str:
    if isinstance(value, (datetime, time)) and value.tzinfo is not None and value.utcoffset() is None:
        raise NoForm(f"has the zone {value.tzinfo}, which has no offset without a day: return a datetime, or a time with a timezone")
    return value.isoformat()


def _in_order(members: Any) -> list[Any]:
    """Returns the members of a set in an order that does not depend on the process."""
    try:
        return sorted(members)
    except TypeError:
        pass
    from ._results import ResultError, encode_value

    try:
        return sorted(members, key=encode_value)
    except ResultError:  # One of them has no form; whoever asks finds out which.
        return list(members)


_DIGITS_OF_UNITS = {"s": 0, "ms": 3, "us": 6, "ns": 9, "ps": 12, "fs": 15, "as": 18}


def _numpy_scalar(numpy: Any, value: Any) -> Any:
    if value.dtype.names:
        return [value[name] for name in value.dtype.names]
    item = value.item()
    if isinstance(item, numpy.generic):  # Numbers longer than Python's are their own item.
        raise NoForm(f"is of type {type(value).__name__}, which JSON has no form for")
    if isinstance(item, int) and value.dtype.kind in "mM":  # More digits or days than Python's types have.
        return str(value) if value.dtype.kind == "M" else _numpy_duration(numpy, value, item)
    return item


def _numpy_duration(numpy: Any, value: Any, count: int) -> Any:
    unit, length = numpy.datetime_data(value.dtype)
    if unit == "generic":
        return count
    if unit not in _DIGITS_OF_UNITS:
        raise NoForm(f"is of type {value.dtype}, which is no fixed time")
    return _durations.write_count(count * length, _DIGITS_OF_UNITS[unit])


def _of_packages(value: Any) -> Any:
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(value, numpy.generic):
        return _numpy_scalar(numpy, value)
    if numpy is not None and isinstance(value, numpy.ndarray):
        has_own_items = value.ndim and (value.dtype.kind in "mM" or value.dtype.names)
        return list(value) if has_own_items else value.tolist()
    if pandas is not None:
        if value is pandas.NA:
            return None
        if isinstance(value, pandas.DataFrame):
            if not value.columns.is_unique:
                raise NoForm("has several columns of the same name, of which an object can hold only one")
            return value.to_dict(orient="records")
        if isinstance(value, (pandas.Series, pandas.Index)):
            return value.tolist()
    raise NoForm(f"is of type {type(value).__name__}, which JSON has no form for")

