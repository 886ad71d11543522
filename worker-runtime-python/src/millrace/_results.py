"""Encodes the return value of ``main``, and locates the problem if it is not JSON."""

from __future__ import annotations

from json.encoder import JSONEncoder

from ._errors import ResultError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

DEPTH_MAX = 500
"""Deepest nesting of arrays and objects in a value, the same in each runtime and in the scheduler."""

_HINT = (
    "Return JSON values, dates, Decimal, UUID, bytes, Enum members, sets, dataclasses, models of pydantic, values of numpy"
    " and pandas, or lists, tuples and dictionaries of these."
)
_OPENING = b"[{"
_OTHER_KEYS = rb'"(?:-?[0-9][0-9.e+-]*|true|false|null)":'
"""What keys look like that may not be strings in Python; these may coincide with others in JSON."""
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))



def _plain(value: Any) -> Any:
    """Returns the JSON form of a value that JSON does not have: a date, a dataclass, a set."""
    from ._plain import plain

    return plain(value)


_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode


def encode_value(value: object, root: str = "result") -> bytes:
    """Returns `value` as compact JSON in UTF-8.

    Tuples become arrays and numeric keys become strings, as in the standard library's ``json``. Dates, dataclasses, sets and
    others that docs/reference/python-values.md lists have forms of their own.

    Args:
        value: The value to encode.
        root: Name of the value in error messages.

    Raises:
        ResultError: The value is not JSON, or nests deeper than ``DEPTH_MAX``. The message names the place, such as
            ``result.items[3]``.
    """
    try:
        try:
            encoded = _encode(value).encode()
        except TypeError:
            encoded = _encode_deep(value)
        if _nests_too_deeply(encoded):
            trouble = _too_deep(root)
        elif b'":' in encoded and _has_other_keys(encoded) and (found := _find_any_trouble(value, root)):
            trouble = found
        else:
            return encoded
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        trouble = _find_any_trouble(value, root) or f"{root} cannot be written as JSON: {error}"
    raise ResultError(f"{trouble}. {_HINT}")


def _encode_deep(value: object) -> bytes:
    """Encodes a value that has dates or the like as keys of a dictionary, which the encoder does not ask about."""
    from ._plain import plain_deep

    return _encode(plain_deep(value)).encode()


def _has_other_keys(encoded: bytes) -> bool:
    """Whether a key may have been a number, a boolean or None. Takes one pass over the text, without a look at the value."""
    import re

    return re.search(_OTHER_KEYS, encoded) is not None


def _find_any_trouble(value: object, root: str) -> str | None:
    try:
        return _find_trouble(value, root, ())
    except RecursionError:
        return _too_deep(root)


def _too_deep(root: str) -> str:
    return f"{root} is nested deeper than {DEPTH_MAX} levels"


def _nests_too_deeply(encoded: bytes) -> bool:
    """Whether a value is nested inside more than ``DEPTH_MAX`` arrays and objects. Fast if there are few brackets."""
    if encoded.count(b"[") + encoded.count(b"{") <= DEPTH_MAX:
        return False
    # Without escapes, every other piece between quotes is outside of strings.
    outside = b"".join(encoded.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    depth = 0
    for bracket in outside.translate(None, _ALL_BUT_BRACKETS):
        depth += 1 if bracket in _OPENING else -1
        if depth > DEPTH_MAX:
            return True
    return False


def _find_trouble(value: object, path: str, parents: tuple[int, ...]) -> str | None:
    """Returns a clause that describes the first value that is not JSON, in the encoder's order."""
    if value is None or isinstance(value, (bool, int)):
        return None
    if isinstance(value, str):
        return _find_surrogate(value, path)
    if isinstance(value, float):
        finite = float("-inf") < value < float("inf")
        return None if finite else f"{path} is {value}, which JSON has no number for"
    if id(value) in parents:
        return f"{path} contains itself"
    inner = (*parents, id(value))
    if not _is_dict(value) and not _is_array(value):
        try:
            return _find_trouble(_plain(value), path, inner)
        except TypeError as error:
            return f"{path} {error}"
        except Exception as error:  # A class that cannot give its own form.
            return f"{path} cannot be written as JSON: {error}"
    if _is_dict(value):
        return _find_trouble_in_dict(value, path, inner)
    return next(filter(None, (_find_trouble(item, f"{path}[{index}]", inner) for index, item in enumerate(value))), None)


def _find_trouble_in_dict(value: dict[object, object], path: str, parents: tuple[int, ...]) -> str | None:
    seen: dict[str, object] = {}
    for key, item in value.items():
        text = _text_of_key(key)
        if text is None:
            return f"{path} has a key of type {type(key).__name__}, but JSON keys are strings"
        if text in seen:
            return f"{path} has two keys that JSON writes as {text}: {seen[text]!r} and {key!r}"
        seen[text] = key
        if isinstance(key, str) and (trouble := _find_surrogate(key, f"a key of {path}")):
            return trouble
        member = f"{path}.{key}" if isinstance(key, str) and key.isidentifier() else f"{path}[{key!r}]"
        if trouble := _find_trouble(item, member, parents):
            return trouble
    return None


def _text_of_key(key: object) -> str | None:
    """Returns a key as JSON has it, with its quotes; None if it has no form there."""
    from ._plain import key_text

    try:
        return key_text(key)
    except (TypeError, ValueError):
        return None


def _find_surrogate(text: str, path: str) -> str | None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"{path} has half of a surrogate pair at index {error.start}, which is not valid Unicode text"
    return None


def _is_dict(value: object) -> TypeGuard[dict[object, object]]:
    return isinstance(value, dict)


def _is_array(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))
