"""The index of files, from which the worker knows which files to extract."""

from __future__ import annotations

from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src"


def test_index_lists_every_file_of_the_package() -> None:
    present = [
        path.relative_to(SOURCES).as_posix()
        for path in (SOURCES / "millrace").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    ]

    assert (SOURCES / "FILES").read_text().split() == sorted(present)
