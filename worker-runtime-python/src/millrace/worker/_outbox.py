"""Messages that wait to be sent, and sent ones that are not acknowledged yet."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, RLock

from .._proto.worker.v1 import session_pb2
from .._proto.worker.v1.worker_session_service_pb2 import OpenSessionRequest

RESULTS_PER_MESSAGE_MAX = 500
MESSAGE_BYTES_MAX = 1 << 20
LOG_BUFFER_BYTES_MAX = 8 << 20
"""Bytes of logs that may wait for the scheduler; then threads that log wait, too."""

LeaseKey = tuple[str, int]
"""Id of a job and token of its lease."""


class Outbox:
    """Queue from the jobs to the stream.

    Logs of a job leave before its result. Results and logs stay until the scheduler has acknowledged them, and leave again on
    a new stream of the same session. Thread-safe; its lock is the innermost one of the worker.

    Threads of handlers add messages, and `Canceled` may be raised in them anywhere, also while they wait for the lock. So all
    enter the lock and not its condition: that is a Python function, which would be left without a release.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._results: deque[session_pb2.JobResult] = deque()
        self._unacknowledged: dict[LeaseKey, session_pb2.JobResult] = {}
        self._started: list[session_pb2.Started] = []
        self._logs: deque[session_pb2.WorkerLog] = deque()
        self._resent: deque[session_pb2.WorkerLogs] = deque()
        self._unacknowledged_logs: deque[session_pb2.WorkerLogs] = deque()
        self._log_bytes = 0
        self._last_batch = 0
        self._wakes = 0
        self._closed = False

    def add_started(self, started: session_pb2.Started) -> None:
        """Adds the news that a job has begun."""
        with self._lock:
            self._started.append(started)
            self._changed.notify_all()

    def add_result(self, result: session_pb2.JobResult) -> None:
        """Adds the end of an attempt."""
        with self._lock:
            self._unacknowledged[result.job_id, result.lease_token] = result
            self._results.append(result)
            self._changed.notify_all()

    def add_log(self, log: session_pb2.WorkerLog, *, may_wait: bool, is_held: Callable[[], bool]) -> None:
        """Adds a piece of log; waits while too much waits for the scheduler, if the thread may wait."""
        with self._lock:
            while may_wait and self._log_bytes > LOG_BUFFER_BYTES_MAX and not self._closed and is_held():
                self._changed.wait(1.0)
            if not self._closed:
                self._logs.append(log)
                self._log_bytes += log.ByteSize()
                self._changed.notify_all()

    def forget(self, key: LeaseKey) -> None:
        """Forgets the result of a lost lease, sent or not."""
        with self._lock:
            result = self._unacknowledged.pop(key, None)
            if result is not None and result in self._results:
                self._results.remove(result)
            self._started = [started for started in self._started if (started.job_id, started.lease_token) != key]
            self._changed.notify_all()

    def acknowledge_result(self, key: LeaseKey) -> None:
        """Forgets a result that the scheduler has answered."""
        with self._lock:
            self._unacknowledged.pop(key, None)
            self._changed.notify_all()

    def acknowledge_logs(self, batch: int) -> None:
        """Forgets the batches up to this number."""
        with self._lock:
            while self._unacknowledged_logs and self._unacknowledged_logs[0].batch <= batch:
                self._log_bytes -= sum(log.ByteSize() for log in self._unacknowledged_logs.popleft().logs)
            self._resent = deque(logs for logs in self._resent if logs.batch > batch)
            self._changed.notify_all()

    def resend(self, logs_acknowledged: int) -> None:
        """Queues everything again that the scheduler may lack: the connection is new, and the session is the same."""
        self.acknowledge_logs(logs_acknowledged)
        with self._lock:
            self._results = deque(self._unacknowledged.values())
            self._resent = deque(self._unacknowledged_logs)
            self._changed.notify_all()

    def clear(self) -> None:
        """Forgets everything, because the session is lost and all its leases with it."""
        with self._lock:
            self._results.clear()
            self._unacknowledged.clear()
            self._started.clear()
            self._logs.clear()
            self._resent.clear()
            self._unacknowledged_logs.clear()
            self._log_bytes = 0
            self._last_batch = 0
            self._changed.notify_all()

    @property
    def wakes(self) -> int:
        """Number of calls of `wake` so far. A waiter reads it before it looks at what may change."""
        return self._wakes

    def wake(self) -> None:
        """Wakes everybody who waits, for something else than a message: senders of old streams, too."""
        with self._lock:
            self._wakes += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Lets waiting threads go; later logs are dropped."""
        with self._lock:
            self._closed = True
            self._changed.notify_all()

    def wait(self, seconds: float, *, wakes: int, for_messages: bool) -> None:
        """Waits for a message to send, if they may be sent, for more than these calls of `wake`, or for the end of the time."""
        with self._lock:
            self._changed.wait_for(
                lambda: self._wakes != wakes or (for_messages and self._has_messages()), max(0.0, seconds)
            )

    def settle(self, seconds: float) -> bool:
        """Waits until everything is acknowledged; returns False if the time ends before."""
        end = time.monotonic() + seconds
        with self._lock:
            while self._unacknowledged or self._logs or self._unacknowledged_logs:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
            return True

    def take(self, is_over: Callable[[], bool]) -> Iterator[OpenSessionRequest]:
        """Returns the messages to send now, in their order; none for a stream that is over, which would lose them."""
        with self._lock:
            if is_over():
                return
            messages = [OpenSessionRequest(logs=logs) for logs in self._resent]
            self._resent.clear()
            while self._logs:
                messages.append(OpenSessionRequest(logs=self._next_logs()))
            if self._started:
                messages.append(OpenSessionRequest(started=session_pb2.StartedJobs(jobs=self._started)))
                self._started.clear()
            while self._results:
                messages.append(OpenSessionRequest(results=self._next_results()))
        yield from messages

    def _has_messages(self) -> bool:
        return bool(self._results or self._logs or self._resent or self._started)

    def _next_logs(self) -> session_pb2.WorkerLogs:
        self._last_batch += 1
        batch = session_pb2.WorkerLogs(batch=self._last_batch)
        size = 0
        while self._logs and size < MESSAGE_BYTES_MAX:
            log = self._logs.popleft()
            size += log.ByteSize()
            batch.logs.append(log)
        self._unacknowledged_logs.append(batch)
        return batch

    def _next_results(self) -> session_pb2.Results:
        results = session_pb2.Results()
        size = 0
        while self._results and size < MESSAGE_BYTES_MAX and len(results.results) < RESULTS_PER_MESSAGE_MAX:
            result = self._results.popleft()
            size += result.ByteSize()
            results.results.append(result)
        return results
