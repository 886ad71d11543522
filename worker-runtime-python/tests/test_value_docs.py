"""The example of docs/reference/python-values.md does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conftest import Start

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python-values.md"


def test_the_example_gives_the_result_and_the_error_of_the_page(start: Start) -> None:
    page = PAGE.read_text(encoding="utf-8")
    [script] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    given, result, unfit = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    [message] = re.findall(r"```\n(items.*?)\n```", page)
    process = start(script)

    assert process.result(given) == result
    assert process.error(unfit)["message"] == message
