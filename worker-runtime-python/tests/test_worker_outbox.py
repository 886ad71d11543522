"""Tests the outbox with handlers that are interrupted."""

from __future__ import annotations

import ctypes
import sys
import time
from threading import Event, Thread

from millrace import Canceled
from millrace._proto.worker.v1 import session_pb2
from millrace.worker._outbox import Outbox

SAMPLES = 200


def test_a_handler_that_is_interrupted_while_it_waits_for_others_does_not_keep_the_lock() -> None:
    outbox = Outbox()
    ends: list[str] = []

    def print_something() -> None:
        try:
            outbox.add_log(session_pb2.WorkerLog(text="x"), may_wait=True, is_held=lambda: True)
        except Canceled:
            ends.append("canceled")

    def acknowledge() -> None:
        is_interrupted.wait()
        outbox.acknowledge_logs(0)

    is_interrupted = Event()
    # Begins first: it might be taken for the handler's thread if it had its number.
    session = Thread(target=acknowledge, daemon=True)
    session.start()
    handler = Thread(target=print_something, daemon=True)

    def interrupt_the_handler() -> bool:
        # The sender has the lock while it calls this.
        handler.start()
        _await_rest(handler)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(handler.ident or 0), ctypes.py_object(Canceled))
        return True

    assert list(outbox.take(interrupt_the_handler)) == []
    handler.join(60)
    assert ends == ["canceled"]

    is_interrupted.set()
    session.join(60)
    assert not session.is_alive()


def _await_rest(thread: Thread) -> None:
    """Waits until a thread stays where it is, which is in its call of the outbox."""
    place: tuple[str, int] | None = None
    seen = 0
    while seen < SAMPLES:
        frame = sys._current_frames().get(thread.ident or 0)  # pyright: ignore[reportPrivateUsage]
        now = None if frame is None else (frame.f_code.co_name, frame.f_lasti)
        is_same = now is not None and now == place and now[0] in ("add_log", "__enter__")
        seen = seen + 1 if is_same else 0
        place = now
        time.sleep(0.001)
