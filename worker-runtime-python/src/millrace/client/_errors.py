"""Errors of calls: one class for each kind. `ClientError` is the root of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from .._access import read_status
from .._errors import MillraceError

if TYPE_CHECKING:
    from ._models import Run


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule of a request.

    Attributes:
        field: Path of the field, such as ``spec.input``.
        description: What is wrong and what is expected.
    """

    field: str
    description: str


class ClientError(MillraceError):
    """A call failed. The message says what happened, where, and what to do.

    Attributes:
        call: Name of the call, such as ``SubmitRun``.
        target: Address of the scheduler.
        status: Status of gRPC, such as ``NOT_FOUND``.
        reason: Stable word for programs, such as ``RUN_NOT_FOUND``; empty if the scheduler gave none.
        detail: What the scheduler said.
        violations: Broken rules of the request.
        retry_after: Seconds after which the scheduler wants to be asked again; None if it said nothing.
    """

    remedy = "Read the message, and change the call."

    def __init__(
        self,
        detail: str,
        *,
        call: str = "",
        target: str = "",
        status: str = "",
        reason: str = "",
        violations: Iterable[Violation] = (),
        retry_after: float | None = None,
    ) -> None:
        self.detail = detail
        self.call = call
        self.target = target
        self.status = status
        self.reason = reason
        self.violations = tuple(violations)
        self.retry_after = retry_after
        super().__init__(self._text())

    def _text(self) -> str:
        where = f"{self.call} at {self.target}: " if self.call else ""
        more = "".join(f"\n  {violation.field}: {violation.description}" for violation in self.violations[1:])
        return f"{where}{self.detail.rstrip()} {self.remedy}{more}"


class InvalidRequest(ClientError):
    """The request breaks a rule of its fields; `violations` lists them."""

    remedy = "Correct the named fields."


class InvalidFlow(InvalidRequest):
    """The definition of a flow has problems; `violations` lists them with their places."""

    remedy = "Correct the definition."


class NotFound(ClientError):
    """What the call names does not exist, or the caller may not know of it."""

    remedy = "Check the name and the workspace."


class Unauthenticated(ClientError):
    """Nobody knows the caller: the token is missing, unknown, expired or revoked."""

    remedy = "Log in with ./millrace login, or set MILLRACE_TOKEN."


class PermissionDenied(ClientError):
    """The caller may not do this."""

    remedy = "Ask an administrator of the workspace for the role."


class RequestIdReused(ClientError):
    """The request id belongs to an earlier request with other content."""

    remedy = "Use a request id of its own for each request."


class StateUnsuitable(ClientError):
    """The state of the run, or of what else the call names, does not allow it."""

    remedy = "Look at its present state first."


class Overloaded(ClientError):
    """The scheduler accepts no more work for now, or a quota is used up; retries did not help."""

    remedy = "Send less at once, or try again later."


class Unavailable(ClientError):
    """The scheduler could not be reached; retries did not help. The call may have taken effect."""

    remedy = "Check the address and whether the scheduler runs; the same call with the same request id is safe to repeat."


class TimedOut(ClientError):
    """There was no answer in time. The call may have taken effect."""

    remedy = "Allow more time, or repeat the call with the same request id."


class ServerFailed(ClientError):
    """The scheduler failed, or does not know the call."""

    remedy = "Read the log of the scheduler, and compare its version with that of this client."


class NotAScheduler(ServerFailed):
    """What answers at the address speaks HTTP, and not gRPC, as a gateway does."""

    remedy = (
        "No scheduler answers at this address, but a server of HTTP. If it is the gateway, which is usually at port 8400, name"
        " the address of the scheduler, usually at port 8401."
    )


class RunFailed(MillraceError):
    """A run whose result was asked for has failed.

    Attributes:
        run: The run.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        error = run.error
        why = f"{error.name}: {error.message}" if error else "The scheduler names no error."
        super().__init__(f"The run {run.id} of {run.name} {run.state.value}. {why}")


class RunCanceled(RunFailed):
    """A run whose result was asked for was canceled."""


_BY_STATUS: dict[grpc.StatusCode, type[ClientError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.OUT_OF_RANGE: InvalidRequest,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.ALREADY_EXISTS: RequestIdReused,
    grpc.StatusCode.FAILED_PRECONDITION: StateUnsuitable,
    grpc.StatusCode.ABORTED: StateUnsuitable,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Overloaded,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: TimedOut,
}
_OF_HTTP = "http2 header with status"
"""Part of what gRPC says of an answer of HTTP."""

_BY_REASON: dict[str, type[ClientError]] = {"INVALID_FLOW": InvalidFlow}


def error_of(failure: grpc.RpcError, *, call: str, target: str) -> ClientError:
    """Returns the error that a failed call stands for, with what the scheduler says in its trailers."""
    status = read_status(failure)
    kind = _BY_REASON.get(status.reason) or _BY_STATUS.get(status.code, ServerFailed)
    if kind is ServerFailed and _OF_HTTP in status.message:
        kind = NotAScheduler
    return kind(
        status.message,
        call=call,
        target=target,
        status=status.code.name,
        reason=status.reason,
        violations=[Violation(field, description) for field, description in status.violations],
        retry_after=status.retry_after,
    )
