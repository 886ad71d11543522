"""Secrets, resources and states, read and written while a job runs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeVar, overload

    from ._host import Host

    _T = TypeVar("_T")


class Secrets:
    """Secrets of the workspace; see `JobContext.secrets`.

    The job has the rights of whoever started its run, at most with the role developer. A value that the job reads or writes is
    masked from then on in all that it prints and returns.
    """

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host: Final = host

    def get(self, path: str) -> str:
        """Returns the value of a secret.

        Raises:
            CallFailed: There is no such secret, whoever started the run may not read it, the job has lost its lease, or the
                scheduler cannot be reached.
        """
        answer: Any = self._host.call("secret.get", {"path": path})
        return answer

    def set(self, path: str, value: str) -> None:
        """Sets a secret, 8 bytes to 64 KiB in UTF-8, and makes it if there is none.

        Raises:
            CallFailed: Whoever started the run may not write it, it cannot be a secret, or as for `get`.
        """
        self._host.call("secret.set", {"path": path, "value": value})


class Resources:
    """Resources of the workspace, such as connections; see `JobContext.resources`. Rights are those of `Secrets`."""

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host: Final = host

    if TYPE_CHECKING:

        @overload
        def get(self, path: str) -> Any: ...
        @overload
        def get(self, path: str, kind: type[_T]) -> _T: ...

    def get(self, path: str, kind: Any = None) -> Any:
        """Returns a resource, with the values of the secrets to which it refers.

        Args:
            path: Path of the resource.
            kind: What to make of it, such as a dataclass or a TypedDict, by the rules for parameters of ``main``; None for the
                JSON value.

        Raises:
            InputError: The value does not fit `kind`; the message contains no secret.
            CallFailed: There is no such resource, or as for `Secrets.get`.
        """
        value = self._host.call("resource.get", {"path": path})
        if kind is None:
            return value
        from ._conversion import Conversions, Unfit
        from ._errors import InputError

        convert = Conversions().find(kind, {})
        if convert is None:
            return value
        try:
            return convert(value)
        except Unfit:
            name = getattr(kind, "__name__", str(kind))
            raise InputError(f"The resource {path} does not fit {name}.") from None

    def set(self, path: str, value: object, *, type: str = "") -> None:
        """Writes a resource as it is: ``${{`` in its texts refers to nothing.

        Args:
            path: Path of the resource.
            value: Any JSON value of at most 256 KiB.
            type: Name of its type; empty for the one that it has.

        Raises:
            ResultError: The value cannot be written as JSON.
            CallFailed: The value does not fit its type or contains a secret that the job has read, or as for `Secrets.set`.
        """
        self._host.call("resource.set", {"path": path, "value": value, "resource_type": type})


class State:
    """What a step remembers from one run of its flow to the next, or a script from one run to the next; see
    `JobContext.state`. The last of several writes wins.
    """

    __slots__ = ("_host", "_path")

    def __init__(self, host: Host, path: str = "") -> None:
        self._host: Final = host
        self._path: Final = path

    def get(self, default: Any = None) -> Any:
        """Returns the value; `default` if there is none.

        Raises:
            CallFailed: The job has lost its lease, or the scheduler cannot be reached.
        """
        answer: Any = self._host.call("state.get", {"path": self._path})
        return default if answer is None else answer["value"]

    def set(self, value: object) -> None:
        """Writes a value; None forgets it.

        Args:
            value: Any JSON value of at most 256 KiB.

        Raises:
            ResultError: The value cannot be written as JSON.
            CallFailed: The value contains a secret that the job has read, the workspace has as many states as it may have, or
                as for `get`.
        """
        self._host.call("state.set", {"path": self._path, "value": value})
