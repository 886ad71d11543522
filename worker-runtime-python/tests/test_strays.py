"""Processes that a job leaves behind end with it; processes of the script stay."""

from __future__ import annotations

import signal
import sys

import pytest
from conftest import Start
from runtime_process import is_alive, printed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has /proc and reapers of orphans.")


def test_stops_children_that_a_job_left_behind(start: Start) -> None:
    process = start("""
        import subprocess
        def main():
            global children
            children = [subprocess.Popen(["sleep", "3600"]) for _ in range(2)]
            return [child.pid for child in children]
    """)

    frames = process.run()

    pids = frames[-1]["result"]
    assert not any(is_alive(pid) for pid in pids)
    expected = "Stopped 2 processes that the job had left behind: "
    assert printed(frames, "system") == expected + ", ".join(f"sleep (pid {pid})" for pid in pids) + ".\n"
    assert frames[-2]["stream"] == "system"


def test_stops_orphans_in_sessions_of_their_own(start: Start) -> None:
    process = start("""
        import subprocess
        def main():
            command = "exec 3>&1; (setsid sh -c 'sleep 3600 & echo $! >&3; exec 3>&-; wait' &)"
            shell = subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE, text=True)
            pid = int(shell.stdout.readline())
            shell.wait()
            return pid
    """)

    frames = process.run()

    pid = frames[-1]["result"]
    assert not is_alive(pid)
    assert f"(pid {pid})" in printed(frames, "system")


def test_says_nothing_of_children_that_have_ended(start: Start) -> None:
    process = start("""
        import os, subprocess
        def main():
            global child
            child = subprocess.Popen(["true"])
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    """)

    assert [frame["type"] for frame in process.run()] == ["result"]


def test_keeps_processes_that_the_script_started_while_it_was_loaded(start: Start) -> None:
    process = start("""
        import subprocess
        helper = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        def main(text):
            helper.stdin.write(text + "\\n")
            helper.stdin.flush()
            return helper.stdout.readline()
    """)

    assert process.result({"text": "one"}) == "one\n"
    assert process.result({"text": "two"}) == "two\n"


def test_a_forked_child_can_neither_answer_nor_take_jobs(start: Start) -> None:
    process = start("""
        import os
        def main(n):
            child = os.fork()
            if child == 0:
                print("child", n)
                return "from the child"
            _, status = os.waitpid(child, 0)
            return [n, os.waitstatus_to_exitcode(status)]
    """)
    process.send(*(process.job_line(f"job-{n}", {"n": n}) for n in range(5)))

    for n in range(5):
        frames = process.frames_until_end(f"job-{n}")
        assert frames[-1]["result"] == [n, 0]
        assert printed(frames) == f"child {n}\n"


def test_a_child_of_a_forked_child_keeps_its_files(start: Start) -> None:
    process = start("""
        import os
        def main():
            child = os.fork()
            if child == 0:
                # They get the numbers of the channels that the child has left.
                files = [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]
                grandchild = os.fork()
                if grandchild == 0:
                    for file in files:
                        os.fstat(file)
                    os._exit(0)
                os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    """)

    assert process.result({}) == 0


def test_a_forked_child_ends_as_a_program_would(start: Start) -> None:
    process = start("""
        import os, sys
        def main(how):
            child = os.fork()
            if child == 0:
                if how == "exit":
                    sys.exit(5)
                raise ValueError("in the child")
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    """)

    assert process.result({"how": "exit"}) == 5
    frames = process.run({"how": "raise"})
    assert frames[-1]["result"] == 1
    assert "ValueError: in the child" in printed(frames, "stderr")


def test_works_with_multiprocessing(start: Start) -> None:
    process = start("""
        import multiprocessing
        def square(n): return n * n
        def main(method):
            with multiprocessing.get_context(method).Pool(2) as pool:
                return pool.map(square, range(5))
    """)

    for method in ("fork", "spawn"):
        frames = process.run({"method": method})
        assert frames[-1]["result"] == [0, 1, 4, 9, 16]
        assert printed(frames, "stderr") == ""


def test_a_sigterm_right_after_a_fork_ends_the_child(start: Start) -> None:
    process = start("""
        import os, signal, time
        def main():
            return [end_of_a_child() for _ in range(100)]
        def end_of_a_child():
            child = os.fork()
            if child == 0:
                time.sleep(10)
                os._exit(0)
            os.kill(child, signal.SIGTERM)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    """)

    assert process.result() == [-signal.SIGTERM] * 100


def test_ends_with_its_host_even_in_a_busy_loop(start: Start) -> None:
    process = start("""
        import subprocess
        def main():
            child = subprocess.Popen(["sleep", "3600"], start_new_session=True)
            print(child.pid)
            while True:
                pass
    """)
    process.send_job("job-1")
    child = int(printed(process.frames_until("log")))

    process.close_stdin()

    assert process.exit_code() == -signal.SIGKILL
    assert not is_alive(child)
