"""Data that the steps of a run share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from ._host import Host


class RunData:
    """Values by key that all steps of the run can read, and so can further attempts of this step; see
    `JobContext.data`.

    A value stays once `set` has returned, even if the attempt fails. The last of several writes to a key wins.
    """

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host: Final = host

    def set(self, key: str, value: object) -> None:
        """Writes a value.

        Args:
            key: 1 to 256 characters; a run has at most 1,000 keys.
            value: Any JSON value of at most 256 KiB.

        Raises:
            ResultError: The value cannot be written as JSON.
            CallFailed: The job has lost its lease, or the scheduler cannot be reached.
        """
        self._host.call("data.set", {"key": key, "value": value})

    def get(self, key: str, default: Any = None) -> Any:
        """Reads a value; returns `default` if no step has written one.

        Raises:
            CallFailed: The job has lost its lease, or the scheduler cannot be reached.
        """
        answer: Any = self._host.call("data.get", {"key": key})
        return default if answer is None else answer["value"]
