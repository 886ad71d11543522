"""Gives leased jobs to handlers, as many at once as the worker has slots."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from threading import Condition, get_ident

from ._handler import HandlerFunction
from ._job_api import JobApi
from ._leased_job import LeasedJob, job_error
from ._run import LoopRun, Run, ThreadRun
from ._threads import HandlerThreads, Timer

STOPPING = "The worker is stopping."


class HandlerEngine:
    """Runs jobs in handlers. A canceled job keeps its slot until its handler has ended. Thread-safe."""

    def __init__(
        self,
        handlers: Mapping[str, HandlerFunction],
        slots: int,
        *,
        is_certain: Callable[[], bool],
        api: Callable[[LeasedJob], JobApi],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Takes jobs at once.

        Args:
            handlers: The handlers by name.
            slots: Most jobs that run at once.
            is_certain: Whether the session is certainly alive, so that jobs may begin.
            api: Makes the calls of a job.
            loop: Runs coroutine functions. This thread runs the loop.
        """
        self._handlers = handlers
        self._slots = slots
        self._is_certain = is_certain
        self._api = api
        self._loop = loop
        self._loop_thread = get_ident()
        self._threads = HandlerThreads()
        self._timer = Timer()
        self._changed = Condition()
        self._waiting: deque[LeasedJob] = deque()
        self._runs: dict[LeasedJob, Run] = {}
        self._is_draining = False

    def accept(self, job: LeasedJob) -> None:
        """Implements `JobEngine.accept`."""
        name = job.lease.handler
        if name not in self._handlers:
            job.fail(job_error("NoSuchHandler", f'This worker has no handler named "{name}".', retryable=True))
            return
        with self._changed:
            if not self._is_draining:
                self._waiting.append(job)
        if self._is_draining:
            job.give_back(STOPPING)
        self._begin_waiting()

    def resume(self) -> None:
        """Implements `JobEngine.resume`."""
        self._begin_waiting()

    def stop(self, job: LeasedJob, reason: str) -> None:
        """Implements `JobEngine.stop`."""
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)
            run = self._runs.get(job)
        if run is not None:
            run.interrupt()

    def drain(self) -> None:
        """Begins no further jobs: returns those that wait, and any that still arrive."""
        with self._changed:
            self._is_draining = True
            waiting, self._waiting = self._waiting, deque()
            self._changed.notify_all()
        for job in waiting:
            job.give_back(STOPPING)

    def await_idle(self, seconds: float) -> bool:
        """Waits until no job runs; returns False if the time ends before."""
        end = time.monotonic() + seconds
        with self._changed:
            return self._changed.wait_for(lambda: not self._runs, max(0.0, end - time.monotonic()))

    def interrupt_all(self) -> None:
        """Asks all running handlers to stop."""
        with self._changed:
            runs = list(self._runs.values())
        for run in runs:
            run.interrupt()

    def _begin_waiting(self) -> None:
        while True:
            with self._changed:
                if not self._waiting or len(self._runs) >= self._slots or not self._is_certain():
                    return
                job = self._waiting.popleft()
                if not job.is_held:
                    continue
                begin = self._prepare(job)
            begin()

    def _prepare(self, job: LeasedJob) -> Callable[[], None]:
        handler = self._handlers[job.lease.handler]
        api = self._api(job)
        timer = self._timer.after(job.timeout, lambda: self._time_out(job)) if job.timeout else None

        def ended() -> None:
            if timer is not None:
                self._timer.cancel(timer)
            with self._changed:
                self._runs.pop(job, None)
                self._changed.notify_all()
            self._begin_waiting()

        if handler.is_async:
            on_loop = self._runs[job] = LoopRun(job, handler, api, self._loop, self._loop_thread)
            return lambda: self._start_on_loop(on_loop, ended)
        on_thread = self._runs[job] = ThreadRun(job, handler, api, self._loop_thread)

        def run() -> None:
            on_thread.run()
            ended()

        return lambda: self._threads.run(run)

    def _start_on_loop(self, run: LoopRun, ended: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(run.start, ended)

    def _time_out(self, job: LeasedJob) -> None:
        job.time_out()
        with self._changed:
            run = self._runs.get(job)
        if run is not None:
            run.interrupt()
