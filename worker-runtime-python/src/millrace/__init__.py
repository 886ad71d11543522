"""Millrace for authors of Python scripts.

A script is a file with a function ``main``. Its parameters are filled by name from the input of the job, and its return
value is the result::

    def main(name: str, greeting: str = "Hello") -> str:
        return f"{greeting}, {name}!"

Most scripts do not need this package. With it, a last parameter ``ctx`` receives a `JobContext`, and a
`NonRetryableError` fails the job without another attempt.
"""

from ._context import JobContext, job_context
from ._data import RunData
from ._errors import (
    CallFailed,
    Canceled,
    InputError,
    LockTimeout,
    MillraceError,
    NonRetryableError,
    ResultError,
)
from ._lock import Lock

__all__ = [
    "CallFailed",
    "Canceled",
    "InputError",
    "JobContext",
    "Lock",
    "LockTimeout",
    "MillraceError",
    "NonRetryableError",
    "ResultError",
    "RunData",
    "job_context",
]
