"""The keywords of JSON Schema that signatures become, checked as the specification says."""

from __future__ import annotations

import re
from typing import Any


def fits(schema: dict[str, Any], value: Any, root: dict[str, Any] | None = None) -> bool:
    """Returns whether a schema takes a value."""
    root = schema if root is None else root
    checks = (_types, _choices, _strings, _numbers, _arrays, _objects, _references)
    return all(check(schema, value, root) for check in checks)


def _types(schema: dict[str, Any], value: Any, _: dict[str, Any]) -> bool:
    wanted = schema.get("type", [])
    assert len(set(wanted)) == len(wanted) or isinstance(wanted, str), f"{wanted} has a type twice"
    return not wanted or any(_is(value, one) for one in ([wanted] if isinstance(wanted, str) else wanted))


def _is(value: Any, kind: str) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "null": value is None,
        "boolean": isinstance(value, bool),
        "string": isinstance(value, str),
        "number": is_number,
        "integer": is_number and value == value // 1,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }[kind]


def _choices(schema: dict[str, Any], value: Any, _: dict[str, Any]) -> bool:
    def same(one: Any) -> bool:
        return one == value and isinstance(one, bool) == isinstance(value, bool)

    return "enum" not in schema or any(same(one) for one in schema["enum"])


def _strings(schema: dict[str, Any], value: Any, _: dict[str, Any]) -> bool:
    if not isinstance(value, str):
        return True
    return (
        re.search(schema.get("pattern", ""), value, re.ASCII) is not None
        and schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
    )


def _numbers(schema: dict[str, Any], value: Any, _: dict[str, Any]) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return True
    at_least, at_most = schema.get("minimum", value), schema.get("maximum", value)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    return at_least <= value <= at_most and (above is None or value > above) and (below is None or value < below)


def _arrays(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    if not isinstance(value, list):
        return True
    items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
    first = schema.get("prefixItems", [])
    return (
        schema.get("minItems", 0) <= len(items) <= schema.get("maxItems", 10**9)
        and all(fits(one, item, root) for one, item in zip(first, items))
        and all(fits(schema.get("items", {}), item, root) for item in items[len(first) :])
    )


def _objects(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    named: dict[str, Any] = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    return (
        all(key in members for key in schema.get("required", []))
        and all(fits(named[key], item, root) for key, item in members.items() if key in named)
        and all(others is not False and fits(others, item, root) for key, item in members.items() if key not in named)
    )


def _references(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    if "$ref" in schema and not fits(root["$defs"][schema["$ref"].rpartition("/")[2]], value, root):
        return False
    if "anyOf" in schema and not any(fits(one, value, root) for one in schema["anyOf"]):
        return False
    if "if" in schema:
        return fits(schema["then"] if fits(schema["if"], value, root) else schema["else"], value, root)
    return True
