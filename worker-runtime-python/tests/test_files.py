"""The index of files, from which the worker knows which files to extract: those of scripts, without client and worker."""

from __future__ import annotations

from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src"


def test_index_lists_every_file_of_scripts() -> None:
    present = [
        path.relative_to(SOURCES).as_posix()
        for path in [*(SOURCES / "millrace").iterdir(), *SOURCES.glob("*.py")]
        if path.is_file()
    ]

    assert (SOURCES / "FILES").read_text().split() == sorted(present)
