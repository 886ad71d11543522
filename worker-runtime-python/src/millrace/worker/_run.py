"""One attempt in a handler, from its begin to its end. It can be interrupted only while it runs."""

from __future__ import annotations

import asyncio
import ctypes
import json
from collections.abc import Callable
from threading import Lock, get_ident
from typing import Any, Protocol

from .. import _failures
from .._context import enter_job
from .._errors import Canceled, InputError
from .._results import encode_value
from ._context import HandlerContext, HandlerHost
from ._handler import HandlerFunction
from ._job_api import JobApi
from ._leased_job import LeasedJob, job_error
from ._secrets import fill_secrets

JOB_STOPS = "The job was asked to stop."


class Run(Protocol):
    """An attempt that the engine has begun."""

    def interrupt(self) -> None:
        """Asks user code to stop. Any thread may call it, any number of times."""
        ...


class _Attempt:
    """What attempts on threads and on the loop have in common."""

    def __init__(self, job: LeasedJob, handler: HandlerFunction, api: JobApi, loop_thread: int) -> None:
        self._job = job
        self._handler = handler
        self._api = api
        self._context = HandlerContext(job, HandlerHost(job, api, loop_thread))

    def _input(self) -> object:
        """Returns the input with its secrets; waits for the scheduler if there are any."""
        text = self._job.lease.input or b"{}"
        if self._job.lease.has_secrets:
            text = fill_secrets(self._job, self._api)
        try:
            return json.loads(text)
        except RecursionError:
            raise InputError("The input is nested too deeply for Python to read it: make it flatter.") from None

    def _begin(self, given: object) -> Any:
        if self._job.shared_folder is not None:
            self._job.shared_folder.mkdir(parents=True, exist_ok=True)
        self._job.started()
        enter_job(self._context)
        return self._handler.call(given, self._context)

    def _end(self, value: object, failure: BaseException | None) -> None:
        try:
            if failure is None:
                self._job.succeed(encode_value(value))
                return
        except BaseException as error:  # ResultError, or what a subclass of a JSON type raises when it is read.
            failure = error
        described = _failures.describe(failure)
        message = str(failure) if isinstance(failure, ImportError) else described.message
        if isinstance(failure, (Canceled, asyncio.CancelledError)) and self._job.is_held:
            message = message or "The handler canceled itself."
        self._job.fail(
            job_error(described.name, message, retryable=described.retryable, stack=described.stack)
        )


class ThreadRun(_Attempt):
    """An attempt of a function on a thread. To interrupt it, `Canceled` is raised where the thread is."""

    def __init__(self, job: LeasedJob, handler: HandlerFunction, api: JobApi, loop_thread: int) -> None:
        super().__init__(job, handler, api, loop_thread)
        self._lock = Lock()
        self._thread: int | None = None
        self._is_interrupted = False

    def run(self) -> None:
        """Runs the attempt on this thread. Never raises, whatever user code does."""
        value: object = None
        failure: BaseException | None = None
        # Two layers, because the exception of an interrupt may be raised at any point, even after the handler has returned.
        try:
            try:
                with self._lock:
                    self._thread = get_ident()
                    is_late = self._is_interrupted
                if is_late:
                    raise Canceled(JOB_STOPS)
                value = self._begin(self._input())
            except BaseException as error:
                failure = error
            finally:
                with self._lock:
                    self._thread = None
        except Canceled as error:
            failure = error
        _raise_in(get_ident(), None)
        enter_job(None)  # The thread serves further jobs.
        self._end(value, failure)

    def interrupt(self) -> None:
        """Raises `Canceled` in user code once it runs Python code again; a call that waits in C ends first."""
        with self._lock:
            if not self._is_interrupted:
                self._is_interrupted = True
                if self._thread is not None:
                    _raise_in(self._thread, Canceled)


class LoopRun(_Attempt):
    """An attempt of a coroutine function on the event loop. To interrupt it, its task is canceled."""

    def __init__(
        self, job: LeasedJob, handler: HandlerFunction, api: JobApi, loop: asyncio.AbstractEventLoop, loop_thread: int
    ) -> None:
        super().__init__(job, handler, api, loop_thread)
        self._loop = loop
        self._task: asyncio.Task[None] | None = None
        self._is_interrupted = False

    def start(self, on_end: Callable[[], None]) -> None:
        """Begins the attempt; the loop must run on this thread. `on_end` is called after its end."""
        self._task = self._loop.create_task(self._run(), name=f"millrace job {self._job.lease.job_id}")
        self._task.add_done_callback(lambda _: on_end())
        if self._is_interrupted:
            self._task.cancel()

    def interrupt(self) -> None:
        """Cancels the task."""
        self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if not self._is_interrupted:
            self._is_interrupted = True
            if self._task is not None:
                self._task.cancel()

    async def _run(self) -> None:
        value: Any = None
        failure: BaseException | None = None
        try:
            has_secrets = self._job.lease.has_secrets
            given: object = await asyncio.to_thread(self._input) if has_secrets else self._input()
            value = self._begin(given)
            if hasattr(value, "__await__"):
                value = await value
        except BaseException as error:
            failure = error
        self._end(value, failure)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raises an exception in a thread at its next step; None takes back one that was not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))
