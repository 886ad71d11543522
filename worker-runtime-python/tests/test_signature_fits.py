"""Random signatures become schemas that take every random input that the loop takes, and few others."""

from __future__ import annotations

import copy
import json
import os
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from schema_check import fits

from millrace import InputError
from millrace._arguments import read_parameters
from millrace._signature import read

SEED = int(os.environ.get("MILLRACE_TEST_SEED", "20261125"))
SCRIPTS = 400
INPUTS = 60
REFUSED_SHARE_MIN = 0.8
"""Share of the inputs that the loop refuses, and the schema, too. The rest are dates that no calendar has, and the like."""

HEAD = """
import collections, dataclasses, datetime as dt, decimal, enum, typing, uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, auto
from typing import *
import annotated_types, pydantic
from pydantic import BaseModel, ConfigDict, Field

class Color(Enum):
    RED = "red"
    TWO = 2

class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

class Name(str, Enum):
    ADA = "ada"

@dataclass
class Item:
    name: str
    price: Decimal = Decimal(1)
    note: str = None
    next: "Item | None" = None
    date: dt.date = None
    kind: ClassVar[str] = "item"

@dataclass(kw_only=True)
class Special(Item):
    level: Level = Level.LOW
    hidden: int = field(default=1, init=False)

class Point(NamedTuple):
    x: int
    y: "float" = None

class Options(TypedDict, total=False):
    speed: int
    place: Required[Point]
    more: "Options"

class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    count: int = Field(gt=0)
    ratio: float = 0.5
    sure: bool = False
    day: date | None = None
    many: list["Model"] = []
    name: Annotated[str, Field(min_length=2)] = "ab"

Alias = dict[str, "list[Item]"]
UserId = NewType("UserId", int)
"""
SCALARS = (
    "str int float bool bytes Decimal uuid.UUID date datetime time timedelta None Any object Color Level Name Item Special"
    " Point Options Model Alias UserId list dict tuple Unknown Literal['a',1,None] Literal[True] Annotated[int,'count']"
    " Annotated[int,Field(ge=1,lt=9)] Annotated[str,annotated_types.MaxLen(3)] dt.date collections.OrderedDict"
).split()
TEXTS = [
    *("", "a", "ab", "red", "ada", "3", "-1.5e3", "AAA=", "2026-01-31", "2026-02-31", "09:30", "2026-01-31T09:30:00Z"),
    *("PT1H30M", "x" * 9, "00112233-4455-6677-8899-aabbccddeeff", "00112233445566778899aabbccddeeff", "true", "\n", "é"),
]
KEYS = ["name", "price", "note", "next", "date", "level", "x", "y", "speed", "place", "more", "count", "many", "3", "hidden"]


def random_type(source: random.Random, depth: int = 0) -> str:
    if depth > 2 or source.random() < 0.5:
        return source.choice(SCALARS)
    inner = [random_type(source, depth + 1) for _ in range(2)]
    forms = (
        *("list[{0}]", "dict[str, {0}]", "dict[int, {0}]", "Mapping[str, {0}]", "tuple[{0}, {1}]", "tuple[{0}, ...]"),
        *("Optional[{0}]", "Union[{0}, {1}]", "Sequence[{0}]", "set[{0}]", 'Annotated[{0}, "words"]', "'Optional[{0}]'"),
    )
    if any("'" in text or '"' in text for text in inner):
        return source.choice(forms[:-1]).format(*inner)
    return source.choice(forms).format(*inner)


def random_value(source: random.Random, depth: int = 0) -> Any:
    choice = source.randrange(10 if depth < 4 else 7)
    if choice < 3:
        return source.choice(TEXTS)
    if choice < 7:
        return source.choice([None, True, False, 0, 1, 2, 3, 9, -1, 1.0, 2.0, 0.5, 1e300, 10**30, 3.25])
    if choice < 8:
        return [random_value(source, depth + 1) for _ in range(source.randrange(4))]
    return {source.choice(KEYS): random_value(source, depth + 1) for _ in range(source.randrange(4))}


def shaped_value(source: random.Random, schema: dict[str, Any], root: dict[str, Any], depth: int = 0) -> Any:
    """Returns a value that the schema might take, so that many are taken."""
    if source.random() < 0.06 or depth > 8 or not schema:
        return random_value(source, depth)
    if "$ref" in schema:
        return shaped_value(source, root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth + 1)
    if "anyOf" in schema:
        return shaped_value(source, source.choice(schema["anyOf"]), root, depth + 1)
    if "enum" in schema:
        return source.choice(schema["enum"])
    kinds = schema.get("type", "null")
    kind = kinds if isinstance(kinds, str) else source.choice(kinds)
    if kind == "array":
        first = [shaped_value(source, one, root, depth + 1) for one in schema.get("prefixItems", [])]
        count = 0 if first else source.randrange(3)
        return first + [shaped_value(source, schema.get("items", {}), root, depth + 1) for _ in range(count)]
    if kind == "object":
        named: dict[str, Any] = schema.get("properties", {})
        given = [key for key in named if key in schema.get("required", []) or source.random() < 0.4]
        made = {key: shaped_value(source, named[key], root, depth + 1) for key in given}
        others = schema.get("additionalProperties", {})
        if others is not False and source.random() < 0.3:
            made[source.choice(KEYS)] = shaped_value(source, others, root, depth + 1)
        return made
    values = {"string": TEXTS, "integer": [0, 1, 2.0, 8, 10**20], "number": [0, 0.5, 3, 1e9], "boolean": [True, False]}
    return source.choice(values.get(kind, [None]))


def random_signature(source: random.Random) -> str:
    names = source.sample(["a", "b", "c", "input", "ctx", "name"], source.randrange(1, 5))
    required = [f"{name}: {random_type(source)}" if source.random() < 0.9 else name for name in names[:2]]
    optional = [f"{name}: {random_type(source)} = {source.choice(['None', '3', repr('x'), '[]'])}" for name in names[2:]]
    others = [source.choice(["**more", f"**more: {random_type(source)}"])] if source.random() < 0.15 else []
    return ", ".join([*required, *optional, *others])


def test_a_schema_takes_what_the_loop_takes(tmp_path: Path) -> None:
    source = random.Random(SEED)
    taken = refused = refused_by_both = 0
    for number in range(SCRIPTS):
        future = source.choice(["", "from __future__ import annotations\n"])
        signature = random_signature(source).replace("Unknown", "Unknown" if future else "Any")
        text = f"{future}{HEAD}\ndef main({signature}):\n    pass\n"
        script = tmp_path / f"script_{number}.py"
        script.write_text(text, encoding="utf-8")
        module = ModuleType(f"script_{number}")
        sys.modules[module.__name__] = module
        try:
            exec(compile(text, str(script), "exec"), module.__dict__)
        except (TypeError, pydantic_errors()):  # Two texts cannot be alternatives, for example.
            continue
        parameters = read_parameters(module.__dict__["main"])
        schema = read(str(script), str(tmp_path))
        for _ in range(INPUTS):
            given = shaped_value(source, schema, schema)
            if not isinstance(given, dict):
                continue
            given = json.loads(json.dumps(given))
            is_fit = fits(schema, given)
            try:
                parameters.bind(copy.deepcopy(given), None)
            except InputError:
                refused += 1
                refused_by_both += not is_fit
                continue
            taken += 1
            assert is_fit, f"seed {SEED}: main({signature}) takes {json.dumps(given)}; its schema does not: {schema}"
        del sys.modules[module.__name__]

    assert taken > SCRIPTS * INPUTS / 10, taken
    assert refused_by_both / refused > REFUSED_SHARE_MIN, (refused_by_both, refused)


def pydantic_errors() -> type[Exception]:
    import pydantic

    return pydantic.errors.PydanticUserError


@pytest.mark.parametrize("first", ["main = 3", "from other import *", "def main(b): pass", "if x:\n    def main(b): pass"])
def test_a_main_that_is_not_certain_takes_anything(tmp_path: Path, first: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"{first}\ndef main(a: int): pass\n", encoding="utf-8")
    if "*" in first:
        assert read(str(script), str(tmp_path))["properties"] == {"a": {}}
    else:
        assert read(str(script), str(tmp_path)) == {}
