"""A function that handles jobs of one name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .._arguments import Parameters, read_parameters


class HandlerFunction:
    """A registered function, whose parameters were read once.

    Attributes:
        name: Name of its jobs.
        is_async: Whether it is a coroutine function, which runs on the event loop, behind decorators of any kind.
    """

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self.is_async = any(
            inspect.iscoroutinefunction(seen)
            for seen in (function, inspect.unwrap(function), getattr(function, "__call__", None))
        )
        self._function = function
        self._parameters: Parameters = read_parameters(function)

    def call(self, given: object, context: object) -> Any:
        """Fills the parameters and calls the function; returns its result, or a coroutine.

        Raises:
            InputError: The input does not fit.
        """
        positional, named = self._parameters.bind(given, context)
        return self._function(*positional, **named)
