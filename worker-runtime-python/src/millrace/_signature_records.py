"""Makes JSON Schemas of the classes that a version declares, and of what is written in annotations besides types."""

from __future__ import annotations

import ast
from typing import Any

from . import _signature_docs as docs
from . import _signature_types as types
from ._signature_names import Declared, External

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from ._signature_names import Module
    from ._signature_types import Schema, Types

DEFAULT_CHARS_MAX = 1_000
_ENUMS: Final = {"enum.Enum", "enum.IntEnum", "enum.StrEnum"}
_ENUM_VALUES: Final = {"enum.IntEnum": int, "enum.StrEnum": str, "builtins.int": int, "builtins.str": str}
_HARMLESS_CONFIG: Final = {"extra", "frozen", "title", "json_schema_extra", "strict", "validate_assignment"}
_CHECKS: Final = {
    "gt": ("exclusiveMinimum", ("integer", "number")),
    "ge": ("minimum", ("integer", "number")),
    "lt": ("exclusiveMaximum", ("integer", "number")),
    "le": ("maximum", ("integer", "number")),
    "min_length": ("minLength", ("string",)),
    "max_length": ("maxLength", ("string",)),
}
_FIELD_OPTIONS: Final = {*_CHECKS, "default", "default_factory", "description", "title", "examples", "pattern"} | {
    *("json_schema_extra", "frozen", "repr", "exclude", "deprecated", "strict", "kw_only", "multiple_of")
}


class _Unreadable(Exception):
    """A class takes what its text does not tell."""


def of_class(types_: Types, node: ast.ClassDef, module: Module, lax: bool) -> Schema:
    """Returns the schema of a class; an empty one if its text does not tell it."""
    try:
        return _of_class(types_, node, module, lax)
    except _Unreadable:
        return {}


def is_model(types_: Types, node: ast.ClassDef, module: Module) -> bool:
    """Whether a class is a model of pydantic, by whose rules all inside of it is read."""
    try:
        return "pydantic.BaseModel" in _bases(types_, node, module)
    except _Unreadable:
        return False


def _of_class(types_: Types, node: ast.ClassDef, module: Module, lax: bool) -> Schema:
    if getattr(node, "type_params", None):
        return {}
    bases = _bases(types_, node, module)
    if bases & _ENUMS:
        return _of_enum(types_, node, module, bases, lax)
    if "typing.TypedDict" in bases:
        return {} if lax else _of_typed_dict(types_, node, module)
    if "typing.NamedTuple" in bases:
        return {} if lax else _of_named_tuple(types_, node, module)
    if "pydantic.BaseModel" in bases:
        return _of_model(types_, node, module)
    return _of_dataclass(types_, node, module, lax)


def _bases(types_: Types, node: ast.ClassDef, module: Module) -> set[str]:
    """Returns the names of the bases outside of the version that a class has at any depth."""
    found: set[str] = set()
    for declared, at in _lineage(types_, node, module):
        for base in declared.bases:
            resolved = types_.names.resolve(base, at)
            if isinstance(resolved, External):
                found.add(resolved.name)
            elif not (isinstance(resolved, Declared) and isinstance(resolved.node, ast.ClassDef)):
                raise _Unreadable
    return found


def _lineage(types_: Types, node: ast.ClassDef, module: Module, depth: int = 0) -> Iterator[tuple[ast.ClassDef, Module]]:
    """Returns the bases that the version declares, then the class; those that have several such bases cannot be read."""
    if depth > 20:
        raise _Unreadable
    declared = [
        found
        for base in node.bases
        if isinstance(found := types_.names.resolve(base, module), Declared) and isinstance(found.node, ast.ClassDef)
    ]
    if len(declared) > 1:
        raise _Unreadable
    for found in declared:
        assert isinstance(found.node, ast.ClassDef)
        yield from _lineage(types_, found.node, found.module, depth + 1)
    yield node, module


def _keywords(node: ast.ClassDef | ast.Call, allowed: set[str]) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for keyword in node.keywords:
        if keyword.arg not in allowed:
            raise _Unreadable
        found[keyword.arg] = keyword.value
    return found


def _of_enum(types_: Types, node: ast.ClassDef, module: Module, bases: set[str], lax: bool) -> Schema:
    if node.keywords or not bases <= _ENUMS | _ENUM_VALUES.keys() or len(list(_lineage(types_, node, module))) > 1:
        raise _Unreadable
    for decorator in node.decorator_list:
        if types_.names.resolve(decorator, module) != External("enum.unique"):
            raise _Unreadable
    kinds = {kind for base, kind in _ENUM_VALUES.items() if base in bases}
    values: list[Any] = []
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name in ("_missing_", "__new__", "__init__", "_generate_next_value_") or statement.decorator_list:
                raise _Unreadable
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            values.extend(_member(types_, statement, module, bases, values))
        elif not _is_inert(statement):
            raise _Unreadable
    if not values or (kinds and {type(value) for value in values} != kinds) or any(type(v) is bool for v in values):
        raise _Unreadable
    if lax and any(type(value) is not str for value in values):
        raise _Unreadable
    return {"enum": list(dict.fromkeys(values)), "title": node.name}


def member_value(types_: Types, node: ast.ClassDef, module: Module, name: str) -> Any:
    """Returns the value of a member of an enumeration; None if it is none."""
    if "enum" not in of_class(types_, node, module, lax=False):
        return None
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name) and target.id == name:
            return literal(statement.value)
    return None


def _member(
    types_: Types, statement: ast.Assign | ast.AnnAssign, module: Module, bases: set[str], before: list[Any]
) -> list[Any]:
    target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
    if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
        raise _Unreadable
    if not isinstance(target, ast.Name) or target.id.startswith("_"):
        raise _Unreadable
    if statement.value is None:
        return []
    if isinstance(statement.value, ast.Call):
        if types_.names.resolve(statement.value.func, module) != External("enum.auto") or statement.value.args:
            raise _Unreadable
        if "enum.StrEnum" in bases:
            return [target.id.lower()]
        if "builtins.str" in bases or before != list(range(1, len(before) + 1)):
            raise _Unreadable
        return [len(before) + 1]
    try:
        value = ast.literal_eval(statement.value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise _Unreadable from None
    if type(value) not in (str, int):  # The JSON of others may be written in several ways.
        raise _Unreadable
    return [value]


def _is_inert(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))


def _of_typed_dict(types_: Types, node: ast.ClassDef, module: Module) -> Schema:
    properties: dict[str, Schema] = {}
    required: dict[str, bool] = {}
    for declared, at in _lineage(types_, node, module):
        total = _keywords(declared, {"total"}).get("total")
        is_total = total is None or (isinstance(total, ast.Constant) and total.value is True)
        for name, hint, _ in _fields(declared):
            properties[name] = types_.of_hint(hint, at)
            marker = _marker(types_, hint, at)
            required[name] = marker == "typing.Required" or (is_total and marker != "typing.NotRequired")
    return _object(node, properties, [name for name, needed in required.items() if needed], is_open=True)


def _marker(types_: Types, hint: ast.AST, module: Module) -> str:
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        # Python sees no marker in text, and we look for its name only.
        name = hint.value.partition("[")[0].rpartition(".")[2]
        return f"typing.{name}"
    found = types_.names.resolve(hint.value, module) if isinstance(hint, ast.Subscript) else None
    return found.name if isinstance(found, External) else ""


def _of_named_tuple(types_: Types, node: ast.ClassDef, module: Module) -> Schema:
    if len(list(_lineage(types_, node, module))) > 1 or node.keywords or node.decorator_list:
        raise _Unreadable
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for name, hint, default in _fields(node):
        schema = types_.of_hint(hint, module)
        properties[name] = types.nullable(schema) if is_none(default) else schema
        if default is None:
            required.append(name)
    items = list(properties.values())
    array = {"type": "array", "prefixItems": items, "minItems": len(required), "maxItems": len(items)}
    return {"anyOf": [_object(node, properties, required), array if items else {"type": "array", "maxItems": 0}]}


def _of_dataclass(types_: Types, node: ast.ClassDef, module: Module, lax: bool) -> Schema:
    properties: dict[str, Schema] = {}
    required: dict[str, bool] = {}
    lineage = list(_lineage(types_, node, module))
    is_pydantic = lax
    for declared, at in lineage:
        if [base for base in declared.bases if isinstance(types_.names.resolve(base, at), External)]:
            raise _Unreadable
        is_pydantic |= _decorated(types_, declared, at) == "pydantic.dataclasses.dataclass"
    for declared, at in lineage:
        how = is_pydantic, _assigned(declared)
        for field in _fields(declared):
            _add_field(types_, at, field, properties, required, how)
    if is_pydantic:
        _require_no_validators(types_, lineage)
    return _object(node, properties, [name for name, needed in required.items() if needed], is_open=is_pydantic)


def _add_field(
    types_: Types,
    module: Module,
    field: tuple[str, ast.expr, ast.expr | None],
    properties: dict[str, Schema],
    required: dict[str, bool],
    how: tuple[bool, frozenset[str]],
) -> None:
    name, hint, default = field
    lax, hidden = how
    kind = types_.names.resolve(hint.value if isinstance(hint, ast.Subscript) else hint, module)
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        if "ClassVar" in hint.value or "InitVar" in hint.value or "KW_ONLY" in hint.value:
            raise _Unreadable
    if isinstance(kind, External) and kind.name in ("typing.ClassVar", "dataclasses.KW_ONLY"):
        return
    if isinstance(kind, External) and kind.name == "dataclasses.InitVar" and isinstance(hint, ast.Subscript):
        hint = hint.slice
    is_required, takes_none = default is None, is_none(default)
    if isinstance(default, ast.Call):
        called = types_.names.resolve(default.func, module)
        if not isinstance(called, External) or called.name.startswith("pydantic"):
            raise _Unreadable
        if called.name == "dataclasses.field":
            options = {one.arg: one.value for one in default.keywords}
            if None in options or is_false(options.get("init")):
                if None in options:
                    raise _Unreadable
                properties.pop(name, None)
                required.pop(name, None)
                return
            is_required = "default" not in options and "default_factory" not in options
            takes_none = is_none(options.get("default"))
    schema = types_.of_hint(hint, module, lax=lax, hidden=hidden)
    properties[name] = types.nullable(schema) if takes_none and not lax else schema
    required[name] = is_required


def _decorated(types_: Types, node: ast.ClassDef, module: Module) -> str:
    """Returns which decorator makes a class a dataclass; a class with another one, or with none, cannot be read."""
    if len(node.decorator_list) != 1 or node.keywords:
        raise _Unreadable
    decorator = node.decorator_list[0]
    if isinstance(decorator, ast.Call):
        _keywords(decorator, {"frozen", "slots", "order", "eq", "repr", "kw_only", "unsafe_hash"})
        decorator = decorator.func
    found = types_.names.resolve(decorator, module)
    if found in (External("dataclasses.dataclass"), External("pydantic.dataclasses.dataclass")):
        return found.name
    raise _Unreadable


def _of_model(types_: Types, node: ast.ClassDef, module: Module) -> Schema:
    properties: dict[str, Schema] = {}
    required: dict[str, bool] = {}
    lineage = list(_lineage(types_, node, module))
    _require_no_validators(types_, lineage)
    is_open = True
    for declared, at in lineage:
        if declared.keywords or declared.decorator_list or len(declared.bases) != 1:
            raise _Unreadable
        is_open = _is_open(types_, declared, at, is_open)
        hidden = _assigned(declared)
        for name, hint, default in _fields(declared):
            if name.startswith("_") or name == "model_config" or _marker(types_, hint, at) == "typing.ClassVar":
                continue
            schema, is_required = _of_model_field(types_, at, hint, default, hidden)
            properties[name], required[name] = schema, is_required
    return _object(node, properties, [name for name, needed in required.items() if needed], is_open=is_open)


def _of_model_field(
    types_: Types, module: Module, hint: ast.expr, default: ast.expr | None, hidden: frozenset[str]
) -> tuple[Schema, bool]:
    schema = types_.of_hint(hint, module, lax=True, hidden=hidden)
    if not isinstance(default, ast.Call):
        return schema, default is None
    if types_.names.resolve(default.func, module) != External("pydantic.Field"):
        raise _Unreadable
    given = default.args[0] if default.args else None
    options = _keywords(default, _FIELD_OPTIONS)
    given = options.get("default", given)
    is_required = (given is None or is_ellipsis(given)) and "default_factory" not in options
    return _with_checks(schema, options), is_required


def _with_checks(schema: Schema, options: dict[str, ast.expr]) -> Schema:
    made = dict(schema)
    for option, (word, kinds) in _CHECKS.items():
        value = literal(options[option]) if option in options else None
        kind = made.get("type")
        of_kind = kind in kinds if isinstance(kind, str) else isinstance(kind, list) and kind[0] in kinds
        if of_kind and isinstance(value, (int, float)) and not isinstance(value, bool):
            made[word] = value
    description = literal(options["description"]) if "description" in options else None
    if isinstance(description, str):
        made["description"] = description[: docs.DESCRIPTION_CHARS_MAX]
    return made


def _is_open(types_: Types, node: ast.ClassDef, module: Module, before: bool) -> bool:
    """Returns whether a model takes keys that it does not name."""
    for statement in node.body:
        if isinstance(statement, ast.ClassDef):
            raise _Unreadable
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if isinstance(target, ast.Name) and target.id == "model_config":
            value = getattr(statement, "value", None)
            if not isinstance(value, ast.Call) or value.args:
                raise _Unreadable
            extra = _keywords(value, _HARMLESS_CONFIG).get("extra")
            if extra is not None:
                before = literal(extra) != "forbid"
    return before


def _require_no_validators(types_: Types, lineage: list[tuple[ast.ClassDef, Module]]) -> None:
    """Fails for classes whose functions see values before pydantic does, as they may take anything."""
    for node, module in lineage:
        for statement in node.body:
            if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if statement.name.startswith("__get_pydantic"):
                raise _Unreadable
            for decorator in statement.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                found = types_.names.resolve(call.func if call else decorator, module)
                if not isinstance(found, External) or not found.name.startswith(("pydantic.", "builtins.", "functools.")):
                    raise _Unreadable
                mode = next((literal(one.value) for one in call.keywords if one.arg == "mode"), None) if call else None
                if found.name in ("pydantic.validator", "pydantic.root_validator") or mode not in (None, "after"):
                    raise _Unreadable


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr, ast.expr | None]]:
    """Returns the annotated names of a class with their defaults. Fields under a condition cannot be read."""
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement.annotation, statement.value
        elif not (
            _is_inert(statement) or isinstance(statement, (ast.Assign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ):
            raise _Unreadable


def _assigned(node: ast.ClassDef) -> frozenset[str]:
    """Returns the names that a class binds, which annotations in its body see before those of the module."""
    found: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and statement.value is not None and isinstance(statement.target, ast.Name):
            found.add(statement.target.id)
        elif isinstance(statement, ast.Assign):
            found.update(target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(statement.name)
    return frozenset(found)


def _object(node: ast.ClassDef, properties: dict[str, Schema], required: list[str], *, is_open: bool = False) -> Schema:
    summary, described = docs.read(ast.get_docstring(node))
    made: Schema = {"type": "object", "title": node.name}
    if summary:
        made["description"] = summary
    made["properties"] = {
        name: {**schema, "description": described[name]} if name in described and "description" not in schema else schema
        for name, schema in properties.items()
    }
    if required:
        made["required"] = required
    if not is_open:
        made["additionalProperties"] = False
    return made


def of_literal(types_: Types, arguments: list[ast.expr], module: Module) -> Schema:
    """Returns the schema of a ``Literal``."""
    values: list[Any] = []
    for argument in arguments:
        try:
            value = ast.literal_eval(argument)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return {}
        if value is not None and type(value) not in (str, int, bool):
            return {}
        if (type(value), value) not in [(type(one), one) for one in values]:
            values.append(value)
    return {"enum": values}


def of_annotated(types_: Types, arguments: list[ast.expr], module: Module, lax: bool, hidden: frozenset[str]) -> Schema:
    """Returns the schema of ``Annotated``, with what its further arguments say if pydantic or nobody reads them."""
    described, options, by_pydantic = "", dict[str, ast.expr](), False
    for extra in arguments[1:]:
        text = literal(extra)
        if text is not None:
            described = described or (text if isinstance(text, str) else "")
            continue
        found = types_.names.resolve(extra.func, module) if isinstance(extra, ast.Call) else None
        if not isinstance(extra, ast.Call) or not isinstance(found, External):
            return {}
        if found.name == "typing.Doc" and len(extra.args) == 1:
            text = literal(extra.args[0])
            described = described or (text if isinstance(text, str) else "")
        elif found.name == "pydantic.Field" and not extra.args:
            try:
                options.update(_keywords(extra, _FIELD_OPTIONS - {"default", "default_factory"}))
            except _Unreadable:
                return {}
            by_pydantic = True
        elif found.name.startswith("annotated_types.") and len(extra.args) == 1 and not extra.keywords:
            option = {"Gt": "gt", "Ge": "ge", "Lt": "lt", "Le": "le", "MinLen": "min_length", "MaxLen": "max_length"}
            option = option.get(found.name.partition(".")[2])
            if option is None:
                return {}
            options[option], by_pydantic = extra.args[0], True
        else:
            return {}
    schema = types_.of(arguments[0], module, lax=lax or by_pydantic, hidden=hidden)
    schema = _with_checks(schema, options) if schema else schema
    return {**schema, "description": described[: docs.DESCRIPTION_CHARS_MAX]} if described and schema else schema


def literal(node: ast.AST) -> Any:
    """Returns the value of a literal that has a short JSON form; None for all else."""
    try:
        value = ast.literal_eval(node)  # pyright: ignore
        from json import dumps

        return value if len(dumps(value, allow_nan=False)) <= DEFAULT_CHARS_MAX else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_false(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def is_ellipsis(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
