"""Template of the worker's Python processes: it has the common modules loaded, and forks a process for each script.

A fork waits for its script, and runs it within a few milliseconds, where the start of an interpreter and its imports take 50.
The template neither runs user code nor learns what its forks run, so that no script sees anything of another one.
docs/reference/process-protocol.md has the lines that it exchanges with the worker, and docs/adr/0070 the reasons.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import signal
import socket
import struct
import sys
from base64 import b64decode, b64encode

from . import _hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

READ_BYTES_MAX = 64 * 1024
DESCRIPTORS_MAX = 256
"""More than the template ever has open."""

EXIT_UNSUPPORTED = 4
_PR_SET_PDEATHSIG = 1
_SIGNAL_BASE = 128

PRELOADED: Final = (
    "array asyncio base64 bisect calendar collections.abc concurrent.futures contextlib copy csv ctypes dataclasses datetime"
    " decimal enum fractions functools glob hashlib heapq hmac html http.client inspect io itertools json logging math"
    " operator pathlib pickle queue random re secrets shutil statistics string struct subprocess tempfile textwrap threading"
    " time traceback types typing urllib.parse urllib.request uuid weakref zoneinfo"
).split()
_OWN: Final = (
    "_absent _arguments _baseline _conversion _containers _context _data _durations _failures _frames _hints _inbox _lock _logger"
    " _output _plain _process _raw_output _records _results _runner _scalars _script _strays _threads _tracing _tree _unfit"
    " _windmill_variables blobs"
).split()


class Start:
    """The worker's wish for a process, which only the fork reads that becomes this process."""

    __slots__ = ("data_bytes", "environment", "files", "folder", "groups", "mark", "script")

    LENGTH_DIGITS: Final = 8

    def __init__(
        self, mark: str, data_bytes: str, files: str, script: str, folder: str, environment: str, groups: str
    ) -> None:
        self.mark: Final = int(mark)
        self.data_bytes: Final = int(data_bytes)
        self.files: Final = int(files)
        self.script: Final = _text(script)
        self.folder: Final = _text(folder)
        entries = [entry.partition("=") for entry in _text(environment).split("\0") if entry]
        self.environment: Final = {name: value for name, _, value in entries}
        self.groups: Final = [file for file in _text(groups).split("\0") if file]

    @classmethod
    def await_on(cls, fd: int) -> Start | None:
        """Waits for the wish, and reads nothing beyond it; None if the worker wants no process any more."""
        length = _read_exactly(fd, cls.LENGTH_DIGITS)
        words = _read_exactly(fd, int(length, 16)) if length else b""
        return cls(*words.decode().split(" ")) if words else None


class Template:
    """Forks processes, and reports how each of them ended."""

    def __init__(self, door: str) -> None:
        self._door: Final = door
        self._worker: Final = os.getppid()
        self._reaped: Final[set[int]] = set()
        self._wake_fd, self._woken_fd = os.pipe()
        for fd in (self._wake_fd, self._woken_fd):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, _ignore)
        signal.set_wakeup_fd(self._woken_fd, warn_on_full_buffer=False)
        self._poll: Final = select.poll()
        self._poll.register(0, select.POLLIN)
        self._poll.register(self._wake_fd, select.POLLIN)

    def serve(self) -> None:
        """Forks until the worker closes stdin, which ends this process. Returns in each fork."""
        while True:
            for fd, _ in self._poll.poll():
                if fd == self._wake_fd:
                    _drain(fd)
                    self._reap()
                elif self._read():
                    return

    def _read(self) -> bool:
        """Obeys one line. Returns True in a new process."""
        verb, _, word = self._read_line().partition(" ")
        if verb == "fork":
            return self._fork(word)
        if verb == "reap":
            self._reaped.add(int(word))
            self._reap()
        return False

    def _read_line(self) -> str:
        """Reads nothing beyond the line, so that no fork inherits the name of another one."""
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(0, 1)
            if not byte:
                self._leave_nothing_behind()
                os._exit(0)
            line += byte
        return line[:-1].decode()

    def _leave_nothing_behind(self) -> None:
        """Removes the socket if the worker was killed, and could not do so itself."""
        try:
            os.unlink(self._door)
            os.rmdir(os.path.dirname(self._door))
        except OSError:
            pass

    def _fork(self, nonce: str) -> bool:
        """Returns True in the new process."""
        channels: list[int] = []
        try:
            for channel in ("c", "e"):
                channels.append(self._connect(nonce, channel))
            pid = os.fork()
        except OSError as error:
            for fd in channels:
                os.close(fd)
            _say(f"failed {nonce} {b64encode(str(error).encode()).decode()}")
            return False
        if pid == 0:
            _leave_template(*channels)
            return True
        for fd in channels:
            os.close(fd)
        _say(f"forked {nonce} {pid}")
        return False

    def _connect(self, nonce: str, channel: str) -> int:
        """Connects to the worker, and to nobody else: the nonce would let others take the worker's place."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(self._door)
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("iII"))
            listener, _, _ = struct.unpack("iII", credentials)
            if listener != self._worker:
                raise OSError(f"process {listener} listens at {self._door}, which is not the worker")
            connection.sendall(f"{nonce}{channel}\n".encode())
        except BaseException:
            connection.close()
            raise
        return connection.detach()

    def _reap(self) -> None:
        for pid in tuple(self._reaped):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._reaped.discard(pid)
                code = os.waitstatus_to_exitcode(status)
                _say(f"exited {pid} {code if code >= 0 else _SIGNAL_BASE - code}")


class _Words:
    """The memory in which Linux shows arguments and environment of this process to others, as ``ps`` prints them."""

    def __init__(self) -> None:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        self._arguments: Final = (int(fields[45]), int(fields[46]))
        self._environment: Final = (int(fields[47]), int(fields[48]))

    def replace(self, arguments: list[str], environment: dict[str, str]) -> None:
        """Replaces both. Must follow the replacement of `os.environ`, which no longer uses that memory."""
        self._write(self._arguments, arguments)
        self._write(self._environment, [f"{name}={value}" for name, value in environment.items()])

    def _write(self, area: tuple[int, int], words: list[str]) -> None:
        import ctypes

        begin, end = area
        room = end - begin
        if room <= 0:
            return
        text = b"\0".join(os.fsencode(word) for word in words)[: room - 1]
        ctypes.memmove(begin, text.ljust(room, b"\0"), room)


def serve(arguments: list[str]) -> int:
    """Runs the template. Returns only in forks of it, which have run the jobs of their scripts: their exit codes.

    Args:
        arguments: Path of the socket at which the worker listens; then padding, to make room for the forks' own arguments.
    """
    _hidden.hide()
    try:
        os.setsid()
    except PermissionError:
        pass
    try:
        import ctypes
        import resource

        _ = resource.RLIMIT_RTTIME, socket.SO_PEERCRED
        # The end of stdin tells of the worker's end, too, and leaves time to clean up.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)
        _preload()
        words = _Words()
        template = Template(arguments[0])
    except (ImportError, AttributeError, OSError, ValueError, IndexError) as error:
        print(f"This system cannot fork Python processes: {error}", file=sys.stderr, flush=True)
        _leave(EXIT_UNSUPPORTED)
    # What exists stays where it is: the collector would write to it, and so copy its pages for each fork.
    gc.collect()
    gc.freeze()
    _say("ready")
    template.serve()
    return _run_fork(words)


def _leave_template(channel: int, errors: int) -> None:
    """Makes the fork a process of its own, with no descriptors but its channels."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(channel, 0)
    os.dup2(channel, 1)
    os.dup2(errors, 2)
    os.closerange(3, DESCRIPTORS_MAX)


def _run_fork(words: _Words) -> int:
    """Waits for the script, and runs its jobs."""
    from ._process import Process

    process = Process()
    start = Start.await_on(process.jobs_fd)
    if start is None:
        return 0
    _become(start, words)
    return process.run(start.script)


def _become(start: Start, words: _Words) -> None:
    """Makes the fork look like a process that the worker has just started."""
    import resource

    for group in start.groups:
        with open(group, "w", encoding="ascii") as members:
            members.write("0")
    for limit, value in (
        (resource.RLIMIT_RTTIME, start.mark),
        (resource.RLIMIT_DATA, start.data_bytes),
        (resource.RLIMIT_NOFILE, start.files),
    ):
        if value:
            resource.setrlimit(limit, (value, value))
    os.environ.clear()
    os.environ.update(start.environment)
    os.chdir(start.folder)
    sys.argv = sys.argv[:1] + [start.script]
    sys.orig_argv = sys.orig_argv[: sys.orig_argv.index("--template")] + [start.script]
    words.replace(sys.orig_argv, start.environment)
    _add_user_site()


def _preload() -> None:
    for name in PRELOADED:
        try:
            importlib.import_module(name)
        except ImportError:  # A Python that was built without it.
            pass
    for name in _OWN:
        importlib.import_module("millrace." + name)


def _add_user_site() -> None:
    """Adds the packages of the user, which the template has not looked for since they depend on ``HOME``."""
    site: Any = sys.modules.get("site")
    if site is not None and site.ENABLE_USER_SITE:
        site.USER_BASE = site.USER_SITE = None
        site.addusersitepackages(None)


def _read_exactly(fd: int, length: int) -> bytes:
    """Empty if the other end is closed before."""
    read = b""
    while len(read) < length:
        chunk = os.read(fd, length - len(read))
        if not chunk:
            return b""
        read += chunk
    return read


def _say(line: str) -> None:
    os.write(1, line.encode() + b"\n")


def _drain(fd: int) -> None:
    try:
        while os.read(fd, READ_BYTES_MAX):
            pass
    except BlockingIOError:
        pass


def _ignore(_number: int, _frame: object) -> None:
    pass


def _leave(status: int) -> NoReturn:
    os._exit(status)


def _text(encoded: str) -> str:
    return os.fsdecode(b64decode(encoded))
