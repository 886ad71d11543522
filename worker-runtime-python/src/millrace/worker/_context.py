"""What a handler knows of its job, and can do for it."""

from __future__ import annotations

import hashlib
from threading import get_ident
from typing import Any
from uuid import UUID

from .._context import JobContext
from .._proto.log.v1.log_pb2 import LogChunk
from .._results import encode_value
from ._job_api import JobApi
from ._leased_job import LeasedJob


class HandlerContext(JobContext):
    """The running job. A handler receives it as its parameter ``ctx``, if it has one. Any thread may use it.

    It has everything that a script's `JobContext` has. Calls to the scheduler (``data``, ``lock``) wait for the answer, so an
    asynchronous handler makes them in a thread: ``await asyncio.to_thread(ctx.data.set, "key", value)``.
    """

    __slots__ = ("_handler_host", "_job")

    def __init__(self, job: LeasedJob, host: HandlerHost) -> None:
        lease = job.lease
        super().__init__(
            job_id=lease.job_id,
            run_id=lease.run_id,
            step=lease.step,
            attempt=lease.attempt,
            traceparent=lease.traceparent,
            tracestate=lease.tracestate,
            idempotency_key=_idempotency_key(f"{lease.run_id}/{lease.step}"),
            shared_folder=None if job.shared_folder is None else str(job.shared_folder),
            seconds_left=job.timeout or None,
            workspace=lease.workspace,
            host=host,
        )
        self._job = job
        self._handler_host = host

    @property
    def is_canceled(self) -> bool:
        """Whether the job is canceled or has timed out: its result will be ignored, and it should end soon."""
        return not self._job.is_held

    def log(self, text: str) -> None:
        """Adds a line to the log of the job. Waits while the scheduler is behind with storing logs."""
        self._handler_host.log(LogChunk.Stream.STREAM_STDOUT, text)


class HandlerHost:
    """Implements `Host` for a handler: everything goes to the scheduler."""

    def __init__(self, job: LeasedJob, api: JobApi, loop_thread: int) -> None:
        """For one job.

        Args:
            job: The job.
            api: Its calls.
            loop_thread: The thread of the event loop, which must not wait.
        """
        self._job = job
        self._api = api
        self._loop_thread = loop_thread

    def log(self, stream: LogChunk.Stream, text: str) -> None:
        """Adds a line to a stream of the log."""
        self._job.log(stream, f"{text}\n", may_wait=get_ident() != self._loop_thread)

    def progress(self, value: object) -> None:
        """Shows a value to people who watch the run, in the stream of traces."""
        self.log(LogChunk.Stream.STREAM_TRACE, "progress: " + encode_value(value, "progress").decode())

    def trace(self, message: str) -> None:
        """Adds a message to the trace of the step."""
        self.log(LogChunk.Stream.STREAM_TRACE, message)

    def print(self, stream: str, line: str) -> None:
        """Adds a line to the log of the job."""
        self.log(LogChunk.Stream.STREAM_STDERR if stream == "stderr" else LogChunk.Stream.STREAM_STDOUT, line)

    def call(self, method: str, arguments: dict[str, object]) -> Any:
        """Performs a call, and waits for its answer."""
        if get_ident() == self._loop_thread:
            raise RuntimeError(
                "This call waits for the scheduler, which would stop all asynchronous handlers of the worker. Make it in a"
                " thread: await asyncio.to_thread(...)."
            )
        return self._api.call(method, arguments)


def _idempotency_key(token: str) -> str:
    """Returns the UUID that workers of all languages make of a step of a run (version 3 without a name space)."""
    return str(UUID(bytes=hashlib.md5(token.encode(), usedforsecurity=False).digest(), version=3))
