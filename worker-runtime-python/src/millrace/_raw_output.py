"""Output that does not pass through ``sys.stdout`` or ``sys.stderr``: of C code, of descriptors, and of programs."""

from __future__ import annotations

import os
import sys

from ._hidden import c_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_DESCRIPTORS: Final = (1, 2)
_EXIT_CODE_SHIFT: Final = 8


def c_flush() -> Callable[[], object]:
    """Returns a function that writes what C code has printed to its ``stdout``, which C keeps until a buffer is full.

    It flushes this stream alone: to flush all would wait for each stream that some thread is reading.
    """
    flush = c_function("fflush")
    if flush is None:
        return _do_nothing
    try:
        import _ctypes

        c: Any = _ctypes
        pointer = type("Pointer", (c._SimpleCData,), {"_type_": "P"})
        stdout = pointer.from_address(c.dlsym(c.dlopen(None, 0), "stdout"))
    except Exception:  # Another C library.
        return _do_nothing
    return lambda: flush(stdout)


class RawWrites:
    """Keeps out of the running job what threads of earlier jobs write to the descriptors 1 and 2, or let programs write.

    A descriptor does not know which thread writes to it. So the functions by which Python code reaches it are replaced as long
    as there are such threads, and only then.
    """

    __slots__ = ("_originals",)

    def __init__(self) -> None:
        self._originals: tuple[tuple[Any, str, Any], ...] = ()

    def sort(self, is_left: Callable[[], bool], leave_out: Callable[[int], None]) -> None:
        """Replaces the functions.

        Args:
            is_left: Whether the calling thread works for a job that has ended.
            leave_out: Takes the number of bytes that such a thread would have written.
        """
        self.stop_sorting()
        self._replace(os, "write", lambda write: _write(write, is_left, leave_out))
        self._replace(os, "system", lambda system: _system(system, is_left))
        if "subprocess" in sys.modules:
            self._replace(sys.modules["subprocess"].Popen, "_get_handles", lambda get: _handles(get, is_left))

    def stop_sorting(self) -> None:
        for owner, name, original in self._originals:
            setattr(owner, name, original)
        self._originals = ()

    def _replace(self, owner: Any, name: str, replacement: Callable[[Any], Any]) -> None:
        original = getattr(owner, name)
        self._originals += ((owner, name, original),)
        setattr(owner, name, replacement(original))


def _write(write: Any, is_left: Callable[[], bool], leave_out: Callable[[int], None]) -> Any:
    def write_of_job(fd: int, data: Any, /) -> int:
        if fd not in _DESCRIPTORS or not is_left():
            return write(fd, data)
        length = memoryview(data).nbytes
        leave_out(length)
        return length

    return write_of_job


def _system(system: Any, is_left: Callable[[], bool]) -> Any:
    def system_of_job(command: Any) -> int:
        if not is_left():
            return system(command)
        import subprocess

        code = subprocess.call(command, shell=True)
        return code << _EXIT_CODE_SHIFT if code >= 0 else -code

    return system_of_job


def _handles(get: Any, is_left: Callable[[], bool]) -> Any:
    """Gives programs a sink in place of a stream that they would inherit."""

    def handles_of_job(self: Any, stdin: Any, stdout: Any, stderr: Any) -> Any:
        if is_left():
            from subprocess import DEVNULL

            stdout = DEVNULL if stdout is None else stdout
            stderr = DEVNULL if stderr is None else stderr
        return get(self, stdin, stdout, stderr)

    return handles_of_job


def _do_nothing() -> None:
    pass
