"""The template forks processes that look like started ones, and reports their ends."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from runtime_process import PATIENCE_SECONDS, RuntimeProcess, is_alive, printed
from template_process import TemplateProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells who listens at a socket.")

LOOKS_AROUND = """
    import json, os, random, resource, signal, stat, sys, threading
    def main():
        files = {}
        for fd in os.listdir("/proc/self/fd"):
            try:
                files[int(fd)] = stat.S_IFMT(os.fstat(int(fd)).st_mode)
            except OSError:
                pass
        return {
            "files": sorted(files.values()),
            "environment": dict(os.environ),
            "arguments": sys.argv,
            "folder": os.getcwd(),
            "leads": os.getpid() == os.getpgid(0) == os.getsid(0),
            "limit": resource.getrlimit(resource.RLIMIT_RTTIME)[1],
            "threads": [thread.name for thread in threading.enumerate()],
            "signals": {number.name: str(signal.getsignal(number)) for number in signal.valid_signals()
                        if number not in (signal.SIGTERM,) and isinstance(number, signal.Signals)},
            "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
            "wakeup": signal.set_wakeup_fd(-1),
            "path": sys.path,
            "main": sys.modules["__main__"].__file__,
            "hidden": not os.access("/proc/self/environ", os.R_OK) or os.stat("/proc/self/environ").st_uid == 0,
            "umask": os.umask(0o22),
        }
"""

LOOKS_INTO_ITS_MEMORY = """
    import ctypes, re

    OWN = "LOOKS FOR THIS"

    def main(patterns: list):
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
        found = set()
        with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
            for begin, end in [line.split()[0].split("-") for line in maps if " rw" in line]:
                memory.seek(int(begin, 16))
                piece = memory.read(int(end, 16) - int(begin, 16))
                found |= {at for at, pattern in enumerate(patterns) if re.search(pattern.encode(), piece)}
        return sorted(found)
"""


@pytest.fixture
def template(tmp_path: Path) -> Iterator[TemplateProcess]:
    with TemplateProcess(tmp_path) as process:
        yield process


def test_a_fork_looks_like_a_started_process(template: TemplateProcess, tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOOKS_AROUND) as started:
        expected = started.result()
    expected["environment"].pop("LC_CTYPE", None)  # Set by Python where LANG is missing; workers set LANG.
    forked = template.start(LOOKS_AROUND, PATH=os.environ["PATH"], PYTHONDONTWRITEBYTECODE="1")

    seen = forked.result()

    assert seen["environment"].pop("MILLRACE_PROCESS_ID") == str(forked.mark)
    assert seen["limit"] == forked.mark
    assert seen["folder"] == str(tmp_path)
    assert len(seen["files"]) == len(expected["files"])
    for own in ("folder", "limit", "files"):
        del seen[own], expected[own]
    assert seen == expected


def test_others_see_the_arguments_and_the_environment_of_a_fork(template: TemplateProcess) -> None:
    forked = template.start("def main(): pass", name="invoice.py", COLOR="red")
    forked.result()

    arguments = Path(f"/proc/{forked.pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    assert arguments[-1].endswith(b"/invoice.py") and b"--template" not in arguments
    if os.getuid() == 0:
        environment = Path(f"/proc/{forked.pid}/environ").read_bytes().rstrip(b"\0").split(b"\0")
        assert environment[0] == f"MILLRACE_PROCESS_ID={forked.mark}".encode()
        assert b"COLOR=red" in environment


def test_children_of_a_fork_inherit_its_environment_only(template: TemplateProcess) -> None:
    forked = template.start("""
        import subprocess
        def main():
            return subprocess.run(["env"], stdout=subprocess.PIPE, text=True).stdout.split()
    """, PATH=os.environ["PATH"])

    names = {entry.partition("=")[0] for entry in forked.result()}

    assert names - {"PWD", "SHLVL", "_"} == {"PATH", "HOME", "MILLRACE_PROCESS_ID"}


def test_forks_share_no_random_numbers_and_no_state(template: TemplateProcess) -> None:
    source = """
        import builtins, random, uuid
        def main():
            seen = getattr(builtins, "seen", None)
            builtins.seen = True
            return [seen, random.random(), str(uuid.uuid4()), str(uuid.uuid1())]
    """

    results = [template.start(source, name=f"{name}.py").result() for name in ("a", "b", "c")]

    assert [result[0] for result in results] == [None] * 3
    for column in (1, 2, 3):
        assert len({result[column] for result in results}) == 3


def test_says_how_each_fork_has_ended(template: TemplateProcess) -> None:
    quiet = template.start("def main(): pass", name="quiet.py")
    exits = template.start("import os\ndef main(): os._exit(7)", name="exits.py")
    killed = template.start("def main(): pass", name="killed.py")
    broken = template.start("def main(:", name="broken.py")

    assert template.hear() == ["exited", str(broken.pid), "3"]
    quiet.close_stdin()
    assert template.hear() == ["exited", str(quiet.pid), "0"]
    exits.send_job("job-1")
    assert template.hear() == ["exited", str(exits.pid), "7"]
    os.kill(killed.pid, signal.SIGKILL)
    assert template.hear() == ["exited", str(killed.pid), str(128 + signal.SIGKILL)]


def test_keeps_an_ended_fork_until_the_worker_knows_it(template: TemplateProcess) -> None:
    forked = template.fork()
    forked.close()
    while is_alive(forked.pid):
        os.sched_yield()
    assert Path(f"/proc/{forked.pid}/stat").exists()

    template.say("reap", forked.pid)

    assert template.hear() == ["exited", str(forked.pid), "0"]
    assert not Path(f"/proc/{forked.pid}/stat").exists()


def test_forks_wait_for_their_scripts(template: TemplateProcess, tmp_path: Path) -> None:
    first, second = template.fork(), template.fork()
    for forked, name in ((second, "second"), (first, "first")):
        script = tmp_path / f"{name}.py"
        script.write_text(f"def main(): return '{name}'")
        forked.begin(script, tmp_path, {})

    assert (first.result(), second.result()) == ("first", "second")


def test_connects_to_nobody_but_the_worker(template: TemplateProcess, tmp_path: Path) -> None:
    template.move_door(tmp_path / "elsewhere")
    listens, ready = os.pipe()
    pid = os.fork()
    if pid == 0:  # Another process listens where the worker did.
        try:
            with socket.socket(socket.AF_UNIX) as thief:
                thief.bind(str(template.door))
                thief.listen()
                os.write(ready, b"!")
                thief.settimeout(PATIENCE_SECONDS)
                connection, _ = thief.accept()
                os._exit(len(connection.recv(100)))
        finally:  # An error must not go on in this copy of the test runner, which would never end.
            os._exit(1)
    assert os.read(listens, 1) == b"!"
    os.close(listens)
    os.close(ready)

    nonce = template.ask()

    assert template.failure(nonce).startswith(f"process {pid} listens at ")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_says_that_nobody_listens(template: TemplateProcess, tmp_path: Path) -> None:
    template.move_door(tmp_path / "elsewhere")

    nonce = template.ask()

    assert "No such file" in template.failure(nonce)


def test_a_fork_holds_nothing_of_the_others(template: TemplateProcess, tmp_path: Path) -> None:
    """Neither what the worker told others, nor the name of a later one, with which it could take that one's place."""
    template.start("def main(): pass", name="other.py", KEY="ali baba opens").result()
    asked = template.ask(), template.ask()
    forked, later = (template.receive(nonce) for nonce in asked)
    template.say("reap", forked.pid)
    script = tmp_path / "looks.py"
    script.write_text(dedent(LOOKS_INTO_ITS_MEMORY))
    forked.begin(script, tmp_path, {})
    texts = ["other.py", "ali baba opens", asked[1], "LOOKS FOR THIS"]

    # Patterns that do not hold the text themselves.
    seen = forked.result({"patterns": ["".join(f"[{letter}]" for letter in text) for text in texts]})

    assert seen == [3]
    later.close()


def test_forks_outlive_their_template(template: TemplateProcess) -> None:
    forked = template.start("def main(n): return n")
    os.kill(template.pid, signal.SIGKILL)

    assert forked.result({"n": 1}) == 1
    assert is_alive(forked.pid)


def test_ends_with_its_worker_and_so_do_idle_forks(template: TemplateProcess) -> None:
    forked = template.start("def main(): pass")
    forked.result()

    assert template.close_stdin() == 0
    forked.close()


def test_a_busy_fork_ends_with_its_worker(template: TemplateProcess) -> None:
    forked = template.start("""
        def main():
            print("busy", flush=True)
            while True:
                pass
    """)
    forked.send_job("job-1")
    assert printed(forked.frames_until("log")) == "busy\n"

    forked.close()

    assert template.hear() == ["exited", str(forked.pid), str(128 + signal.SIGKILL)]


def test_serves_cancels_output_and_children_as_started_processes_do(template: TemplateProcess) -> None:
    forked = template.start("""
        import asyncio, subprocess
        async def main(how):
            if how == "wait":
                asyncio.get_running_loop().call_soon(print, "waiting")
                await asyncio.sleep(600)
            subprocess.Popen(["sleep", "600"])
            print("left")
    """, PATH=os.environ["PATH"])
    forked.send_job("job-1", {"how": "wait"})
    assert printed(forked.frames_until("log")) == "waiting\n"
    forked.cancel("job-1")
    assert forked.frames_until_end("job-1")[-1]["name"] == "Canceled"

    forked.send_job("job-2", {"how": "leave"})
    frames = forked.frames_until_end("job-2")

    assert printed(frames) == "left\n"
    assert "Stopped 1 process that the job had left behind: sleep" in printed(frames, "system")
