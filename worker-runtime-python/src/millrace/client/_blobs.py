"""Blobs outside of jobs: their bytes as streams of messages, of which the client holds one."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from .._proto.blob.v1 import blob_pb2, blob_service_pb2
from ..blobs import Blob

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SERVICE = "/millrace.blob.v1.BlobService/"
PART_BYTES = 256 << 10

Parts = Callable[[], Iterator[bytes]]


class BlobSource:
    """What a blob is made of.

    Attributes:
        can_repeat: Whether the bytes can be read again, if a connection breaks.
        is_file: Whether reading may wait for a disk or another program.
    """

    def __init__(self, data: object) -> None:
        """Looks at the data.

        Raises:
            TypeError: They are neither bytes, nor a path, nor a file that is open for reading bytes.
        """
        self._data: Any = data
        self.is_file = not isinstance(data, (bytes, bytearray, memoryview))
        self._start: int | None = None
        if isinstance(data, (bytes, bytearray, memoryview, os.PathLike)):
            self.can_repeat = True
        elif hasattr(data, "read"):
            seekable: Any = getattr(data, "seekable", None)
            self.can_repeat = bool(seekable is not None and seekable())
            self._start = self._data.tell() if self.can_repeat else None
        else:
            raise TypeError(
                "put_blob takes bytes, the pathlib.Path of a file, or a file that is open for reading bytes; this is of type"
                f" {type(data).__name__}."
            )

    def parts(self) -> Iterator[bytes]:
        """Returns all bytes from the first one on."""
        data = self._data
        if isinstance(data, os.PathLike):
            with Path(os.fspath(data)).open("rb") as file:  # pyright: ignore[reportUnknownArgumentType]
                yield from _read(file)
        elif isinstance(data, (bytes, bytearray, memoryview)):
            yield from _read(io.BytesIO(data))  # pyright: ignore[reportUnknownArgumentType]
        else:
            if self._start is not None:
                data.seek(self._start)
            yield from _read(data)


def _read(file: Any) -> Iterator[bytes]:
    while part := file.read(PART_BYTES):
        yield part


def upload_requests(
    workspace: str, media_type: str, source: BlobSource
) -> Iterator[blob_service_pb2.UploadBlobRequest]:
    """Returns the messages of an upload."""
    yield blob_service_pb2.UploadBlobRequest(workspace=workspace, media_type=media_type)
    for part in source.parts():
        yield blob_service_pb2.UploadBlobRequest(workspace=workspace, data=part)


async def upload_stream(
    workspace: str, media_type: str, source: BlobSource
) -> AsyncIterator[blob_service_pb2.UploadBlobRequest]:
    """Returns the messages of an upload. Files are read in a thread."""
    requests = upload_requests(workspace, media_type, source)
    while True:
        request = await asyncio.to_thread(next, requests, None) if source.is_file else next(requests, None)
        if request is None:
            return
        yield request


def blob_of(found: blob_pb2.Blob) -> Blob:
    """Returns the reference to a blob."""
    return Blob(id=found.id, bytes=found.bytes, sha256=found.sha256, media_type=found.media_type)


def id_of(blob: Blob | dict[str, Any] | str) -> str:
    """Returns the id of a blob, of its reference, or the id itself."""
    if isinstance(blob, str):
        return blob
    return blob.id if isinstance(blob, Blob) else Blob.of(blob).id


class BlobStream(io.RawIOBase):
    """The bytes of a blob, as they come from the scheduler. A broken stream continues where it was."""

    def __init__(self, open_at: Callable[[int], Iterator[bytes]]) -> None:
        """Reads from the begin on.

        Args:
            open_at: Returns the parts from a byte on; raises once continuing does not help.
        """
        super().__init__()
        self._parts = open_at(0)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Whether the stream can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Reads the next bytes; 0 at the end."""
        while not self._rest:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._rest = memoryview(part)
        target = memoryview(buffer).cast("B")
        count = min(len(target), len(self._rest))
        target[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self) -> None:
        """Ends the call."""
        close: Any = getattr(self._parts, "close", None)
        if close is not None:
            close()
        super().close()


def buffered(open_at: Callable[[int], Iterator[bytes]]) -> BinaryIO:
    """Returns the bytes of a blob as a file."""
    file: Any = io.BufferedReader(BlobStream(open_at), PART_BYTES)
    return file


class BlobReader:
    """The bytes of a blob on an event loop, as they come from the scheduler. Read it to its end, or close it."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        self._parts: Any = parts
        self._rest = b""

    async def read(self, size: int = -1) -> bytes:
        """Returns the next bytes, at most `size` of them; empty at the end.

        Args:
            size: Largest number of bytes; negative for all that are left.

        Raises:
            NotFound: The workspace has no such blob.
            ClientError: Continuing does not help.
        """
        if size < 0:
            return self._take(len(self._rest)) + b"".join([part async for part in self._parts])
        if not self._rest and size > 0:
            self._rest = await anext(self._parts, b"")
        return self._take(size)

    def _take(self, size: int) -> bytes:
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yields the bytes that are left in parts of at most 256 KiB."""
        if self._rest:
            yield self._take(len(self._rest))
        async for part in self._parts:
            yield part

    async def aclose(self) -> None:
        """Ends the call."""
        await self._parts.aclose()

    async def __aenter__(self) -> BlobReader:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.aclose()
