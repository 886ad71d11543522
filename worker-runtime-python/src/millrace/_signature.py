"""Reads the signature of a script's ``main`` as a JSON Schema 2020-12 of its input, without running the script.

What cannot be read becomes the schema that takes anything. A schema takes every input that `Parameters.bind` takes; the tests compare the two.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from typing import Any

from . import _signature_docs as docs
from ._arguments import CONTEXT_PARAMETER, WHOLE_INPUT_PARAMETER
from ._signature_names import Names
from ._signature_records import is_none
from ._signature_types import TooLarge, Types, nullable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from ._signature_names import Module
    from ._signature_types import Schema

CHARS_MAX = 65_536
"""Most characters of a schema, the same in the scheduler."""
DEPTH_MAX = 100
"""Deepest nesting of a schema. Checks go as deep, and again at each level of a value."""
EXIT_SYNTAX = 3
"""Exit code for a script that Python cannot read; the worker knows it."""
MEMORY_BYTES_MAX = 1 << 30
"""Most memory that reading may take: a syntax tree has hundreds of times the size of its text."""
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def read(script: str, tree: str) -> Schema:
    """Returns the schema of the input that a script takes.

    Args:
        script: Path of the script.
        tree: Folder with all files of its version.
    """
    try:
        names = Names(script, tree)
        module = names.module(script)
        main = None if module is None else module.names.get("main")
        if module is None or not isinstance(main, (ast.FunctionDef, ast.AsyncFunctionDef)) or main.decorator_list:
            return {}
        schema = _of_function(main, module, names)
    except (RecursionError, MemoryError):
        return {}
    if len(_written(schema)) > CHARS_MAX or _is_deep(schema, DEPTH_MAX):
        schema = _without_details(schema)
    return schema if len(_written(schema)) <= CHARS_MAX else {}


def _of_function(main: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, names: Names) -> Schema:
    types = Types(names)
    summary, described = docs.read(ast.get_docstring(main))
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for argument, default in _parameters(main.args):
        if argument.arg == CONTEXT_PARAMETER:
            continue
        schema = _of(types, argument.annotation, module)
        if is_none(default):
            schema = nullable(schema)
        if argument.arg in described:
            schema = {**schema, "description": described[argument.arg]}
        if default is None:
            required.append(argument.arg)
        elif (given := types.default(default, module)) is not None or is_none(default):
            schema = {**schema, "default": given}
        properties[argument.arg] = schema
    others = main.args.kwarg
    made: Schema = {"$schema": _DIALECT, "type": "object"}
    if summary:
        made["description"] = summary
    if list(properties) == [WHOLE_INPUT_PARAMETER] and others is None:
        made.update(_whole(properties[WHOLE_INPUT_PARAMETER]))
    else:
        made["properties"] = properties
        if required:
            made["required"] = required
        if others is None:
            made["additionalProperties"] = False
        elif hint := _of(types, others.annotation, module):
            made["additionalProperties"] = hint
    return {**made, "$defs": types.definitions} if types.definitions else made


def _whole(schema: Schema) -> Schema:
    """Returns what a single parameter ``input`` takes: the whole input, or an input with only that key."""
    return {
        "if": {"required": [WHOLE_INPUT_PARAMETER]},
        "then": {"properties": {WHOLE_INPUT_PARAMETER: schema}, "additionalProperties": False},
        "else": {key: value for key, value in schema.items() if key != "default"},
    }


def _of(types: Types, annotation: ast.AST | None, module: Module) -> Schema:
    try:
        return types.of_hint(annotation, module)
    except TooLarge:
        return {}


def _parameters(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    return [*zip(positional, [*missing, *arguments.defaults]), *zip(arguments.kwonlyargs, arguments.kw_defaults)]


def _without_details(schema: Schema) -> Schema:
    """Returns the names of the parameters only, which are all that a very large schema says."""
    small = {key: schema[key] for key in ("$schema", "type", "required") if key in schema}
    if "properties" in schema:
        names: Schema = schema["properties"]
        small["properties"] = {name: {} for name in names}
        if schema.get("additionalProperties") is False:
            small["additionalProperties"] = False
    return small


def _is_deep(value: Any, levels: int) -> bool:
    if levels < 0:
        return True
    items: Any = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()  # pyright: ignore
    return any(_is_deep(item, levels - 1) for item in items)


def _written(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _syntax_error(script: str, tree: str) -> str | None:
    """Returns what keeps the script from being loaded, with its place; None if nothing does."""
    try:
        with open(script, "rb") as source:
            ast.parse(source.read())
    except SyntaxError as error:
        column = f":{error.offset}" if error.offset else ""
        return f"{os.path.relpath(script, tree)}:{error.lineno or 1}{column}: {type(error).__name__}: {error.msg}"
    except (OSError, ValueError, RecursionError, MemoryError):
        pass
    return None


def print_schema(script: str, tree: str) -> None:
    """Writes the schema to standard output, within a limit of memory; for a process of its own."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    if error := _syntax_error(script, tree):
        print(error, file=sys.stderr, flush=True)
        sys.exit(EXIT_SYNTAX)
    sys.stdout.buffer.write(_written(read(script, tree)).encode(errors="replace"))
