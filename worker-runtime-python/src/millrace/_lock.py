"""Mutexes shared by jobs."""

from __future__ import annotations

from ._errors import CallFailed, LockTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Final

    from ._host import Host


class Lock:
    """A mutex that the job holds, created by `JobContext.lock`.

    Attributes:
        name: Name of the mutex.
        fence: Fencing token, which grows each time the mutex changes hands, also between attempts of one job. A resource that
            remembers the highest token can reject callers that have lost the mutex.
    """

    __slots__ = ("_arguments", "_host", "_is_held", "fence", "name")

    def __init__(self, host: Host, arguments: dict[str, object], fence: int) -> None:
        self.name: Final = str(arguments["name"])
        self.fence: Final = fence
        self._host: Final = host
        self._arguments: Final = arguments
        self._is_held = True

    @classmethod
    def take(cls, host: Host, name: str, *, ttl: float, wait: float) -> Lock:
        from uuid import uuid4

        arguments: dict[str, object] = {
            "name": name,
            "ttl_ms": int(ttl * 1000),
            "wait_ms": int(wait * 1000),
            "hold": str(uuid4()),
        }
        answer: Any = host.call("lock.acquire", arguments)
        if answer is None:
            raise LockTimeout(f"The mutex {name!r} was held by others for all of the {wait:g} seconds that this job waited.")
        return cls(host, arguments, answer["fence"])

    def release(self) -> bool:
        """Releases the hold; returns False if it had ended before."""
        if not self._is_held:
            return False
        self._is_held = False
        return bool(self._host.call("lock.release", self._arguments))

    def __enter__(self) -> Lock:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        try:
            self.release()
        except CallFailed:
            if error is None:
                raise
