"""The frames of a job, in their order."""

from __future__ import annotations

import os
import sys

from conftest import Start
from runtime_process import printed

GREET = """
    def main(name: str, greeting: str = "Hello") -> str:
        return f"{greeting}, {name}!"
"""


def test_says_ready_with_its_version(start: Start) -> None:
    process = start(GREET)

    ready = process.next_frame()

    version = "python {}.{}.{}".format(*sys.version_info)
    assert ready == {"type": "ready", "protocol": 2, "runtime": version}


def test_runs_job_after_job(start: Start) -> None:
    process = start(GREET)

    assert process.result({"name": "Ada"}) == "Hello, Ada!"
    assert process.result({"name": "Grace", "greeting": "Hi"}) == "Hi, Grace!"


def test_writes_result_as_last_key_without_white_space(start: Start) -> None:
    process = start('def main(): return {"a": [1, "ü"]}')
    process.next_frame()

    process.send_job("job-1")

    assert process.stdout.readline() == b'{"type":"result","id":"job-1","result":{"a":[1,"\xc3\xbc"]}}\n'


def test_runs_jobs_of_the_pipe_in_their_order(start: Start) -> None:
    process = start("def main(n): return n")

    process.send(*(process.job_line(f"job-{n}", {"n": n}) for n in range(100)))

    assert [process.frames_until_end(f"job-{n}")[-1]["result"] for n in range(100)] == list(range(100))


def test_sends_the_end_of_a_job_before_the_next_one_ends(start: Start) -> None:
    process = start("""
        import sys
        def main(path):
            with open(path) as fifo:
                return fifo.read()
    """)
    fifos = [str(process.script.parent / name) for name in ("first", "second")]
    for fifo in fifos:
        os.mkfifo(fifo)
    process.send(process.job_line("job-1", {"path": fifos[0]}), process.job_line("job-2", {"path": fifos[1]}))

    with open(fifos[0], "w") as fifo:
        fifo.write("one")
    assert process.frames_until_end("job-1")[-1]["result"] == "one"
    with open(fifos[1], "w") as fifo:
        fifo.write("two")
    assert process.frames_until_end("job-2")[-1]["result"] == "two"


def test_takes_an_input_larger_than_a_pipe(start: Start) -> None:
    process = start("def main(text): return len(text)")

    assert process.result({"text": "ü" * 3_000_000}) == 3_000_000


def test_returns_a_result_larger_than_a_pipe(start: Start) -> None:
    process = start("def main(n): return 'ü' * n")

    assert process.result({"n": 3_000_000}) == "ü" * 3_000_000


def test_ends_at_the_end_of_stdin(start: Start) -> None:
    process = start("""
        import atexit
        atexit.register(print, "goodbye")
        def main(): pass
    """)
    assert process.result() is None

    process.close_stdin()

    assert process.exit_code() == 0
    assert process.stderr_text() == "goodbye\n"


def test_leads_a_process_group(start: Start) -> None:
    process = start("import os\ndef main(): return [os.getpid(), os.getpgrp(), os.getsid(0)]")

    assert process.result() == [process.pid] * 3


def test_shows_what_the_script_prints_while_it_is_loaded(start: Start) -> None:
    process = start("print('loading')\ndef main(): pass")

    frames = process.frames_until("ready")

    assert frames[0] == {"type": "log", "id": "", "stream": "stdout", "text": "loading\n"}
    assert printed(process.run()) == ""


def test_gives_the_context_to_a_parameter_named_ctx(start: Start) -> None:
    process = start("""
        from millrace import job_context
        def main(a, ctx):
            assert ctx is job_context()
            assert 299 < ctx.seconds_left <= 300
            return [a, ctx.job_id, ctx.run_id, ctx.step, ctx.attempt, ctx.traceparent]
    """)

    result = process.result({"a": 1}, step="count[3]", attempt=2, traceparent="00-aa-bb-01")

    assert result == [1, "job-1", "run-1", "count[3]", 2, "00-aa-bb-01"]


def test_clears_the_context_after_the_job(start: Start) -> None:
    process = start("""
        import threading
        from millrace import job_context
        def main(): return job_context().job_id
        try:
            job_context()
        except RuntimeError as error:
            print(error)
    """)

    frames = process.frames_until("ready")

    assert "No job is running" in printed(frames)
    assert process.result() == "job-1"


def test_sends_progress(start: Start) -> None:
    process = start("def main(ctx): ctx.progress({'done': 3})")

    frames = process.run()

    assert frames[0] == {"type": "progress", "id": "job-1", "value": {"done": 3}}
