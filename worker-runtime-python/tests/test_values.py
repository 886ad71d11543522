"""Which Python values are made of JSON values, and which errors say that a value does not fit."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, ClassVar, Literal, NamedTuple, NewType, Optional, TypedDict, Union
from uuid import UUID

import pytest

from millrace import InputError
from millrace._arguments import read_parameters


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Item:
    name: str
    price: Decimal
    tags: list[str] = field(default_factory=list[str])
    note: str = None  # pyright: ignore[reportAssignmentType]


@dataclass(frozen=True)
class Order:
    id: UUID
    items: list[Item]
    due: Optional[date] = None
    kind: ClassVar[str] = "order"


@dataclass
class Node:
    value: int
    children: list[Node] = field(default_factory=list["Node"])


@dataclass
class Checked:
    low: int
    high: int
    scale: InitVar[int] = 1
    computed: int = field(default=0, init=False)

    def __post_init__(self, scale: int) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")
        self.computed = self.low * scale


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Base(TypedDict):
    day: date


class Loose(Base, total=False):
    count: int


Customer = NewType("Customer", UUID)
A_UUID = "6f1c1a0e-6c0f-4a5e-9d6a-0c8f1a2b3c4d"
UTC = timezone.utc


def convert(annotation: object, value: object) -> Any:
    """Fills a parameter with this annotation as a job would."""

    def main(value: object) -> object:
        return value

    main.__annotations__["value"] = annotation
    _, named = read_parameters(main).bind({"value": value}, None)
    return named["value"]


FITTING: list[tuple[object, object, object]] = [
    (str, "a", "a"),
    (int, 3, 3),
    (int, 3.0, 3),
    (int, 10**400, 10**400),
    (float, 3, 3.0),
    (float, 2.5, 2.5),
    (bool, True, True),
    (list, [1, "a"], [1, "a"]),
    (dict, {"a": 1}, {"a": 1}),
    (Any, [1], [1]),
    (object, "x", "x"),
    (Callable, "x", "x"),
    ("Nowhere", "x", "x"),
    ("list[Nowhere]", ["x"], ["x"]),
    (bytes, "aGVsbG8=", b"hello"),
    (bytes, "", b""),
    (Decimal, "12.50", Decimal("12.50")),
    (Decimal, "-1e3", Decimal("-1E+3")),
    (Decimal, 0.1, Decimal("0.1")),
    (Decimal, 7, Decimal(7)),
    (UUID, A_UUID, UUID(A_UUID)),
    (UUID, A_UUID.upper().replace("-", ""), UUID(A_UUID)),
    (date, "2024-02-29", date(2024, 2, 29)),
    (time, "09:30", time(9, 30)),
    (time, "09:30:01.5+02:00", time(9, 30, 1, 500_000, timezone(timedelta(hours=2)))),
    (datetime, "2026-01-31T09:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
    (datetime, "2026-01-31 09:30:00.123456789-0330", datetime(2026, 1, 31, 9, 30, 0, 123456, timezone(-timedelta(hours=3.5)))),
    (datetime, "2026-01-31T09:30", datetime(2026, 1, 31, 9, 30)),
    (datetime, "2026-01-31", datetime(2026, 1, 31)),
    (timedelta, "PT1H30M", timedelta(hours=1, minutes=30)),
    (timedelta, "-P1DT0.000001S", -timedelta(days=1, microseconds=1)),
    (timedelta, "P2W", timedelta(weeks=2)),
    (timedelta, 90, timedelta(seconds=90)),
    (timedelta, 0.5, timedelta(milliseconds=500)),
    (Color, "red", Color.RED),
    (Level, 2, Level.HIGH),
    (Rights, 3, Rights.READ | Rights.WRITE),
    (Literal["a", 1, None], 1, 1),
    (Literal["a", 1, None], None, None),
    (Literal[Color.RED], "red", Color.RED),
    (Optional[date], None, None),
    (Optional[date], "2026-01-31", date(2026, 1, 31)),
    ("date | None", "2026-01-31", date(2026, 1, 31)),
    (Union[date, str], "2026-01-31", date(2026, 1, 31)),
    (Union[date, str], "soon", "soon"),
    (Union[float, int], 3, 3),
    (Union[int, float], 3.0, 3.0),
    (Union[int, str, None], None, None),
    ("Union[int, Nowhere]", "x", "x"),
    ("Union[int, 'Nowhere']", "x", "x"),
    (list[date], ["2026-01-31"], [date(2026, 1, 31)]),
    (Sequence[int], [1, 2.0], [1, 2]),
    (deque[int], [1], deque([1])),
    (tuple[int, date], [1, "2026-01-31"], (1, date(2026, 1, 31))),
    (tuple[date, ...], ["2026-01-31"], (date(2026, 1, 31),)),
    (tuple, [1, "a"], (1, "a")),
    (set[UUID], [A_UUID, A_UUID], {UUID(A_UUID)}),
    (frozenset[int], [1, 2], frozenset({1, 2})),
    (dict[str, Decimal], {"a b": "1.5"}, {"a b": Decimal("1.5")}),
    (dict[int, str], {"3": "x"}, {3: "x"}),
    (dict[date, Level], {"2026-01-31": 1}, {date(2026, 1, 31): Level.LOW}),
    (dict[Level, int], {"2": 1}, {Level.HIGH: 1}),
    (Mapping[str, Any], {"a": 1}, {"a": 1}),
    (Item, {"name": "tea", "price": "3.10"}, Item("tea", Decimal("3.10"))),
    (Item, {"name": "tea", "price": 3, "note": None}, Item("tea", Decimal(3))),
    (
        Order,
        {"id": A_UUID, "items": [{"name": "tea", "price": 1, "tags": ["hot"]}], "due": "2026-01-31"},
        Order(UUID(A_UUID), [Item("tea", Decimal(1), ["hot"])], date(2026, 1, 31)),
    ),
    (Node, {"value": 1, "children": [{"value": 2}]}, Node(1, [Node(2)])),
    (Checked, {"low": 1, "high": 2, "scale": 5}, Checked(1, 2, 5)),
    (Point, [1], Point(1.0)),
    (Point, {"x": 1, "y": 2.5}, Point(1.0, 2.5)),
    (Loose, {"day": "2026-01-31", "extra": [1]}, {"day": date(2026, 1, 31), "extra": [1]}),
    (Loose, {"day": "2026-01-31", "count": 2.0}, {"day": date(2026, 1, 31), "count": 2}),
    (Customer, A_UUID, UUID(A_UUID)),
]


@pytest.mark.parametrize(("annotation", "value", "expected"), FITTING)
def test_makes_what_the_annotation_asks_for(annotation: object, value: object, expected: object) -> None:
    made = convert(annotation, value)

    assert (made, type(made)) == (expected, type(expected))


UNFIT: list[tuple[object, object, str]] = [
    (str, 1, "value: 1 is not a string."),
    (int, True, "value: true is not a whole number."),
    (int, "3", 'value: "3" is not a whole number.'),
    (int, 2.5, "value: 2.5 is not a whole number."),
    (int, None, "value: null is not a whole number."),
    (float, True, "value: true is not a number."),
    (float, 10**400, "value: a number with many digits is not a number."),
    (bool, 1, "value: 1 is not true or false."),
    (list, {}, "value: {} is not an array."),
    (dict, [], "value: [] is not an object."),
    (bytes, "not base64!", 'value: "not base64!" is not bytes in base64.'),
    (bytes, "é", 'value: "é" is not bytes in base64.'),
    (Decimal, "abc", 'value: "abc" is not a decimal number.'),
    (Decimal, "NaN", 'value: "NaN" is not a decimal number.'),
    (Decimal, "1_000", 'value: "1_000" is not a decimal number.'),
    (Decimal, True, "value: true is not a decimal number."),
    (UUID, "6f1c", 'value: "6f1c" is not a UUID.'),
    (date, "2026-02-30", 'value: "2026-02-30" is not a date such as 2026-01-31.'),
    (date, "2026-01-31T00:00:00Z", 'value: "2026-01-31T00:00:00Z" is not a date such as 2026-01-31.'),
    (date, 20260131, "value: 20260131 is not a date such as 2026-01-31."),
    (time, "25:00", 'value: "25:00" is not a time such as 09:30:00.'),
    (datetime, "now", 'value: "now" is not a date and time such as 2026-01-31T09:30:00Z.'),
    (timedelta, "PT", 'value: "PT" is not a duration such as PT1H30M, or a number of seconds.'),
    (timedelta, 1e300, "value: 1e+300 is not a duration such as PT1H30M, or a number of seconds."),
    (Color, "green", 'value: "green" is not one of "red", "blue".'),
    (Level, True, "value: true is not one of 1, 2."),
    (Literal[1, "a"], True, 'value: true is not one of 1, "a".'),
    (Literal["a"], "b", 'value: "b" is not "a".'),
    (Optional[date], "x", 'value: "x" is not a date such as 2026-01-31.'),
    (Union[int, date, None], "x", 'value: "x" is not a whole number, a date such as 2026-01-31 or null.'),
    (Union[int, list[date]], ["x"], 'value[0]: "x" is not a date such as 2026-01-31.'),
    (list[int], [1, "a"], 'value[1]: "a" is not a whole number.'),
    (tuple[int, int], [1], "value: [1] is not an array of 2 items."),
    (tuple[int, date], [1, 2], "value[1]: 2 is not a date such as 2026-01-31."),
    (set, [[1]], "value: [[1]] has an item that cannot be in a set."),
    (dict[str, int], {"a b": "x"}, 'value["a b"]: "x" is not a whole number.'),
    (dict[int, str], {"x": "y"}, 'value.x: "x" is not a whole number.'),
    (Item, {"name": "tea"}, 'value: the key "price" of Item is missing.'),
    (Item, {"name": "tea", "price": 1, "cost": 2}, 'value: the key "cost" is none of Item: it has name, price, tags, note.'),
    (Item, "tea", 'value: "tea" is not an object with the fields of Item.'),
    (
        Order,
        {"id": A_UUID, "items": [{"name": "a", "price": 1}] * 3 + [{"name": "b", "price": "abc"}]},
        'value.items[3].price: "abc" is not a decimal number.',
    ),
    (Node, {"value": 1, "children": [{"value": 1, "children": [{"value": "x"}]}]}, 'value.children[0].children[0].value: "x" is not a whole number.'),
    (Checked, {"low": 2, "high": 1}, "value: Checked rejects it: low is above high."),
    (Checked, {"low": 1, "high": 2, "computed": 1}, 'value: the key "computed" is none of Checked: it has low, high, scale.'),
    (Point, [1, "a"], 'value[1]: "a" is not a number.'),
    (Point, [1, 2, 3], "value: [1, 2, 3] is not an array of 2 items."),
    (Loose, {"count": 1}, 'value: the key "day" of Loose is missing.'),
    (int, "x" * 101, "value: a string of 101 characters is not a whole number."),
]


@pytest.mark.parametrize(("annotation", "value", "message"), UNFIT)
def test_says_what_does_not_fit_and_where(annotation: object, value: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        convert(annotation, value)

    assert str(error.value) == message


def test_a_default_of_none_lets_null_pass() -> None:
    def main(count: int = None, due: date = None, size: int = 3) -> object:  # pyright: ignore
        return count, due, size

    _, named = read_parameters(main).bind({"count": None, "due": None}, None)

    assert named == {"count": None, "due": None}
    with pytest.raises(InputError, match="size: null is not a whole number"):
        read_parameters(main).bind({"size": None}, None)


def test_converts_what_further_arguments_take() -> None:
    def main(first: str, *rest: int, last: date, ctx: int, **others: Decimal) -> object:
        return first, rest, last, ctx, others

    _, named = read_parameters(main).bind({"first": "a", "last": "2026-01-31", "x": "1.5"}, "context")

    assert named == {"first": "a", "last": date(2026, 1, 31), "x": Decimal("1.5"), "ctx": "context"}


def test_sees_annotations_through_decorators_and_partials() -> None:
    import functools

    def call(day: date, count: int) -> object:
        return day, count

    @functools.wraps(call)
    def wrapped(*arguments: Any, **named: Any) -> object:
        return call(*arguments, **named)

    class Callable:
        def __call__(self, day: date) -> object:
            return day

    for main in (wrapped, functools.partial(call, count=1), Callable()):
        _, named = read_parameters(main).bind({"day": "2026-01-31", "count": 1} if main is wrapped else {"day": "2026-01-31"}, None)
        assert named["day"] == date(2026, 1, 31)


def test_refuses_a_value_that_is_nested_too_deeply() -> None:
    value: dict[str, Any] = {"value": 1}
    for _ in range(5_000):
        value = {"value": 1, "children": [value]}

    with pytest.raises(InputError, match="value: the value is nested too deeply"):
        convert(Node, value)


def test_does_not_change_plain_values() -> None:
    def main(number: int, text: str, items: list[Any], anything: object) -> None:
        pass

    given = {"number": 1, "text": "a", "items": [1], "anything": {"a": 1}}

    _, named = read_parameters(main).bind(dict(given), None)

    assert json.dumps(named) == json.dumps(given)
    assert dataclasses.is_dataclass(Item)
