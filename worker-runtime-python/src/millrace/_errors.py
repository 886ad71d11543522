"""Exceptions that scripts may raise or catch. `MillraceError` is the root of all errors."""

from __future__ import annotations


class MillraceError(Exception):
    """Root of the errors that Millrace itself raises."""

    retryable = True


class NonRetryableError(MillraceError):
    """Raised by a script to fail its job permanently: the job's remaining retries are not used."""

    retryable = False


class InputError(NonRetryableError):
    """The job's input does not fit the parameters of ``main``."""


class ResultError(NonRetryableError):
    """The return value of ``main`` cannot be written as JSON."""


class CallFailed(MillraceError):
    """The host could not perform a call of the script; the message says why."""


class LockTimeout(MillraceError):
    """Others held the mutex for as long as the job was willing to wait."""


class RunTimeout(MillraceError):
    """A run has not ended within the time for which the job was willing to wait."""


class RunFailed(MillraceError):
    """A run that the job has waited for has failed or was canceled.

    Attributes:
        run_id: Id of the run.
        state: ``failed`` or ``canceled``.
        error: Name and message of its error; None if it has none.
    """

    def __init__(self, run_id: str, name: str, state: str, error: tuple[str, str] | None) -> None:
        self.run_id = run_id
        self.state = state
        self.error = error
        reason = "" if error is None else f" {error[0]}: {error[1]}"
        how = "was canceled" if state == "canceled" else "has failed"
        super().__init__(f"Run {run_id} of {name} {how}.{reason}")


class Canceled(BaseException):
    """Raised inside ``main`` when the job is canceled or times out.

    Not an `Exception`, so that ``except Exception`` does not catch it. A script may catch it to clean up, but should end soon.
    The job is reported as canceled in any case, and its process is killed after the grace time. The process runs no further
    job, since the exception may have interrupted any line of any module.
    """

    retryable = False
