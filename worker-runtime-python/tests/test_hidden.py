"""What other processes of the same user can see of a process."""

from __future__ import annotations

import sys

import pytest
from conftest import Start

PRINTS_DUMPABLE = """
import ctypes, subprocess, sys

PROGRAM = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), end='')"

def main():
    child = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    return [ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), child.stdout]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hides processes")
def test_nobody_reads_the_memory_of_a_process(start: Start) -> None:
    process = start(PRINTS_DUMPABLE)

    assert process.result() == [0, "1"]


def test_a_long_stack_is_cut_between_lines(start: Start) -> None:
    process = start("""
    def main():
        raise ValueError("\\n".join(f"line {i} " + "x" * 900 + "end" for i in range(100)))
    """)

    begin, end = process.error()["stack"].split("\n  […]\n")

    assert begin.endswith("xend")
    assert end.startswith("line ")
