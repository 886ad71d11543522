"""Information and calls for a running job."""

from __future__ import annotations

from time import monotonic

from ._data import RunData
from ._lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from ._host import Host


class JobContext:
    """The running job. ``main`` receives it as its last parameter if that is named ``ctx``.

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
    """

    __slots__ = (
        "_deadline",
        "_host",
        "attempt",
        "idempotency_key",
        "job_id",
        "run_id",
        "shared_folder",
        "step",
        "traceparent",
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
        seconds_left: float,
        host: Host,
    ) -> None:
        self.job_id: Final = job_id
        self.run_id: Final = run_id
        self.step: Final = step
        self.attempt: Final = attempt
        self.traceparent: Final = traceparent
        self._deadline = monotonic() + seconds_left
        self.idempotency_key: Final = idempotency_key
        self.shared_folder: Final = shared_folder
        self._host: Final = host

    @property
    def seconds_left(self) -> float:
        """Seconds until this attempt times out; never below 0."""
        return max(0.0, self._deadline - monotonic())

    def progress(self, value: object) -> None:
        """Shows `value`, any JSON value, to people who watch the run.

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

    def trace(self, message: str) -> None:
        """Records a message about the step, kept with its log in a separate stream."""
        self._host.trace(str(message))

    def lock(self, name: str, *, ttl: float = 30.0, wait: float | None = None) -> Lock:
        """Acquires a mutex of the workspace, and waits while others hold it. Use it in a ``with`` statement::

            with ctx.lock("invoice-17", ttl=60):
                ...

        A job that holds the mutex may acquire it again. The mutex becomes free when all holds are released, when its time is
        over, and when the job ends. A further attempt of the job takes it over. Call it from the thread that runs ``main``.

        Args:
            name: Name of the mutex, 1 to 256 characters.
            ttl: Seconds after which the hold ends unless it is released, at most a day.
            wait: Seconds to wait while others hold it; None waits as long as the attempt may run.

        Raises:
            LockTimeout: Others held it all the time.
            CallFailed: The job has lost its lease, or the scheduler cannot be reached.
        """
        left = self.seconds_left
        return Lock.take(self._host, name, ttl=ttl, wait=max(0.0, left if wait is None else min(wait, left)))

    def __repr__(self) -> str:
        return f"JobContext(job_id={self.job_id!r}, step={self.step!r}, attempt={self.attempt})"


_current: JobContext | None = None


def job_context() -> JobContext:
    """Returns the context of the running job, for code that `main` did not pass it to.

    Raises:
        RuntimeError: No job is running, for example while the script is being loaded.
    """
    if _current is None:
        raise RuntimeError("No job is running: call job_context() from main or from what main calls.")
    return _current


def set_job_context(context: JobContext | None) -> None:
    """Sets the context of the running job; ``None`` clears it. For the process loop only."""
    global _current
    _current = context
