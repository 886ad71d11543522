"""`millrace.testing`, as authors of scripts use it with pytest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import millrace
import pytest
from millrace.testing import FakeJob
from millrace.testing._pytest import millrace_job as millrace_job

HOME = Path(__file__).parents[2]
SHOWN = re.compile(r"`([\w.]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
SCRIPT = """
import dataclasses
import millrace

@dataclasses.dataclass
class Order:
    item: str
    quantity: int = 1

async def main(order: Order, ctx) -> dict:
    job = millrace.current()
    assert job is ctx
    with job.lock("stock"):
        sold = job.data.get("sold", 0) + order.quantity
        job.data.set("sold", sold)
    job.progress(0.5)
    job.trace("sold")
    job.logger.info("sold", item=order.item)
    return {"sold": sold, "attempt": job.attempt}
"""


def test_a_script_runs_as_in_a_worker(millrace_job: FakeJob, tmp_path: Path) -> None:
    script = tmp_path / "sell.py"
    script.write_text(SCRIPT)
    millrace_job.data["sold"] = 40
    before = list(sys.path)

    assert millrace_job.run(script, {"order": {"item": "lamp", "quantity": 2}}) == {"sold": 42, "attempt": 1}
    millrace_job.retry()
    assert millrace_job.run(script, {"order": {"item": "lamp"}}) == {"sold": 43, "attempt": 2}

    assert millrace_job.data == {"sold": 43}
    assert millrace_job.locked == ["stock", "stock"]
    assert millrace_job.held == []
    assert millrace_job.progress == [0.5, 0.5]
    assert millrace_job.traces == ["sold", "sold"]
    assert "lamp" in millrace_job.lines[0][1]
    assert millrace_job.calls[1] == ("data.get", {"key": "sold"})
    assert sys.path == before
    assert "sell" not in sys.modules


def test_an_input_that_does_not_fit_is_refused(millrace_job: FakeJob) -> None:
    def main(n: int) -> int:
        return n

    with pytest.raises(millrace.InputError, match="lacks"):
        millrace_job.run(main, {})


def test_a_result_that_is_no_json_is_refused(millrace_job: FakeJob) -> None:
    with pytest.raises(millrace.ResultError):
        millrace_job.run(object)


def test_a_mutex_that_others_hold_is_not_acquired(millrace_job: FakeJob) -> None:
    millrace_job.held_by_others.add("stock")

    with pytest.raises(millrace.LockTimeout):
        millrace.current().lock("stock", wait=0.1)


def test_other_calls_have_the_answers_of_the_test(millrace_job: FakeJob) -> None:
    host = millrace_job.context._host  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(millrace.CallFailed, match="job.answer"):
        host.call("secret.get", {"name": "key"})
    millrace_job.answer("secret.get", lambda given: {"value": given["name"].upper()})
    assert host.call("secret.get", {"name": "key"}) == {"value": "KEY"}


def test_no_job_runs_after_the_end() -> None:
    with FakeJob(attempt=3, step="count[2]") as job:
        assert millrace.current() is job.context
        assert millrace.current().step_token.endswith("/count[2]")
    with pytest.raises(RuntimeError):
        millrace.current()


def test_the_tests_in_the_page_for_users_pass(tmp_path: Path) -> None:
    page = (HOME / "docs" / "how-to" / "test-scripts.md").read_text(encoding="utf-8")
    for name, content in SHOWN.findall(page):
        (tmp_path / name).write_text(content, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(HOME / "worker-runtime-python" / "src")}

    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "millrace.testing._pytest", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )

    assert "4 passed" in done.stdout, done.stdout + done.stderr
