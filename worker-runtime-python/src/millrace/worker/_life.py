"""Time until which the worker may consider its session alive."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock


class SessionLife:
    """Tells whether jobs may begin.

    While the worker was frozen or cut off, the scheduler may have ended the session and given its jobs to others. A session
    lives for its time to live after the worker's last sign of life. The latest one that the worker can be sure of is the
    newest answered heartbeat, counted from when it was sent. It counts half of the time to live, because a scheduler that dies
    may not have recorded the last signs. Thread-safe.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._unanswered: deque[tuple[int, float]] = deque()
        self._sequence = 0
        self._ttl = 0.0
        self._until = clock()

    @property
    def is_certain(self) -> bool:
        """Whether jobs may begin."""
        return self._clock() < self._until

    def send(self) -> int:
        """Records that a heartbeat is about to be sent, and returns its number."""
        with self._lock:
            self._sequence += 1
            self._unanswered.append((self._sequence, self._clock()))
            return self._sequence

    def answered(self, sequence: int) -> None:
        """Records the answer to a heartbeat."""
        with self._lock:
            newest: float | None = None
            while self._unanswered and self._unanswered[0][0] <= sequence:
                _, newest = self._unanswered.popleft()
            if newest is not None:
                self._until = newest + self._ttl / 2

    def opened(self, hello_time: float, ttl: float) -> None:
        """Records that a Hello sent at this time opened a stream."""
        with self._lock:
            self._unanswered.clear()
            self._ttl = ttl
            self._until = hello_time + ttl / 2

    def interrupted(self) -> None:
        """Records the end of the stream: the session may not be resumed in time."""
        with self._lock:
            self._unanswered.clear()
            self._until = self._clock()
