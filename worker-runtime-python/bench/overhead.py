"""Measures what the runtime adds to a job: ``python3 bench/overhead.py [JOBS]``.

Plays the host for a real process with an empty ``main``. Prints the process's CPU time per job with 16 jobs in the pipe,
the round trip of single jobs, and the time from start to `ready`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ENTRY = Path(__file__).parent.parent / "src" / "millrace" / "__main__.py"
SCRIPTS = {
    "empty": "def main(n): return n",
    "annotated": "def main(n: int) -> int: return n",
    "async": "async def main(n): return n",
    "date": "from datetime import timedelta\ndef main(n: timedelta): return n",
    "prints a line": "def main(n):\n    print('line', n)\n    return n",
}
PIPELINED = 16
STARTS = 10


def main() -> None:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for name, source in SCRIPTS.items():
        measure(name, source, jobs)
    print(f"start to ready: {median(start_seconds() for _ in range(STARTS)) * 1e3:.1f} ms")


def measure(name: str, source: str, jobs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        process = start(Path(folder), source)
        assert process.stdin and process.stdout
        exchange(process, 1000, PIPELINED)
        before = cpu_seconds(process.pid)
        exchange(process, jobs, PIPELINED)
        cpu = (cpu_seconds(process.pid) - before) / jobs
        begin = time.perf_counter()
        exchange(process, jobs // 10, 1)
        round_trip = (time.perf_counter() - begin) / (jobs // 10)
        process.stdin.close()
        process.wait()
        process.stdout.close()
    print(f"{name}: {cpu * 1e6:.1f} us of CPU a job; {round_trip * 1e6:.1f} us round trip")


def start_seconds() -> float:
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        process = start(Path(folder), SCRIPTS["empty"])
        seconds = time.perf_counter() - begin
        process.communicate()
    return seconds


def start(folder: Path, source: str) -> subprocess.Popen[bytes]:
    script = folder / "script.py"
    script.write_text(source)
    command = [sys.executable, str(ENTRY), str(script)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout and b"ready" in process.stdout.readline()
    return process


def exchange(process: subprocess.Popen[bytes], jobs: int, pipelined: int) -> None:
    assert process.stdin and process.stdout
    for sent in range(min(pipelined, jobs)):
        os.write(process.stdin.fileno(), job(sent))
    ended = 0
    while ended < jobs:
        if process.stdout.readline().startswith(b'{"type":"result"'):
            ended += 1
            if ended + pipelined <= jobs:
                os.write(process.stdin.fileno(), job(ended + pipelined - 1))


def job(n: int) -> bytes:
    return (
        b'{"type":"job","id":"01890a5d-ac96-774b-bcce-%012d","attempt":1,"run_id":"01890a5d-ac96-774b-bcce-b302099a8057",'
        b'"step":"count[3]","deadline_ms":300000,"traceparent":"","input":{"n":%d}}\n' % (n, n)
    )


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
