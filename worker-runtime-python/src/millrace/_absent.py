"""Says why an import found nothing, or another module than meant: which files were looked for, and why there is no package."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

ABSENT_VARIABLE = "MILLRACE_ABSENT"
_OTHERS: Final = "*"
_DECLARE: Final = (
    "A package must be declared at the head of the script (PEP 723), or be installed for the Python of the workers."
)
_RELATIVE_IMPORT: Final = "attempted relative import with no known parent package"

_reasons: dict[str, str] = {}
"""Why modules have no package, by the first parts of their names."""


def read_reasons() -> None:
    """Takes the reasons of the worker out of the environment."""
    lines = os.environ.pop(ABSENT_VARIABLE, "").splitlines()
    _reasons.update((module, reason) for module, _, reason in (line.partition(" ") for line in lines))


def explain(error: BaseException, text: str, tree: str) -> str:
    """Returns what to add to the text of an error; empty if it is none of an import that went wrong.

    Args:
        tree: The folder with all files of the version, with a separator behind it; empty if there is only the script.
    """
    if isinstance(error, ImportError):
        if text == _RELATIVE_IMPORT:
            return _no_files("the imported file")
        if isinstance(error, ModuleNotFoundError):
            return _missing(error.name, _imported(error, error.name), tree) if error.name else ""
        return _hidden(error.path, tree)
    if isinstance(error, AttributeError):
        return _hidden(getattr(error.obj, "__file__", None), tree)
    return ""


def _imported(error: ModuleNotFoundError, name: str) -> str:
    """The module that the failed line imports: Python names only the first part of it that it has not found."""
    import linecache
    import re

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return name
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
    found = re.search(rf"\b(?:import|from)\s+({re.escape(name)}(?:\.\w+)+)", line)
    return found.group(1) if found else name


def _missing(name: str, imported: str, tree: str) -> str:
    head, _, _ = name.partition(".")
    above, _, child = name.rpartition(".")
    file = getattr(sys.modules.get(above), "__file__", None)
    if file is not None and head not in _reasons:
        place = f" in {file[len(tree) :]}" if tree and file.startswith(tree) else ""
        return f"{above} was found{place}, and has no module {child}."
    path = imported.replace(".", "/")
    if tree:
        files = (
            f"There is neither a file {path}.py nor a folder {path}, beside the script or in the root of its version. If there"
            " should be, deploy the script again with it."
        )
    else:
        files = _no_files(f"{path}.py")
    return f"{files} {_reasons.get(head) or _reasons.get(_OTHERS) or _DECLARE}"


def _no_files(wanted: str) -> str:
    return (
        f"The version of the script has no further files. If {wanted} should be one, put it beside the script or in the root"
        " of the files, and deploy the script again."
    )


def _hidden(file: str | None, tree: str) -> str:
    """Tells that a file of the version may hide the package that was meant."""
    if not tree or file is None or not file.startswith(tree):
        return ""
    name = os.path.splitext(os.path.basename(file))[0]
    return (
        f"Here, {name} is the file {file[len(tree) :]} of this version, which comes before a package of that name. If the"
        " package is meant, rename the file."
    )
