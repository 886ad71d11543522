"""Runs one job at a time: calls ``main``, delivers a request to stop, and creates the frame that ends the job."""

from __future__ import annotations

import _thread
import os
import signal
import sys
from _contextvars import copy_context
from _thread import get_ident

from . import _failures, _frames, _results
from ._context import JobContext, set_job_context
from ._errors import CallFailed, Canceled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Task
    from collections.abc import Awaitable, Callable
    from types import FrameType
    from typing import Any, Final, NoReturn

    from ._arguments import Parameters
    from ._inbox import Inbox, Job
    from ._output import Output
    from ._tracing import JobSpans


TRACE_LENGTH_MAX = 8 * 1024
"""Largest number of characters of a trace message in one frame; each takes at most 4 bytes."""


class Runner:
    """Calls the script's ``main`` for each job.

    A request to stop is a line on stdin and a SIGTERM, which means only "look at stdin". So a late request never stops the
    job after the one it was meant for.

    Attributes:
        spent: The process must run no further job. A request to stop was raised at an arbitrary point, where a module may
            have been half changed or a lock half taken, or the stopped job has left a thread behind.
    """

    def __init__(
        self,
        *,
        main: Callable[..., Any],
        parameters: Parameters,
        inbox: Inbox,
        output: Output,
        set_variables: Callable[[JobContext], None] | None = None,
    ) -> None:
        self._main: Final = main
        self._parameters: Final = parameters
        self._inbox: Final = inbox
        self._output: Final = output
        self._set_variables: Final = set_variables
        self._signaled = False  # A SIGTERM has arrived that no job has handled.
        self._raised = False  # This job has been asked to stop.
        self._threads_before = 0
        self.spent = False
        self._next_call = 1
        self._shielded = False  # The main thread is using a channel, and must not be interrupted to use it again.
        self._pid: Final = os.getpid()
        self._workspace: Final = os.environ.get("MILLRACE_WORKSPACE", "")
        self._main_thread: Final = get_ident()
        self._loop: AbstractEventLoop | None = None
        self._task: Task[object] | None = None
        self._spans: JobSpans | None = None
        signal.signal(signal.SIGTERM, self._on_signal)

    def run(self, job: Job) -> bytes:
        """Runs the job and returns the frame that ends it. Never raises, whatever user code does."""
        self._raised = False
        self._threads_before = _count_threads()
        failure: BaseException | None = None
        value: object = None
        # Two layers, because the request to stop may be raised at any point while a job is running.
        try:
            try:
                value = self._call(job)
            except BaseException as error:
                failure = error
            finally:
                self._inbox.running = None
        except Canceled as error:
            self._inbox.running = None
            failure = error
        if os.getpid() != self._pid:
            _leave_child(failure)
        signal.alarm(0)  # An alarm ends with its job; otherwise it would strike the next one.
        set_job_context(None)
        ending = self._ending(job, value, failure)
        return self._spans_of_job() + ending if self._spans is not None else ending

    def _spans_of_job(self) -> bytes:
        spans = self._spans
        self._spans = None
        return spans.end() if spans is not None else b""

    def _call(self, job: Job) -> object:
        context = JobContext(
            job_id=job.id,
            run_id=job.run_id,
            step=job.step,
            attempt=job.attempt,
            traceparent=job.traceparent,
            tracestate=job.tracestate,
            idempotency_key=job.idempotency_key,
            shared_folder=job.shared_folder,
            seconds_left=job.deadline_millis / 1000 if job.deadline_millis else None,
            workspace=self._workspace,
            host=self,
        )
        positional, named = self._parameters.bind(job.input(), context)
        if job.shared_folder is not None:
            _work_beside(job.shared_folder)
        if self._set_variables is not None:
            self._set_variables(context)
        set_job_context(context)
        if job.spans:
            from ._tracing import JobSpans

            self._spans = JobSpans(job.id)
            self._spans.begin(job.traceparent, job.tracestate)
        self._inbox.running = job
        self._look_into_signals()
        variables = copy_context()  # What the job sets in variables of ``contextvars`` ends with it.
        value: object = variables.run(self._main, *positional, **named)
        if not hasattr(value, "__await__"):
            return value
        return variables.run(self._await, value)  # pyright: ignore[reportArgumentType]

    def _ending(self, job: Job, value: object, failure: BaseException | None) -> bytes:
        if job.canceled:
            self.spent = self.spent or _count_threads() > self._threads_before
            return _failures.canceled(failure).error_frame(job.id, spent=self.spent)
        try:
            if failure is None:
                return _frames.result(job.id, _results.encode_value(value))
        except BaseException as error:  # ResultError, or any error that a subclass of a JSON type raises when it is read.
            failure = error
        return _failures.describe(failure).error_frame(job.id)

    def _await(self, awaitable: Awaitable[object]) -> object:
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        loop = self._loop
        self._task = loop.create_task(_completion_of(awaitable))
        try:
            return loop.run_until_complete(self._task)
        finally:
            self._task = None
            if left := asyncio.all_tasks(loop):
                for task in left:
                    task.cancel()
                loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))

    def progress(self, value: object) -> None:
        """Implements `Host.progress`."""
        self._send(_frames.progress(self._running().id, _results.encode_value(value, "progress")))

    def trace(self, message: str) -> None:
        """Implements `Host.trace`."""
        job_id = self._running().id
        text = message + "\n"
        for start in range(0, len(text), TRACE_LENGTH_MAX):
            self._send(_frames.log(job_id, "trace", text[start : start + TRACE_LENGTH_MAX]))

    def print(self, stream: str, line: str) -> None:
        """Implements `Host.print`. The line goes where user code prints, so that the order of both stays."""
        self._running()
        print(line, file=sys.stderr if stream == "stderr" else sys.stdout, flush=True)

    def call(self, method: str, arguments: dict[str, object]) -> object:
        """Implements `Host.call`. Only the main thread may read the host's messages."""
        running = self._running()
        if get_ident() != self._main_thread:
            raise RuntimeError("Only the thread that runs main can ask the host: call this there.")
        frame = _frames.call(running.id, self._next_call, method, _results.encode_value(arguments, "arguments"))
        self._shielded = True
        try:
            self._output.write(frame)
            answer = self._inbox.await_answer(self._next_call)
        finally:
            self._next_call += 1
            self._shielded = False
        self._look_into_signals()
        if answer is None:
            raise CallFailed("The job was asked to stop before the host had answered.")
        if error := answer.get("error"):
            raise CallFailed(f"{error['name']}: {error['message']}")
        return answer["value"]

    def _running(self) -> Job:
        running = self._inbox.running
        if running is None:
            raise RuntimeError("No job is running in this process: use the context in the process that runs main.")
        return running

    def _send(self, frame: bytes) -> None:
        if get_ident() != self._main_thread:
            self._output.write(frame)
            return
        self._shielded = True
        try:
            self._output.write(frame)
        finally:
            self._shielded = False
        self._look_into_signals()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._signaled = True
        if self._inbox.running is not None and not self._shielded:
            self._look_into_signals()

    def _look_into_signals(self) -> None:
        while self._signaled:
            self._shielded = True
            self._signaled = False
            self._inbox.read_cancel_requests()
            self._shielded = False
        running = self._inbox.running
        if running is not None and running.canceled and not self._raised:
            self._raised = True
            self._stop()

    def _stop(self) -> None:
        """Stops the running job. Cancels the task of async code, unless that task is running at this moment."""
        if self._loop is not None and self._task is not None:
            import asyncio

            if asyncio.current_task(self._loop) is not self._task:
                self._loop.call_soon_threadsafe(self._task.cancel)
                return
        self.spent = True
        raise Canceled(_failures.CANCELED_MESSAGE)


def _count_threads() -> int:
    """Returns the number of threads that Python has started; takes a fraction of a microsecond."""
    return _thread._count()  # pyright: ignore[reportPrivateUsage]


async def _completion_of(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _work_beside(shared_folder: str) -> None:
    """Creates the folder ``./shared``, where scripts written for Windmill expect it."""
    os.makedirs(shared_folder, exist_ok=True)
    os.chdir(os.path.dirname(shared_folder))


def _leave_child(failure: BaseException | None) -> NoReturn:
    """Ends a process that user code forked and let return from ``main``, as if ``main`` were a program."""
    status = 0
    if isinstance(failure, SystemExit):
        status = failure.code if isinstance(failure.code, int) else int(failure.code is not None)
    elif failure is not None:
        sys.excepthook(type(failure), failure, failure.__traceback__)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
