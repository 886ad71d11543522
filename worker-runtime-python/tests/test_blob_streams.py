"""Blobs of handlers and of the client, which travel over the connection."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from concurrent.futures import ThreadPoolExecutor
from millrace import CallFailed
from millrace._proto.blob.v1 import blob_pb2
from millrace._proto.blob.v1 import blob_service_pb2 as service
from millrace._proto.worker.v1 import job_blob_service_pb2 as jobs
from millrace._proto.worker.v1 import session_pb2
from millrace.client import AsyncClient, Blob, Client, NotFound, Retries
from millrace.worker._job_blobs import JobBlobs

LARGE = 100 << 20


class BlobServer(grpc.GenericRpcHandler):
    """Keeps blobs as a scheduler does; loses connections when the test says so."""

    def __init__(self) -> None:
        self.blobs: dict[str, blob_pb2.Blob] = {}
        self.digests: dict[str, str] = {}
        self.offsets: list[int] = []
        self.failures: deque[grpc.StatusCode] = deque()
        self.part = bytes(range(256)) * 1024
        self._server = grpc.server(ThreadPoolExecutor(4))
        self._server.add_generic_rpc_handlers((self,))
        self.target = f"localhost:{self._server.add_insecure_port('localhost:0')}"
        self._server.start()

    def stop(self) -> None:
        self._server.stop(None).wait()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return {
            "UploadBlob": grpc.stream_unary_rpc_method_handler(
                self.upload(service.UploadBlobResponse),
                service.UploadBlobRequest.FromString,
                service.UploadBlobResponse.SerializeToString,
            ),
            "SaveJobBlob": grpc.stream_unary_rpc_method_handler(
                self.upload(jobs.SaveJobBlobResponse),
                jobs.SaveJobBlobRequest.FromString,
                jobs.SaveJobBlobResponse.SerializeToString,
            ),
            "DownloadBlob": grpc.unary_stream_rpc_method_handler(
                self.download(service.DownloadBlobResponse),
                service.DownloadBlobRequest.FromString,
                service.DownloadBlobResponse.SerializeToString,
            ),
            "LoadJobBlob": grpc.unary_stream_rpc_method_handler(
                self.download(jobs.LoadJobBlobResponse),
                jobs.LoadJobBlobRequest.FromString,
                jobs.LoadJobBlobResponse.SerializeToString,
            ),
        }[handler_call_details.method.rpartition("/")[2]]

    def upload(self, answer: Any) -> Any:
        def receive(requests: Iterator[Any], context: Any) -> Any:
            digest = hashlib.sha256()
            size = 0
            first = next(requests)
            for request in requests:
                if self.failures:
                    context.abort(self.failures.popleft(), "It was lost.")
                size += len(request.data)
                digest.update(request.data)
            blob = blob_pb2.Blob(id="019a", bytes=size, sha256=digest.hexdigest(), media_type=first.media_type)
            self.blobs[blob.id] = blob
            return answer(blob=blob)

        return receive

    def download(self, answer: Any) -> Any:
        def send(request: Any, context: Any) -> Iterator[Any]:
            blob = self.blobs.get(request.blob_id)
            if blob is None:
                context.abort(grpc.StatusCode.NOT_FOUND, "There is no such blob.")
                return
            offset = getattr(request, "offset", 0)
            self.offsets.append(offset)
            yield answer(part=blob_pb2.BlobPart(blob=blob))
            while offset < blob.bytes:
                if self.failures and offset > 0:
                    context.abort(self.failures.popleft(), "It was lost.")
                begin = offset % 256
                part = self.part[begin : min(len(self.part), begin + blob.bytes - offset)]
                offset += len(part)
                yield answer(part=blob_pb2.BlobPart(data=part))

        return send


class HeldJob:
    """A job that is held until the test says otherwise."""

    lease = session_pb2.Lease(job_id="job", lease_token=1)
    masks = None
    is_held = True


@pytest.fixture
def server() -> Iterator[BlobServer]:
    running = BlobServer()
    yield running
    running.stop()


@pytest.fixture
def client(server: BlobServer) -> Iterator[Client]:
    with Client(server.target, retries=Retries(delay_min=0.001, delay_max=0.001)) as connected:
        yield connected


def pattern(size: int) -> bytes:
    return (bytes(range(256)) * (size // 256 + 1))[:size]


@pytest.mark.parametrize("kind", ["bytes", "path", "file", "stream"])
def test_the_client_uploads_and_reads(server: BlobServer, client: Client, tmp_path: Path, kind: str) -> None:
    content = pattern(1_000_000)
    path = tmp_path / "data"
    path.write_bytes(content)

    class Stream:
        file = io.BytesIO(content)

        def read(self, size: int) -> bytes:
            return self.file.read(size)

    data: Any = {"bytes": content, "path": path, "file": io.BytesIO(content), "stream": Stream()}[kind]
    blob = client.put_blob(data, media_type="a/b")

    assert blob.reference() == {
        "$blob": "019a", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), "media_type": "a/b"
    }
    with client.open_blob(blob.reference()) as file:
        assert file.read() == content


def test_the_client_begins_an_upload_again_if_it_can(server: BlobServer, client: Client) -> None:
    content = io.BytesIO(b"skipped" + pattern(600_000))
    content.seek(7)
    server.failures.append(grpc.StatusCode.UNAVAILABLE)

    blob = client.put_blob(content)

    assert blob.sha256 == hashlib.sha256(pattern(600_000)).hexdigest()


def test_the_client_continues_a_download(server: BlobServer, client: Client) -> None:
    server.blobs["019a"] = blob_pb2.Blob(id="019a", bytes=1_000_000)
    server.failures.extend([grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE])

    with client.open_blob("019a") as file:
        assert file.read() == pattern(1_000_000)

    assert server.offsets[0] == 0
    assert len(server.offsets) == 3
    assert server.offsets[1] > 0


def test_the_client_says_what_is_missing(client: Client) -> None:
    with client.open_blob("none") as file, pytest.raises(NotFound):
        file.read()
    with pytest.raises(TypeError, match="of type str"):
        client.put_blob("text")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("kind", ["bytes", "path", "file"])
def test_the_async_client_does_the_same(server: BlobServer, tmp_path: Path, kind: str) -> None:
    content = pattern(1_000_000)
    path = tmp_path / "data"
    path.write_bytes(content)
    data: Any = {"bytes": content, "path": path, "file": io.BytesIO(content)}[kind]
    lost = grpc.StatusCode.UNAVAILABLE

    async def use() -> None:
        async with AsyncClient(server.target, retries=Retries(delay_min=0.001, delay_max=0.001)) as client:
            server.failures.append(lost)
            blob = await client.put_blob(data, media_type="a/b")
            assert blob.sha256 == hashlib.sha256(content).hexdigest()

            server.failures.append(lost)
            async with client.open_blob(blob) as parts:
                first = await parts.read(7)
                assert first + b"".join([part async for part in parts]) == content
                assert await parts.read() == b""
            async with client.open_blob(blob.reference()) as parts:
                assert await parts.read() == content

            with pytest.raises(NotFound):
                await client.open_blob("none").read()
            with pytest.raises(FileNotFoundError):
                await client.put_blob(tmp_path / "missing")
            with pytest.raises(TypeError, match="of type str"):
                await client.put_blob("text")  # pyright: ignore[reportArgumentType]

    asyncio.run(use())


class Zeros(io.RawIOBase):
    """A large file that takes no memory."""

    left = LARGE

    def read(self, size: int = -1, /) -> bytes:
        part = bytes(min(size, self.left))
        self.left -= len(part)
        return part


def test_the_client_holds_no_whole_blob(server: BlobServer, client: Client) -> None:
    tracemalloc.start()
    data: Any = Zeros()
    blob = client.put_blob(data)
    read = 0
    with client.open_blob(blob) as file:
        while part := file.read(1 << 20):
            read += len(part)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert blob.bytes == read == LARGE
    assert peak < 20 << 20


def test_a_handler_saves_and_loads_through_files(
    server: BlobServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("millrace.worker._job_blobs.RETRY_SECONDS", 0.001)
    job: Any = HeldJob()
    channel = grpc.insecure_channel(server.target)
    blobs = JobBlobs(job, lambda: (channel, ()))
    (tmp_path / "saved").write_bytes(pattern(700_000))
    server.failures.append(grpc.StatusCode.UNAVAILABLE)

    reference = blobs.save("saved", "a/b")
    server.failures.append(grpc.StatusCode.UNAVAILABLE)
    assert blobs.load("loaded", "019a") == reference

    assert (tmp_path / "loaded").read_bytes() == pattern(700_000)
    assert os.stat(tmp_path / "loaded").st_mode & 0o077 == 0
    assert Blob.of(reference).bytes == 700_000
    with pytest.raises(CallFailed, match=r"^InvalidCall: There is no such blob"):
        blobs.load("other", "none")
    job.is_held = False
    with pytest.raises(CallFailed, match=r"^LeaseLost"):
        blobs.load("late", "019a")
    channel.close()
