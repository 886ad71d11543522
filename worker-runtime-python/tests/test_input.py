"""How the input fills the parameters of ``main``."""

from __future__ import annotations

import pytest
from conftest import Start
from runtime_process import Frame


def input_error(frame: Frame) -> str:
    assert (frame["name"], frame["retryable"], frame["stack"]) == ("InputError", False, "")
    return frame["message"]


def test_names_what_is_missing_and_what_main_takes(start: Start) -> None:
    process = start("def main(name, greeting='Hello', *, loud=False): pass")

    message = input_error(process.error({"loud": True}))

    assert message == "The input lacks the key `name` that main needs: it takes name, greeting='Hello', loud=False."


def test_names_what_is_unknown_and_what_main_takes(start: Start) -> None:
    process = start("def main(name): pass")

    message = input_error(process.error({"name": 1, "nmae": 2, "x": 3}))

    assert message == "The input has the keys `nmae`, `x` that main does not take: it takes name."


def test_says_that_main_takes_nothing(start: Start) -> None:
    process = start("def main(): pass")

    assert input_error(process.error({"a": 1})).endswith("it takes no parameters.")


def test_does_not_let_the_input_fill_the_context(start: Start) -> None:
    process = start("def main(a, ctx): pass")

    assert "`ctx`" in input_error(process.error({"a": 1, "ctx": 2}))


@pytest.mark.parametrize(("value", "type_name"), [([1], "an array"), ("a", "a string"), (1, "a number"), (True, "a boolean")])
def test_refuses_what_is_not_an_object(start: Start, value: object, type_name: str) -> None:
    process = start("def main(a=1): pass")

    assert input_error(process.error(value)).startswith(f"The input is {type_name}, but main takes an object")


FILLED: list[tuple[str, str, object, object]] = [
    ("a, b=2", "[a, b]", {"a": 1}, [1, 2]),
    ("a, /, b, *, c=3", "[a, b, c]", {"b": 2, "a": 1}, [1, 2, 3]),
    ("a=1, /", "a", {}, 1),
    ("a, ctx, /", "[a, ctx.attempt]", {"a": 1}, [1, 1]),
    ("a, *rest, **others", "[a, list(rest), others]", {"a": 1, "b": 2}, [1, [], {"b": 2}]),
    ("**others", "others", {}, {}),
    ("input", "input", {"a": 1}, {"a": 1}),
    ("input", "input", {"input": 1}, 1),
    ("input", "input", [1, 2], [1, 2]),
    ("input, ctx", "[input, ctx.attempt]", {"a": 1}, [{"a": 1}, 1]),
]


@pytest.mark.parametrize(("signature", "returned", "value", "expected"), FILLED)
def test_fills_parameters_of_every_kind(
    start: Start, signature: str, returned: str, value: object, expected: object
) -> None:
    process = start(f"def main({signature}): return {returned}")

    assert process.result(value) == expected


def test_takes_null_for_an_empty_object(start: Start) -> None:
    process = start("def main(a=1): return a")

    process.send(process.job_line("job-1").replace(b'"input":{}', b'"input":null'))

    assert process.frames_until_end("job-1")[-1]["result"] == 1


def test_sees_through_decorators_and_callable_objects(start: Start) -> None:
    process = start("""
        import functools
        def twice(function):
            @functools.wraps(function)
            def call(*args, **kwargs):
                return 2 * function(*args, **kwargs)
            return call

        @twice
        def add(a, b=2):
            return a + b

        main = functools.partial(add, b=3)
    """)

    assert process.result({"a": 1}) == 8
    assert "it takes a, b=3." in input_error(process.error({"c": 1}))


def test_refuses_an_input_that_python_cannot_parse_and_goes_on(start: Start) -> None:
    process = start("def main(a): return 1")
    deep = b"[" * 200_000 + b"]" * 200_000

    process.send(process.job_line("job-1", {"a": "DEEP"}).replace(b'"DEEP"', deep))

    assert "nested too deeply" in input_error(process.frames_until_end("job-1")[-1])
    assert process.result({"a": 0}) == 1
