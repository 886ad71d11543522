"""The exceptions that scripts may raise or meet. `MillraceError` is the root of all that are errors."""

from __future__ import annotations


class MillraceError(Exception):
    """Root of the errors that Millrace itself raises."""

    retryable = True


class NonRetryableError(MillraceError):
    """Raised by a script to fail its job for good: the retries that the job has left are not used."""

    retryable = False


class InputError(NonRetryableError):
    """The job's input does not fit the parameters of ``main``."""


class ResultError(NonRetryableError):
    """What ``main`` returned cannot be written as JSON."""


class CallFailed(MillraceError):
    """The host could not do what the script asked for; the message says why."""


class LockTimeout(MillraceError):
    """Others held the mutex for as long as the job was ready to wait."""


class Canceled(BaseException):
    """Raised inside ``main`` when the job is canceled or has run out of time.

    Not an `Exception`, so that ``except Exception`` lets it pass. A script may catch it to clean up, but should not go on:
    the job is reported as canceled in any case, and its process is killed when the grace time is over.
    """

    retryable = False
