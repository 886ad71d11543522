"""Data that the steps of a run share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from ._host import Host


class RunData:
    """Values by key that all steps of the run see, and further attempts of this one too; `JobContext.data` has it.

    A value stays once `set` has returned, whatever becomes of the attempt. Of several for a key, the last one stays.
    """

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host: Final = host

    def set(self, key: str, value: object) -> None:
        """Writes a value.

        Args:
            key: 1 to 256 characters; a run has at most 1,000.
            value: Any JSON value of at most 256 KiB.

        Raises:
            ResultError: The value cannot be written as JSON.
            CallFailed: The job is no longer this worker's, or the scheduler cannot be asked.
        """
        self._host.call("data.set", {"key": key, "value": value})

    def get(self, key: str, default: Any = None) -> Any:
        """Reads a value; `default` where no step has written any.

        Raises:
            CallFailed: The job is no longer this worker's, or the scheduler cannot be asked.
        """
        answer: Any = self._host.call("data.get", {"key": key})
        return default if answer is None else answer["value"]
