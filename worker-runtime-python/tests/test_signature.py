"""What annotations and docstrings become, and what a hostile script does to its reader."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from millrace._signature import CHARS_MAX, EXIT_SYNTAX, read

HEAD = "from __future__ import annotations\nimport enum\nfrom dataclasses import dataclass\nfrom typing import *\n"


def schema_of(folder: Path, text: str, files: dict[str, str] | None = None) -> dict[str, Any]:
    for name, content in (files or {}).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    script = folder / "script.py"
    script.write_text(text, encoding="utf-8")
    return read(str(script), str(folder))


@pytest.mark.parametrize(
    "doc",
    [
        "Greets.\n\n    Args:\n        name (str): Whom\n            to greet.\n        times: How often.\n\n    Returns:\n        name: No.",
        "Greets.\n\n    :param str name: Whom\n        to greet.\n    :param times: How often.\n    :returns: No.",
        "Greets.\n\n    Parameters\n    ----------\n    name : str\n        Whom\n        to greet.\n    times\n        How often.\n\n"
        "    Returns\n    -------\n    str\n        No.",
    ],
)
def test_docstrings_describe_parameters(tmp_path: Path, doc: str) -> None:
    schema = schema_of(tmp_path, f'def main(name: str, times: int = 3):\n    """{doc}"""\n')

    assert schema["description"] == "Greets."
    assert schema["properties"]["name"] == {"type": "string", "description": "Whom to greet."}
    assert schema["properties"]["times"] == {"type": "integer", "description": "How often.", "default": 3}


def test_classes_come_from_the_files_of_the_version(tmp_path: Path) -> None:
    text = f"{HEAD}from lib.shapes import Circle as Round\nimport lib.shapes\nfrom lib import *\ndef main(a: Round, b: lib.shapes.Color, c: Alias): pass"
    shapes = f"{HEAD}@dataclass\nclass Circle:\n    inner: list[Circle]\nclass Color(enum.Enum):\n    RED = 'red'\n"
    package = "from .shapes import Circle\nAlias = Circle | None"
    schema = schema_of(tmp_path, text, {"lib/shapes.py": shapes, "lib/__init__.py": package})

    circle = {"$ref": "#/$defs/Circle"}
    assert schema["properties"] == {
        "a": circle,
        "b": {"enum": ["red"], "title": "Color"},
        "c": {"anyOf": [circle, {"type": "null"}]},
    }
    assert schema["$defs"]["Circle"]["properties"] == {"inner": {"type": "array", "items": circle}}


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("if x:\n    class A(enum.Enum):\n        B = 1", "A"),
        ("class A(enum.Enum):\n    B = 1\n    def _missing_(cls, value): pass", "A"),
        ("class A(Unknown): pass", "A"),
        ("@decorated\n@dataclass\nclass A:\n    b: int", "A"),
        ("def f():\n    global A\n    A = 3\nA = int", "A"),
        ("from missing import *", "A"),
        ("A = int\nA = str", "A"),
        ("class A(Generic[T]):\n    b: T", "A[int]"),
        ("A = list['A']", "list[list[B]]"),
        ("", "print('x')"),
        ("", "lambda: 3"),
        ("", "'(' "),
    ],
)
def test_what_is_not_certain_takes_anything(tmp_path: Path, statement: str, hint: str) -> None:
    assert schema_of(tmp_path, f"{HEAD}{statement}\ndef main(a: {hint}): pass")["properties"] == {"a": {}}


def test_the_only_parameter_input_takes_the_whole_input(tmp_path: Path) -> None:
    assert schema_of(tmp_path, "def main(input: dict[str, int], ctx): pass") == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "if": {"required": ["input"]},
        "then": {
            "properties": {"input": {"type": "object", "additionalProperties": {"type": "integer"}}},
            "additionalProperties": False,
        },
        "else": {"type": "object", "additionalProperties": {"type": "integer"}},
    }


LADDER = "\n".join(f"A{level} = dict[str, A{level + 1}] | list[A{level + 1}]" for level in range(60))


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        (f"{HEAD}@dataclass\nclass A:\n" + "".join(f"    f{i}: int\n" for i in range(10_000)) + "def main(a: A, b: int): pass", 2),
        (f"{HEAD}{LADDER}\nA60 = int\ndef main(a: A0): pass", 1),
        (HEAD + "def main(" + ", ".join(f"p{i}: int" for i in range(10_000)) + "): pass", None),
        (f"{HEAD}def main(a: " + "list[" * 150 + "int" + "]" * 150 + "): pass", 1),
        (f"{HEAD}def main(a: " + " | ".join(["int", "str"] * 5_000) + "): pass", None),
        ("def main(a: int): pass\nx = " + "(" * 5_000 + ")" * 5_000, None),
        ("def main(a: int): pass\nx = " + "-" * 50_000 + "1", None),
        ("def main(a: int): pass\n" + "x = [0]\n" * 100_000, 1),
        ("def main(a: '" + "[" * 9_000 + "'): pass", 1),
        ("\0def main(a): pass", None),
    ],
    ids=range(10),
)
def test_hostile_scripts_have_a_small_schema_soon(tmp_path: Path, text: str, parameters: int | None) -> None:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from millrace import _signature; _signature.print_schema(*sys.argv[1:])"
    source = Path(__file__).parents[1] / "src"
    start = time.monotonic()
    command = [sys.executable, "-I", "-S", "-c", code, str(source), str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert len(done.stdout) <= CHARS_MAX
    assert time.monotonic() - start < 60
    if done.returncode == 0:
        import json

        assert len(json.loads(done.stdout).get("properties", {})) == (parameters or 0)
    else:
        assert parameters is None


@pytest.mark.parametrize(
    ("text", "place"),
    [("def main(:\n    pass\n", "script.py:1:10: SyntaxError: "), ("def main():\nreturn 1\n", "script.py:2:1: IndentationError: ")],
)
def test_tells_a_script_that_python_cannot_read(tmp_path: Path, text: str, place: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    source = Path(__file__).parent.parent / "src"
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from millrace import _signature; _signature.print_schema(*sys.argv[1:])"

    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(source), str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == EXIT_SYNTAX
    assert ended.stderr.startswith(place)
    assert ended.stdout == ""
