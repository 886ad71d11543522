"""Shared fixtures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from runtime_process import RuntimeProcess
from template_process import DEFAULT_VARIABLES, TemplateProcess

Start: TypeAlias = Callable[[str], RuntimeProcess]


FORKED = ("test_baseline", "test_cancel", "test_hidden", "test_output", "test_strays")
"""Modules whose tests run with forks of a template, too: what they test depends on how a process begins."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "start" in metafunc.fixturenames:
        module = Path(metafunc.definition.nodeid.partition("::")[0]).stem
        forks = sys.platform == "linux" and module in FORKED
        metafunc.parametrize("start", ["started", "forked"] if forks else ["started"], indirect=True)


@pytest.fixture
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Starts a runtime process with the script's source, or forks one, and ends it after the test."""
    with ExitStack() as processes:
        if request.param == "forked":
            template = processes.enter_context(TemplateProcess(tmp_path))
            yield lambda source: template.start(source, **DEFAULT_VARIABLES)
        else:
            yield lambda source: processes.enter_context(RuntimeProcess(tmp_path, source))
