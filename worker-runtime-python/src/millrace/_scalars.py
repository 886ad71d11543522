"""Makes single Python values of JSON values: numbers, dates, bytes, members of an ``Enum``."""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from uuid import UUID

from . import _durations
from ._unfit import Expected, no
from .blobs import Blob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from ._unfit import Convert

SHOWN_CHOICES_MAX = 10
_CLOCK = r"(\d\d:\d\d)(?:(:\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?"
_TIME: Final = re.compile(_CLOCK, re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATE_TIME: Final = re.compile(rf"(\d{{4}}-\d\d-\d\d)(?:[Tt ]{_CLOCK})?", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,6})?", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def _exactly(kind: type, name: str) -> Expected:
    def convert(value: Any) -> Any:
        if type(value) is kind:
            return value
        raise no(value, name)

    return Expected(name, convert)


def _int(value: Any) -> int:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise no(value, "a whole number")


def _float(value: Any) -> float:
    if type(value) is float:
        return value
    try:
        if type(value) is int:
            return float(value)
    except OverflowError:
        pass
    raise no(value, "a number")


def _of_text(name: str, parse: Convert) -> Expected:
    """Makes values of strings by a function that raises ValueError for a text that does not fit."""

    def convert(value: Any) -> Any:
        if type(value) is str:
            try:
                return parse(value)
            except (ValueError, ArithmeticError):
                pass
        raise no(value, name)

    return Expected(name, convert)


def _decimal(value: Any) -> Decimal:
    if type(value) is int:
        return Decimal(value)
    text = repr(value) if type(value) is float else value
    if type(text) is str and _DECIMAL.fullmatch(text):
        return Decimal(text)
    raise no(value, "a decimal number")


def _uuid(text: str) -> UUID:
    return UUID(_match(_UUID, text).group())


def _date(text: str) -> date:
    return date.fromisoformat(_match(_DATE, text).group())


def _time(text: str) -> time:
    return time.fromisoformat(_clock(*_match(_TIME, text).groups()))


def _date_time(text: str) -> datetime:
    day, minutes, *rest = _match(_DATE_TIME, text).groups()
    return datetime.fromisoformat(day if minutes is None else f"{day}T{_clock(minutes, *rest)}")


def _clock(minutes: str, seconds: str | None, fraction: str | None, zone: str | None) -> str:
    """Returns a time as Python 3.10 reads it. Digits beyond microseconds are cut off."""
    text = minutes + (seconds or ":00")
    if fraction:
        text += "." + fraction[:6].ljust(6, "0")
    if zone in ("Z", "z"):
        return text + "+00:00"
    if not zone:
        return text
    digits = zone[1:].replace(":", "")
    return f"{text}{zone[0]}{digits[:2]}:{digits[2:] or '00'}"


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match


def _duration(value: Any) -> timedelta:
    try:
        if type(value) in (int, float):
            return timedelta(seconds=value)
        if type(value) is str:
            return _durations.parse(value)
    except (ValueError, OverflowError):
        pass
    raise no(value, "a duration such as PT1H30M, or a number of seconds")


def _blob(value: Any) -> Blob:
    try:
        return Blob.of(value)
    except ValueError:
        raise no(value, "a reference to a blob") from None


NULL: Final = _exactly(type(None), "null")
INT: Final = Expected("a whole number", _int)
FLOAT: Final = Expected("a number", _float)
BY_TYPE: Final[dict[type, Expected]] = {
    str: _exactly(str, "a string"),
    int: INT,
    float: FLOAT,
    bool: _exactly(bool, "true or false"),
    list: _exactly(list, "an array"),
    dict: _exactly(dict, "an object"),
    bytes: _of_text("bytes in base64", lambda text: b64decode(text, validate=True)),
    bytearray: _of_text("bytes in base64", lambda text: bytearray(b64decode(text, validate=True))),
    Decimal: Expected("a decimal number", _decimal),
    UUID: _of_text("a UUID", _uuid),
    date: _of_text("a date such as 2026-01-31", _date),
    time: _of_text("a time such as 09:30:00", _time),
    datetime: _of_text("a date and time such as 2026-01-31T09:30:00Z", _date_time),
    Blob: Expected("a reference to a blob", _blob),
    timedelta: Expected("a duration such as PT1H30M, or a number of seconds", _duration),
}


def of_enum(kind: type[Enum]) -> Expected:
    """Makes members of their values, or of what the values look like in JSON."""
    choices = _Choices([(member.value, member) for member in kind])

    def convert(value: Any) -> Any:
        found = choices.find(value)
        if found is not None:
            return found[0]
        try:
            if type(value) is not bool:
                return kind(value)  # It may be a combination of flags, or a class with _missing_.
        except (ValueError, TypeError, KeyError):
            pass
        raise no(value, choices.name)

    return Expected(choices.name, convert)


def of_literal(values: tuple[Any, ...]) -> Expected:
    """Accepts these values only."""
    choices = _Choices([(value.value if isinstance(value, Enum) else value, value) for value in values])

    def convert(value: Any) -> Any:
        found = choices.find(value)
        if found is None:
            raise no(value, choices.name)
        return found[0]

    return Expected(choices.name, convert)


class _Choices:
    """Values by what they look like in JSON. A boolean is not a number here, though Python compares them as equal."""

    __slots__ = ("_by_json", "name")

    def __init__(self, choices: list[tuple[Any, Any]]) -> None:
        from ._results import encode_value

        self._by_json: Final[dict[bytes, tuple[Any]]] = {}
        for value, chosen in choices:
            try:
                self._by_json.setdefault(encode_value(value), (chosen,))
            except Exception:  # It has no JSON: nothing can choose it.
                pass
        names = [key.decode() for key in list(self._by_json)[:SHOWN_CHOICES_MAX]]
        more = len(self._by_json) - len(names)
        names += [f"{more} more"] if more > 0 else []
        self.name: Final = "one of " + ", ".join(names) if len(names) > 1 else "".join(names) or "any of no values"

    def find(self, value: Any) -> tuple[Any] | None:
        from ._results import encode_value

        return self._by_json.get(encode_value(value))

