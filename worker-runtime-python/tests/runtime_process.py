"""Plays the host: starts the runtime as a real process and speaks the process protocol with it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from typing import IO, Any, TypeAlias

Frame: TypeAlias = "dict[str, Any]"

ENTRY = Path(__file__).parent.parent / "src" / "millrace" / "__main__.py"
PATIENCE_SECONDS = 60.0
"""Longest wait of a test for something that is about to happen."""


class RuntimeProcess:
    """A runtime process with one script. Use it as a context manager: nothing outlives the block."""

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        name: str = "script.py",
        files: dict[str, str] | None = None,
        variables: dict[str, str] | None = None,
    ) -> None:
        self.script = folder / name
        for path, text in {name: source, **(files or {})}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(dedent(text))
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        if files:
            environment["MILLRACE_FILES"] = str(folder)
        environment.update(variables or {})
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", str(ENTRY), str(self.script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            bufsize=0,
        )
        self._unread = b""
        self._jobs = 0

    def __enter__(self) -> RuntimeProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(PATIENCE_SECONDS)
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        assert self._process.stdin
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        assert self._process.stdout
        return self._process.stdout

    @property
    def stderr(self) -> IO[bytes]:
        assert self._process.stderr
        return self._process.stderr

    def job_line(self, job_id: str, value: object = None, **overrides: object) -> bytes:
        message = {
            "type": "job",
            "id": job_id,
            "attempt": 1,
            "run_id": "run-1",
            "step": "",
            "deadline_ms": 300_000,
            "traceparent": "",
        }
        return _line({**message, **overrides, "input": {} if value is None else value})

    def cancel_line(self, job_id: str) -> bytes:
        return _line({"type": "cancel", "id": job_id})

    def send(self, *lines: bytes) -> None:
        self.stdin.write(b"".join(lines))

    def send_job(self, job_id: str, value: object = None, **overrides: object) -> None:
        self.send(self.job_line(job_id, value, **overrides))

    def cancel(self, job_id: str) -> None:
        self.send(self.cancel_line(job_id))
        self.signal(signal.SIGTERM)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def run(self, value: object = None, **overrides: object) -> list[Frame]:
        """Runs one job and returns its frames; the last one ends it."""
        self._jobs += 1
        job_id = f"job-{self._jobs}"
        self.send_job(job_id, value, **overrides)
        return self.frames_until_end(job_id)

    def result(self, value: object = None, **overrides: object) -> Any:
        """Runs one job, which must succeed, and returns its result."""
        last = self.run(value, **overrides)[-1]
        assert last["type"] == "result", last
        return last["result"]

    def error(self, value: object = None, **overrides: object) -> Frame:
        """Runs one job, which must fail, and returns the error frame."""
        last = self.run(value, **overrides)[-1]
        assert last["type"] == "error", last
        return last

    def frames_until_end(self, job_id: str) -> list[Frame]:
        frames = self.frames_until("result", "error", "load_error")
        assert frames[-1]["id"] == job_id, frames[-1]
        return frames

    def frames_until(self, *types: str) -> list[Frame]:
        """Returns all frames up to the first of one of the types; `ready` is omitted unless it is one of them."""
        frames: list[Frame] = []
        while True:
            frame = self.next_frame()
            if frame["type"] != "ready" or "ready" in types:
                frames.append(frame)
            if frame["type"] in types:
                return frames

    def next_frame(self) -> Frame:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while b"\n" not in self._unread:
            readable, _, _ = select.select([self.stdout], [], [], max(0.0, deadline - time.monotonic()))
            assert readable, f"No frame came within {PATIENCE_SECONDS:.0f} seconds."
            chunk = os.read(self.stdout.fileno(), 1 << 20)
            assert chunk, f"The process ended: {self.stderr.read().decode()}"
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def close_stdin(self) -> None:
        self.stdin.close()

    def exit_code(self) -> int:
        return self._process.wait(PATIENCE_SECONDS)

    def stderr_text(self) -> str:
        return self.stderr.read().decode()


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def printed(frames: list[Frame], stream: str = "stdout") -> str:
    """Returns all text that a job has printed to one stream."""
    return "".join(frame["text"] for frame in frames if frame["type"] == "log" and frame["stream"] == stream)


def is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False
