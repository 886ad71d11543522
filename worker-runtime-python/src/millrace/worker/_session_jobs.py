"""Leases of the session, from their arrival until the scheduler has acknowledged their results."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from threading import RLock
from typing import Protocol

from .._proto.common.v1.error_pb2 import JobError
from .._proto.worker.v1 import session_pb2
from ._leased_job import LeasedJob, Limits, job_error
from ._outbox import LeaseKey, Outbox
from ._shared_folders import SharedFolders

ENDED_MAX = 20_000
"""Most ended leases that are remembered. A scheduler that sends an ended lease again does so within seconds, during which a
worker ends fewer jobs."""

ALONE = "A job that may have ended its workers runs here, and nothing may run beside it."

_logger = logging.getLogger("millrace.worker")


class JobEngine(Protocol):
    """Runs leased jobs. No method may wait for user code."""

    def accept(self, job: LeasedJob) -> None:
        """Runs the job when there is room and its lease is certain; ends it through `LeasedJob`."""
        ...

    def resume(self) -> None:
        """Lets jobs begin that were held back because their leases were in doubt."""
        ...

    def stop(self, job: LeasedJob, reason: str) -> None:
        """Stops a dropped job: no result is expected."""
        ...


class SessionJobs:
    """Held leases, and those that have ended in this session. Thread-safe.

    A lease begins at most once in a session, and never after its end, even if the scheduler sends it again or cancels it before
    it sends it. A job that must run alone begins once all others have ended, and those that arrive go back.
    """

    def __init__(self, engine: JobEngine, outbox: Outbox, folders: SharedFolders) -> None:
        self._engine = engine
        self._folders = folders
        self._outbox = outbox
        self._lock = RLock()
        self._held: dict[LeaseKey, LeasedJob] = {}
        self._ended: dict[LeaseKey, None] = {}
        self._alone: LeasedJob | None = None
        self._alone_begun = False

    @property
    def is_alone(self) -> bool:
        """Whether a job runs alone here, or waits to."""
        return self._alone is not None

    def leases(self) -> list[session_pb2.HeldLease]:
        """Returns the leases for a Hello that resumes the session."""
        with self._lock:
            return [session_pb2.HeldLease(job_id=job_id, lease_token=token) for job_id, token in self._held]

    def accept(self, leases: Iterable[session_pb2.Lease], limits: Limits) -> None:
        """Takes leases, except those that are held already and those that have ended in this session."""
        for lease in leases:
            with self._lock:
                key = (lease.job_id, lease.lease_token)
                if key in self._ended:
                    _logger.info("The scheduler sent a lease of job %s that has ended here; it does not begin again.", key[0])
                if key in self._held or key in self._ended:
                    continue
                job, failure = self._hold(lease, limits)
                self._held[job.key] = job
                if failure is not None:
                    job.fail(failure)
                elif self._alone is not None:
                    job.give_back(ALONE)
                elif lease.alone:
                    self._alone, self._alone_begun = job, False
                    self._outbox.wake()
                    self._begin_alone()
                else:
                    self._engine.accept(job)

    def _hold(self, lease: session_pb2.Lease, limits: Limits) -> tuple[LeasedJob, JobError | None]:
        try:
            return LeasedJob(lease, limits, self._outbox, self._folders.hold(lease)), None
        except OSError as error:
            message = f"The worker cannot give the job its shared folder: {error}"
            return LeasedJob(lease, limits, self._outbox), job_error("SharedFolderError", message, retryable=True)

    def acknowledge(self, acks: Iterable[session_pb2.ResultAck]) -> None:
        """Forgets jobs whose results the scheduler has answered."""
        for ack in acks:
            key = (ack.job_id, ack.lease_token)
            self._outbox.acknowledge_result(key)
            with self._lock:
                self._gone(self._end(key))
            if ack.disposition == session_pb2.ResultAck.Disposition.DISPOSITION_REFUSED:
                _logger.info("The scheduler refused the late result of job %s: %s", ack.job_id, ack.reason)

    def cancel(self, cancels: Iterable[session_pb2.CancelJob]) -> None:
        """Stops jobs whose leases are lost."""
        for cancel in cancels:
            self._drop((cancel.job_id, cancel.lease_token), cancel.reason)

    def drop_all(self, reason: str) -> None:
        """Drops all jobs: their session is lost, and other workers run them."""
        with self._lock:
            keys = list(self._held)
        _logger.warning("The session is lost, and its %d jobs are dropped: %s", len(keys), reason)
        for key in keys:
            self._drop(key, reason)
        with self._lock:
            self._ended.clear()

    def forsake(self) -> None:
        """Lets go of the jobs that have not ended: the goodbye of the worker returns them to the queue."""
        with self._lock:
            for job in self._held.values():
                job.drop()

    def tell_started(self) -> None:
        """Reports again which jobs have begun, after the session was resumed."""
        with self._lock:
            for job in self._held.values():
                job.tell_started()

    def give_back_waiting(self, reason: str) -> None:
        """Returns the job that waits to run alone, if there is one."""
        with self._lock:
            if self._alone is not None and not self._alone_begun:
                self._alone.give_back(reason)

    def _end(self, key: LeaseKey) -> LeasedJob | None:
        """Ends a lease, which need not have arrived yet. Returns its job if it was held."""
        self._ended[key] = None
        if len(self._ended) > ENDED_MAX:
            del self._ended[next(iter(self._ended))]
        return self._held.pop(key, None)

    def _drop(self, key: LeaseKey, reason: str) -> None:
        with self._lock:
            job = self._end(key)
            if job is None:
                return
            stop = job.drop()
            self._outbox.forget(key)
            if stop and not (job is self._alone and not self._alone_begun):
                self._engine.stop(job, reason)
            self._gone(job)

    def _gone(self, job: LeasedJob | None) -> None:
        if self._alone is None or job is None:
            return
        if job is self._alone:
            self._alone = None
        self._begin_alone()
        self._outbox.wake()

    def _begin_alone(self) -> None:
        if self._alone is not None and not self._alone_begun and len(self._held) == 1:
            self._alone_begun = True
            _logger.info("The job %s runs alone here, because its workers were lost before.", self._alone.lease.job_id)
            self._engine.accept(self._alone)
