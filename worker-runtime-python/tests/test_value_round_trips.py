"""Random values survive the way through JSON, as a naive model of both directions says."""

from __future__ import annotations

import base64
import enum
import json
import os
import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, Optional
from uuid import UUID

import pytest

from millrace import InputError
from millrace._arguments import read_parameters
from millrace._results import encode_value

ROUNDS = 3_000
SEED = int(os.environ.get("MILLRACE_TEST_SEED", "20261124"))


class Color(enum.Enum):
    RED = "red"
    TWO = 2


class Kind:
    """An annotation, random values of it, and what JSON should look like."""

    def __init__(self, hint: Any, value: Callable[[random.Random], Any], model: Callable[[Any], Any]) -> None:
        self.hint = hint
        self.value = value
        self.model = model


def zone(source: random.Random) -> timezone | None:
    return source.choice([None, timezone.utc, timezone(timedelta(minutes=source.randrange(-720, 840)))])


def text(source: random.Random) -> str:
    return "".join(source.choice('ab"\\ é\n1🙂') for _ in range(source.randrange(5)))


def same(value: Any) -> Any:
    return value


def model_of_zone(value: datetime | time) -> str:
    offset = value.utcoffset()
    if offset is None:
        return ""
    minutes = int(offset.total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def model_of_time(value: time | datetime) -> str:
    micros = f".{value.microsecond:06}" if value.microsecond else ""
    return f"{value.hour:02}:{value.minute:02}:{value.second:02}{micros}{model_of_zone(value)}"


def model_of_day(value: date) -> str:
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


SCALARS = [
    Kind(str, text, same),
    Kind(int, lambda source: source.randrange(-(10**30), 10**30), same),
    Kind(float, lambda source: source.uniform(-1e9, 1e9), same),
    Kind(bool, lambda source: source.random() < 0.5, same),
    Kind(bytes, lambda source: source.randbytes(source.randrange(9)), lambda value: base64.b64encode(value).decode()),
    Kind(Decimal, lambda source: Decimal(source.randrange(-999, 999)).scaleb(source.randrange(-9, 9)), str),
    Kind(UUID, lambda source: UUID(int=source.getrandbits(128)), str),
    Kind(Color, lambda source: source.choice(list(Color)), lambda value: value.value),
    Kind(date, lambda source: date.fromordinal(source.randrange(1, date.max.toordinal())), model_of_day),
    Kind(
        time,
        lambda source: time(
            source.randrange(24), source.randrange(60), source.randrange(60), source.choice([0, 5, 999_999]), zone(source)
        ),
        model_of_time,
    ),
    Kind(
        datetime,
        lambda source: datetime(
            source.randrange(1, 10_000), 12, 31, 23, 59, 59, source.choice([0, 123_000, 7]), zone(source)
        ),
        lambda value: f"{model_of_day(value)}T{model_of_time(value)}",
    ),
]
HASHABLE = [str, int, Decimal, UUID, date]


def random_kind(source: random.Random, depth: int) -> Kind:
    if depth == 0 or source.random() < 0.3:
        return source.choice(SCALARS)
    inner = random_kind(source, depth - 1)
    shape = source.choice(["list", "tuple", "pair", "optional", "dict", "set"])
    if shape == "optional":
        return Kind(
            Optional[inner.hint],
            lambda source: None if source.random() < 0.3 else inner.value(source),
            lambda value: None if value is None else inner.model(value),
        )
    if shape == "list":
        return Kind(
            list[inner.hint], lambda source: many(source, inner), lambda value: [inner.model(item) for item in value]
        )
    if shape == "tuple":
        return Kind(
            tuple[inner.hint, ...],
            lambda source: tuple(many(source, inner)),
            lambda value: [inner.model(item) for item in value],
        )
    if shape == "pair":
        other = random_kind(source, depth - 1)
        return Kind(
            tuple[inner.hint, other.hint],
            lambda source: (inner.value(source), other.value(source)),
            lambda value: [inner.model(value[0]), other.model(value[1])],
        )
    key = next(kind for kind in SCALARS if kind.hint is source.choice(HASHABLE) or kind.hint is str)
    if shape == "dict":
        return Kind(
            dict[key.hint, inner.hint],
            lambda source: {key.value(source): inner.value(source) for _ in range(source.randrange(3))},
            lambda value: {str(key.model(name)): inner.model(item) for name, item in value.items()},
        )
    return Kind(
        set[key.hint],
        lambda source: set(many(source, key)),
        lambda value: [key.model(item) for item in sorted(value)],
    )


def many(source: random.Random, kind: Kind) -> list[Any]:
    return [kind.value(source) for _ in range(source.randrange(4))]


def convert(hint: object, value: object) -> Any:
    def main(value: object) -> object:
        return value

    main.__annotations__["value"] = hint
    return read_parameters(main).bind({"value": value}, None)[1]["value"]


def test_values_survive_the_way_through_json() -> None:
    source = random.Random(SEED)
    for number in range(ROUNDS):
        kind = random_kind(source, source.randrange(4))
        value = kind.value(source)

        written = json.loads(encode_value(value))
        read = convert(kind.hint, written)

        assert (written, read) == (kind.model(value), value), f"seed {SEED}, round {number}: {kind.hint}"


def test_values_of_any_other_kind_are_taken_or_refused() -> None:
    source = random.Random(SEED)
    refused = 0
    for number in range(ROUNDS):
        asked, given = (random_kind(source, source.randrange(4)) for _ in range(2))
        written = json.loads(encode_value(given.value(source)))

        try:
            read = convert(asked.hint, written)
        except InputError as error:
            assert str(error).startswith("value") and str(error).endswith("."), error
            refused += 1
        else:
            # Whatever was taken is a value of the kind: it goes through JSON once more.
            again = convert(asked.hint, json.loads(encode_value(read)))
            assert again == read, f"seed {SEED}, round {number}: {asked.hint}, {written}"
    assert refused > ROUNDS / 10


def test_the_largest_and_smallest_durations_survive() -> None:
    source = random.Random(SEED)
    lengths = [timedelta.min, timedelta.max, timedelta.resolution, -timedelta.resolution, timedelta()]
    lengths += [timedelta(microseconds=source.randrange(-(10**source.randrange(1, 18)), 10**17)) for _ in range(ROUNDS)]
    for length in lengths:
        written = json.loads(encode_value(length))
        assert convert(timedelta, written) == length, f"seed {SEED}: {written}"


@pytest.mark.parametrize("text", ["", "P", "T", "P1", "1D", "PT1", "P1H", "--P1D", "P1Y", "P-1D", "PT1S ", "P1DT"])
def test_refuses_what_is_no_duration(text: str) -> None:
    with pytest.raises(InputError):
        convert(timedelta, text)
