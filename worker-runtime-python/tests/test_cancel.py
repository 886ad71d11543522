"""A request to stop reaches the job that it names, and no others."""

from __future__ import annotations

import os
import signal

from conftest import Start
from runtime_process import Frame, printed

BUSY = """
    def main(busy=True):
        try:
            print("running")
            turns = 0
            while busy:
                turns += 1
            return "done"
        finally:
            print("cleaned up")
"""


def assert_canceled(frame: Frame) -> None:
    assert (frame["type"], frame["name"], frame["retryable"]) == ("error", "Canceled", False)
    assert frame["message"] == "The job was asked to stop."


def test_stops_a_busy_loop_and_lets_it_clean_up(start: Start) -> None:
    process = start(BUSY)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    frames = process.frames_until_end("job-1")
    assert printed(frames) == "cleaned up\n"
    assert_canceled(frames[-1])
    assert "script.py" in frames[-1]["stack"] and "millrace" not in frames[-1]["stack"].replace("millrace._errors", "")


def test_runs_no_job_after_code_that_was_stopped_at_any_point(start: Start) -> None:
    process = start(BUSY)
    process.send_job("job-1")
    process.frames_until("log")
    process.send(process.job_line("job-2", {"busy": False}))

    process.cancel("job-1")

    assert process.frames_until_end("job-1")[-1]["spent"] is True
    assert process.exit_code() == 0
    assert process.stdout.read() == b""


def test_runs_no_job_beside_a_thread_of_a_stopped_one(start: Start) -> None:
    process = start("""
        import asyncio, time
        async def main():
            asyncio.get_running_loop().call_soon(print, "waiting")
            await asyncio.to_thread(time.sleep, 20)
    """)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    assert process.frames_until_end("job-1")[-1]["spent"] is True


def test_stops_blocking_calls(start: Start) -> None:
    process = start("""
        import time
        def main():
            print("sleeping")
            time.sleep(3600)
    """)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    assert_canceled(process.frames_until_end("job-1")[-1])


def test_stops_async_code_where_it_waits(start: Start) -> None:
    process = start("""
        import asyncio
        async def main(wait=True):
            try:
                asyncio.get_running_loop().call_soon(print, "waiting")
                await asyncio.sleep(3600 if wait else 0)
                return "done"
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                print("cleaned up")
                raise
    """)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    frames = process.frames_until_end("job-1")
    assert printed(frames) == "cleaned up\n"
    assert_canceled(frames[-1])
    assert "spent" not in frames[-1]
    assert process.result({"wait": False}) == "done"


def test_stops_async_code_that_does_not_wait(start: Start) -> None:
    process = start("""
        async def main():
            print("busy")
            while True:
                pass
    """)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    assert_canceled(process.frames_until_end("job-1")[-1])


def test_reports_canceled_although_user_code_went_on(start: Start) -> None:
    process = start("""
        import time
        def main():
            try:
                print("sleeping")
                time.sleep(3600)
            except BaseException:
                return "stubborn"
    """)
    process.send_job("job-1")
    process.frames_until("log")

    process.cancel("job-1")

    assert_canceled(process.frames_until_end("job-1")[-1])


def test_never_starts_a_job_that_was_canceled_in_the_pipe(start: Start) -> None:
    process = start("def main(n): print(n); return n")

    process.send(
        process.job_line("job-1", {"n": 1}),
        process.job_line("job-2", {"n": 2}),
        process.cancel_line("job-2"),
        process.job_line("job-3", {"n": 3}),
    )

    assert process.frames_until_end("job-1")[-1]["result"] == 1
    canceled = process.frames_until_end("job-2")
    assert len(canceled) == 1
    assert_canceled(canceled[0])
    assert process.frames_until_end("job-3")[-1]["result"] == 3


def test_a_late_cancel_does_not_hit_the_next_attempt_of_the_job(start: Start) -> None:
    process = start("def main(): return 1")
    process.send_job("job-1")
    process.frames_until_end("job-1")

    process.send(process.cancel_line("job-1"), process.job_line("job-1", attempt=2))

    assert process.frames_until_end("job-1")[-1]["result"] == 1


def test_a_signal_without_a_request_stops_nothing(start: Start) -> None:
    process = start("""
        import sys
        def main(path=None):
            print("running")
            with open(path) as fifo:
                return fifo.read()
    """)
    fifo = process.script.parent / "fifo"
    os.mkfifo(fifo)
    process.frames_until("ready")
    process.signal(signal.SIGTERM)
    process.send_job("job-1", {"path": str(fifo)})
    process.frames_until("log")
    process.signal(signal.SIGTERM)
    process.send(process.cancel_line("an earlier job"))
    process.signal(signal.SIGTERM)

    fifo.write_text("undisturbed")

    assert process.frames_until_end("job-1")[-1]["result"] == "undisturbed"


def test_finds_the_request_behind_jobs_that_fill_the_pipe(start: Start) -> None:
    process = start("""
        import asyncio
        async def main(wait=True):
            asyncio.get_running_loop().call_soon(print, "waiting")
            await asyncio.sleep(3600 if wait else 0)
            return "done"
    """)
    process.send_job("job-1")
    process.frames_until("log")
    waiting = process.job_line("job-2", {"wait": False})
    process.send(waiting, process.job_line("job-3", {"wait": False, "padding": "x" * 30_000}))

    process.cancel("job-1")

    assert_canceled(process.frames_until_end("job-1")[-1])
    assert process.frames_until_end("job-2")[-1]["result"] == "done"
    assert process.frames_until_end("job-3")[-1]["name"] == "InputError"
