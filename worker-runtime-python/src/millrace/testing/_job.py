"""A job for tests."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

from .._arguments import read_parameters
from .._context import JobContext, current, set_job_context
from .._script import load_main
from ._host import FakeHost, as_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from ._host import Answer


class FakeJob:
    """The running job of a test, from ``with`` to its end: `millrace.current` returns its context.

    Attributes:
        context: What `millrace.current` returns.
        data: Data of the run, to be filled and read.
        held_by_others: Names of the mutexes that others hold, for which a job waits in vain.
        held: Names of the mutexes that the job holds at present.
        locked: Names of all mutexes that it has held, in their order.
        progress: What it has told of its progress.
        traces: Its traces.
        lines: What its logger has written: pairs of stream and line.
        calls: Everything that it has asked its worker for: pairs of method and arguments.
    """

    def __init__(
        self,
        *,
        job_id: str = "00000000-0000-7000-8000-000000000001",
        run_id: str = "00000000-0000-7000-8000-000000000000",
        step: str = "",
        attempt: int = 1,
        timeout: float | None = None,
        workspace: str = "default",
        shared_folder: str | None = None,
    ) -> None:
        """Creates a job.

        Args:
            step: Key of the flow's step.
            attempt: Number of the attempt, from 1.
            timeout: Seconds that the attempt may take; None for any time. Nothing stops it after that time.
        """
        self._host = FakeHost()
        self._before: JobContext | None = None
        self.data = self._host.data
        self.held_by_others = self._host.held_by_others
        self.held = self._host.held
        self.locked = self._host.locked
        self.progress = self._host.shown
        self.traces = self._host.traced
        self.lines = self._host.printed
        self.calls = self._host.calls
        self._fields: dict[str, Any] = {
            "job_id": job_id,
            "run_id": run_id,
            "step": step,
            "attempt": attempt,
            "traceparent": "",
            "idempotency_key": "00000000-0000-5000-8000-000000000000",
            "shared_folder": shared_folder,
            "seconds_left": timeout,
            "workspace": workspace,
        }
        self.context = JobContext(**self._fields, host=self._host)

    def retry(self) -> None:
        """Begins the next attempt: the context has its number, and all else stays."""
        self._fields["attempt"] += 1
        self.context = JobContext(**self._fields, host=self._host)
        set_job_context(self.context)

    def answer(self, method: str, function: Answer) -> None:
        """Sets what a call of the worker answers, such as ``secret.get``; `function` receives its arguments."""
        self._host.answers[method] = function

    def run(self, code: str | os.PathLike[str] | Callable[..., object], given: object = None) -> Any:
        """Runs a script's file or its ``main`` as a worker does, and returns the result as the next step reads it.

        The input is converted as the annotations of ``main`` ask, and an asynchronous ``main`` is awaited.

        Raises:
            InputError: The input does not fit.
            ResultError: The result cannot be written as JSON.
            BaseException: What the code raises.
        """
        if callable(code):
            return self._call(code, given)
        path = os.path.abspath(code)
        folders, arguments, modules = list(sys.path), list(sys.argv), set(sys.modules)
        try:
            return self._call(load_main(path, None), given)
        finally:
            sys.path[:], sys.argv[:] = folders, arguments
            for name in set(sys.modules) - modules:
                if getattr(sys.modules[name], "__file__", None) == path:
                    del sys.modules[name]

    def _call(self, main: Callable[..., object], given: object) -> Any:
        fresh = as_json({} if given is None else given, "input")
        positional, named = read_parameters(main).bind(fresh, self.context)
        value: Any = main(*positional, **named)
        if hasattr(value, "__await__"):
            value = asyncio.run(_completion(value))
        return as_json(value, "result")

    def __enter__(self) -> FakeJob:
        try:
            self._before = current()
        except RuntimeError:  # No job is running, as in most tests.
            self._before = None
        set_job_context(self.context)
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        set_job_context(self._before)


async def _completion(awaitable: Any) -> object:
    return await awaitable
