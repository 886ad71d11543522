"""Saves measurements that are too many for a result."""

import tempfile
from pathlib import Path

from millrace import blobs

BLOCK = bytes(range(250)) * 4000


def main(megabytes: int) -> blobs.Blob:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measurements"
        with path.open("wb") as file:
            for _ in range(megabytes):
                file.write(BLOCK)
        return blobs.put(path, media_type="application/x-measurements")
