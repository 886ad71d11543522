"""Fills the parameters of ``main`` by name from the input of a job."""

from __future__ import annotations

from types import FunctionType

from ._errors import InputError
from ._hints import Hints, annotations_of, read_hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from ._conversion import Convert

CONTEXT_PARAMETER = "ctx"
WHOLE_INPUT_PARAMETER = "input"
_ARGUMENTS_FLAG = 0x04  # inspect.CO_VARARGS
_KEYWORDS_FLAG = 0x08  # inspect.CO_VARKEYWORDS
_SHOWN_DEFAULT_LENGTH_MAX = 40


class Parameters:
    """Parameters of one ``main``, read once so that filling them is fast for every job."""

    __slots__ = (
        "_defaults",
        "_hints",
        "_is_annotated",
        "_names",
        "_plain",
        "_positional",
        "_required",
        "_takes_any",
        "_takes_context",
        "_takes_whole",
    )

    def __init__(
        self,
        *,
        names: list[str],
        defaults: dict[str, object],
        positional_only: int,
        takes_any: bool,
        hints: Hints,
    ) -> None:
        self._positional: Final = names[:positional_only]
        self._takes_context: Final = CONTEXT_PARAMETER in names
        filled = [name for name in names if name != CONTEXT_PARAMETER]
        self._names: Final = dict.fromkeys(filled)
        self._defaults: Final = defaults
        self._required: Final = [name for name in filled if name not in defaults]
        self._takes_any: Final = takes_any
        self._takes_whole: Final = filled == [WHOLE_INPUT_PARAMETER] and not takes_any
        self._hints: Final = hints
        self._plain: Final = hints.plain
        self._is_annotated: Final = bool(hints.plain or hints.special or hints.others)

    def bind(self, given: object, context: object) -> tuple[list[object], dict[str, object]]:
        """Returns the positional and the keyword arguments for one call; takes ownership of `given`.

        Raises:
            InputError: The input does not fit; the message lists the parameters.
        """
        arguments = self._check(given)
        if self._is_annotated:
            self._convert(arguments)
        if self._takes_context:
            arguments[CONTEXT_PARAMETER] = context
        if not self._positional:
            return [], arguments
        return [
            arguments.pop(name) if name in arguments else self._defaults[name] for name in self._positional
        ], arguments

    def _check(self, given: object) -> dict[str, object]:
        if self._takes_whole and not (isinstance(given, dict) and WHOLE_INPUT_PARAMETER in given):
            return {WHOLE_INPUT_PARAMETER: given}
        if given is None:
            given = {}
        if not isinstance(given, dict):
            raise InputError(
                f"The input is {_json_type(given)}, but main takes an object whose keys are its parameters: {self}."
            )
        arguments: dict[str, object] = given  # pyright: ignore[reportUnknownVariableType]
        unfit = not self._takes_any and not arguments.keys() <= self._names.keys()
        if unfit or (self._takes_context and CONTEXT_PARAMETER in arguments):
            raise InputError(self._unknown(arguments))
        for name in self._required:
            if name not in arguments:
                raise InputError(self._missing(arguments))
        return arguments

    def _convert(self, arguments: dict[str, object]) -> None:
        """Replaces the values by what the annotations ask for."""
        for name, kind in self._plain:
            if type(arguments.get(name)) is not kind and name in arguments:
                from ._scalars import BY_TYPE

                self._convert_one(arguments, name, BY_TYPE[kind].convert)
        for name, convert in self._hints.special.items():
            if name in arguments:
                self._convert_one(arguments, name, convert)
        if self._hints.others is not None:
            for name in arguments.keys() - self._names.keys():
                self._convert_one(arguments, name, self._hints.others)

    def _convert_one(self, arguments: dict[str, object], name: str, convert: Convert) -> None:
        from ._unfit import Unfit

        value = arguments[name]
        if value is None and self._defaults.get(name, ...) is None:
            return  # A default of None makes a parameter optional, whatever its annotation says.
        try:
            arguments[name] = convert(value)
        except Unfit as unfit:
            raise InputError(f"{name}{unfit.path}: {unfit.problem}.") from None
        except RecursionError:
            raise InputError(f"{name}: the value is nested too deeply to be converted.") from None

    def _unknown(self, arguments: dict[str, object]) -> str:
        unknown = [
            name
            for name in arguments
            if (name not in self._names and not self._takes_any) or (name == CONTEXT_PARAMETER and self._takes_context)
        ]
        return f"The input has {_keys(unknown)} that main does not take: it takes {self}."

    def _missing(self, arguments: dict[str, object]) -> str:
        missing = [name for name in self._required if name not in arguments]
        return f"The input lacks {_keys(missing)} that main needs: it takes {self}."

    def __str__(self) -> str:
        shown = [
            f"{name}={_shorten(repr(self._defaults[name]))}" if name in self._defaults else name for name in self._names
        ]
        if self._takes_any:
            shown.append("any others")
        return ", ".join(shown) if shown else "no parameters"


def read_parameters(main: Callable[..., object]) -> Parameters:
    """Reads the parameters of `main`; avoids the slow import of ``inspect`` if it is a plain function."""
    if isinstance(main, FunctionType) and not hasattr(main, "__wrapped__"):
        return _read_function(main)
    return _read_signature(main)


def _read_function(main: FunctionType) -> Parameters:
    code = main.__code__
    positional = code.co_varnames[: code.co_argcount]
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    default_values = main.__defaults__ or ()
    defaults: dict[str, object] = dict(zip(positional[len(positional) - len(default_values) :], default_values))
    defaults.update(main.__kwdefaults__ or {})
    takes_any = bool(code.co_flags & _KEYWORDS_FLAG)
    keywords = code.co_varnames[len(names) + bool(code.co_flags & _ARGUMENTS_FLAG)] if takes_any else None
    return Parameters(
        names=names,
        defaults=defaults,
        positional_only=code.co_posonlyargcount,
        takes_any=takes_any,
        hints=_read_hints(annotations_of(main), names, keywords, main.__globals__),
    )


def _read_signature(main: Callable[..., object]) -> Parameters:
    import inspect

    parameters = [
        parameter
        for parameter in inspect.signature(main).parameters.values()
        if parameter.kind is not parameter.VAR_POSITIONAL
    ]
    named = [parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    names = [parameter.name for parameter in named]
    keywords = next((parameter.name for parameter in parameters if parameter.kind is parameter.VAR_KEYWORD), None)
    annotations = {
        parameter.name: parameter.annotation for parameter in parameters if parameter.annotation is not parameter.empty
    }
    return Parameters(
        names=names,
        defaults={parameter.name: parameter.default for parameter in named if parameter.default is not parameter.empty},
        positional_only=sum(parameter.kind is parameter.POSITIONAL_ONLY for parameter in named),
        takes_any=keywords is not None,
        hints=_read_hints(annotations, names, keywords, _globals_of(main)),
    )


def _read_hints(
    annotations: Mapping[str, object], names: list[str], keywords: str | None, namespace: dict[str, Any]
) -> Hints:
    if not annotations:
        return Hints()
    return read_hints(annotations, [name for name in names if name != CONTEXT_PARAMETER], keywords, namespace)


def _globals_of(main: Any) -> dict[str, Any]:
    """Returns the globals of the function behind decorators, ``functools.partial`` and callable objects."""
    while not isinstance(main, FunctionType):
        inner = getattr(main, "__wrapped__", None) or getattr(main, "func", None) or getattr(main, "__func__", None)
        if inner is None:
            inner = getattr(type(main), "__call__", None)  # pyright: ignore[reportUnknownArgumentType]
            if not isinstance(inner, FunctionType):
                return {}
        main = inner
    wrapped: Any = main
    while hasattr(wrapped, "__wrapped__"):
        wrapped = wrapped.__wrapped__
    return getattr(wrapped, "__globals__", {})


def _keys(names: list[str]) -> str:
    return ("the key " if len(names) == 1 else "the keys ") + ", ".join(f"`{name}`" for name in names)


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    return "a string" if isinstance(value, str) else "an array"


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_DEFAULT_LENGTH_MAX else text[: _SHOWN_DEFAULT_LENGTH_MAX - 1] + "…"
