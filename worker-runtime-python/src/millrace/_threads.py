"""Tells the output of the running job from that of threads which earlier jobs have left behind.

Threads of the script's top level serve all jobs. A thread that a job has started serves that job only, unless it belongs to a
``ThreadPoolExecutor``: then each task belongs to the job that has submitted it.
"""

from __future__ import annotations

import _thread
import sys
from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_POOLS = "concurrent.futures.thread"


class Threads:
    """Knows to which jobs threads belong; asked by each write to a stream while there are threads of earlier jobs."""

    __slots__ = ("_left", "_of_script", "_own", "_patched", "_serial", "_tasks")

    def __init__(self) -> None:
        self._own: Final = _thread._count()  # pyright: ignore[reportPrivateUsage]
        self._of_script: frozenset[int] = frozenset()
        self._left: frozenset[int] = frozenset()
        self._tasks: Final[dict[int, int]] = {}  # The job of the task that a thread of a pool executes.
        self._serial = 0
        self._patched = False

    def keep_present(self) -> None:
        """Lets the existing threads serve all jobs: the script has started them while it was loaded."""
        self._of_script = _idents()
        self._attribute_tasks()

    def begin_job(self) -> bool:
        """Returns whether there are threads that may print what does not belong to the job that begins."""
        self._serial += 1
        self._attribute_tasks()
        if _thread._count() <= self._own:  # pyright: ignore[reportPrivateUsage]
            return False
        self._left = _idents() - self._of_script - {get_ident()}
        return True

    def is_left(self) -> bool:
        """Whether the calling thread works for a job that has ended."""
        thread = get_ident()
        serial = self._tasks.get(thread)
        return thread in self._left if serial is None else serial != self._serial

    def _attribute_tasks(self) -> None:
        """Makes pools note for which job they execute a task."""
        module: Any = sys.modules.get(_POOLS)
        if self._patched or module is None:
            return
        self._patched = True
        submit = module.ThreadPoolExecutor.submit

        def submit_for_job(pool: Any, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            return submit(pool, self._task(task, self._serial), *args, **kwargs)

        submit_for_job.__name__, submit_for_job.__doc__ = submit.__name__, submit.__doc__
        module.ThreadPoolExecutor.submit = submit_for_job

    def _task(self, task: Callable[..., Any], serial: int) -> Callable[..., Any]:
        def execute(*args: Any, **kwargs: Any) -> Any:
            self._tasks[get_ident()] = serial
            try:
                return task(*args, **kwargs)
            finally:
                self._tasks.pop(get_ident(), None)

        return execute


def _idents() -> frozenset[int]:
    return frozenset(sys._current_frames())  # pyright: ignore[reportPrivateUsage]
