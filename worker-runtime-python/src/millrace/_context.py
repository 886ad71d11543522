"""Information and calls for a running job."""

from __future__ import annotations

from _contextvars import ContextVar
from time import monotonic, time

from ._data import RunData
from ._lock import Lock
from ._logger import Logger
from ._runs import Runs
from ._values import Resources, Secrets, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Final

    from ._host import Host


LOCK_WAIT_SECONDS_MAX = 365 * 24 * 3600.0
"""Longest time that a job without a timeout waits for a mutex."""


class JobContext:
    """The running job. `current` returns it, and ``main`` receives it as its last parameter if that is named ``ctx``.

    Attributes:
        job_id: Id of the job.
        run_id: Id of the run that the job belongs to.
        step: Key of the flow's step, such as ``count[3]``; empty if the script runs without a flow.
        attempt: 1 for the first attempt.
        idempotency_key: A UUID of this step of this run, the same in all its attempts. Pass it to services that must not do
            the same work twice.
        shared_folder: Path of the folder that the steps of a ``same_worker`` group share, also reached as ``./shared``;
            None for a step outside of such groups.
        traceparent: W3C trace context of the job; empty if there is none.
        tracestate: W3C ``tracestate``, which goes with ``traceparent``; empty if there is none.
        workspace: Workspace of the job.
    """

    __slots__ = (
        "_deadline",
        "_ends_at",
        "_host",
        "_starts",
        "attempt",
        "idempotency_key",
        "job_id",
        "run_id",
        "shared_folder",
        "step",
        "traceparent",
        "tracestate",
        "workspace",
    )

    def __init__(
        self,
        *,
        job_id: str,
        run_id: str,
        step: str,
        attempt: int,
        traceparent: str,
        idempotency_key: str,
        shared_folder: str | None,
        seconds_left: float | None,
        workspace: str,
        host: Host,
        tracestate: str = "",
    ) -> None:
        self.job_id: Final = job_id
        self.run_id: Final = run_id
        self.step: Final = step
        self.attempt: Final = attempt
        self.traceparent: Final = traceparent
        self.tracestate: Final = tracestate
        self.workspace: Final = workspace
        self._deadline = None if seconds_left is None else monotonic() + seconds_left
        self._ends_at = None if seconds_left is None else time() + seconds_left
        self.idempotency_key: Final = idempotency_key
        self.shared_folder: Final = shared_folder
        self._host: Final = host
        self._starts: Final[dict[str, int]] = {}

    @property
    def seconds_left(self) -> float | None:
        """Seconds until this attempt times out; never below 0. None if it has no timeout."""
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    @property
    def deadline(self) -> datetime | None:
        """Time at which this attempt times out, in UTC; None if it has no timeout."""
        if self._ends_at is None:
            return None
        from datetime import datetime, timezone

        return datetime.fromtimestamp(self._ends_at, timezone.utc)

    @property
    def logger(self) -> Logger:
        """Writes lines with a level and fields to the log of the job."""
        return Logger(self._host)

    def progress(self, value: object) -> None:
        """Tells how far the job is, by any JSON value.

        The run shows the last value as the progress of the step while it runs. The value becomes a line in the stream of
        traces, for scripts at most once a second: values in between are left out.

        Raises:
            ResultError: The value cannot be written as JSON.
        """
        self._host.progress(value)

    @property
    def step_token(self) -> str:
        """Name of this step of this run, the same in all its attempts: ``RUN_ID/STEP``."""
        return f"{self.run_id}/{self.step}"

    @property
    def data(self) -> RunData:
        """Data that the steps of the run share."""
        return RunData(self._host)

    @property
    def secrets(self) -> Secrets:
        """Secrets of the workspace. Only scripts have them."""
        return Secrets(self._host)

    @property
    def resources(self) -> Resources:
        """Resources of the workspace. Only scripts have them."""
        return Resources(self._host)

    @property
    def state(self) -> State:
        """What this step of the flow, or this script, remembers from one run to the next. Only scripts have it."""
        return State(self._host)

    @property
    def runs(self) -> Runs:
        """Runs of the workspace, to start and follow them. Only scripts have them."""
        return Runs(self._host, self._starts, self.seconds_left)

    def trace(self, message: str) -> None:
        """Records a message about the step, kept with its log in a separate stream."""
        self._host.trace(str(message))

    def lock(self, name: str, *, ttl: float = 30.0, wait: float | None = None) -> Lock:
        """Acquires a mutex of the folder of the run, and waits while others hold it. Use it in a ``with`` statement::

            with ctx.lock("invoice-17", ttl=60):
                ...

        A job that holds the mutex may acquire it again. The mutex becomes free when all holds are released, when its time is
        over, and when the job ends. A further attempt of the job takes it over. Call it from the thread that runs ``main``.

        Args:
            name: Name of the mutex, 1 to 256 characters.
            ttl: Seconds after which the hold ends unless it is released, at most a day.
            wait: Seconds to wait while others hold it; None waits as long as the attempt may run, at most 365 days.

        Raises:
            LockTimeout: Others held it all the time.
            CallFailed: The job has lost its lease, or the scheduler cannot be reached.
        """
        left = LOCK_WAIT_SECONDS_MAX if self.seconds_left is None else self.seconds_left
        return Lock.take(self._host, name, ttl=ttl, wait=max(0.0, left if wait is None else min(wait, left)))

    def __repr__(self) -> str:
        return f"JobContext(job_id={self.job_id!r}, step={self.step!r}, attempt={self.attempt})"


_of_process: JobContext | None = None
"""Job of a process that runs one job at a time; all its threads belong to that job."""

_of_task: ContextVar[JobContext | None] = ContextVar("millrace_job", default=None)
"""Job of a handler, of which a process runs several at once."""


def current() -> JobContext:
    """Returns the running job, for code that `main` or the handler did not pass it to.

    In a script, every thread and task may call it. In a handler, the thread or task that runs the handler may, and what has a
    copy of its context: tasks that it makes, and ``asyncio.to_thread``.

    Raises:
        RuntimeError: No job is running, for example while the script is being loaded.
    """
    job = _of_task.get() or _of_process
    if job is None:
        raise RuntimeError(
            "No job is running here: call current() from main or from a handler, or from what they call, and not while the"
            " script is being loaded."
        )
    return job


def job_context() -> JobContext:
    """Returns the running job; the former name of `current`."""
    return current()


def current_host() -> Host:
    """Returns the running job's connection to the host; raises as `current` does."""
    return current()._host  # pyright: ignore[reportPrivateUsage]


def set_job_context(context: JobContext | None) -> None:
    """Sets the job of this process; None if none is running. For the process loop only."""
    global _of_process
    _of_process = context


def enter_job(context: JobContext | None) -> None:
    """Sets the job of the calling thread or task; None after its end. For workers that run handlers only."""
    _of_task.set(context)
