"""Threads that run handlers, and the timer of their deadlines."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, Lock, Thread


class HandlerThreads:
    """Threads that are made when they are needed, at most as many as tasks at once.

    They are daemons, so that a handler that never ends does not keep the process from ending. Thread-safe.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = Lock()
        self._idle = 0
        self._numbers = itertools.count(1)

    def run(self, task: Callable[[], None]) -> None:
        """Runs a task, which must not raise, on an idle thread, or else on a new one."""
        with self._lock:
            if self._idle:
                self._idle -= 1
            else:
                Thread(target=self._serve, name=f"millrace-handler-{next(self._numbers)}", daemon=True).start()
        self._tasks.put(task)

    def _serve(self) -> None:
        while True:
            task = self._tasks.get()
            task()
            del task
            with self._lock:
                self._idle += 1


class Timer:
    """Calls functions at their times, on one thread that is made at the first of them. Thread-safe."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._entries: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count(1)
        self._thread: Thread | None = None

    def after(self, seconds: float, function: Callable[[], None]) -> int:
        """Calls a function, which must neither wait nor raise, after this time; returns a number for `cancel`."""
        with self._changed:
            number = next(self._numbers)
            heapq.heappush(self._entries, (time.monotonic() + seconds, number, function))
            if self._thread is None:
                self._thread = Thread(target=self._run, name="millrace-handler-timer", daemon=True)
                self._thread.start()
            self._changed.notify()
            return number

    def cancel(self, number: int) -> None:
        """Forgets a call that has not been made."""
        with self._changed:
            kept = [entry for entry in self._entries if entry[1] != number]
            if len(kept) != len(self._entries):
                heapq.heapify(kept)
                self._entries = kept

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._entries or self._entries[0][0] > time.monotonic():
                    self._changed.wait(self._entries[0][0] - time.monotonic() if self._entries else None)
                _, _, function = heapq.heappop(self._entries)
            function()
