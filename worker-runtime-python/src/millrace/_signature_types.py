"""Makes JSON Schemas of annotations, which take all that `_conversion` takes for them, and where possible nothing else."""

from __future__ import annotations

import ast
from typing import Any

from . import _signature_records as records
from ._signature_names import Declared, External

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, TypeAlias

    from ._signature_names import Module, Names

    Schema: TypeAlias = dict[str, Any]

NODES_MAX = 50_000
"""Most annotations that are read for one version. Aliases that contain aliases could otherwise grow without end."""

_DECIMAL: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,6})?$"
_SCALARS: Final[dict[str, Schema]] = {
    "builtins.str": {"type": "string"},
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
    "builtins.bytes": {"type": "string", "contentEncoding": "base64"},
    "builtins.bytearray": {"type": "string", "contentEncoding": "base64"},
    "types.NoneType": {"type": "null"},
    "decimal.Decimal": {"type": ["string", "number"], "format": "decimal", "pattern": _DECIMAL},
    "uuid.UUID": {"type": "string", "format": "uuid", "pattern": "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}"},
    "datetime.date": {"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"},
    "datetime.time": {"type": "string", "format": "time", "pattern": r"^\d\d:\d\d"},
    "datetime.datetime": {"type": "string", "format": "date-time", "pattern": r"^\d{4}-\d\d-\d\d"},
    "datetime.timedelta": {"type": ["string", "number"], "format": "duration", "pattern": "^[+-]?P"},
    "millrace.blobs.Blob": {"type": "object", "title": "Blob"},
}
_LAX: Final[dict[str, Schema]] = {
    "builtins.str": {"type": "string"},
    "builtins.int": {"type": ["integer", "string", "boolean"]},
    "builtins.float": {"type": ["number", "string", "boolean"]},
    "builtins.bool": {"type": ["boolean", "string", "number"]},
    "types.NoneType": {"type": "null"},
    "datetime.date": {"type": ["string", "number"], "format": "date"},
    "datetime.time": {"type": ["string", "number"], "format": "time"},
    "datetime.datetime": {"type": ["string", "number"], "format": "date-time"},
    "datetime.timedelta": {"type": ["string", "number"], "format": "duration"},
    "decimal.Decimal": {"type": ["string", "number"], "format": "decimal"},
    "uuid.UUID": {"type": "string", "format": "uuid"},
}
"""What pydantic takes, which reads numbers from strings, for example."""
_ARRAYS: Final = {
    *("builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "collections.deque"),
    *(f"typing.{name}" for name in ("List", "Tuple", "Set", "FrozenSet", "Deque", "Sequence", "MutableSequence")),
    *(f"typing.{name}" for name in ("Collection", "Iterable", "AbstractSet", "MutableSet")),
    *(f"collections.abc.{name}" for name in ("Sequence", "MutableSequence", "Collection", "Iterable", "Set", "MutableSet")),
}
_TUPLES: Final = {"builtins.tuple", "typing.Tuple"}
_OBJECTS: Final = {
    *("builtins.dict", "typing.Dict", "typing.Mapping", "typing.MutableMapping"),
    *("collections.abc.Mapping", "collections.abc.MutableMapping"),
}
_WRAPPERS: Final = {f"typing.{name}" for name in ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")}


class TooLarge(Exception):
    """An annotation contains more than can be read."""


class Types:
    """Makes the schemas of one version. Those of classes are kept apart, so that classes may contain themselves."""

    def __init__(self, names: Names) -> None:
        self.names: Final = names
        self.definitions: Final[dict[str, Schema]] = {}
        self._keys: Final[dict[tuple[ast.AST, bool], str | None]] = {}
        self._enums: Final[dict[tuple[ast.AST, bool], Schema]] = {}
        self._aliases: Final[set[ast.AST]] = set()
        self._nodes = 0

    def of_hint(self, node: ast.AST | None, module: Module, *, lax: bool = False, hidden: frozenset[str] = frozenset()) -> Schema:
        """Returns the schema of the annotation of a parameter or a field."""
        if module.are_hints_text:
            return self._of_text(node, module, lax)
        return self.of(node, module, lax=lax, hidden=hidden)

    def default(self, node: ast.AST, module: Module) -> Any:
        """Returns the JSON form of a default that is a literal or a member of an enumeration; None for all else."""
        if isinstance(node, ast.Attribute):
            owner = self.names.resolve(node.value, module)
            if isinstance(owner, Declared) and isinstance(owner.node, ast.ClassDef):
                return records.member_value(self, owner.node, owner.module, node.attr)
        return records.literal(node)

    def _of_text(self, node: ast.AST | None, module: Module, lax: bool) -> Schema:
        """Returns the schema of a text, all of whose names must be there for it to mean anything."""
        for inner in ast.walk(node) if node is not None else ():
            if isinstance(inner, ast.Name) and self.names.find(inner.id, module) is None:
                return {}
        return self.of(node, module, lax=lax)

    def of(self, node: ast.AST | None, module: Module, *, lax: bool = False, hidden: frozenset[str] = frozenset()) -> Schema:
        """Returns the schema of an annotation; an empty one for what cannot be read.

        Args:
            node: The annotation.
            module: Module in which it stands.
            lax: Whether pydantic converts the value, which takes more than we do.
            hidden: Names that mean something else where the annotation stands.
        """
        self._nodes += 1
        if self._nodes > NODES_MAX:
            raise TooLarge
        if node is None:
            return {}
        if isinstance(node, ast.Constant):
            if node.value is None:
                return {"type": "null"}
            return self._of_text(_parsed(node.value), module, lax) if isinstance(node.value, str) else {}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union([self.of(side, module, lax=lax, hidden=hidden) for side in _sides(node)])
        if isinstance(node, ast.Subscript):
            return self._of_generic(node, module, lax, hidden)
        if isinstance(node, ast.Name) and node.id in hidden:
            return {}
        return self._of_named(self.names.resolve(node, module), lax)

    def _of_named(self, found: object, lax: bool) -> Schema:
        if isinstance(found, External):
            if found.name in _ARRAYS:
                return {"type": "array"}
            if found.name in _OBJECTS:
                return {"type": "object"}
            return dict((_LAX if lax else _SCALARS).get(found.name, {}))
        if not isinstance(found, Declared):
            return {}
        if isinstance(found.node, ast.ClassDef):
            return self._of_class(found.node, found.module, lax)
        if found.node in self._aliases:
            return {}
        self._aliases.add(found.node)
        try:
            return self._of_alias(found.node, found.module, lax)
        finally:
            self._aliases.discard(found.node)

    def _of_alias(self, node: ast.AST, module: Module, lax: bool) -> Schema:
        if type(node).__name__ == "TypeAlias":
            return {} if node.type_params else self.of(node.value, module, lax=lax)  # pyright: ignore
        if isinstance(node, ast.Call):
            is_new_type = self.names.resolve(node.func, module) == External("typing.NewType")
            return self.of(node.args[1], module, lax=lax) if is_new_type and len(node.args) == 2 else {}
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return {}  # A string that no annotation says is a type.
        return self.of(node, module, lax=lax)

    def _of_class(self, node: ast.ClassDef, module: Module, lax: bool) -> Schema:
        lax = lax or records.is_model(self, node, module)
        key = (node, lax)
        if key not in self._keys:
            name = self._unused(node.name)
            self._keys[key] = name
            self.definitions[name] = {}
            made = records.of_class(self, node, module, lax)
            self.definitions[name] = made
            if not made or "enum" in made:
                del self.definitions[name]
                self._keys[key] = None
                if "enum" in made:
                    self._enums[key] = made
        name = self._keys[key]
        return {"$ref": f"#/$defs/{name}"} if name is not None else dict(self._enums.get(key, {}))

    def _unused(self, name: str) -> str:
        name = name if name.isascii() else "Type"
        number, unused = 1, name
        while unused in self.definitions:
            number += 1
            unused = f"{name}_{number}"
        return unused

    def _of_generic(self, node: ast.Subscript, module: Module, lax: bool, hidden: frozenset[str]) -> Schema:
        found = None if isinstance(node.value, ast.Name) and node.value.id in hidden else self.names.resolve(node.value, module)
        if not isinstance(found, External):
            return {}  # Generic classes of the script, whose fields depend on what stands for their variables.
        arguments = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]

        def of(argument: ast.AST) -> Schema:
            return self.of(argument, module, lax=lax, hidden=hidden)

        name = found.name
        if name == "typing.Literal":
            return records.of_literal(self, arguments, module)
        if name == "typing.Annotated":
            return records.of_annotated(self, arguments, module, lax, hidden)
        if name == "typing.Optional":
            return union([of(arguments[0]), {"type": "null"}])
        if name == "typing.Union":
            return union([of(argument) for argument in arguments])
        if name in _WRAPPERS:
            return of(arguments[0])
        if name in _TUPLES and arguments and not (isinstance(arguments[-1], ast.Constant) and arguments[-1].value is ...):
            return _tuple([of(argument) for argument in arguments]) if not _is_empty(node.slice) else {"type": "array"}
        if name in _ARRAYS:
            item = of(arguments[0]) if arguments else {}
            return {"type": "array", "items": item} if item else {"type": "array"}
        if name in _OBJECTS:
            item = of(arguments[1]) if len(arguments) == 2 else {}
            return {"type": "object", "additionalProperties": item} if item else {"type": "object"}
        return {}


def union(choices: list[Schema]) -> Schema:
    """Returns a schema for what one of several takes."""
    flat: list[Schema] = []
    for choice in choices:
        if not choice:
            return {}
        for one in choice["anyOf"] if choice.keys() == {"anyOf"} else [choice]:
            if one not in flat:
                flat.append(one)
    others = [one for one in flat if one != {"type": "null"}]
    if len(others) == 1 and len(flat) == 2 and "enum" in others[0]:
        return {**others[0], "enum": [*(value for value in others[0]["enum"] if value is not None), None]}
    if len(others) == 1 and len(flat) == 2 and "type" in others[0]:
        return {**others[0], "type": [*(kind for kind in _types(others[0]) if kind != "null"), "null"]}
    if all(one.keys() == {"type"} for one in flat):
        kinds = list(dict.fromkeys(kind for one in flat for kind in _types(one)))
        return {"type": kinds if len(kinds) > 1 else kinds[0]}
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def nullable(schema: Schema) -> Schema:
    """Returns a schema that takes null, too."""
    return union([schema, {"type": "null"}])


def _types(schema: Schema) -> list[str]:
    kinds: Any = schema["type"]
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _tuple(items: list[Schema]) -> Schema:
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _is_empty(node: ast.AST) -> bool:
    return isinstance(node, ast.Tuple) and not node.elts


def _sides(node: ast.AST) -> list[ast.AST]:
    """Returns the alternatives of a chain of ``|``, which is nested as deep as it is long."""
    sides: list[ast.AST] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides.append(node.right)
        node = node.left
    return [node, *reversed(sides)]


def _parsed(text: str) -> ast.AST | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
