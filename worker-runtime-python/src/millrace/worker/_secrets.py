"""Puts the secrets of a job into the input of its handler."""

from __future__ import annotations

import json
from typing import Any

import grpc

from .._access import read_status
from .._errors import MillraceError
from .._proto.worker.v1.job_api_service_pb2 import ResolveSecretsResponse
from ._job_api import JobApi
from ._leased_job import LeasedJob
from ._masks import Masks, TooManySpellings

UNAVAILABLE_REASON = "SECRET_UNAVAILABLE"


class SecretUnavailable(MillraceError):
    """The secrets of the job could not be resolved."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class LeaseLost(MillraceError):
    """The worker no longer holds the lease."""


def fill_secrets(job: LeasedJob, api: JobApi) -> bytes:
    """Asks the scheduler for the values, masks them in what the job sends from here on, and returns the filled input.

    Raises:
        SecretUnavailable: They cannot be resolved, or cannot be masked.
        LeaseLost: The lease is lost.
    """
    try:
        answer = api.resolve_secrets()
    except grpc.RpcError as failure:
        raise _refused(failure) from None
    try:
        job.mask_with(Masks(answer.masked))
        return fill(job.lease.input or b"{}", answer)
    except TooManySpellings as error:
        raise SecretUnavailable(f"The secrets of the job cannot be used: {error}.", retryable=False) from None
    except (LookupError, ValueError, TypeError) as error:  # Its message might have a value in it.
        raise SecretUnavailable(
            f"The secrets of the job cannot be used: the worker failed with {type(error).__name__}.", retryable=False
        ) from None


def fill(given: bytes, answer: ResolveSecretsResponse) -> bytes:
    """Returns the input with each value in its place.

    Raises:
        LookupError: A pointer leads nowhere.
    """
    root: Any = {"": json.loads(given)}
    for resolved in answer.values:
        keys = ["", *(key.replace("~1", "/").replace("~0", "~") for key in resolved.pointer.split("/")[1:])]
        place: Any = root
        for key in keys[:-1]:
            place = place[_index(place, key)]
        place[_index(place, keys[-1])] = json.loads(resolved.value)
    return json.dumps(root[""], ensure_ascii=False).encode()


def _index(place: Any, key: str) -> Any:
    return int(key) if isinstance(place, list) else key


def _refused(failure: grpc.RpcError) -> MillraceError:
    status = read_status(failure)
    match status.code:
        case grpc.StatusCode.FAILED_PRECONDITION:
            if status.reason == UNAVAILABLE_REASON:
                return SecretUnavailable(status.message, retryable=False)
            return LeaseLost(status.message)
        case grpc.StatusCode.INVALID_ARGUMENT | grpc.StatusCode.PERMISSION_DENIED:
            return SecretUnavailable(f"The scheduler refuses the secrets of the job: {status.message}", retryable=False)
        case _:
            return SecretUnavailable(f"The secrets of the job could not be resolved: {status.message}", retryable=True)
