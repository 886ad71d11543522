"""The example and the table of docs/reference/input-schemas.md say what annotations become."""

from __future__ import annotations

import json
import re
from pathlib import Path

from millrace._signature import read

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "input-schemas.md"
IMPORTS = """from datetime import *
from decimal import Decimal
from typing import *
from uuid import UUID
"""


def test_the_example_becomes_the_schema_of_the_page(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [schema] = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    script = tmp_path / "script.py"
    script.write_text(example, encoding="utf-8")

    assert read(str(script), str(tmp_path)) == json.loads(schema)


def test_each_annotation_of_the_table_becomes_its_schema(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)\ndef main", page, re.DOTALL)
    of_python = page.partition("\n## What annotations of Python become\n")[2].partition("\n## ")[0]
    rows = [
        (hint.replace(r"\|", "|"), json.loads(schema.replace(r"\|", "|")))
        for hint, schema in re.findall(r"^\| `(.*?)` \| `(.*)` \|$", of_python, re.MULTILINE)
    ]
    assert len(rows) > 20
    script = tmp_path / "script.py"
    for hint, schema in rows:
        script.write_text(f"{IMPORTS}{example}\ndef main(a: {hint}): pass\n", encoding="utf-8")

        assert read(str(script), str(tmp_path))["properties"] == {"a": schema}, hint
