"""Millrace for authors of Python scripts.

A script is a file with a function ``main``. Its parameters are filled by name from the input of the job, and what it
returns is the result::

    def main(name: str, greeting: str = "Hello") -> str:
        return f"{greeting}, {name}!"

A script needs this package only for what goes beyond that: a last parameter ``ctx`` receives a `JobContext`, and raising
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
