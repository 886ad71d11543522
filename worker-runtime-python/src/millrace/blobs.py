"""Values that are too large for inputs and results: files, tables, models.

A blob is a sequence of bytes that the workspace keeps. A step saves it and returns a `Blob`, which is a short reference in
the result. Another step gets the reference as its input, and reads the bytes::

    def main(rows: int) -> millrace.blobs.Blob:
        return millrace.blobs.put(path_of_table)

    def main(table: millrace.blobs.Blob) -> int:
        with millrace.blobs.open(table) as file:
            return sum(1 for _ in file)

The bytes travel through a file in the temporary folder of the process. Call these functions from the thread that runs ``main``
or the handler; an asynchronous handler makes them in a thread: ``await asyncio.to_thread(blobs.put, path)``.
"""

from __future__ import annotations

import os
from io import open as open_file

from ._context import current_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Final, TypeVar

    _T = TypeVar("_T")

__all__ = ["Blob", "open", "put"]

_COPY_BYTES = 1 << 20


class Blob:
    """A reference to a blob. It grants nothing: whoever opens it must be of the workspace of the blob.

    Attributes:
        id: Id of the blob, a UUID.
        bytes: Number of bytes.
        sha256: SHA-256 of the bytes, 64 lower-case hexadecimal digits.
        media_type: What the bytes are, as whoever saved them said, such as ``image/png``.
    """

    __slots__ = ("bytes", "id", "media_type", "sha256")

    def __init__(self, *, id: str, bytes: int, sha256: str, media_type: str) -> None:
        self.id: Final = id
        self.bytes: Final = bytes
        self.sha256: Final = sha256
        self.media_type: Final = media_type

    @classmethod
    def of(cls, reference: Any) -> Blob:
        """Returns the blob that a JSON object stands for.

        Raises:
            ValueError: The object is no reference to a blob.
        """
        try:
            return cls(
                id=_exactly(str, reference["$blob"]),
                bytes=_exactly(int, reference["bytes"]),
                sha256=_exactly(str, reference["sha256"]),
                media_type=_exactly(str, reference["media_type"]),
            )
        except (TypeError, KeyError):
            raise ValueError(
                "This is no reference to a blob: pass what put has returned, or the result of a step that returned it."
            ) from None

    def reference(self) -> dict[str, object]:
        """Returns the JSON object that stands for the blob in inputs and results."""
        return {"$blob": self.id, "bytes": self.bytes, "sha256": self.sha256, "media_type": self.media_type}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blob) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Blob(id={self.id!r}, bytes={self.bytes}, media_type={self.media_type!r})"


def put(
    data: bytes | bytearray | memoryview | os.PathLike[str] | BinaryIO,
    *,
    media_type: str = "application/octet-stream",
) -> Blob:
    """Saves a blob, and returns when it is durable. It is kept as long as the run, or longer if other runs open it.

    Args:
        data: The bytes, the path of a file with them, or a file that is open for reading bytes, of which the rest is taken.
        media_type: What the bytes are, 1 to 255 printable ASCII characters.

    Raises:
        TypeError: `data` is of another type, such as a ``str``.
        OSError: The file cannot be read, or the temporary folder has no room for a copy.
        CallFailed: The blob is too large, the job has lost its lease, or the scheduler cannot be reached.
    """
    host = current_host()
    name, path = _new_file()
    try:
        _fill(path, data)
        return Blob.of(host.call("blob.save", {"file": name, "media_type": media_type}))
    finally:
        _remove(path)


def open(blob: Blob | dict[str, Any]) -> BinaryIO:
    """Loads a blob into the temporary folder, and opens it for reading. Close the file to free its room on the disk.

    Args:
        blob: The blob, or the reference to it as it stands in an input.

    Raises:
        ValueError: It is no reference to a blob.
        CallFailed: The workspace has no such blob, the temporary folder has no room, the job has lost its lease, or the
            scheduler cannot be reached.
    """
    wanted = blob if isinstance(blob, Blob) else Blob.of(blob)
    host = current_host()
    name, path = _new_file()
    try:
        host.call("blob.load", {"id": wanted.id, "file": name})
        return open_file(path, "rb")
    finally:
        _remove(path)


def _new_file() -> tuple[str, str]:
    """Returns the name and path of a file that does not exist yet, in the folder that the host shares."""
    name = f"blob-{os.urandom(16).hex()}"
    return name, os.path.join(os.environ.get("TMPDIR", "/tmp"), name)


def _fill(path: str, data: Any) -> None:
    """Makes a file of the data: by a link if they are a file of the same file system."""
    if isinstance(data, os.PathLike):
        source = os.path.realpath(data)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        try:
            os.link(source, path)  # pyright: ignore[reportUnknownArgumentType]
            return
        except OSError:
            with open_file(source, "rb") as file:  # pyright: ignore[reportUnknownArgumentType]
                _fill(path, file)
            return
    with open_file(path, "xb", opener=_private) as copy:
        if isinstance(data, (bytes, bytearray, memoryview)):
            copy.write(data)  # pyright: ignore[reportUnknownArgumentType]
        elif hasattr(data, "read"):
            while part := data.read(_COPY_BYTES):
                copy.write(part)
        else:
            raise TypeError(
                f"put takes bytes, the pathlib.Path of a file, or a file that is open for reading bytes; this is of type"
                f" {type(data).__name__}."
            )


def _private(path: str, flags: int) -> int:
    """Opens a file that other users cannot read: handlers may share their temporary folder with them."""
    return os.open(path, flags, 0o600)


def _exactly(kind: type[_T], value: object) -> _T:
    if type(value) is not kind:
        raise TypeError
    return value


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
