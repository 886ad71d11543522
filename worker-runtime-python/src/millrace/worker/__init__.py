"""Handlers of jobs in a process of your own.

Install it with ``pip install "millrace[worker]"``::

    from millrace.worker import Worker

    worker = Worker()

    @worker.job("greet")
    def greet(name: str) -> str:
        return f"Hello, {name}!"

    worker.run()

A flow calls it in a step with ``handler: greet``, a client by ``Handler("greet")``.
"""

from .._access import AccessError
from .._errors import CallFailed, Canceled, InputError, LockTimeout, NonRetryableError, ResultError
from ._context import HandlerContext
from ._worker import Worker

__all__ = [
    "AccessError",
    "CallFailed",
    "Canceled",
    "HandlerContext",
    "InputError",
    "LockTimeout",
    "NonRetryableError",
    "ResultError",
    "Worker",
]
