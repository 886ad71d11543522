"""What other processes of the same user can see of a process, and what it can see of them."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Start

LANDLOCK_CREATE_RULESET = 444
ALL = ["fd", "mem"]
"""The superuser may also read `environ` and `maps`, by a capability that the host takes from its processes."""


def landlock_version() -> int:
    """The version of Landlock that the kernel offers; 0 or less if it offers none."""
    if sys.platform != "linux":
        return 0
    return ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, 0, 1)


has_landlock = pytest.mark.skipif(landlock_version() < 2, reason="this kernel has no Landlock, or one that is too old")

PRINTS_DUMPABLE = """
import ctypes, subprocess, sys

PROGRAM = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), end='')"

def main():
    child = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    return [ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), child.stdout]
"""

READS_PROCESSES = """
import json, os, subprocess, sys

PROGRAM = '''
import json, os, sys

def reads(path):
    try:
        if path.endswith("fd"):
            return bool([os.readlink(f"{path}/{fd}") for fd in os.listdir(path)])
        open(path, "rb").close()
        return True
    except OSError:
        return False

print(json.dumps([what for what in ("fd", "mem") if reads(f"/proc/{sys.argv[1]}/{what}")]))
'''

def main(pid: int):
    own = subprocess.Popen(["sleep", "60"])
    try:
        return {"other": seen(pid), "own": seen(own.pid)}
    finally:
        own.kill()

def seen(pid):
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(pid)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
"""

MOVES_FILES = """
import os

def main(folder: str):
    for name in ("a", "b"):
        os.mkdir(f"{folder}/{name}")
    open(f"{folder}/a/file", "w").close()
    os.rename(f"{folder}/a/file", f"{folder}/b/moved")
    os.link(f"{folder}/b/moved", f"{folder}/a/linked")
    return sorted(os.listdir(f"{folder}/a") + os.listdir(f"{folder}/b"))
"""


@pytest.fixture
def stranger() -> Iterator[int]:
    """The id of a process of the same user that the script did not start."""
    process = subprocess.Popen(["sleep", "60"])
    yield process.pid
    process.kill()
    process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hides processes")
def test_nobody_reads_the_memory_of_a_process(start: Start) -> None:
    process = start(PRINTS_DUMPABLE)

    assert process.result() == [0, "1"]


@has_landlock
def test_a_script_and_its_programs_read_only_what_it_started(start: Start, stranger: int) -> None:
    process = start(READS_PROCESSES)

    assert process.result({"pid": stranger}) == {"other": [], "own": ALL}


@has_landlock
def test_files_can_be_moved_between_folders(start: Start, tmp_path: Path) -> None:
    process = start(MOVES_FILES)

    assert process.result({"folder": str(tmp_path)}) == ["linked", "moved"]


def test_a_long_stack_is_cut_between_lines(start: Start) -> None:
    process = start("""
    def main():
        raise ValueError("\\n".join(f"line {i} " + "x" * 900 + "end" for i in range(100)))
    """)

    begin, end = process.error()["stack"].split("\n  […]\n")

    assert begin.endswith("xend")
    assert end.startswith("line ")
