"""A worker that runs jobs in functions of its own process."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from socket import gethostname
from typing import Any, TypeVar

from .._access import choose_access
from .._proto.worker.v1 import session_pb2
from ._engine import HandlerEngine
from ._handler import HandlerFunction
from ._job_api import JobApi
from ._leased_job import LeasedJob
from ._life import SessionLife
from ._outbox import Outbox
from ._session import Identity, Session
from ._shared_folders import SharedFolders

F = TypeVar("F", bound=Callable[..., Any])

GROUP = "handlers"
TAG_PREFIX = "handler:"
SLOTS_MAX = 10_000
NAME_CHARS_MAX = 128
SETTLE_SECONDS_MAX = 5.0
"""Time for the scheduler to acknowledge the last results when the worker stops."""

INTERRUPT_SECONDS_MAX = 2.0
"""Time for handlers to end once they are asked to stop because the stop timeout is over."""

_logger = logging.getLogger("millrace.worker")


class Worker:
    """Offers functions as handlers of jobs::

        worker = Worker(slots=8)

        @worker.job("resize")
        def resize(file: str, width: int) -> dict[str, int]:
            ...

        worker.run()

    It reconnects by itself, keeps its jobs while the connection is lost, and sends results until the scheduler has
    acknowledged them. Functions run on threads, and coroutine functions on the event loop.
    """

    def __init__(
        self,
        target: str | None = None,
        *,
        name: str | None = None,
        slots: int | None = None,
        labels: Mapping[str, str] | None = None,
        stop_timeout: float = 30.0,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        certificate_file: str | os.PathLike[str] | None = None,
        key_file: str | os.PathLike[str] | None = None,
        allow_plaintext: bool = False,
    ) -> None:
        """Settings that are not given come from the environment variables of workers.

        Args:
            target: ``HOST:PORT`` of the scheduler's gRPC services, or several separated by commas.
            name: Name of the worker, for people; by default the machine's name.
            slots: Most jobs that run at once; by default the number of processors.
            labels: Labels of any kind, for people.
            stop_timeout: Seconds that running jobs have to end when the worker stops.
            token: The token itself.
            token_file: File whose first line is the token; read again when the scheduler refuses it.
            ca_file: Authorities of the scheduler's certificate in PEM, or ``system``; turns TLS on.
            certificate_file: Certificate for a scheduler that asks for one.
            key_file: Its key.
            allow_plaintext: Whether a token may leave the machine in plain text, because something else encrypts the
                connection.

        Raises:
            AccessError: The settings contradict each other, or a file cannot be used.
            ValueError: A number or name is out of its range.
        """
        self._access = choose_access(
            target=target,
            token=token,
            token_file=token_file,
            ca_file=ca_file,
            certificate_file=certificate_file,
            key_file=key_file,
            allow_plaintext=allow_plaintext,
            token_variable="MILLRACE_WORKER_TOKEN",
            use_contexts=False,
        )
        self._name = name or os.environ.get("MILLRACE_WORKER_NAME") or gethostname()
        self._slots = os.cpu_count() or 1 if slots is None else slots
        self._labels = dict(labels or {})
        self._stop_timeout = stop_timeout
        self._handlers: dict[str, HandlerFunction] = {}
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop_on_loop: asyncio.Event | None = None
        if not 1 <= len(self._name) <= NAME_CHARS_MAX:
            raise ValueError(f"The name of a worker has 1 to {NAME_CHARS_MAX} characters, but {self._name!r} has {len(self._name)}.")
        if not 1 <= self._slots <= SLOTS_MAX:
            raise ValueError(f"slots: {self._slots} (expected: 1 to {SLOTS_MAX})")

    def job(self, name: str) -> Callable[[F], F]:
        """Registers a function, or a coroutine function, as the handler of jobs with this name.

        Its parameters are filled by name from the input and converted as their annotations say, as those of scripts are. A
        parameter ``ctx`` receives a `HandlerContext`. The return value is the result. An exception fails the attempt; a
        `NonRetryableError` fails the job.

        Raises:
            ValueError: The name has a handler already.
        """

        def register(function: F) -> F:
            if name in self._handlers:
                raise ValueError(f'The handler "{name}" is registered twice.')
            self._handlers[name] = HandlerFunction(name, function)
            return function

        return register

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT, or a call of `stop`; then lets running jobs end."""
        asyncio.run(self.serve())

    def stop(self) -> None:
        """Lets `run` or `serve` end. Any thread may call it, and signal handlers may, too."""
        self._stop.set()
        loop, event = self._loop, self._stop_on_loop
        if loop is not None and event is not None:
            loop.call_soon_threadsafe(event.set)

    async def serve(self) -> None:
        """Serves on the running event loop until it is told to stop, or its task is canceled; then lets running jobs end.

        On the main thread, SIGTERM and SIGINT stop it. The connection has threads of its own, so that a handler that blocks
        the loop loses no lease.

        Raises:
            ValueError: No handler is registered.
        """
        if not self._handlers:
            raise ValueError('The worker has no handlers: decorate a function with @worker.job("name") before it serves.')
        loop = self._loop = asyncio.get_running_loop()
        stop = self._stop_on_loop = asyncio.Event()
        if self._stop.is_set():
            stop.set()
        signals = self._listen_to_signals(loop)
        outbox, life = Outbox(), SessionLife(time.monotonic)
        # Engine and session call each other; the session is made second, and jobs arrive only after its start.
        session: Session
        engine = HandlerEngine(
            self._handlers,
            self._slots,
            is_certain=lambda: life.is_certain,
            api=lambda job: self._api(job, session),
            loop=loop,
        )
        folders = SharedFolders()
        session = Session(self._access, self._identity(), engine, outbox=outbox, life=life, folders=folders)
        session.start()
        try:
            await stop.wait()
        finally:
            closing = loop.run_in_executor(None, self._close, session, engine, outbox)
            await asyncio.shield(closing)
            folders.close()
            for number in signals:
                loop.remove_signal_handler(number)
            self._loop = self._stop_on_loop = None

    def _api(self, job: LeasedJob, session: Session) -> JobApi:
        return JobApi(job, lambda: (session.channel, self._access.tokens.metadata()))

    def _identity(self) -> Identity:
        group = session_pb2.SlotGroup(
            name=GROUP, tags=[TAG_PREFIX + name for name in self._handlers], slots=self._slots
        )
        return Identity(
            name=self._name,
            version=_version(),
            runtimes={"python": platform.python_version()},
            labels=self._labels,
            groups=[group],
        )

    def _listen_to_signals(self, loop: asyncio.AbstractEventLoop) -> list[int]:
        if threading.current_thread() is not threading.main_thread():
            return []
        signals: list[int] = []
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, self.stop)
                signals.append(number)
            except NotImplementedError:  # Windows.
                pass
        return signals

    def _close(self, session: Session, engine: HandlerEngine, outbox: Outbox) -> None:
        """Stops taking jobs, lets running ones end within the stop timeout, delivers results, and says goodbye."""
        _logger.info("Stopping; running jobs have %g s to end.", self._stop_timeout)
        session.stop_demand()
        engine.drain()
        if not engine.await_idle(self._stop_timeout):
            _logger.warning("Some jobs did not end within %g s; they go back to the queue.", self._stop_timeout)
            session.jobs.forsake()
            engine.interrupt_all()
            engine.await_idle(INTERRUPT_SECONDS_MAX)
        if session.connected.is_set() and not outbox.settle(SETTLE_SECONDS_MAX):
            _logger.warning("The scheduler has not acknowledged all results; those jobs run again elsewhere.")
        session.close()


def _version() -> str:
    try:
        return metadata.version("millrace")
    except metadata.PackageNotFoundError:
        return "development"
