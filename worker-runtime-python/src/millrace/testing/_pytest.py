"""The plug-in of pytest, which finds it by the entry point of the package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ._job import FakeJob


@pytest.fixture
def millrace_job() -> Iterator[FakeJob]:
    """The running job of the test, see `FakeJob`."""
    with FakeJob() as job:
        yield job
