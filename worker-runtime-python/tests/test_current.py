"""The running job, as user code finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime_process import RuntimeProcess, printed

if TYPE_CHECKING:
    from pathlib import Path


def test_knows_the_job_in_all_threads_and_tasks(tmp_path: Path) -> None:
    script = """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor
        from datetime import datetime, timezone
        from millrace import current, job_context

        async def in_task():
            return [current().job_id, await asyncio.to_thread(lambda: current().job_id)]

        def main(ctx):
            assert current() is ctx and job_context() is ctx
            with ThreadPoolExecutor() as pool:
                in_thread = pool.submit(lambda: current().job_id).result()
            left = (current().deadline - datetime.now(timezone.utc)).total_seconds()
            return [in_thread, *asyncio.run(in_task()), 3_590 < left <= 3_600]
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1", deadline_ms=3_600_000)
        frames = process.frames_until_end("job-1")

    assert frames[-1]["result"] == ["job-1", "job-1", "job-1", True]



def test_says_that_no_job_runs_while_a_script_is_loaded(tmp_path: Path) -> None:
    script = """
        from millrace import current
        try:
            current()
        except RuntimeError as error:
            said = str(error)

        def main():
            return said
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        result = process.frames_until_end("job-1")[-1]["result"]

    assert result.startswith("No job is running here: call current() from main")


def test_logs_lines_with_levels_and_fields(tmp_path: Path) -> None:
    script = """
        from datetime import date
        from millrace import current

        def main():
            logger = current().logger.bind(order="A-17")
            print("before")
            logger.info("charged\\ntwice", amount=3, due=date(2026, 1, 31))
            logger.debug("seen", order=None)
            logger.warning("odd", value={1: object})
            logger.error("lost")
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        frames = process.frames_until_end("job-1")

    assert printed(frames) == (
        'before\nINFO charged\\ntwice order="A-17" amount=3 due="2026-01-31"\nDEBUG seen order=null\n'
    )
    assert printed(frames, "stderr") == (
        'WARNING odd order="A-17" value="{1: <class \'object\'>}"\nERROR lost order="A-17"\n'
    )
