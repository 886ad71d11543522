"""Calls of a running job to its host."""

from __future__ import annotations

from typing import Protocol


class Host(Protocol):
    """A job context's connection to the host."""

    def progress(self, value: object) -> None:
        """Shows a value to people who watch the run."""
        ...

    def trace(self, message: str) -> None:
        """Adds a message to the trace of the step."""
        ...

    def print(self, stream: str, line: str) -> None:
        """Adds a line to the log of the job, in the stream ``stdout`` or ``stderr``."""
        ...

    def call(self, method: str, arguments: dict[str, object]) -> object:
        """Calls a method of the host and waits for the answer.

        Raises:
            CallFailed: The host could not perform the call.
        """
        ...
