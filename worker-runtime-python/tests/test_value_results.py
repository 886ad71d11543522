"""Which JSON is made of the Python values that ``main`` returns."""

from __future__ import annotations

import enum
import json
from collections import deque
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from conftest import Start

from millrace import ResultError
from millrace._results import encode_value

A_UUID = "6f1c1a0e-6c0f-4a5e-9d6a-0c8f1a2b3c4d"
BERLIN = timezone(timedelta(hours=1))


class Color(enum.Enum):
    RED = "red"


class Text(str, enum.Enum):
    A = "a"


class Level(enum.IntEnum):
    HIGH = 2


class Weight(enum.Enum):
    HEAVY = Decimal("1.5")


class Point(NamedTuple):
    x: int
    day: date


@dataclass
class Item:
    price: Decimal
    sold: set[date]


ENCODED: list[tuple[object, object]] = [
    (datetime(2026, 1, 31, 9, 30, tzinfo=timezone.utc), "2026-01-31T09:30:00+00:00"),
    (datetime(2026, 1, 31, 9, 30, 0, 5, BERLIN), "2026-01-31T09:30:00.000005+01:00"),
    (datetime(2026, 1, 31, 9, 30), "2026-01-31T09:30:00"),
    (date(2026, 1, 31), "2026-01-31"),
    (time(9, 30, tzinfo=BERLIN), "09:30:00+01:00"),
    (timedelta(days=1, hours=2, seconds=0.25), "P1DT2H0.25S"),
    (timedelta(), "PT0S"),
    (-timedelta(minutes=90), "-PT1H30M"),
    (timedelta.min, "-P999999999D"),
    (Decimal("12.50"), "12.50"),
    (UUID(A_UUID), A_UUID),
    (b"hello", "aGVsbG8="),
    (bytearray(b"\xff"), "/w=="),
    (memoryview(b""), ""),
    (memoryview(b"hxexlxlxox")[::2], "aGVsbG8="),
    (Color.RED, "red"),
    (Text.A, "a"),
    (Level.HIGH, 2),
    (Weight.HEAVY, "1.5"),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", 1}), ["b", 1]),
    (Point(1, date(2026, 1, 31)), [1, "2026-01-31"]),
    (Item(Decimal(1), {date(2026, 1, 31)}), {"price": "1", "sold": ["2026-01-31"]}),
    ({date(2026, 1, 31): {UUID(A_UUID): {Color.RED: 1}}}, {"2026-01-31": {A_UUID: {"red": 1}}}),
    ({Text.A: 1, 2: 3, None: 4}, {"a": 1, "2": 3, "null": 4}),
    ([{"a": (date(2026, 1, 31),)}], [{"a": ["2026-01-31"]}]),
]


@pytest.mark.parametrize(("value", "expected"), ENCODED)
def test_writes_values_that_json_has_no_type_for(value: object, expected: object) -> None:
    assert json.loads(encode_value(value)) == expected


def test_names_the_place_inside_of_a_dataclass() -> None:
    with pytest.raises(ResultError) as error:
        encode_value({"items": [Item(Decimal("Infinity"), set())]})

    assert str(error.value).startswith("result.items[0].price is Infinity, which JSON has no number for. ")


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ({1: "a", "1": "b"}, """result has two keys that JSON writes as "1": 1 and '1'."""),
        ({None: "a", "null": "b"}, """result has two keys that JSON writes as "null": None and 'null'."""),
        ([{True: "a", "true": "b"}], """result[0] has two keys that JSON writes as "true": True and 'true'."""),
        ({"a": {1.5: "a", "1.5": "b"}}, """result.a has two keys that JSON writes as "1.5": 1.5 and '1.5'."""),
        ({date(2026, 1, 31): 1, "2026-01-31": 2}, 'result has two keys that JSON writes as "2026-01-31": datetime.date'),
        ({Level.HIGH: {Color.RED: 1, "red": 2}}, """result[<Level.HIGH: 2>] has two keys that JSON writes as "red": """),
        ({date(2026, 1, 31): {1: "a", "1": "b"}}, 'result[datetime.date(2026, 1, 31)] has two keys that JSON writes as "1"'),
    ],
)
def test_refuses_keys_that_coincide_in_json(value: object, trouble: str) -> None:
    with pytest.raises(ResultError) as error:
        encode_value(value)

    assert str(error.value).startswith(trouble)


def test_keys_that_differ_in_json_may_look_like_numbers() -> None:
    assert json.loads(encode_value({1: {"2": 3}, "true": '"1":', 2.0: None})) == {"1": {"2": 3}, "true": '"1":', "2.0": None}


FOREIGN: list[object] = [(n for n in (1,)), iter([1]), range(3), map(str, ()), open, object(), Exception("x"), 1j, "\ud800"]


@pytest.mark.parametrize("value", [*FOREIGN, {"a": 1}.keys(), deque([1])])
def test_refuses_what_json_cannot_hold(value: object) -> None:
    with pytest.raises(ResultError, match=r"^result\.items\[0\] "):
        encode_value({"items": [value]})


def test_refuses_a_time_of_a_zone_whose_offset_depends_on_the_day() -> None:
    with pytest.raises(ResultError, match=r"^result\[0\] has the zone Europe/Berlin, which has no offset without a day: "):
        encode_value([time(9, 30, tzinfo=ZoneInfo("Europe/Berlin"))])

    assert json.loads(encode_value(time(9, 30, tzinfo=ZoneInfo("UTC")))) == "09:30:00+00:00"


def test_moments_and_durations_of_numpy_and_pandas_keep_their_digits() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    moment = numpy.datetime64("2026-01-31T09:30:00.123456789")
    row = numpy.array([(moment, 1)], dtype=[("at", "datetime64[ns]"), ("n", int)])
    values: dict[str, Any] = {
        "moment": moment,
        "moments": numpy.array([[moment, "NaT"]], dtype="datetime64[ns]"),
        "far": numpy.datetime64("20260-01-31", "us"),
        "row": row,
        "duration": numpy.timedelta64(-90_000_000_001, "ns"),
        "durations": numpy.array([5, "NaT"], dtype="timedelta64[ps]"),
        "seconds": numpy.timedelta64(5, "s"),
        "number": numpy.timedelta64(5),
        "timedelta": pandas.Timedelta(-1, "ns"),
        "series": pandas.Series([pandas.Timedelta("1D 00:00:00.000001001")]),
    }

    assert json.loads(encode_value(values)) == {
        "moment": "2026-01-31T09:30:00.123456789",
        "moments": [["2026-01-31T09:30:00.123456789", None]],
        "far": "20260-01-31T00:00:00.000000",
        "row": [["2026-01-31T09:30:00.123456789", 1]],
        "duration": "-PT1M30.000000001S",
        "durations": ["PT0.000000000005S", None],
        "seconds": "PT5S",
        "number": 5,
        "timedelta": "-PT0.000000001S",
        "series": ["P1DT0.000001001S"],
    }
    with pytest.raises(ResultError, match=r"^result is of type timedelta64\[M\], which is no fixed time"):
        encode_value(numpy.timedelta64(5, "M"))


def test_refuses_a_frame_with_columns_of_the_same_name() -> None:
    pandas = pytest.importorskip("pandas")

    with pytest.raises(ResultError, match="result.rows has several columns of the same name"):
        encode_value({"rows": pandas.DataFrame([[1, 2]], columns=["a", "a"])})


def test_refuses_a_dataclass_that_contains_itself() -> None:
    item = Item(Decimal(1), set())
    item.sold = [item]  # pyright: ignore[reportAttributeAccessIssue]

    with pytest.raises(ResultError, match=r"result.sold\[0\] contains itself"):
        encode_value(item)


def test_values_of_numpy_and_pandas_have_their_own_forms() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    values: dict[str, Any] = {
        "int": numpy.int64(3),
        "bool": numpy.bool_(True),
        "float": numpy.float32(0.5),
        "array": numpy.array([[1, 2], [3, 4]]),
        "day": numpy.datetime64("2026-01-31"),
        "frame": pandas.DataFrame({"a": [1, 2], "b": ["x", None]}),
        "series": pandas.Series([1.5]),
        "missing": [pandas.NA, pandas.NaT],
        "moment": pandas.Timestamp("2026-01-31T09:30Z"),
    }

    assert json.loads(encode_value(values)) == {
        "int": 3,
        "bool": True,
        "float": 0.5,
        "array": [[1, 2], [3, 4]],
        "day": "2026-01-31",
        "frame": [{"a": 1, "b": "x"}, {"a": 2, "b": None}],
        "series": [1.5],
        "missing": [None, None],
        "moment": "2026-01-31T09:30:00+00:00",
    }


MODELS = """
    from __future__ import annotations
    from datetime import date
    from typing import Annotated, Any, Optional
    from pydantic import BaseModel, Field, TypeAdapter

    class Item(BaseModel):
        price: float = Field(gt=0)

    class Order(BaseModel):
        items: list[Item]
        due: Optional[date] = None

    Days = TypeAdapter(list[date])

    def main(order: Order, orders: list[Order] = [], count: Annotated[int, Field(le=3)] = 1, days: Days = ()):
        return [type(order).__name__, order, [type(each).__name__ for each in orders], count, list(days)]
"""


def test_models_of_pydantic_are_made_and_written_by_pydantic(start: Start) -> None:
    pytest.importorskip("pydantic")
    process = start(MODELS)
    order = {"items": [{"price": 2}], "due": "2026-01-31"}

    result = process.result({"order": order, "orders": [order], "count": 3, "days": ["2026-01-31"]})

    assert result == ["Order", {"items": [{"price": 2.0}], "due": "2026-01-31"}, ["Order"], 3, ["2026-01-31"]]
    assert process.error({"order": order, "orders": [order, {"items": [{"price": 0}]}]})["message"] == (
        "orders[1].items[0].price: Input should be greater than 0."
    )
    assert process.error({"order": order, "count": 4})["message"] == "count: Input should be less than or equal to 3."
    assert process.error({"order": {"items": 1}})["name"] == "InputError"


def test_imports_no_package_that_the_script_does_not_import(start: Start) -> None:
    process = start("""
        import sys
        from datetime import date
        def main(day: date):
            return [name for name in ("pydantic", "numpy", "pandas") if name in sys.modules]
    """)

    assert process.result({"day": "2026-01-31"}) == []


def test_an_error_of_the_input_is_not_retried(start: Start) -> None:
    process = start("""
        from dataclasses import dataclass
        from decimal import Decimal

        @dataclass
        class Item:
            price: Decimal

        def main(items: list[Item]):
            return sum(item.price for item in items)
    """)

    error = process.error({"items": [{"price": "1"}, {"price": "abc"}]})

    assert (error["name"], error["retryable"], error["stack"]) == ("InputError", False, "")
    assert error["message"] == 'items[1].price: "abc" is not a decimal number.'
    assert process.result({"items": [{"price": "1.10"}, {"price": 2}]}) == "3.10"
