"""Plays the worker for a template: listens at its socket, and speaks the lines of the process protocol with it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from secrets import token_hex
from textwrap import dedent

from runtime_process import ENTRY, PATIENCE_SECONDS, RuntimeProcess

DEFAULT_VARIABLES = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
SIGNAL_BASE = 128
MARK = 8_123_456_789_000_000_000


class TemplateProcess:
    """A template. Use it as a context manager: nothing outlives the block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.door = folder / "door"
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self.door))
        self._server.listen()
        self._server.settimeout(PATIENCE_SECONDS)
        self._marks = MARK
        self._forks: list[ForkedProcess] = []
        self._process = subprocess.Popen(
            [sys.executable, str(ENTRY), "--template", str(self.door), "-" * 512],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "MILLRACE_TEMPLATE": "-" * 512},
        )
        assert self._process.stdin and self._process.stdout
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        assert self.hear() == ["ready"]

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> TemplateProcess:
        return self

    def __exit__(self, *_: object) -> None:
        for forked in self._forks:
            forked.close()
        self._process.kill()
        self._process.wait(PATIENCE_SECONDS)
        for stream in (self._stdin, self._stdout, self._server):
            stream.close()

    def say(self, *words: object) -> None:
        self._stdin.write(" ".join(map(str, words)).encode() + b"\n")
        self._stdin.flush()

    def hear(self) -> list[str]:
        return self._stdout.readline().decode().split()

    def ask(self) -> str:
        """Asks for a fork, and returns its nonce."""
        nonce = token_hex(16)
        self.say("fork", nonce)
        return nonce

    def receive(self, nonce: str) -> ForkedProcess:
        """Returns the fork, which waits for its script."""
        channels = {kind: connection for kind, connection in (self._accept(nonce) for _ in range(2))}
        verb, said, pid = self.hear()
        assert (verb, said) == ("forked", nonce)
        self._marks += 1
        forked = ForkedProcess(self, int(pid), self._marks, channels["c"], channels["e"])
        self._forks.append(forked)
        return forked

    def fork(self) -> ForkedProcess:
        return self.receive(self.ask())

    def start(self, source: str, name: str = "script.py", **variables: str) -> ForkedProcess:
        script = self._folder / name
        script.write_text(dedent(source))
        forked = self.fork()
        self.say("reap", forked.pid)
        forked.begin(script, self._folder, variables)
        return forked

    def failure(self, nonce: str) -> str:
        verb, said, reason = self.hear()
        assert (verb, said) == ("failed", nonce)
        return b64decode(reason).decode()

    def close_stdin(self) -> int:
        self._stdin.close()
        return self._process.wait(PATIENCE_SECONDS)

    def move_door(self, to: Path) -> None:
        """Lets others listen where the worker does."""
        self.door.rename(to)

    def _accept(self, nonce: str) -> tuple[str, socket.socket]:
        connection, _ = self._server.accept()
        connection.settimeout(PATIENCE_SECONDS)
        name = connection.recv(34, socket.MSG_WAITALL).decode()
        assert name[:32] == nonce and name[33] == "\n"
        connection.settimeout(None)
        return name[32], connection


class ForkedProcess(RuntimeProcess):
    """A process that a template has forked, spoken to as one that was started."""

    def __init__(
        self,
        template: TemplateProcess,
        pid: int,
        mark: int,
        channel: socket.socket,
        errors: socket.socket,
    ) -> None:
        self._template = template
        self.mark = mark
        self._forked_pid = pid
        self._channel = channel
        self._streams = (channel.makefile("wb", buffering=0), channel.makefile("rb", buffering=0), errors.makefile("rb"))
        self._errors = errors
        self._unread = b""
        self._jobs = 0

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, script: Path, folder: Path, variables: dict[str, str]) -> None:
        """Tells the fork what it is to be."""
        self.script = script
        environment = {"MILLRACE_PROCESS_ID": str(self.mark), "HOME": str(folder), **variables}
        text = "\0".join(f"{name}={value}" for name, value in environment.items())
        words = f"{self.mark} 0 0 {_encoded(str(script))} {_encoded(str(folder))} {_encoded(text)} "
        self.send(f"{len(words):08x}{words}".encode())

    def close(self) -> None:
        for stream in (*self._streams, self._channel, self._errors):
            stream.close()

    @property
    def pid(self) -> int:
        return self._forked_pid

    @property
    def stdin(self):  # pyright: ignore
        return self._streams[0]

    @property
    def stdout(self):  # pyright: ignore
        return self._streams[1]

    @property
    def stderr(self):  # pyright: ignore
        return self._streams[2]

    def close_stdin(self) -> None:
        self._channel.shutdown(socket.SHUT_WR)

    def exit_code(self) -> int:
        """Returns the exit code as subprocess has it, where signals are negative."""
        verb, pid, code = self._template.hear()
        assert (verb, pid) == ("exited", str(self.pid))
        return int(code) if int(code) <= SIGNAL_BASE else SIGNAL_BASE - int(code)


def _encoded(text: str) -> str:
    return b64encode(text.encode()).decode()
