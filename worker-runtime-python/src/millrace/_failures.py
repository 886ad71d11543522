"""Describes exceptions to the host: name, message, the user's own stack, and whether to retry."""

from __future__ import annotations

import os
from errno import EMFILE

from . import _absent, _frames
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
    """Failure of a job, or of loading its script."""

    __slots__ = ("message", "name", "retryable", "stack")

    def __init__(self, *, name: str, message: str, stack: str, retryable: bool) -> None:
        self.name: Final = name
        self.message: Final = message
        self.stack: Final = stack
        self.retryable: Final = retryable

    def error_frame(self, job_id: str, *, spent: bool = False) -> bytes:
        return _frames.error(
            job_id,
            name=self.name,
            message=self.message,
            stack=self.stack,
            retryable=self.retryable,
            spent=spent,
        )

    def load_error_frame(self) -> bytes:
        return _frames.load_error(name=self.name, message=self.message, stack=self.stack)


CANCELED_MESSAGE = "The job was asked to stop."
_script = ""
_tree = ""


def name_script(path: str, tree: str | None) -> None:
    """Lets stacks show the script by its name, which people know, instead of its path on the worker.

    If its version has further files, which are in the folder `tree`, stacks show their paths there.
    """
    global _script, _tree
    _script, _tree = path, tree + os.sep if tree else ""


def describe(error: BaseException) -> Failure:
    """Describes any exception; never raises, even if the exception's own methods do."""
    return Failure(
        name=type(error).__name__,
        message=_cut(_message(error), MESSAGE_LENGTH_MAX),
        stack="" if isinstance(error, (InputError, ResultError)) else _cut_middle(_stack(error), STACK_LENGTH_MAX),
        retryable=getattr(error, "retryable", True) is not False,
    )


def canceled(error: BaseException | None) -> Failure:
    """Describes the end of a canceled job. `error` shows where it stopped, if it ended by an exception."""
    stack = _cut_middle(_stack(error), STACK_LENGTH_MAX) if error else ""
    return Failure(name=Canceled.__name__, message=CANCELED_MESSAGE, stack=stack, retryable=False)


def _message(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"The script called sys.exit({'' if error.code is None else repr(error.code)})."
    try:
        text = _without_tree(str(error))
        if limit := _limit(error):
            return f"{text}. {limit}" if text else limit
        explanation = _absent.explain(error, text, _tree)
        return f"{text}. {explanation}" if explanation else text
    except BaseException as failure:
        return f"The error's own text cannot be read: its __str__ raised {type(failure).__name__}."


def _without_tree(text: str) -> str:
    return text.replace(_tree, "") if _tree else text


def _limit(error: BaseException) -> str:
    """Names the limit of this process that the error may come from; empty if there is none."""
    if not isinstance(error, MemoryError) and getattr(error, "errno", None) != EMFILE:
        return ""
    import resource

    name, limit, unit = (
        ("memory", resource.RLIMIT_DATA, 1 << 20) if isinstance(error, MemoryError) else ("files", resource.RLIMIT_NOFILE, 1)
    )
    allowed, _ = resource.getrlimit(limit)
    if allowed == resource.RLIM_INFINITY:
        return ""
    amount = f"{allowed / unit:g} MiB of memory" if unit > 1 else f"{allowed} open files"
    return f"The limit `{name}` allows the process {amount}."


def _stack(error: BaseException) -> str:
    try:
        from traceback import TracebackException

        described = TracebackException.from_exception(error)
        _show_users_view(described, set())
        return _without_tree("".join(described.format()))
    except Exception:  # For example a script's own module named `traceback`.
        return ""


def _show_users_view(described: TracebackException, seen: set[int]) -> None:
    """Drops our frames and those of the import system everywhere, and those of asyncio from the outer end; renames the
    script.

    The source lines have been read before, from the script's real path.
    """
    if id(described) in seen:
        return
    seen.add(id(described))
    stack: StackSummary = described.stack
    stack[:] = [frame for frame in stack if not frame.filename.startswith((_runtime_folder, "<frozen importlib"))]
    while stack and stack[0].filename.startswith((_asyncio_folder, "<frozen ")):
        del stack[0]
    for place in (described, *stack):  # A syntax error has its own place.
        if getattr(place, "filename", None) == _script and not _tree:
            place.filename = os.path.basename(_script)
    related = [described.__cause__, described.__context__, *(getattr(described, "exceptions", None) or ())]
    for other in related:
        if other is not None:
            _show_users_view(other, seen)


def _cut(text: str, length_max: int) -> str:
    return text if len(text) <= length_max else text[: length_max - 1] + "…"


def _cut_middle(text: str, length_max: int) -> str:
    """Cuts between lines, so that no half of a secret remains that the host would not find."""
    if len(text) <= length_max:
        return text
    half = length_max // 2
    begin, _, _ = text[:half].rpartition("\n")
    _, _, end = text[-half:].partition("\n")
    return f"{begin}\n  […]\n{end}"
