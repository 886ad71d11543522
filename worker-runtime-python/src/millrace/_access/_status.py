"""Reads what a scheduler says about a failed call beside its message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

DETAILS_KEY = "grpc-status-details-bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStatus:
    """How a call failed.

    Attributes:
        code: Status of gRPC.
        message: What the scheduler says; a full sentence.
        reason: Stable word for programs; empty if the scheduler gave none.
        retry_after: Seconds after which it wants to be asked again; None if it said nothing.
        violations: Field and description of each broken rule.
    """

    code: grpc.StatusCode
    message: str
    reason: str
    retry_after: float | None
    violations: tuple[tuple[str, str], ...]


def read_status(failure: grpc.RpcError) -> CallStatus:
    """Returns how a call failed."""
    ended: Any = failure  # Each failure of a call is also its state, which the types do not say.
    info: Any = error_details_pb2.ErrorInfo()
    retry: Any = error_details_pb2.RetryInfo()
    request: Any = error_details_pb2.BadRequest()
    retry_after: float | None = None
    for packed in _details(ended):
        if packed.Unpack(retry):
            retry_after = retry.retry_delay.ToTimedelta().total_seconds()
        elif not packed.Unpack(info):
            packed.Unpack(request)
    return CallStatus(
        code=ended.code(),
        message=_sentence(ended.details() or "There is no explanation."),
        reason=info.reason,
        retry_after=retry_after,
        violations=tuple((found.field, found.description) for found in request.field_violations),
    )


def _details(ended: Any) -> list[Any]:
    for key, value in ended.trailing_metadata() or ():
        if key == DETAILS_KEY:
            try:
                status: Any = status_pb2.Status.FromString(value)
                return list(status.details)
            except DecodeError:  # Something between us and the scheduler has cut it.
                return []
    return []


def _sentence(text: str) -> str:
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."
