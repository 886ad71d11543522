"""Finds and stops the processes that a job has left behind.

On Linux this process becomes the reaper of its descendants, so that a descendant whose parent has ended is still found, here
and by the host, which counts them.
"""

from __future__ import annotations

import os
import signal
import sys

from ._hidden import c_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_PR_SET_CHILD_SUBREAPER = 36
_ROUNDS_MAX = 100
"""Rounds of searching and killing; only a job that starts processes faster than we stop them needs more than three."""

_SHOWN_NAMES_MAX = 10
_is_linux = sys.platform == "linux"

_LOOK: Final = os.WEXITED | os.WNOHANG | os.WNOWAIT
_waitid: Final = c_function("waitid")
"""Without the exception for the usual answer, which costs as much again."""


class Strays:
    """Distinguishes processes that a job left behind from those that the script started for its own lifetime."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: frozenset[int] = frozenset()
        _become_reaper()

    def keep_present(self) -> None:
        """Exempts the existing processes from later stops: the script started them while it was loaded."""
        if has_children():
            self._kept = frozenset(process.pid for process in _descendants(os.getpid()))

    @property
    def keeps_any(self) -> bool:
        """Whether the script has started processes that run beside its jobs."""
        return bool(self._kept)

    def stop(self) -> list[str]:
        """Kills and reaps the processes left behind; returns a description of each that was still alive."""
        stopped: dict[int, str] = {}
        for _ in range(_ROUNDS_MAX):
            if not has_children():
                break
            kept = self._kept | _multiprocessing_servants()
            strays = [process for process in _descendants(os.getpid()) if process.pid not in kept]
            if not strays:
                break
            for process in strays:
                if not process.is_zombie:
                    stopped.setdefault(process.pid, f"{process.name} (pid {process.pid})")
                process.kill()
        return list(stopped.values())


def has_children() -> bool:
    """Whether this process has any children, including dead ones. Takes half a microsecond, for which each job waits."""
    if _waitid is not None:
        return _waitid(os.P_ALL, 0, None, _LOOK) == 0
    try:
        os.waitid(os.P_ALL, 0, _LOOK)
    except ChildProcessError:
        return False
    return True


def kill_everything() -> None:
    """Kills this process, its process group and all descendants at once, because its host is gone."""
    for process in _descendants(os.getpid()):
        process.kill()
    os.killpg(0, signal.SIGKILL)


def describe(stopped: list[str]) -> str:
    """Returns the line for the job's log that names the stopped processes."""
    names = ", ".join(stopped[:_SHOWN_NAMES_MAX])
    if len(stopped) > _SHOWN_NAMES_MAX:
        names += f" and {len(stopped) - _SHOWN_NAMES_MAX} more"
    noun = "process" if len(stopped) == 1 else "processes"
    return f"Stopped {len(stopped)} {noun} that the job had left behind: {names}.\n"


class _Process:
    """A process as shown by /proc."""

    __slots__ = ("is_zombie", "name", "parent", "pid")

    def __init__(self, pid: int, stat: str) -> None:
        # The name is in parentheses and may contain some itself: the last one closes it.
        name_end = stat.rindex(")")
        state, parent = stat[name_end + 2 :].split(" ", 2)[:2]
        self.pid: Final = pid
        self.name: Final = stat[stat.index("(") + 1 : name_end]
        self.is_zombie: Final = state in "ZX"
        self.parent: Final = int(parent)

    def kill(self) -> None:
        """Kills the process, and waits for its end if it is a child of ours, which ends at once."""
        try:
            os.kill(self.pid, signal.SIGKILL)
            if self.parent == os.getpid():
                os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _descendants(ancestor: int) -> list[_Process]:
    """Returns all descendants found in /proc, parents before their children."""
    children: dict[int, list[_Process]] = {}
    for entry in os.listdir("/proc") if _is_linux else ():
        if entry.isdecimal() and (process := _read_process(int(entry))):
            children.setdefault(process.parent, []).append(process)
    found = list(children.get(ancestor, ()))
    for process in found:
        found.extend(children.get(process.pid, ()))
    return found


def _read_process(pid: int) -> _Process | None:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return _Process(pid, file.read())
    except OSError:  # It has ended meanwhile.
        return None


def _multiprocessing_servants() -> frozenset[int]:
    """Returns the pids of the helpers that ``multiprocessing`` starts once and shares among all its users."""
    tracker = getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None)
    server = getattr(sys.modules.get("multiprocessing.forkserver"), "_forkserver", None)
    pids = (getattr(tracker, "_pid", None), getattr(server, "_forkserver_pid", None))
    return frozenset(pid for pid in pids if isinstance(pid, int))


def _become_reaper() -> None:
    if prctl := c_function("prctl"):
        prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
