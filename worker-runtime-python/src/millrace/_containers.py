"""Makes lists, sets, tuples, dictionaries and alternatives of JSON values, item by item."""

from __future__ import annotations

from json import loads

from ._scalars import FLOAT, INT, NULL
from ._unfit import Expected, Unfit, array, member, members, no, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._unfit import Convert


def of_sequence(kind: type, item: Expected | None) -> Expected:
    """Makes a list, or what `kind` makes of a list."""
    if item is None and kind is list:
        return Expected("an array", array)
    convert_item = None if item is None else item.convert

    def convert(value: Any) -> Any:
        items = array(value)
        if convert_item is not None:
            items = _items(items, convert_item)
        if kind is list:
            return items
        try:
            return kind(items)
        except TypeError:  # An array or an object is no member of a set.
            raise Unfit(f"{shown(value)} has an item that cannot be in a {kind.__name__}") from None

    return Expected("an array", convert)


def of_tuple(items: list[Expected | None]) -> Expected:
    """Makes a tuple with one annotation for each item."""
    name = f"an array of {len(items)} item{'' if len(items) == 1 else 's'}"

    def convert(value: Any) -> Any:
        given = array(value)
        if len(given) != len(items):
            raise no(value, name)
        made: list[Any] = []
        try:
            for each, item in zip(items, given):
                made.append(item if each is None else each.convert(item))
        except Unfit as unfit:
            unfit.found_at(f"[{len(made)}]")
            raise
        return tuple(made)

    return Expected(name, convert)


def of_mapping(key: Expected | None, item: Expected | None) -> Expected:
    """Makes a dictionary. Keys are strings in JSON, so numbers are read from them where the annotation asks for that."""

    def convert(value: Any) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for name, given in members(value, "an object").items():
            try:
                made[name if key is None else _key(name, key.convert)] = given if item is None else item.convert(given)
            except Unfit as unfit:
                unfit.found_at(member(name))
                raise
        return made

    return Expected("an object", convert)


def of_union(choices: list[Expected | None]) -> Expected | None:
    """Makes what the first alternative that accepts the value makes of it; a number keeps its type if it may.

    None, if we do not know one of them, so that it might accept anything.
    """
    known = [expected for expected in choices if expected is not None and expected is not NULL]
    if len(known) < len([expected for expected in choices if expected is not NULL]) or not known:
        return NULL if choices and not known and all(expected is NULL for expected in choices) else None
    exact = tuple(kind for kind, expected in ((int, INT), (float, FLOAT)) if expected in known)
    name = _either([expected.name for expected in known] + (["null"] if NULL in choices else []))
    nullable = NULL in choices

    def convert(value: Any) -> Any:
        if nullable and value is None:
            return None
        if type(value) in exact:
            return value
        deepest: Unfit | None = None
        for expected in known:
            try:
                return expected.convert(value)
            except Unfit as unfit:
                if deepest is None or unfit.depth > deepest.depth:
                    deepest = unfit
        if deepest is not None and (deepest.depth or len(known) == 1):
            raise deepest
        raise no(value, name)

    return Expected(name, convert)


def _items(items: list[Any], convert: Convert) -> list[Any]:
    made: list[Any] = []
    try:
        for item in items:
            made.append(convert(item))
    except Unfit as unfit:
        unfit.found_at(f"[{len(made)}]")
        raise
    return made


def _key(name: str, convert: Convert) -> Any:
    try:
        return convert(name)
    except Unfit:
        try:
            number = loads(name)
        except ValueError:
            number = None
        if type(number) not in (int, float):
            raise
    return convert(number)


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
