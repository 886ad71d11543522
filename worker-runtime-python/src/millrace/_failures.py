"""Turns an exception into what the host needs to know: name, message, the user's own stack, and whether to try again."""

from __future__ import annotations

import os

from . import _frames
from ._errors import Canceled, InputError, ResultError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from traceback import StackSummary, TracebackException
    from typing import Final

MESSAGE_LENGTH_MAX = 16 * 1024
STACK_LENGTH_MAX = 64 * 1024

_runtime_folder = os.path.dirname(os.path.abspath(__file__)) + os.sep
_asyncio_folder = os.path.join(os.path.dirname(os.__file__), "asyncio") + os.sep


class Failure:
    """How a job, or the loading of its script, failed."""

    __slots__ = ("message", "name", "retryable", "stack")

    def __init__(self, *, name: str, message: str, stack: str, retryable: bool) -> None:
        self.name: Final = name
        self.message: Final = message
        self.stack: Final = stack
        self.retryable: Final = retryable

    def error_frame(self, job_id: str) -> bytes:
        return _frames.error(
            job_id, name=self.name, message=self.message, stack=self.stack, retryable=self.retryable
        )

    def load_error_frame(self) -> bytes:
        return _frames.load_error(name=self.name, message=self.message, stack=self.stack)


CANCELED_MESSAGE = "The job was asked to stop."


def describe(error: BaseException) -> Failure:
    """Describes any exception; never raises, whatever the exception's own methods do."""
    return Failure(
        name=type(error).__name__,
        message=_cut(_message(error), MESSAGE_LENGTH_MAX),
        stack="" if isinstance(error, (InputError, ResultError)) else _cut_middle(_stack(error), STACK_LENGTH_MAX),
        retryable=getattr(error, "retryable", True) is not False,
    )


def canceled(error: BaseException | None) -> Failure:
    """Describes the end of a canceled job: `error` tells where it stopped, if it did so by an exception."""
    stack = _cut_middle(_stack(error), STACK_LENGTH_MAX) if error else ""
    return Failure(name=Canceled.__name__, message=CANCELED_MESSAGE, stack=stack, retryable=False)


def _message(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"The script called sys.exit({'' if error.code is None else repr(error.code)})."
    try:
        return str(error)
    except BaseException as failure:
        return f"The error's own text cannot be read: its __str__ raised {type(failure).__name__}."


def _stack(error: BaseException) -> str:
    try:
        from traceback import TracebackException

        described = TracebackException.from_exception(error)
        _drop_foreign_frames(described, set())
        return "".join(described.format())
    except Exception:  # For example a script's own module named `traceback`.
        return ""


def _drop_foreign_frames(described: TracebackException, seen: set[int]) -> None:
    """Drops our frames everywhere, and those of asyncio and the import system from the outer end."""
    if id(described) in seen:
        return
    seen.add(id(described))
    stack: StackSummary = described.stack
    stack[:] = [frame for frame in stack if not frame.filename.startswith(_runtime_folder)]
    while stack and stack[0].filename.startswith((_asyncio_folder, "<frozen ")):
        del stack[0]
    related = [described.__cause__, described.__context__, *(getattr(described, "exceptions", None) or ())]
    for other in related:
        if other is not None:
            _drop_foreign_frames(other, seen)


def _cut(text: str, length_max: int) -> str:
    return text if len(text) <= length_max else text[: length_max - 1] + "…"


def _cut_middle(text: str, length_max: int) -> str:
    half = length_max // 2
    return text if len(text) <= length_max else f"{text[:half]}\n  […]\n{text[-half:]}"
