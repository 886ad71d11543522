"""Shared fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from runtime_process import RuntimeProcess

Start: TypeAlias = Callable[[str], RuntimeProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a runtime process with the script's source, and ends it after the test."""
    with ExitStack() as processes:
        yield lambda source: processes.enter_context(RuntimeProcess(tmp_path, source))
