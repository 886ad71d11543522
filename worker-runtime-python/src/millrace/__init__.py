"""Millrace for authors of Python scripts.

A script is a file with a function ``main``. Its parameters are filled by name from the input of the job, and its return
value is the result::

    def main(name: str, greeting: str = "Hello") -> str:
        return f"{greeting}, {name}!"

Most scripts do not need this package. With it, `current` returns the `JobContext` of the running job, which a last
parameter ``ctx`` receives, too, and a `NonRetryableError` fails the job without another attempt. `millrace.blobs` keeps
values that are too large for results.
"""

from . import blobs
from ._context import JobContext, current, job_context
from ._data import RunData
from ._errors import (
    CallFailed,
    Canceled,
    InputError,
    LockTimeout,
    MillraceError,
    NonRetryableError,
    ResultError,
    RunFailed,
    RunTimeout,
)
from ._lock import Lock
from ._logger import Logger
from ._runs import Runs, StartedRun, WaitLink
from ._values import Resources, Secrets, State

__all__ = [
    "CallFailed",
    "Canceled",
    "InputError",
    "JobContext",
    "Lock",
    "LockTimeout",
    "Logger",
    "MillraceError",
    "NonRetryableError",
    "Resources",
    "ResultError",
    "RunData",
    "RunFailed",
    "RunTimeout",
    "Runs",
    "Secrets",
    "StartedRun",
    "State",
    "WaitLink",
    "blobs",
    "current",
    "job_context",
]
