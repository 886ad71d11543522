"""Finds what names mean in the files of a script, without running them.

Only what is certain counts: a name that is bound once, at the top level of its module and under no condition. Everything
else means nothing here, and a type that it stands for may be anything.
"""

from __future__ import annotations

import ast
import builtins
import os
import sys
from dataclasses import dataclass, field
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

IMPORTS_DEPTH_MAX = 40
_STARS: Final = ("typing", "dataclasses", "datetime", "decimal", "enum", "collections.abc")
"""Modules of the standard library that are imported here, to learn what ``*`` means."""
_ALIASES: Final = {"typing_extensions": "typing", "_collections_abc": "collections.abc"}


@dataclass(frozen=True, slots=True)
class External:
    """Something that a module outside of the version has, such as ``datetime.date``, or the module itself."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A statement or a value that a file of the version has."""

    module: Module
    node: ast.AST


@dataclass(frozen=True, slots=True)
class _Import:
    module: str
    level: int
    name: str | None


@dataclass(slots=True, eq=False)
class Module:
    """A file of the version, or a folder without a file of its own.

    Attributes:
        folder: Folder of the file.
        names: What the names of the top level are bound to; None if that is not certain.
        stars: Modules all of whose names are imported.
        are_hints_text: Whether Python keeps annotations as text.
    """

    folder: str
    names: dict[str, ast.AST | _Import | None] = field(default_factory=dict[str, "ast.AST | _Import | None"])
    stars: list[_Import] = field(default_factory=list[_Import])
    are_hints_text: bool = False

    def bind(self, name: str, value: ast.AST | _Import | None) -> None:
        self.names[name] = None if name in self.names else value


class Names:
    """The files of one version."""

    def __init__(self, script: str, tree: str) -> None:
        self._root: Final = tree
        self._folders: Final = list(dict.fromkeys((os.path.dirname(script), tree)))
        self._modules: Final[dict[str, Module | None]] = {}

    def module(self, file: str) -> Module | None:
        """Reads a file; None if it is none, or no Python."""
        if file not in self._modules:
            self._modules[file] = _read(file)
        return self._modules[file]

    def resolve(self, node: ast.AST, module: Module, depth: int = 0) -> Module | External | Declared | None:
        """Returns what a name, or a name with dots, stands for; None if that is not certain."""
        if depth > IMPORTS_DEPTH_MAX:
            return None
        if isinstance(node, ast.Name):
            return self.find(node.id, module, depth)
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value, module, depth + 1)
            if isinstance(owner, External):
                return External(f"{owner.name}.{node.attr}")
            if isinstance(owner, Module):
                return self._member(node.attr, owner, depth)
        return None

    def find(self, name: str, module: Module, depth: int = 0) -> Module | External | Declared | None:
        """Returns what a name of a module stands for, a built-in one included."""
        if name in module.names:
            bound = module.names[name]
            if isinstance(bound, _Import):
                return self._import(bound, module, depth + 1)
            return None if bound is None else Declared(module, bound)
        for star in module.stars:
            source = self._import(star, module, depth + 1)
            if isinstance(source, External) and source.name in _STARS:
                if name in import_module(source.name).__all__:
                    return External(f"{source.name}.{name}")
                continue
            if not isinstance(source, Module):
                return None
            if name in source.names or source.stars:
                return self.find(name, source, depth + 1) if depth < IMPORTS_DEPTH_MAX else None
        return External(f"builtins.{name}") if hasattr(builtins, name) else None

    def _member(self, name: str, module: Module, depth: int) -> Module | External | Declared | None:
        if name in module.names or module.stars:
            return self.find(name, module, depth + 1)
        return self._below(module.folder, [name])

    def _import(self, wanted: _Import, module: Module, depth: int) -> Module | External | Declared | None:
        if depth > IMPORTS_DEPTH_MAX:
            return None
        parts = wanted.module.split(".") if wanted.module else []
        found: Module | External | None
        if wanted.level:
            folder = module.folder
            for _ in range(wanted.level - 1):
                folder = os.path.dirname(folder)
            found = self._below(folder, parts) if _is_in(folder, self._root) else None
        elif parts[0] in sys.stdlib_module_names or parts[0] == "millrace":
            found = External(wanted.module)
        else:
            inside = (self._below(folder, parts) for folder in self._folders)
            found = next((one for one in inside if one is not None), External(wanted.module))
        if wanted.name is None or found is None:
            return _renamed(found)
        if isinstance(found, External):
            return _renamed(External(f"{found.name}.{wanted.name}"))
        return self._member(wanted.name, found, depth)

    def _below(self, folder: str, parts: list[str]) -> Module | None:
        path = os.path.join(folder, *parts)
        for file in (os.path.join(path, "__init__.py"), path + ".py") if parts else (os.path.join(path, "__init__.py"),):
            if os.path.isfile(file):
                return self.module(file)
        return Module(path) if os.path.isdir(path) else None


def _renamed(found: Module | External | None) -> Module | External | None:
    if isinstance(found, External):
        first, dot, rest = found.name.partition(".")
        return External(_ALIASES.get(first, first) + dot + rest)
    return found


def _is_in(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root + os.sep)


def _read(file: str) -> Module | None:
    try:
        with open(file, "rb") as source:
            parsed = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    module = Module(os.path.dirname(file))
    for statement in parsed.body:
        _bind(module, statement)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Global):
            for name in node.names:
                module.names[name] = None
    return module


def _bind(module: Module, statement: ast.stmt) -> None:
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        module.bind(statement.name, statement)
    elif isinstance(statement, ast.Import):
        for alias in statement.names:
            if alias.asname:
                module.bind(alias.asname, _Import(alias.name, 0, None))
            else:
                _bind_package(module, alias.name.partition(".")[0])
    elif isinstance(statement, ast.ImportFrom):
        if statement.module == "__future__" and any(alias.name == "annotations" for alias in statement.names):
            module.are_hints_text = True
        for alias in statement.names:
            if alias.name == "*":
                module.stars.append(_Import(statement.module or "", statement.level, None))
            else:
                imported = _Import(statement.module or "", statement.level, alias.name)
                module.bind(alias.asname or alias.name, imported)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        module.bind(statement.targets[0].id, statement.value)
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        module.bind(statement.target.id, statement.value)
    elif type(statement).__name__ == "TypeAlias":  # type X = …, of Python 3.12.
        module.bind(statement.name.id, statement)  # pyright: ignore
    else:
        for name in _bound_in([statement]):
            module.names[name] = None


def _bind_package(module: Module, name: str) -> None:
    """Binds a package, which several imports of its modules may name."""
    wanted = _Import(name, 0, None)
    if module.names.get(name) != wanted:
        module.bind(name, wanted)


def _bound_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns all names that statements bind in any way, those of functions inside included."""
    found: set[str] = set()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                found.add(inner.id)
            elif isinstance(inner, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                found.add(inner.name)
            elif isinstance(inner, ast.alias):
                found.add(inner.asname or inner.name.partition(".")[0])
    return found
