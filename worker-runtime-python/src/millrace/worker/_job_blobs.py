"""Blobs of handlers: bytes between a file in the temporary folder and the scheduler, part by part."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import grpc

from .._access import read_status
from .._errors import CallFailed
from .._proto.blob.v1 import blob_pb2
from .._proto.worker.v1 import job_blob_service_pb2 as api
from ._leased_job import LeasedJob

SERVICE = "/millrace.worker.v1.JobBlobService/"
PART_BYTES = 256 << 10
OUTAGE_SECONDS_MAX = 60.0
"""Longest time from the first failure of a transfer until it is given up."""

RETRY_SECONDS = 0.5
QUOTA_EXCEEDED = "QUOTA_EXCEEDED"

_AWAY = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,  # The connection was replaced.
    grpc.StatusCode.UNAUTHENTICATED,  # A token that was refused may be replaced.
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)
_NAMES = {
    grpc.StatusCode.FAILED_PRECONDITION: "LeaseLost",
    grpc.StatusCode.INVALID_ARGUMENT: "InvalidCall",
    grpc.StatusCode.NOT_FOUND: "InvalidCall",
}

T = TypeVar("T")


class JobBlobs:
    """Saves and loads the blobs of one job. A transfer begins again while the scheduler is away and the lease is held."""

    def __init__(self, job: LeasedJob, channel: Callable[[], tuple[grpc.Channel, tuple[tuple[str, str], ...]]]) -> None:
        """Transfers for a job.

        Args:
            job: The job.
            channel: Returns the present connection, and what calls on it show.
        """
        self._job = job
        self._channel = channel

    def save(self, name: str, media_type: str) -> dict[str, object]:
        """Saves a file of the temporary folder as a blob, and returns its reference.

        Raises:
            CallFailed: The scheduler refuses, or is away for too long.
            OSError: The file cannot be read.
        """
        masks = self._job.masks
        return self._repeat(lambda: self._save(_path(name), media_type if masks is None else masks.text(media_type)))

    def load(self, name: str, blob_id: str) -> dict[str, object]:
        """Loads a blob into a new file of the temporary folder, and returns its reference; raises as `save` does."""
        return self._repeat(lambda: self._load(_path(name), blob_id))

    def _save(self, path: str, media_type: str) -> dict[str, object]:
        channel, shown = self._channel()
        upload: Any = channel.stream_unary(
            SERVICE + "SaveJobBlob",
            request_serializer=api.SaveJobBlobRequest.SerializeToString,
            response_deserializer=api.SaveJobBlobResponse.FromString,
        )
        with open(path, "rb") as file:
            answer: api.SaveJobBlobResponse = upload(self._parts(file, media_type), metadata=shown)
        return _reference(answer.blob)

    def _parts(self, file: Any, media_type: str) -> Iterator[api.SaveJobBlobRequest]:
        lease = self._job.lease
        yield api.SaveJobBlobRequest(job_id=lease.job_id, lease_token=lease.lease_token, media_type=media_type)
        while self._job.is_held and (part := file.read(PART_BYTES)):
            yield api.SaveJobBlobRequest(data=part)

    def _load(self, path: str, blob_id: str) -> dict[str, object]:
        channel, shown = self._channel()
        lease = self._job.lease
        download: Any = channel.unary_stream(
            SERVICE + "LoadJobBlob",
            request_serializer=api.LoadJobBlobRequest.SerializeToString,
            response_deserializer=api.LoadJobBlobResponse.FromString,
        )
        request = api.LoadJobBlobRequest(job_id=lease.job_id, lease_token=lease.lease_token, blob_id=blob_id)
        parts = download(request, metadata=shown)
        blob = blob_pb2.Blob()
        try:
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
                for answer in parts:
                    self._require_lease()
                    if answer.part.HasField("blob"):
                        blob = answer.part.blob
                    file.write(answer.part.data)
                if file.tell() != blob.bytes:
                    raise CallFailed(f"SchedulerUnavailable: {file.tell()} of {blob.bytes} bytes have arrived.")
        finally:
            parts.cancel()
        return _reference(blob)

    def _repeat(self, transfer: Callable[[], T]) -> T:
        end = time.monotonic() + OUTAGE_SECONDS_MAX
        while True:
            try:
                answer = transfer()
                self._require_lease()
                return answer
            except grpc.RpcError as failure:
                self._require_lease()
                status = read_status(failure)
                is_full = status.reason == QUOTA_EXCEEDED
                if is_full or status.code not in _AWAY or time.monotonic() > end:
                    name = "QuotaExceeded" if is_full else _NAMES.get(status.code, "SchedulerUnavailable")
                    raise CallFailed(f"{name}: {status.message}") from failure
            except ValueError:  # The connection was replaced in between; its closed channel takes no calls.
                self._require_lease()
            time.sleep(RETRY_SECONDS)

    def _require_lease(self) -> None:
        if not self._job.is_held:
            raise CallFailed("LeaseLost: The job has ended or lost its lease, so it cannot save or load blobs.")


def _path(name: str) -> str:
    return os.path.join(os.environ.get("TMPDIR", "/tmp"), name)


def _reference(blob: blob_pb2.Blob) -> dict[str, object]:
    return {"$blob": blob.id, "bytes": blob.bytes, "sha256": blob.sha256, "media_type": blob.media_type}
