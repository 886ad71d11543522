"""Main loop of the process: takes the file descriptors, loads the script, and runs the jobs."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from _thread import get_ident

from . import _absent, _failures, _frames, _hidden, _strays, _windmill_variables
from ._arguments import read_parameters
from ._baseline import Baseline
from ._inbox import Inbox
from ._output import Output
from ._runner import Runner
from ._script import files_folder, load_main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

EXIT_USAGE = 2
EXIT_LOAD_ERROR = 3


def run(arguments: list[str]) -> int:
    """Runs jobs of the script, whose path is the only argument, until the host closes stdin; returns the exit code."""
    if len(arguments) != 1:
        print("usage: python3 millrace/__main__.py SCRIPT_PATH", file=sys.stderr)
        return EXIT_USAGE
    return Process().run(arguments[0])


class Process:
    """This process as it is before it knows its script: confined, and with its channels in place."""

    __slots__ = ("_inbox", "_output", "_stderr_fd", "_strays", "jobs_fd")

    def __init__(self) -> None:
        _hidden.hide()
        _hidden.confine()
        _lead_process_group()
        self.jobs_fd: Final = os.dup(0)
        frames_fd = os.dup(1)
        self._stderr_fd: Final = os.dup(2)
        faulthandler.enable(self._stderr_fd, all_threads=False)
        _read_nothing_from_stdin()
        self._output: Final = Output(frames_fd)
        self._output.start_thread(self.jobs_fd, _strays.kill_everything)
        _write_last_words_before_exit(self._output)
        self._inbox: Final = Inbox(self.jobs_fd)
        _leave_channels_to_parent_after_fork(self._inbox, self.jobs_fd, frames_fd)
        self._strays: Final = _strays.Strays()

    def run(self, path: str) -> int:
        """Runs jobs of the script until the host closes stdin; returns the exit code."""
        output = self._output
        script = os.path.abspath(path)
        files = files_folder()
        _absent.read_reasons()
        _failures.name_script(script, files)
        try:
            main = load_main(script, files)
            runner = Runner(
                main=main,
                parameters=read_parameters(main),
                inbox=self._inbox,
                output=output,
                set_variables=_windmill_variables.setter(script, files),
            )
        except BaseException as error:
            output.flush()
            output.write(_failures.describe(error).load_error_frame())
            return EXIT_LOAD_ERROR
        output.flush()
        self._strays.keep_present()
        output.adopt(has_programs=self._strays.keeps_any)
        output.write(_frames.ready("python {}.{}.{}".format(*sys.version_info)))
        _serve(self._inbox, output, runner, self._strays, Baseline())
        _print_to(self._stderr_fd)
        return 0


def _serve(inbox: Inbox, output: Output, runner: Runner, strays: _strays.Strays, baseline: Baseline) -> None:
    unsent = b""  # The frames that end a job are sent when the next job begins if that has arrived, else at once.
    while not inbox.closed and not runner.spent:
        job = inbox.take_arrived() if unsent else inbox.take()
        if job is None:
            output.write(unsent)
            unsent = b""
        elif job.canceled:
            unsent += _failures.canceled(None).error_frame(job.id)
        else:
            output.write(unsent)
            baseline.restore()
            output.begin(job.id, strays.stop)
            unsent = runner.run(job)
            stopped = strays.stop()
            output.end(_strays.describe(stopped) if stopped else "")
    output.write(unsent)


def _lead_process_group() -> None:
    try:
        os.setsid()
    except PermissionError:  # It leads one already, since a shell with job control or setsid(1) started it.
        pass


def _read_nothing_from_stdin() -> None:
    null_fd = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null_fd, 0)
    os.close(null_fd)


def _print_to(fd: int) -> None:
    """Redirects later output, by exit handlers, to `fd`: it belongs to no job, and the pipes are not drained any more.
    """
    os.dup2(fd, 1)
    os.dup2(fd, 2)


def _write_last_words_before_exit(output: Output) -> None:
    """Makes ``os._exit`` flush captured output first: only this process reads the pipes, so it would be lost."""
    pid = os.getpid()
    exit_now = os._exit

    def exit_after_flush(status: int) -> NoReturn:
        if os.getpid() == pid:
            output.flush()
        exit_now(status)

    os._exit = exit_after_flush


def _leave_channels_to_parent_after_fork(inbox: Inbox, jobs_fd: int, frames_fd: int) -> None:
    """Makes a forked child unable to read jobs or to write frames; its output is still captured.

    SIGTERM is blocked during a fork. A child inherits our handler, and drops it here; a SIGTERM before that would be
    swallowed. ``multiprocessing.Pool`` sends one to each of its processes at its end, and then waits for them forever.
    """
    masks: dict[int, set[int]] = {}
    channels = [jobs_fd, frames_fd]

    def block_sigterm() -> None:
        masks[get_ident()] = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    def restore_mask() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, masks.pop(get_ident()))

    def leave_channels() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        inbox.running = None
        # A child of a child has none, and may use these numbers for files of its own.
        while channels:
            os.close(channels.pop())
        restore_mask()

    os.register_at_fork(before=block_sigterm, after_in_child=leave_channels, after_in_parent=restore_mask)
