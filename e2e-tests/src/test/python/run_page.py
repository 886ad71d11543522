"""Runs the Python blocks of a page of the documentation, and compares what they print with the page.

Blocks of a page run one after the other in one name space, like the cells of a notebook. A page about workers has blocks that
are marked ``python client``: they run while the others, which serve, run in a process of their own. If there are no others, the
caller runs the worker.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(python|python client|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = "localhost:8401"


def main(page: str, address: str) -> None:
    root = Path(__file__).resolve().parents[4]
    blocks = BLOCK.findall((root / page).read_text().replace(ADDRESS, address))
    serving = [text for kind, text in blocks if kind == "python"]
    has_client = any(kind == "python client" for kind, _ in blocks)
    if not (has_client and serving):
        run_cells(blocks)
        return
    worker = subprocess.Popen([sys.executable, "-c", "\n".join(serving)])
    try:
        run_cells([(kind, text) for kind, text in blocks if kind != "python"])
    finally:
        worker.terminate()
    if worker.wait(30) != 0:
        sys.exit(f"The worker of the page ended with {worker.returncode}.")


def run_cells(cells: list[tuple[str, str]]) -> None:
    """Runs the cells, each with what it should print."""
    names: dict[str, object] = {"__name__": "page"}
    sys.modules["page"] = type(sys)("page")
    names = vars(sys.modules["page"])
    expected = 0
    for number, (kind, text) in enumerate(cells):
        if kind == "text":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, f"block {number}", "exec"), names)
        shown = cells[number + 1][1] if number + 1 < len(cells) and cells[number + 1][0] == "text" else ""
        expected += bool(shown)
        if printed.getvalue() != shown:
            sys.exit(f"The page shows\n{shown}\nbut this is printed:\n{printed.getvalue()}\nby\n{text}")
    if not expected:
        sys.exit("The page shows no output, so there is nothing to compare.")


main(*sys.argv[1:])
