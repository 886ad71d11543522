"""Decides whether and when a failed call is tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._errors import ClientError, Overloaded, ServerFailed, TimedOut, Unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How calls are repeated. Every call is safe to repeat: those that change something carry a request id.

    If several schedulers are known, a call that one of them does not answer goes to the next without delay.

    Attributes:
        attempts_max: Most attempts of one call, the first included; 1 repeats nothing.
        seconds_max: Longest time from the first attempt to the end of the last.
        delay_min: Seconds before the second attempt; later delays double.
        delay_max: Longest delay in seconds, unless the scheduler asks for a longer one.
    """

    attempts_max: int = 12
    seconds_max: float = 60.0
    delay_min: float = 0.1
    delay_max: float = 5.0

    def __post_init__(self) -> None:
        if self.attempts_max < 1:
            raise ValueError(f"attempts_max: {self.attempts_max} (expected: 1 or more)")
        if not 0 <= self.delay_min <= self.delay_max:
            raise ValueError(f"delay_min: {self.delay_min} (expected: from 0 to delay_max, which is {self.delay_max})")


class Attempts:
    """Attempts of one call. Not thread-safe."""

    __slots__ = ("_clock", "_deadline", "_failures", "_random", "_retries")

    def __init__(
        self,
        retries: Retries,
        *,
        seconds_max: float | None = None,
        clock: Callable[[], float],
        random: Callable[[], float],
    ) -> None:
        """Begins with the first attempt.

        Args:
            retries: The limits.
            seconds_max: A shorter or longer time for this call than that of `retries`.
            clock: Monotonic seconds.
            random: Numbers from 0 to 1, for the jitter.
        """
        self._retries = retries
        self._clock = clock
        self._random = random
        self._deadline = clock() + (retries.seconds_max if seconds_max is None else seconds_max)
        self._failures = 0

    def timeout(self, longest: float) -> float:
        """Returns the seconds for the next attempt, at most `longest`."""
        return max(0.001, min(longest, self._deadline - self._clock()))

    def progressed(self) -> None:
        """Records that a stream has delivered something: its attempts count anew."""
        self._failures = 0
        self._deadline = self._clock() + self._retries.seconds_max

    def delay_after(self, error: ClientError, *, goes_elsewhere: bool = False) -> float:
        """Returns the seconds to wait before the next attempt.

        Args:
            error: How the last attempt failed.
            goes_elsewhere: Whether the next one goes to another scheduler, which need not be spared.

        Raises:
            ClientError: The error itself, if another attempt is pointless or comes too late.
        """
        self._failures += 1
        if not may_help(error) or self._failures >= self._retries.attempts_max:
            raise error
        due = min(self._retries.delay_max, self._retries.delay_min * 2 ** min(self._failures - 1, 30))
        delay = max(0.0 if goes_elsewhere else due / 2 * (1 + self._random()), error.retry_after or 0.0)
        if self._clock() + delay >= self._deadline:
            raise error
        return delay


def may_help(error: ClientError) -> bool:
    """Whether the same call may succeed later.

    A lack of resources is temporary only if the scheduler names a delay. An internal error without a reason comes from the
    connection, and not from the scheduler.
    """
    match error:
        case Unavailable() | TimedOut():
            return True
        case Overloaded():
            return error.retry_after is not None
        case ServerFailed():
            return not error.reason and error.status in ("INTERNAL", "UNKNOWN", "CANCELLED")
        case _:
            return False


def is_of_connection(error: ClientError) -> bool:
    """Whether the scheduler did not answer: it gives a reason for each error of its own that may help to repeat."""
    return not error.reason and may_help(error)
