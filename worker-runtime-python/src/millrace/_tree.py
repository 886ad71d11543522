"""Lets a script import the files that belong to its version."""

from __future__ import annotations

import os
import sys
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

from ._script import imports_itself


PACKAGE = "millrace_files"
"""Package that stands for the root of the files, in which relative imports are resolved."""

_root = ""
_loaded: dict[str, tuple[ModuleType, ModuleSpec | None]] = {}
"""Modules by their files: a file is one module, whether it is imported relatively, from the root or from beside."""


class _Loader(SourceFileLoader):
    """Loads a file once, and from its source only: files with compiled code would change the folder of the version."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module, _ = _loaded.get(self.path, (None, None))
        return module

    def exec_module(self, module: ModuleType) -> None:
        if self.path in _loaded:
            # The import system has given the module the spec of its new name.
            _, module.__spec__ = _loaded[self.path]
            return
        spec = _spec(self.path, self)
        _loaded[self.path] = module, spec
        module.__spec__, module.__package__ = spec, spec.parent
        try:
            super().exec_module(module)
        except BaseException:
            del _loaded[self.path]
            raise

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


class _Finder(FileFinder):
    """Finds no file by a bare name that the file imports itself: a script named after a package does not hide it."""

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = super().find_spec(fullname, target)
        if spec is None or "." in fullname or spec.origin is None or spec.submodule_search_locations is not None:
            return spec
        with open(spec.origin, "rb") as file:
            return None if imports_itself(spec.origin, file.read()) else spec


def hide_files_that_import_themselves(folder: str) -> None:
    """Lets absolute imports pass over such files in a folder, which the path may name."""

    def finder(entry: str) -> FileFinder:
        if entry != folder:
            raise ImportError(entry)
        return _Finder(entry, (SourceFileLoader, [".py"]))

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.pop(folder, None)


def _spec(file: str, loader: _Loader) -> ModuleSpec:
    """Returns a spec by which relative imports work in a file, by whatever name it is imported first."""
    stem = os.path.splitext(os.path.basename(file))[0]
    package = _package(os.path.dirname(file))
    if stem == "__init__":
        return ModuleSpec(package, loader, origin=file, is_package=True)
    return ModuleSpec(f"{package}.{stem}", loader, origin=file)


def _package(folder: str) -> str:
    """Returns the package of a folder; dots in names of folders would separate packages."""
    path = os.path.relpath(folder, _root)
    return PACKAGE if path == os.curdir else f"{PACKAGE}.{path.replace('.', '_').replace(os.sep, '.')}"


def folders(script: str, tree: str) -> list[str]:
    """Returns where absolute imports find the files: beside the script, then below the root."""
    folder = os.path.dirname(script)
    return [folder] if folder == tree else [folder, tree]


def adopt(module: ModuleType, script: str, tree: str) -> None:
    """Makes the files below `tree` importable for the module of the script, and by each other.

    Raises:
        BaseException: Any exception of the top level of an ``__init__.py`` in `tree`.
    """

    def finder(entry: str) -> FileFinder:
        if entry != tree and not entry.startswith(tree + os.sep):
            raise ImportError(entry)
        return _Finder(entry, (_Loader, [".py"]))

    global _root
    _root = tree
    sys.path_hooks.insert(0, finder)
    _loaded[script] = module, None  # A file that imports the script in turn gets this module.
    module.__package__ = _package(os.path.dirname(script))
    _make_package(tree)
    folder = os.path.dirname(script)
    while folder != tree:
        if "." in os.path.basename(folder):  # The import system finds the others by itself.
            _make_package(folder)
        folder = os.path.dirname(folder)
    start = os.path.join(tree, "__init__.py")
    if os.path.isfile(start):
        exec(_Loader(PACKAGE, start).get_code(PACKAGE), sys.modules[PACKAGE].__dict__)


def _make_package(folder: str) -> None:
    package = ModuleType(_package(folder))
    package.__path__ = [folder]
    package.__package__ = package.__name__
    sys.modules[package.__name__] = package
