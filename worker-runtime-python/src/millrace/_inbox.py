"""Queue of jobs and cancel requests from the host, in their order."""

from __future__ import annotations

import os
import select
from collections import deque
from json.decoder import JSONDecoder

from ._errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

READ_BYTES_MAX = 64 * 1024
"""Bytes of one read: the capacity of a pipe."""

_decode = JSONDecoder().raw_decode


class Job:
    """A job as the host sent it."""

    __slots__ = (
        "_input_json",
        "attempt",
        "canceled",
        "deadline_millis",
        "id",
        "idempotency_key",
        "run_id",
        "shared_folder",
        "spans",
        "step",
        "traceparent",
        "tracestate",
    )

    def __init__(self, head: dict[str, Any], input_json: bytes) -> None:
        self.id: Final = str(head["id"])
        self.attempt: Final = int(head["attempt"])
        self.run_id: Final = str(head["run_id"])
        self.step: Final = str(head["step"])
        self.deadline_millis: Final = int(head["deadline_ms"])
        self.traceparent: Final = str(head["traceparent"])
        self.tracestate: Final = str(head.get("tracestate", ""))
        self.idempotency_key: Final = str(head.get("idempotency_key", ""))
        self.shared_folder: Final[str | None] = head.get("shared_folder")
        self.spans: Final[bool] = head.get("spans") is True
        self._input_json: Final = input_json
        self.canceled = False

    def input(self) -> object:
        """Returns the input. It is parsed only when the job runs, so that a malformed one affects no other job.

        Raises:
            InputError: The input is nested too deeply for Python's parser.
        """
        try:
            value, _ = _decode(self._input_json.decode())
        except RecursionError:
            raise InputError("The input is nested too deeply for Python to read it: make it flatter.") from None
        return value


class Inbox:
    """Reads the host's messages; used only by the main thread and its signal handler.

    A cancel request applies to the jobs before it: one that still waits here, or the running one. It is never kept for later,
    so that it cannot hit a further attempt of the same job.
    """

    __slots__ = ("_answer", "_awaited", "_fd", "_partial", "_poll", "_waiting", "closed", "running")

    def __init__(self, fd: int) -> None:
        self._fd: Final = fd
        self._poll: Final = select.poll()
        self._poll.register(fd, select.POLLIN)
        self._partial: Final[list[bytes]] = []
        self._waiting: Final[deque[Job]] = deque()
        self._awaited = 0
        self._answer: dict[str, Any] | None = None
        self.running: Job | None = None
        self.closed = False

    def take(self) -> Job | None:
        """Waits for the next job and returns it; None after the end of file."""
        while not self._waiting and not self.closed:
            self._read()
        return self.take_arrived()

    def take_arrived(self) -> Job | None:
        """Returns the next job if it has arrived, after applying all cancel requests that have arrived."""
        while not self.closed and self._poll.poll(0):
            self._read()
        return self._waiting.popleft() if self._waiting and not self.closed else None

    def read_cancel_requests(self) -> None:
        """Reads all that has arrived. Waits for the rest of a partial message, which the host is writing."""
        while not self.closed and (self._partial or self._poll.poll(0)):
            self._read()

    def await_answer(self, number: int) -> dict[str, Any] | None:
        """Waits for the host's answer to a call; None if the job is canceled or the host gone before that."""
        self._awaited, self._answer = number, None
        while self._answer is None and not self.closed and not (self.running is not None and self.running.canceled):
            self._read()
        return self._answer

    def _read(self) -> None:
        chunk = os.read(self._fd, READ_BYTES_MAX)
        if not chunk:
            self.closed = True
            return
        end = chunk.rfind(b"\n") + 1
        if not end:
            self._partial.append(chunk)
            return
        self._partial.append(chunk[:end])
        lines = b"".join(self._partial).split(b"\n")
        self._partial.clear()
        if end < len(chunk):
            self._partial.append(chunk[end:])
        for line in lines[:-1]:
            self._receive(line)

    def _receive(self, line: bytes) -> None:
        if line.startswith(b'{"type":"answer"'):
            answer, _ = _decode(line.decode())
            if answer["call"] == self._awaited:  # Otherwise it is late: its job was canceled meanwhile.
                self._answer = answer
            return
        # `input` is the last key, and a quote inside a JSON string is escaped: the first match is the key.
        head_json, key, input_json = line.partition(b',"input":')
        head, _ = _decode((head_json + b"}" if key else line).decode())
        if head["type"] == "job" and key:
            self._waiting.append(Job(head, input_json))
        elif head["type"] == "cancel":
            self._cancel(head["id"])
        else:
            raise ValueError(f"The host sent a {head['type']!r} message that the process protocol does not have.")

    def _cancel(self, job_id: str) -> None:
        if self.running is not None and self.running.id == job_id:
            self.running.canceled = True
        for job in self._waiting:
            if job.id == job_id:
                job.canceled = True
