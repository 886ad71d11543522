"""A worker whose job waits until a line arrives at the standard input of the process."""

import logging
import sys

from millrace.worker import Worker

logging.basicConfig(level="INFO")
worker = Worker(slots=1)


@worker.job("tests.gated")
def gated() -> str:
    print("begun")
    sys.stdin.readline()
    return "done"


worker.run()
