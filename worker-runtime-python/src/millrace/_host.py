"""What a running job can ask of its host."""

from __future__ import annotations

from typing import Protocol


class Host(Protocol):
    """The way from a job's context to the host."""

    def progress(self, value: object) -> None:
        """Shows a value to the people who watch the run."""
        ...

    def trace(self, message: str) -> None:
        """Adds a message to the trace of the step."""
        ...

    def call(self, method: str, arguments: dict[str, object]) -> object:
        """Asks for something and waits for the answer.

        Raises:
            CallFailed: The host could not do it.
        """
        ...
