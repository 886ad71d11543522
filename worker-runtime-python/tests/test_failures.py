"""Failures of jobs and scripts: that job gets a clear error, and the process continues."""

from __future__ import annotations

import json
import pytest
from conftest import Start


def test_shows_the_users_frames_only(start: Start) -> None:
    process = start("""
        def main(n):
            return divide(n)

        def divide(n):
            return 1 / n
    """)

    error = process.error({"n": 0})

    assert (error["name"], error["message"], error["retryable"]) == ("ZeroDivisionError", "division by zero", True)
    places = [line.strip() for line in error["stack"].splitlines() if line.startswith("  File")]
    assert places == ['File "script.py", line 3, in main', 'File "script.py", line 6, in divide']
    assert "    return 1 / n\n" in error["stack"]


def test_shows_the_users_frames_of_async_code_and_of_causes(start: Start) -> None:
    process = start("""
        async def main():
            try:
                {}["key"]
            except KeyError as error:
                raise ValueError("no key") from error
    """)

    stack = process.error()["stack"]

    assert "direct cause" in stack
    assert {line.split(",")[0].strip() for line in stack.splitlines() if line.startswith("  File")} == {
        'File "script.py"'
    }
    assert '    {}["key"]\n' in stack


def test_names_the_script_in_errors_of_its_syntax(start: Start) -> None:
    process = start("""
        def main():
            return 1 +
    """)

    stack = process.frames_until("load_error")[-1]["stack"]

    assert 'File "script.py", line 3\n    return 1 +\n' in stack
    assert str(process.script.parent) not in stack


@pytest.mark.parametrize(
    ("statement", "name", "message", "retryable"),
    [
        ("import sys; sys.exit(3)", "SystemExit", "The script called sys.exit(3).", True),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "", True),
        ("raise MemoryError('full')", "MemoryError", "full", True),
        ("raise GeneratorExit", "GeneratorExit", "", True),
        ("from millrace import NonRetryableError; raise NonRetryableError('no')", "NonRetryableError", "no", False),
        ("from millrace import Canceled; raise Canceled('self')", "Canceled", "self", False),
        ("raise Unprintable", "Unprintable", "The error's own text cannot be read: its __str__ raised OSError.", True),
    ],
)
def test_describes_what_user_code_raises(
    start: Start, statement: str, name: str, message: str, retryable: bool
) -> None:
    process = start(f"""
        class Unprintable(Exception):
            def __str__(self): raise OSError

        def main(fail):
            if fail:
                {statement}
            return "fine"
    """)

    error = process.error({"fail": True})

    assert (error["name"], error["message"], error["retryable"]) == (name, message, retryable)
    assert process.result({"fail": False}) == "fine"


def test_survives_endless_recursion(start: Start) -> None:
    process = start("""
        def main(n=None):
            return n if n else main()
    """)

    error = process.error()

    assert error["name"] == "RecursionError"
    assert len(error["stack"]) < 10_000
    assert process.result({"n": 1}) == 1


def test_shortens_huge_messages(start: Start) -> None:
    process = start("def main(): raise ValueError('x' * 10_000_000)")

    error = process.error()

    assert len(error["message"]) == 16 * 1024
    assert len(error["stack"]) <= 65 * 1024


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ("{'items': [1, 2, 3, object()]}", "result.items[3] is of type object, which JSON has no form for"),
        ("float('nan')", "result is nan, which JSON has no number for"),
        ("[1, {'a b': float('-inf')}]", "result[1]['a b'] is -inf, which JSON has no number for"),
        ("{(1, 2): 3}", "result has a key of type tuple, but JSON keys are strings"),
        ("{object}", "result[0] is of type type, which JSON has no form for"),
        ("[__import__('decimal').Decimal('nan')]", "result[0] is NaN, which JSON has no number for"),
        ("cycle", "result.self[0] contains itself"),
        ("['ok', '\\ud800']", "result[1] has half of a surrogate pair at index 0, which is not valid Unicode text"),
    ],
)
def test_names_the_place_that_is_not_json(start: Start, value: str, trouble: str) -> None:
    process = start(f"""
        cycle = {{}}
        cycle["self"] = [cycle]
        def main(ok=False): return "fine" if ok else {value}
    """)

    error = process.error()

    hint = (
        ". Return JSON values, dates, Decimal, UUID, bytes, Enum members, sets, dataclasses, models of pydantic, values of numpy"
        " and pandas, or lists, tuples and dictionaries of these."
    )
    assert (error["name"], error["message"], error["retryable"]) == ("ResultError", trouble + hint, False)
    assert process.result({"ok": True}) == "fine"


@pytest.mark.parametrize("levels", [501, 900, 50_000, 100_000])
def test_refuses_a_result_that_is_nested_too_deeply(start: Start, levels: int) -> None:
    process = start(f"""
        import sys
        sys.setrecursionlimit(20_000)
        def main():
            value = "]]]]"
            for level in range({levels}):
                value = [value] if level % 2 else {{'"[': value}}
            return value
    """)

    error = process.error()

    assert (error["name"], error["retryable"]) == ("ResultError", False)
    assert error["message"].startswith("result is nested deeper than 500 levels. ")


def test_returns_a_result_that_is_nested_as_deeply_as_allowed(start: Start) -> None:
    process = start("""
        def main():
            value = ["[[[[" * 200, "\\\\\\"[", ["]"] * 600]
            for _ in range(498):
                value = [value]
            return value
    """)

    assert json.dumps(process.result()).startswith("[" * 499 + '"[[[[')


@pytest.mark.parametrize(
    ("value", "result"),
    [("(1, (2, 3))", [1, [2, 3]]), ("{1: 'a', None: 'b'}", {"1": "a", "null": "b"}), ("None", None), ("1e308", 1e308)],
)
def test_returns_what_json_has_a_form_for(start: Start, value: str, result: object) -> None:
    process = start(f"def main(): return {value}")

    assert process.result() == result


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("def main(: pass", "SyntaxError", "invalid syntax"),
        ("import no_such_module", "ModuleNotFoundError", "No module named 'no_such_module'. The version of the script has no"),
        ("from . import helper", "ImportError", "no known parent package. The version of the script has no"),
        ("raise SystemExit(1)", "SystemExit", "The script called sys.exit(1)."),
        (
            "async def main():\n    yield 1",
            "LoadError",
            "The function main of script.py is a generator, whose body would not run: replace its `yield`, and return a list of"
            " what it yields.",
        ),
        ("x = 1", "LoadError", "script.py has no function `main`: define `def main(…)` in it."),
    ],
)
def test_says_why_a_script_cannot_be_loaded(start: Start, source: str, name: str, message: str) -> None:
    process = start(source)

    error = process.next_frame()

    assert (error["type"], error["name"]) == ("load_error", name)
    assert message in error["message"]
    assert process.exit_code() == 3


def test_leaves_no_tasks_of_an_async_job_running(start: Start) -> None:
    process = start("""
        import asyncio
        async def linger():
            try:
                await asyncio.sleep(3600)
            finally:
                print("stopped")
        async def main():
            asyncio.create_task(linger())
            await asyncio.sleep(0)
            return len(asyncio.all_tasks())
    """)

    assert process.result() == 2
    assert process.result() == 2


def test_an_alarm_ends_with_its_job(start: Start) -> None:
    process = start("""
        import signal
        def main(seconds):
            left, _ = signal.getitimer(signal.ITIMER_REAL)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return left
    """)

    assert process.result({"seconds": 3600}) == 0
    assert process.result({"seconds": 3600}) == 0


def test_dies_with_a_stack_when_the_interpreter_crashes(start: Start) -> None:
    process = start("""
        import ctypes
        def main(): ctypes.string_at(0)
    """)
    process.send_job("job-1")

    assert process.exit_code() < 0
    assert "Segmentation fault" in process.stderr_text()
