"""Captures the output of user code, and writes all frames.

File descriptors 1 and 2 become pipes of this process, so that the output of C code and child processes is captured, too.
A separate thread drains them while user code runs. When the job ends, the main thread drains the rest before it writes the
result. So every text belongs to the right job, and the end of a job waits for nothing.
"""

from __future__ import annotations

import _thread
import io
import os
import select
import sys
from codecs import getincrementaldecoder
from time import sleep

from . import _frames
from ._raw_output import RawWrites, c_flush
from ._threads import Threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TextIO

PIPE_BYTES = 64 * 1024
"""Capacity of a pipe, and so the most that it can hold when user code ends."""

NAP_SECONDS = 0.01
"""Pause of the thread between two reads, so that a script that prints line by line does not wake it for each."""

_new_decoder = getincrementaldecoder("utf-8")


class Output:
    """The frames channel and the two captured streams. Thread-safe."""

    __slots__ = (
        "_drain_poll",
        "_flush_c",
        "_frames_fd",
        "_has_programs",
        "_is_decoding",
        "_is_sorting",
        "_job_id",
        "_left_out_chars",
        "_lock",
        "_originals",
        "_python_streams",
        "_raw_writes",
        "_streams",
        "_threads",
    )

    def __init__(self, frames_fd: int) -> None:
        self._frames_fd: Final = frames_fd
        self._lock: Final = _thread.allocate_lock()  # Held from a read of captured text until its frame is written.
        self._job_id = ""
        self._threads: Threads | None = None
        self._has_programs = False
        self._flush_c: Final = c_flush()
        self._raw_writes: Final = RawWrites()
        self._left_out_chars = 0
        self._is_sorting = False  # Threads of earlier jobs may print.
        self._is_decoding = False  # Text has been read whose last character may still be incomplete.
        captures = (_Capture("stdout", 1), _Capture("stderr", 2))
        self._streams: Final = {capture.read_fd: capture for capture in captures}
        self._drain_poll: Final = select.poll()
        for capture in captures:
            self._drain_poll.register(capture.read_fd, select.POLLIN)
        self._originals: tuple[_Text, _Text] = (_open_text(1), _open_text(2))
        self._python_streams: tuple[TextIO, TextIO] = self._originals
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = self._python_streams

    def start_thread(self, jobs_fd: int, host_is_gone: Callable[[], None]) -> None:
        """Starts the thread that drains the streams while user code runs, and notices if the host disappears."""
        poll = select.poll()
        for read_fd in self._streams:
            poll.register(read_fd, select.POLLIN)
        # Reports only that the other end has been closed: of a pipe, or one direction of a socket.
        poll.register(jobs_fd, getattr(select, "POLLRDHUP", 0))
        running = _thread.allocate_lock()
        running.acquire()
        _thread.start_new_thread(self._run_thread, (poll, jobs_fd, host_is_gone, running))
        # From here on, the thread is among those that Python counts.
        running.acquire()
        self._threads = Threads()

    def adopt(self, *, has_programs: bool) -> None:
        """Makes the script's own ``sys.stdout`` and ``sys.stderr``, as set while it was loaded, the streams of every
        job. The threads and, if it has any, the programs that it has started print to the job that runs.
        """
        self._has_programs = has_programs
        self._python_streams = (sys.stdout, sys.stderr)
        if self._threads:
            self._threads.keep_present()

    def begin(self, job_id: str, stop_programs: Callable[[], object]) -> None:
        """Text printed from this call on belongs to this job, but for that of threads which earlier jobs have left behind.

        Args:
            job_id: Id of the job that begins.
            stop_programs: Stops the programs that such threads have started since the last job.
        """
        has_left = self._threads is not None and self._threads.begin_job()
        if self._threads is not None and has_left:
            self._is_sorting = True
            for stream in self._originals:
                stream.sort(self._threads.is_left, self._leave_out)
            self._raw_writes.sort(self._threads.is_left, self._leave_out)
            stop_programs()
        if has_left or self._has_programs:
            self.flush()  # What was printed between two jobs belongs to neither.
        with self._lock:
            self._job_id = job_id

    def end(self, system_text: str) -> None:
        """Writes all that the job printed, then `system_text`, and restores the streams for the next job."""
        self.flush()
        if self._is_sorting:
            self._stop_sorting()
        with self._lock:
            self._write_text("system", self._left_out() + system_text)
            self._job_id = ""
        for capture in self._streams.values():
            capture.restore()
        if (sys.stdout, sys.stderr) != self._python_streams or _is_closed(sys.stdout) or _is_closed(sys.stderr):
            self._restore_python_streams()

    def _stop_sorting(self) -> None:
        self._is_sorting = False
        for stream in self._originals:
            stream.stop_sorting()
        self._raw_writes.stop_sorting()

    def flush(self) -> None:
        """Writes all that has been printed so far."""
        _flush_quietly(sys.stdout)
        _flush_quietly(sys.stderr)
        self._flush_c()
        with self._lock:
            left = 2 * PIPE_BYTES  # A thread that keeps printing does not keep the job from ending.
            while left > 0 and (read := self._drain_once(self._drain_poll.poll(0))):
                left -= read
            if self._is_decoding:
                self._is_decoding = False
                for capture in self._streams.values():
                    self._write_text(capture.name, capture.decoder.decode(b"", True))

    def write(self, frames: bytes) -> None:
        if frames:
            with self._lock:
                self._write(frames)

    def _run_thread(
        self, poll: select.poll, jobs_fd: int, host_is_gone: Callable[[], None], running: _thread.LockType
    ) -> None:
        running.release()
        nap_seconds = NAP_SECONDS
        while True:
            events = poll.poll()
            sleep(nap_seconds)
            with self._lock:
                read = self._drain_once(events)
                if self._job_id and any(fd == jobs_fd for fd, _ in events):
                    host_is_gone()
            # A process that prints faster than we read must not wait for our pause.
            nap_seconds = 0 if read >= _frames.LOG_TEXT_BYTES_MAX else NAP_SECONDS

    def _drain_once(self, events: list[tuple[int, int]]) -> int:
        """Reads each readable stream once and writes a frame for it; returns the number of bytes read."""
        total = 0
        for fd, _ in events:
            capture = self._streams.get(fd)
            chunk = capture.read() if capture else b""
            if capture and chunk:
                self._is_decoding = True
                self._write_text(capture.name, capture.decoder.decode(chunk))
                total += len(chunk)
        return total

    def _write_text(self, stream: str, text: str) -> None:
        if text:
            self._write(_frames.log(self._job_id, stream, text))

    def _write(self, frames: bytes) -> None:
        written = os.write(self._frames_fd, frames)
        while written < len(frames):  # A signal may interrupt a long write.
            frames = frames[written:]
            written = os.write(self._frames_fd, frames)

    def _leave_out(self, length: int) -> None:
        self._left_out_chars += length

    def _left_out(self) -> str:
        count, self._left_out_chars = self._left_out_chars, 0
        if not count:
            return ""
        return (
            f"{count} characters are not shown here: threads printed them that earlier jobs of this process had started. Let a"
            " job wait for its threads, or start them when the script is loaded.\n"
        )

    def _restore_python_streams(self) -> None:
        if any(_is_closed(stream) for stream in self._python_streams):
            self._originals = self._python_streams = (_open_text(1), _open_text(2))
        sys.stdout, sys.stderr = self._python_streams


class _Capture:
    """File descriptor 1 or 2, as a pipe."""

    __slots__ = ("_target_fd", "_write_fd", "decoder", "name", "read_fd")

    def __init__(self, name: str, target_fd: int) -> None:
        self.name: Final = name
        self.decoder: Final = _new_decoder("replace")
        self._target_fd: Final = target_fd
        self.read_fd, self._write_fd = os.pipe()
        os.set_blocking(self.read_fd, False)
        self.restore()

    def restore(self) -> None:
        """Points the descriptor at the pipe, even if user code has closed or redirected it."""
        os.dup2(self._write_fd, self._target_fd)

    def read(self) -> bytes:
        try:
            return os.read(self.read_fd, _frames.LOG_TEXT_BYTES_MAX)
        except BlockingIOError:  # The main thread was faster.
            return b""


class _Bytes(io.BufferedWriter):
    """What ``sys.stdout.buffer`` is."""

    def sort(self, is_left: Callable[[], bool], leave_out: Callable[[int], None]) -> None:
        """As `_Text.sort`, for code that writes bytes."""
        write = super().write

        def write_of_job(data: Any, /) -> int:
            if not is_left():
                return write(data)
            length = memoryview(data).nbytes
            leave_out(length)
            return length

        self.write = write_of_job

    def stop_sorting(self) -> None:
        if "write" in vars(self):
            del self.write


class _Text(io.TextIOWrapper):
    """What Python code prints to; costs nothing as long as no thread of an earlier job may print to it."""

    def __init__(self, file: io.FileIO) -> None:
        # Line buffering keeps the order between Python, C code and child processes, at the price of one system call per
        # line.
        self._bytes: Final = _Bytes(file)
        super().__init__(self._bytes, encoding="utf-8", errors="backslashreplace", line_buffering=True)

    def sort(self, is_left: Callable[[], bool], leave_out: Callable[[int], None]) -> None:
        """Passes on to `leave_out` the length of what a thread writes of which `is_left` says so."""
        write = super().write

        def write_of_job(text: str, /) -> int:
            if not is_left():
                return write(text)
            leave_out(len(text))
            return len(text)

        self.write = write_of_job
        self._bytes.sort(is_left, leave_out)

    def stop_sorting(self) -> None:
        if "write" in vars(self):
            del self.write
        self._bytes.stop_sorting()


def _open_text(fd: int) -> _Text:
    return _Text(io.FileIO(fd, "w", closefd=False))


def _flush_quietly(stream: TextIO) -> None:
    try:
        stream.flush()
    except Exception:  # Closed or broken by user code, which must not cost the job its result.
        pass


def _is_closed(stream: TextIO) -> bool:
    return bool(getattr(stream, "closed", False))
