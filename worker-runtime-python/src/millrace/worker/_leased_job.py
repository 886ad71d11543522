"""One leased attempt of a job, from its lease to its single end."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from pathlib import Path
from threading import Lock

from .._proto.common.v1 import error_pb2
from .._proto.log.v1.log_pb2 import LogChunk
from .._proto.worker.v1 import session_pb2
from ._masks import Masks
from ._outbox import LeaseKey, Outbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the scheduler allows; see Welcome.

    Attributes:
        heartbeat_interval: Seconds between heartbeats.
        session_ttl: Seconds after which a silent session expires.
        result_bytes_max: Largest result.
        log_bytes_max: Most log bytes of one attempt.
    """

    heartbeat_interval: float = 5.0
    session_ttl: float = 15.0
    result_bytes_max: int = 4 << 20
    log_bytes_max: int = 16 << 20


class _State(Enum):
    HELD = 1
    ENDED = 2
    DROPPED = 3


def job_error(name: str, message: str, *, retryable: bool, stack: str = "") -> error_pb2.JobError:
    """Returns the error of an attempt."""
    return error_pb2.JobError(name=name, message=message, retryable=retryable, stack=stack)


class LeasedJob:
    """A lease in the hands of this worker. The first end wins, and later ones have no effect. Thread-safe."""

    def __init__(
        self, lease: session_pb2.Lease, limits: Limits, outbox: Outbox, shared_folder: Path | None = None
    ) -> None:
        self.lease = lease
        self.shared_folder = shared_folder
        self._limits = limits
        self._outbox = outbox
        self._lock = Lock()
        self._state = _State.HELD
        self._start: float | None = None
        self._log_bytes = 0
        self._log_sequence = 0
        self._masks: Masks | None = None

    @property
    def key(self) -> LeaseKey:
        return self.lease.job_id, self.lease.lease_token

    @property
    def is_held(self) -> bool:
        """Whether the lease is held and the job has not ended."""
        return self._state is _State.HELD

    @property
    def timeout(self) -> float:
        """Longest time of the attempt in seconds; 0 means no limit."""
        return self.lease.timeout.ToTimedelta().total_seconds()

    def started(self) -> None:
        """Records that user code of this job begins."""
        self._start = time.monotonic()
        self.tell_started()

    def tell_started(self) -> None:
        """Tells the scheduler that this job has begun, if it has."""
        if self.is_held and self._start is not None:
            self._outbox.add_started(
                session_pb2.Started(job_id=self.lease.job_id, lease_token=self.lease.lease_token)
            )

    def mask_with(self, masks: Masks) -> None:
        """Masks these secrets in all that the job sends from here on."""
        self._masks = masks

    @property
    def masks(self) -> Masks | None:
        """Secrets that are masked in what the job sends."""
        return self._masks

    def succeed(self, result: bytes) -> None:
        """Ends the attempt with a result, which is JSON."""
        if self._masks is not None:
            result = self._masks.json(result)
        if len(result) > self._limits.result_bytes_max:
            self.fail(
                job_error(
                    "ResultTooLarge",
                    f"The result has {len(result)} bytes, but a result may have at most {self._limits.result_bytes_max}."
                    " Return less, or store the data elsewhere and return its address.",
                    retryable=False,
                )
            )
        else:
            self._end(session_pb2.JobResult(result=result))

    def fail(self, error: error_pb2.JobError) -> None:
        """Ends the attempt with an error."""
        if self._masks is not None:
            error = job_error(
                self._masks.text(error.name),
                self._masks.text(error.message),
                retryable=error.retryable,
                stack=self._masks.text(error.stack),
            )
        self._end(session_pb2.JobResult(error=error))

    def time_out(self) -> None:
        """Ends the attempt because its time is over."""
        message = f"The attempt ran longer than its timeout of {_in_words(self.timeout)}."
        self.fail(job_error("TimedOut", message, retryable=True))

    def give_back(self, reason: str) -> None:
        """Returns the job to the queue; only for a job that never began."""
        self._end(session_pb2.JobResult(returned=session_pb2.ReturnedJob(reason=reason)))

    def drop(self) -> bool:
        """Drops the job because its lease is lost; returns False if it has ended before."""
        with self._lock:
            was_held = self._state is _State.HELD
            if was_held:
                self._state = _State.DROPPED
            return was_held

    def log(self, stream: LogChunk.Stream, text: str, *, may_wait: bool) -> None:
        """Sends a piece of log, up to the limit of the attempt."""
        if not text:
            return
        if self._masks is not None:
            text = self._masks.text(text)
        with self._lock:
            if not self.is_held or self._log_bytes > self._limits.log_bytes_max:
                return
            self._log_bytes += len(text.encode(errors="replace"))
            if self._log_bytes > self._limits.log_bytes_max:
                stream = LogChunk.Stream.STREAM_SYSTEM
                text = f"Log limit of {self._limits.log_bytes_max} bytes reached; the rest is dropped.\n"
            log = session_pb2.WorkerLog(
                job_id=self.lease.job_id,
                lease_token=self.lease.lease_token,
                sequence=self._log_sequence,
                stream=stream,
                text=text.encode(errors="replace").decode(),
            )
            self._log_sequence += 1
        self._outbox.add_log(log, may_wait=may_wait, is_held=lambda: self.is_held)

    def _end(self, result: session_pb2.JobResult) -> None:
        with self._lock:
            if self._state is not _State.HELD:
                return
            self._state = _State.ENDED
        result.job_id = self.lease.job_id
        result.lease_token = self.lease.lease_token
        if self._start is not None:
            result.run_duration.FromTimedelta(timedelta(seconds=time.monotonic() - self._start))
        self._outbox.add_result(result)


def _in_words(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:g} s"
