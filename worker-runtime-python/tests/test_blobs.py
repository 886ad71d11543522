"""Blobs that a running job saves and opens. The test plays the host, which shares the temporary folder of the process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from runtime_process import Frame, RuntimeProcess, printed

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE = {"$blob": "019a", "bytes": 3, "sha256": "ab" * 32, "media_type": "text/plain"}
SAVE = """
    import io, os, pathlib, tempfile
    os.environ["TMPDIR"] = os.environ["HOME"]
    from millrace import blobs

    def main(kind: str):
        own = pathlib.Path(os.environ["HOME"]) / "own"
        own.write_bytes(b"abc")
        rest = io.BytesIO(b"-abc")
        rest.read(1)
        data = {"bytes": b"abc", "view": memoryview(b"abc"), "path": own, "stream": rest, "text": "abc"}[kind]
        return {"table": blobs.put(data, media_type="text/plain")}
"""
OPEN = """
    import os
    os.environ["TMPDIR"] = os.environ["HOME"]
    from millrace import blobs

    def main(table: blobs.Blob, other=None):
        with blobs.open(other or table) as file:
            return [table.bytes, table.media_type, file.read().decode()]
"""


def answer(process: RuntimeProcess, call: Frame, **members: object) -> None:
    message: dict[str, Any] = {"type": "answer", "id": call["id"], "call": call["call"], **members}
    process.send(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def left_behind(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith("blob-")]


@pytest.mark.parametrize("kind", ["bytes", "view", "path", "stream"])
def test_saves_a_blob_and_returns_its_reference(tmp_path: Path, kind: str) -> None:
    with RuntimeProcess(tmp_path, SAVE) as process:
        process.send_job("job-1", {"kind": kind})
        save = process.frames_until("call")[-1]
        file = tmp_path / save["arguments"]["file"]
        saved = file.read_bytes()
        answer(process, save, value=REFERENCE)
        end = process.frames_until_end("job-1")[-1]

    assert (save["method"], save["arguments"]["media_type"]) == ("blob.save", "text/plain")
    assert saved == b"abc"
    assert end["result"] == {"table": REFERENCE}
    assert left_behind(tmp_path) == []


def test_saves_no_text(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, SAVE) as process:
        error = process.error({"kind": "text"})

    assert error["name"] == "TypeError"
    assert error["message"].endswith("this is of type str.")
    assert left_behind(tmp_path) == []


def test_leaves_no_file_if_the_host_cannot_save_it(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, SAVE) as process:
        process.send_job("job-1", {"kind": "path"})
        save = process.frames_until("call")[-1]
        answer(process, save, error={"name": "InvalidCall", "message": "Too large."})
        error = process.frames_until_end("job-1")[-1]

    assert (error["name"], error["message"]) == ("CallFailed", "InvalidCall: Too large.")
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("other", [None, {**REFERENCE, "bytes": 7}])
def test_opens_a_blob_of_its_input(tmp_path: Path, other: object) -> None:
    with RuntimeProcess(tmp_path, OPEN) as process:
        process.send_job("job-1", {"table": REFERENCE, "other": other})
        load = process.frames_until("call")[-1]
        (tmp_path / load["arguments"]["file"]).write_bytes(b"abc")
        answer(process, load, value=REFERENCE)
        frames = process.frames_until_end("job-1")

    assert (load["method"], load["arguments"]["id"]) == ("blob.load", "019a")
    assert frames[-1]["result"] == [3, "text/plain", "abc"], printed(frames)
    assert left_behind(tmp_path) == []


def test_takes_no_other_object_for_a_reference(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, OPEN) as process:
        error = process.error({"table": {**REFERENCE, "bytes": True}})

    assert error["name"] == "InputError"
    assert "is not a reference to a blob" in error["message"]
