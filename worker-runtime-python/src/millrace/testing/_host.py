"""The host of a fake job."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .. import _results
from .._errors import CallFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[dict[str, Any]], object]


def as_json(value: object, what: str) -> Any:
    """Returns what others would read of a value.

    Raises:
        ResultError: The value cannot be written as JSON.
    """
    return json.loads(_results.encode_value(value, what))


class FakeHost:
    """Implements the protocol `millrace._host.Host`: keeps what the job sends, and answers its calls from memory."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.held_by_others: set[str] = set()
        self.held: list[str] = []
        self.locked: list[str] = []
        self.shown: list[Any] = []
        self.traced: list[str] = []
        self.printed: list[tuple[str, str]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.answers: dict[str, Answer] = {
            "data.get": self._get,
            "data.set": self._set,
            "lock.acquire": self._acquire,
            "lock.release": self._release,
        }

    def progress(self, value: object) -> None:
        self.shown.append(as_json(value, "progress"))

    def trace(self, message: str) -> None:
        self.traced.append(message)

    def print(self, stream: str, line: str) -> None:
        self.printed.append((stream, line))

    def call(self, method: str, arguments: dict[str, object]) -> object:
        given = as_json(arguments, "arguments")
        self.calls.append((method, given))
        answer = self.answers.get(method)
        if answer is None:
            raise CallFailed(
                f"The code asks its worker for {method!r}, and the test has no answer: give one with"
                f" job.answer({method!r}, function)."
            )
        return as_json(answer(given), "answer")

    def _get(self, given: dict[str, Any]) -> object:
        key = given["key"]
        return {"value": self.data[key]} if key in self.data else None

    def _set(self, given: dict[str, Any]) -> object:
        self.data[given["key"]] = given["value"]
        return None

    def _acquire(self, given: dict[str, Any]) -> object:
        name = given["name"]
        if name in self.held_by_others:
            return None
        self.held.append(name)
        self.locked.append(name)
        return {"fence": len(self.locked)}

    def _release(self, given: dict[str, Any]) -> object:
        if given["name"] not in self.held:
            return False
        self.held.remove(given["name"])
        return True
