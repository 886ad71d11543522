"""Reads the annotations of ``main``, and tells the plain ones from those whose values must be converted.

This module imports nothing else, since it runs whenever a script is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final

    from ._conversion import Convert

_PLAIN: Final[dict[str, type]] = {kind.__name__: kind for kind in (str, int, float, bool, list, dict)}


class Hints:
    """Annotations of the parameters that need a look at their values.

    Attributes:
        plain: Name and type of each parameter whose JSON value has this very type, unless it needs a conversion.
        special: Conversion by name, for all other parameters with an annotation that we know.
        others: Conversion of the values that ``**kwargs`` takes; None leaves them as they are.
    """

    __slots__ = ("others", "plain", "special")

    def __init__(
        self,
        plain: tuple[tuple[str, type], ...] = (),
        special: dict[str, Convert] | None = None,
        others: Convert | None = None,
    ) -> None:
        self.plain: Final = plain
        self.special: Final = special or {}
        self.others: Final = others


def read_hints(
    annotations: Mapping[str, object], names: Iterable[str], keywords: str | None, namespace: dict[str, object]
) -> Hints:
    """Reads the annotations of these parameters.

    Args:
        annotations: Annotation by name, as text where the script asks for that.
        names: Names of the parameters that the input fills.
        keywords: Name of the parameter behind ``**``, if there is one.
        namespace: Globals of the script, in which annotations are evaluated.
    """
    plain: list[tuple[str, type]] = []
    rest: dict[str, object] = {}
    for name in names:
        if name in annotations:
            kind = _plain_type(annotations[name], namespace)
            if kind is None:
                rest[name] = annotations[name]
            else:
                plain.append((name, kind))
    others = annotations.get(keywords) if keywords else None
    if not rest and others is None:
        return Hints(tuple(plain))
    from ._conversion import Conversions

    conversions = Conversions()
    made = {name: conversions.find(hint, namespace) for name, hint in rest.items()}
    return Hints(
        tuple(plain),
        {name: convert for name, convert in made.items() if convert is not None},
        None if others is None else conversions.find(others, namespace),
    )


def annotations_of(function: Callable[..., object]) -> Mapping[str, object]:
    """Returns the annotations; those that Python 3.14 cannot evaluate remain as text or references."""
    try:
        return function.__annotations__
    except AttributeError:  # A callable object.
        return {}
    except Exception:  # Python 3.14 evaluates them here, and the script may not have imported what they name.
        import annotationlib  # pyright: ignore

        return annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)  # pyright: ignore


def _plain_type(annotation: object, namespace: dict[str, object]) -> type | None:
    for name, kind in _PLAIN.items():
        if annotation is kind or (annotation == name and namespace.get(name, kind) is kind):
            return kind
    return None
