"""Loads a script from its file."""

from __future__ import annotations

import os
import sys
from types import ModuleType

from ._errors import MillraceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ENTRY_POINT = "main"
_GENERATOR_FLAGS = 0x20 | 0x200
"""``inspect.CO_GENERATOR`` and ``inspect.CO_ASYNC_GENERATOR``."""


class LoadError(MillraceError):
    """The script could be read, but cannot be run."""


PACKAGES_VARIABLE = "MILLRACE_PACKAGES"
FILES_VARIABLE = "MILLRACE_FILES"


def files_folder() -> str | None:
    """Returns the folder with all files of the script's version; None if there is only the script."""
    folder = os.environ.pop(FILES_VARIABLE, None)
    return os.path.abspath(folder) if folder else None


def use_packages(files: list[str]) -> None:
    """Lets the script import its own files and then its packages: after the standard library, and before the packages of
    the interpreter's own.

    Args:
        files: The folders in which absolute imports find the script's files.
    """
    packages = os.environ.pop(PACKAGES_VARIABLE, "")
    folders = files + packages.split(os.pathsep) if packages else files
    own = (at for at, folder in enumerate(sys.path) if folder.endswith(("site-packages", "dist-packages")))
    at = next(own, len(sys.path))
    sys.path[at:at] = folders


def load_main(path: str, tree: str | None) -> Callable[..., Any]:
    """Runs the script's top level as Python would run ``import``, and returns its ``main``.

    Args:
        path: The script.
        tree: The folder with all files of the version; None if there is only the script.

    Raises:
        LoadError: The file cannot be read or has no function ``main``.
        BaseException: Any exception of the script's top level.
    """
    source = _read(path)
    module = ModuleType(_module_name(path, source))
    module.__file__ = path
    module.__package__ = ""
    sys.modules[module.__name__] = module  # Pickle and dataclasses look up a script's classes here.
    if tree is None:
        use_packages([])
        if imports_itself(path, source):
            from . import _tree

            _tree.hide_files_that_import_themselves(os.path.dirname(path))
        sys.path.insert(0, os.path.dirname(path))
    else:
        from . import _tree

        use_packages(_tree.folders(path, tree))
        _tree.adopt(module, path, tree)
    sys.argv = [path]
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    main = getattr(module, ENTRY_POINT, None)
    if not callable(main):
        raise LoadError(f"{os.path.basename(path)} has no function `{ENTRY_POINT}`: define `def {ENTRY_POINT}(…)` in it.")
    if getattr(getattr(main, "__code__", None), "co_flags", 0) & _GENERATOR_FLAGS:
        raise LoadError(
            f"The function {ENTRY_POINT} of {os.path.basename(path)} is a generator, whose body would not run: replace its"
            f" `yield`, and return a list of what it yields."
        )
    return main


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise LoadError(f"The script {path} cannot be read: {error.strerror}.") from None


def imports_itself(path: str, source: bytes) -> bool:
    """Whether a file imports a module that is called like itself, which then is a package and never this file.

    People name scripts after what they use, such as ``slack.py``.
    """
    name = os.path.splitext(os.path.basename(path))[0].encode()
    if name not in source:
        return False
    import re

    word = re.escape(name)
    pattern = rb"(?m)(?:^|[;:])[ \t]*(?:from[ \t]+" + word + rb"\b|import[ \t]+(?:[^\n;#]*,[ \t]*)?" + word + rb"\b)"
    return re.search(pattern, source) is not None


def _module_name(path: str, source: bytes) -> str:
    """Returns the file's name as a module name, unless another module has that name."""
    name = os.path.splitext(os.path.basename(path))[0]
    taken = name in sys.modules or name in sys.stdlib_module_names or name == "millrace" or imports_itself(path, source)
    return "millrace_script" if taken or not name.isidentifier() else name
