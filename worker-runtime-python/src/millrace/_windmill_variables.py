"""Environment variables by which scripts of Windmill know their job.

docs/how-to/run-windmill-scripts.md lists them. They cost a few microseconds, so only scripts that name one of them get them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ._context import JobContext

_PREFIX = b"WM_"
_FILES_MAX = 10_000


def setter(script: str, tree: str | None) -> Callable[[JobContext], None] | None:
    """Returns what sets the variables for a job; None if neither the script nor its files name one.

    Args:
        script: The script.
        tree: The folder with all files of the version; None if there is only the script.
    """
    return _set if any(_names_variable(file) for file in (_files(tree) if tree else [script])) else None


def _files(tree: str) -> list[str]:
    found: list[str] = []
    for folder, _, names in os.walk(tree):
        found.extend(os.path.join(folder, name) for name in names)
        if len(found) > _FILES_MAX:
            break
    return found


def _names_variable(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _PREFIX in file.read()
    except OSError:
        return False


def _set(context: JobContext) -> None:
    flow = context.run_id if context.step else ""
    os.environ.update({
        "WM_WORKSPACE": context.workspace,
        "WM_JOB_ID": context.job_id,
        "WM_FLOW_JOB_ID": flow,
        "WM_ROOT_FLOW_JOB_ID": flow,
        "WM_FLOW_STEP_ID": context.step,
    })
