"""Calls of handlers while they run: data of the run, mutexes, secrets. Each carries the lease of the job."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from .._access import read_status
from .._errors import CallFailed
from .._proto.worker.v1 import job_api_service_pb2 as api
from .._results import encode_value
from ._job_blobs import JobBlobs
from ._leased_job import LeasedJob

SERVICE = "/millrace.worker.v1.JobApiService/"
CALL_SECONDS_MAX = 10.0
OUTAGE_SECONDS_MAX = 60.0
"""Longest time that the scheduler may be unavailable before a call fails."""

RESOLVE_SECONDS_MAX = 30.0
RETRY_SECONDS = 0.2
LOCK_SECONDS_MIN = 0.02
LOCK_SECONDS_MAX = 1.0
VALUE_BYTES_MAX = 256 << 10
"""Largest value of run data; the scheduler accepts no larger one."""

_AWAY = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,  # The connection was replaced.
    grpc.StatusCode.UNAUTHENTICATED,  # A token that was refused may be replaced.
)
_NAMES = {grpc.StatusCode.FAILED_PRECONDITION: "LeaseLost", grpc.StatusCode.INVALID_ARGUMENT: "InvalidCall"}

A = TypeVar("A", bound=Message)


class JobApi:
    """Sends calls of one job and waits for their answers. Repeats them while the scheduler is away and the lease is held."""

    def __init__(self, job: LeasedJob, channel: Callable[[], tuple[grpc.Channel, tuple[tuple[str, str], ...]]]) -> None:
        """Calls for a job.

        Args:
            job: The job.
            channel: Returns the present connection, and what calls on it show.
        """
        self._job = job
        self._channel = channel
        self._blobs = JobBlobs(job, channel)

    def call(self, method: str, arguments: dict[str, object]) -> object:
        """Performs a call of `JobContext`.

        Raises:
            CallFailed: The job has lost its lease, the call is invalid, or the scheduler is away for too long.
        """
        match method:
            case "data.set":
                return self._set_data(str(arguments["key"]), arguments["value"])
            case "data.get":
                return self._get_data(str(arguments["key"]))
            case "lock.acquire":
                return self._acquire(arguments)
            case "lock.release":
                return self._release(arguments)
            case "blob.save":
                return self._blobs.save(str(arguments["file"]), str(arguments["media_type"]))
            case "blob.load":
                return self._blobs.load(str(arguments["file"]), str(arguments["id"]))
            case _:
                raise CallFailed(f"This worker has no call named {method!r}.")

    def resolve_secrets(self) -> api.ResolveSecretsResponse:
        """Returns the values that the input names by reference.

        Raises:
            grpc.RpcError: The scheduler refuses, or is away for too long.
        """
        longest = min(self._job.timeout or RESOLVE_SECONDS_MAX, RESOLVE_SECONDS_MAX)
        return self._send("ResolveSecrets", api.ResolveSecretsRequest(**self._lease()), api.ResolveSecretsResponse, longest)

    def _lease(self) -> dict[str, Any]:
        return {"job_id": self._job.lease.job_id, "lease_token": self._job.lease.lease_token}

    def _set_data(self, key: str, value: object) -> None:
        encoded = encode_value(value, "value")
        if self._job.masks is not None:
            encoded = self._job.masks.json(encoded)
        if len(encoded) > VALUE_BYTES_MAX:
            raise CallFailed(
                f"InvalidCall: The value of the key {key!r} has {len(encoded)} bytes (expected: at most {VALUE_BYTES_MAX})."
                " Store it elsewhere, and share its address."
            )
        self._ask("SetData", api.SetDataRequest(key=self._masked(key), value=encoded, **self._lease()), api.SetDataResponse)

    def _get_data(self, key: str) -> object:
        answer = self._ask("GetData", api.GetDataRequest(key=self._masked(key), **self._lease()), api.GetDataResponse)
        return {"value": json.loads(answer.value)} if answer.found else None

    def _acquire(self, arguments: dict[str, Any]) -> object:
        request = api.AcquireLockRequest(
            name=self._masked(arguments["name"]),
            hold_id=arguments["hold"],
            ttl=timedelta(milliseconds=arguments["ttl_ms"]),
            **self._lease(),
        )
        end = time.monotonic() + arguments["wait_ms"] / 1000
        delay = LOCK_SECONDS_MIN
        while True:
            answer = self._ask("AcquireLock", request, api.AcquireLockResponse)
            if answer.acquired:
                return {"fence": answer.fence}
            left = end - time.monotonic()
            if not self._job.is_held:
                raise CallFailed("LeaseLost: The job has ended or lost its lease, so it cannot acquire a mutex.")
            if left <= 0:
                return None
            time.sleep(min(delay, left, answer.retry_after.ToTimedelta().total_seconds() + 0.001))
            delay = min(delay * 2, LOCK_SECONDS_MAX)

    def _release(self, arguments: dict[str, Any]) -> object:
        request = api.ReleaseLockRequest(name=self._masked(arguments["name"]), hold_id=arguments["hold"], **self._lease())
        return self._ask("ReleaseLock", request, api.ReleaseLockResponse).released

    def _masked(self, text: str) -> str:
        return text if self._job.masks is None else self._job.masks.text(text)

    def _ask(self, method: str, request: Message, answers: type[A]) -> A:
        try:
            return self._send(method, request, answers, OUTAGE_SECONDS_MAX)
        except grpc.RpcError as failure:
            status = read_status(failure)
            raise CallFailed(f"{_NAMES.get(status.code, 'SchedulerUnavailable')}: {status.message}") from failure

    def _send(self, method: str, request: Message, answers: type[A], longest: float) -> A:
        end = time.monotonic() + longest
        while True:
            channel, shown = self._channel()
            try:
                send: Any = channel.unary_unary(
                    SERVICE + method,
                    request_serializer=type(request).SerializeToString,
                    response_deserializer=answers.FromString,
                )
                answer: A = send(request, timeout=CALL_SECONDS_MAX, metadata=shown)
                return answer
            except grpc.RpcError as failure:
                if read_status(failure).code not in _AWAY or not self._job.is_held or time.monotonic() > end:
                    raise
            except ValueError:  # The connection was replaced in between; its closed channel takes no calls.
                if not self._job.is_held:
                    raise CallFailed("LeaseLost: The worker has stopped.") from None
            time.sleep(RETRY_SECONDS)
