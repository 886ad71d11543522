"""Tests of scripts without Millrace: a `FakeJob` is the running job, and keeps what the code under test asks for.

With pytest, the fixture ``millrace_job`` is one::

    def test_counts(millrace_job: FakeJob) -> None:
        assert millrace_job.run("count.py", {"text": "a b"}) == 2
"""

from ._job import FakeJob

__all__ = ["FakeJob"]
