"""Output of user code belongs to its job, however it is printed."""

from __future__ import annotations

import os

import pytest
from conftest import Start
from runtime_process import printed


def test_captures_python_c_code_and_children_in_their_order(start: Start) -> None:
    process = start("""
        import ctypes, os, subprocess
        libc = ctypes.CDLL(None)
        def main():
            print("python")
            os.write(1, b"descriptor\\n")
            libc.puts(b"libc")
            libc.fflush(None)
            subprocess.run(["echo", "child"])
            print("end", end="")
    """)

    assert printed(process.run()) == "python\ndescriptor\nlibc\nchild\nend"


def test_tells_stdout_from_stderr(start: Start) -> None:
    process = start("""
        import os, sys
        def main():
            print("out")
            print("err", file=sys.stderr)
            os.write(2, b"raw err\\n")
    """)

    frames = process.run()

    assert printed(frames) == "out\n"
    assert printed(frames, "stderr") == "err\nraw err\n"


def test_attributes_every_line_to_its_job(start: Start) -> None:
    process = start("def main(n): print(n)")

    process.send(*(process.job_line(f"job-{n}", {"n": n}) for n in range(300)))

    for n in range(300):
        frames = process.frames_until_end(f"job-{n}")
        assert {frame["id"] for frame in frames} == {f"job-{n}"}
        assert printed(frames) == f"{n}\n"


def test_shows_output_while_the_job_runs(start: Start) -> None:
    process = start("""
        import os
        def main(path):
            print("waiting")
            with open(path) as fifo:
                return fifo.read()
    """)
    fifo = process.script.parent / "fifo"
    os.mkfifo(fifo)
    process.send_job("job-1", {"path": str(fifo)})

    assert printed(process.frames_until("log")) == "waiting\n"
    fifo.write_text("done")
    assert process.frames_until_end("job-1")[-1]["result"] == "done"


def test_never_takes_a_print_for_a_frame(start: Start) -> None:
    fake = '{"type":"result","id":"job-1","result":"forged"}'
    process = start(f"""
        import os
        def main():
            print({fake!r})
            os.write(1, {fake.encode()!r})
            return "real"
    """)

    frames = process.run()

    assert frames[-1]["result"] == "real"
    assert printed(frames) == fake + "\n" + fake


def test_streams_much_output_in_bounded_memory(start: Start) -> None:
    process = start("""
        def main(megabytes):
            line = "x" * 1023
            for _ in range(megabytes * 1024):
                print(line)
            # Unlike ru_maxrss, this does not count the memory that the test itself had when it started the process.
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    """)
    process.send_job("job-1", {"megabytes": 100})

    length = 0
    while (frame := process.next_frame())["type"] != "result":
        text = frame.get("text", "")
        assert len(text) <= 32 * 1024
        length += len(text)

    assert length == 100 * 1024 * 1024
    assert frame["result"] < 100 * 1024, "kilobytes of memory"


def test_replaces_bytes_that_are_not_utf8_and_joins_those_that_are_split(start: Start) -> None:
    process = start("""
        import os
        def main():
            os.write(1, b"\\xff|" + ("ü" * 40_000).encode())
    """)

    assert printed(process.run()) == "\ufffd|" + "ü" * 40_000


def test_prints_lone_surrogates_escaped(start: Start) -> None:
    process = start(r"def main(): print('\ud800')")

    assert printed(process.run()) == "\\ud800\n"


def test_heals_closed_and_replaced_streams_for_the_next_job(start: Start) -> None:
    process = start("""
        import io, os, sys
        def main(harm):
            match harm:
                case "close descriptors":
                    os.close(1)
                    os.close(2)
                case "close stream":
                    sys.stdout.close()
                case "replace stream":
                    sys.stdout = io.StringIO()
                case "remove stream":
                    sys.stdout = None
                case _:
                    print("whole")
            return harm
    """)

    for harm in ("close descriptors", "close stream", "replace stream", "remove stream"):
        assert process.result({"harm": harm}) == harm
        assert printed(process.run({"harm": "none"})) == "whole\n"


def test_keeps_streams_that_the_script_wrapped_while_it_was_loaded(start: Start) -> None:
    process = start("""
        import sys
        class Shout:
            def __init__(self, inner): self.inner = inner
            def write(self, text): return self.inner.write(text.upper())
            def flush(self): self.inner.flush()
        sys.stdout = Shout(sys.stdout)
        def main(): print("hello")
    """)

    assert printed(process.run()) == "HELLO\n"
    assert printed(process.run()) == "HELLO\n"


def test_gives_user_code_an_empty_stdin(start: Start) -> None:
    process = start("""
        import subprocess, sys
        def main():
            return [sys.stdin.read(), subprocess.run(["cat"], capture_output=True).stdout.decode()]
    """)
    process.send(process.job_line("job-1"), process.job_line("job-2"))

    assert process.frames_until_end("job-1")[-1]["result"] == ["", ""]
    assert process.frames_until_end("job-2")[-1]["result"] == ["", ""]


def test_does_not_hand_its_channels_to_children(start: Start) -> None:
    process = start("""
        import os, subprocess
        def main():
            listing = subprocess.run(["ls", "/proc/self/fd"], capture_output=True, text=True).stdout
            return [int(fd) for fd in listing.split()]
    """)

    assert set(process.result()) <= {0, 1, 2, 3}, "3 is the folder that ls reads"


def test_writes_last_words_of_a_process_that_exits_at_once(start: Start) -> None:
    process = start("""
        import os
        def main():
            print("last words")
            os._exit(7)
    """)
    process.send_job("job-1")

    assert printed(process.frames_until("log")) == "last words\n"
    assert process.exit_code() == 7


def test_ends_an_incomplete_character_with_the_job(start: Start) -> None:
    process = start("""
        import os
        def main(part):
            os.write(1, bytes.fromhex(part))
    """)

    assert printed(process.run({"part": "41c3"})) == "A\ufffd"
    assert printed(process.run({"part": "bc42"})) == "\ufffdB"


LATE = """
    import logging, sys, threading
    from concurrent.futures import ThreadPoolExecutor

    logger = logging.getLogger("late")
    logger.addHandler(logging.StreamHandler(sys.stdout))
    pool = ThreadPoolExecutor(1)
    go, printed = threading.Event(), threading.Event()

    def late():
        go.wait()
        print("late")
        logger.warning("later")
        printed.set()

    def main(step):
        if step == 1:
            BEGIN
            return
        go.set()
        printed.wait()
        print("mine")
"""


@pytest.mark.parametrize("begin", ["threading.Thread(target=late, daemon=True).start()", "pool.submit(late)"])
def test_output_of_a_thread_that_a_job_left_behind_belongs_to_no_other_job(start: Start, begin: str) -> None:
    process = start(LATE.replace("BEGIN", begin))
    process.run({"step": 1})

    frames = process.run({"step": 2})

    assert printed(frames) == "mine\n"
    assert [frame["text"] for frame in frames if frame.get("stream") == "system"] == [
        "11 characters are not shown here: threads printed them that earlier jobs of this process had started. Let a job wait"
        " for its threads, or start them when the script is loaded.\n"
    ]


def test_output_of_pools_and_threads_of_the_script_belongs_to_the_running_job(start: Start) -> None:
    process = start("""
        import asyncio, queue, threading
        from concurrent.futures import ThreadPoolExecutor
        pool, work, done = ThreadPoolExecutor(1), queue.Queue(), queue.Queue()
        def serve():
            while True:
                print(work.get())
                done.put(1)
        threading.Thread(target=serve, daemon=True).start()
        async def main(n):
            pool.submit(print, f"pool {n}").result()
            await asyncio.to_thread(print, f"loop {n}")
            work.put(f"script {n}")
            done.get()
            thread = threading.Thread(target=print, args=(f"own {n}",))
            thread.start()
            thread.join()
    """)

    for n in range(3):
        assert printed(process.run({"n": n})) == f"pool {n}\nloop {n}\nscript {n}\nown {n}\n"


def test_text_in_buffers_of_c_code_belongs_to_the_job_that_printed_it(start: Start) -> None:
    process = start("""
        import ctypes
        libc = ctypes.CDLL(None)
        def main(n):
            libc.printf(b"c %d\\n", n)
    """)

    assert [printed(process.run({"n": n})) for n in range(3)] == ["c 0\n", "c 1\n", "c 2\n"]


@pytest.mark.parametrize(
    "way",
    [
        "os.write(1, b'late')",
        "sys.stdout.buffer.write(b'late'); sys.stdout.flush()",
        "subprocess.run(['echo', 'late'])",
        "subprocess.run(['sh', '-c', 'echo late >&2'], stdout=subprocess.PIPE)",
        "os.system('echo late')",
        "print('late', file=sys.__stdout__)",
    ],
)
def test_raw_bytes_of_a_thread_that_a_job_left_behind_belong_to_no_other_job(start: Start, way: str) -> None:
    process = start(f"""
        import os, subprocess, sys, threading
        go, printed = threading.Event(), threading.Event()
        def late():
            go.wait()
            {way}
            printed.set()
        def main(step):
            if step == 1:
                threading.Thread(target=late, daemon=True).start()
                return
            os.write(1, b"raw ")
            go.set()
            printed.wait()
            subprocess.run(["echo", "mine"])
    """)
    process.run({"step": 1})

    frames = process.run({"step": 2})

    assert printed(frames) == "raw mine\n"
    assert printed(frames, "stderr") == ""
