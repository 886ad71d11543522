"""What a running job can know about itself."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final


class JobContext:
    """The job that is running. ``main`` receives it as its last parameter, if that is named ``ctx``.

    Attributes:
        job_id: Id of the job.
        run_id: Id of the run that the job belongs to.
        step: Key of the flow's step, such as ``count[3]``; empty where the script runs without a flow.
        attempt: 1 for the first attempt.
        traceparent: W3C trace context of the job; empty where nothing traces it.
    """

    __slots__ = ("_deadline", "_send_progress", "attempt", "job_id", "run_id", "step", "traceparent")

    def __init__(
        self,
        *,
        job_id: str,
        run_id: str,
        step: str,
        attempt: int,
        traceparent: str,
        seconds_left: float,
        send_progress: Callable[[object], None],
    ) -> None:
        self.job_id: Final = job_id
        self.run_id: Final = run_id
        self.step: Final = step
        self.attempt: Final = attempt
        self.traceparent: Final = traceparent
        self._deadline = monotonic() + seconds_left
        self._send_progress = send_progress

    @property
    def seconds_left(self) -> float:
        """Time until this attempt runs out of time, in seconds; never below 0."""
        return max(0.0, self._deadline - monotonic())

    def progress(self, value: object) -> None:
        """Shows `value`, any JSON value, to the people who watch the run.

        Raises:
            ResultError: The value cannot be written as JSON.
        """
        self._send_progress(value)

    def __repr__(self) -> str:
        return f"JobContext(job_id={self.job_id!r}, step={self.step!r}, attempt={self.attempt})"


_current: JobContext | None = None


def job_context() -> JobContext:
    """Returns the context of the running job, for code that `main` did not hand it to.

    Raises:
        RuntimeError: No job is running, for example while the script is being loaded.
    """
    if _current is None:
        raise RuntimeError("No job is running: call job_context() from main or from what main calls.")
    return _current


def set_job_context(context: JobContext | None) -> None:
    """Sets or, with ``None``, clears the context of the running job. For the process loop only."""
    global _current
    _current = context
