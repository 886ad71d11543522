"""Log lines with a level and fields."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from ._host import Host


class Logger:
    """Writes lines to the log of the running job; see `JobContext.logger`.

    A line has a level, a message and fields, whose values are written as JSON::

        logger.info("charged", order="A-17", amount=3)

        INFO charged order="A-17" amount=3

    Lines of the levels debug and info go to stdout, warnings and errors to stderr. Logging never fails a job: a value that
    is not JSON is written as its text.
    """

    __slots__ = ("_fields", "_host")

    def __init__(self, host: Host, fields: dict[str, object] | None = None) -> None:
        self._host: Final = host
        self._fields: Final = fields or {}

    def bind(self, **fields: object) -> Logger:
        """Returns a logger that adds these fields to each line."""
        return Logger(self._host, {**self._fields, **fields})

    def debug(self, message: object, /, **fields: object) -> None:
        """Writes what helps to find a fault."""
        self._write("stdout", "DEBUG", message, fields)

    def info(self, message: object, /, **fields: object) -> None:
        """Writes what happens."""
        self._write("stdout", "INFO", message, fields)

    def warning(self, message: object, /, **fields: object) -> None:
        """Writes what somebody should look at."""
        self._write("stderr", "WARNING", message, fields)

    def error(self, message: object, /, **fields: object) -> None:
        """Writes what went wrong."""
        self._write("stderr", "ERROR", message, fields)

    def _write(self, stream: str, level: str, message: object, fields: dict[str, object]) -> None:
        text = str(message).replace("\r", "\\r").replace("\n", "\\n")
        line = " ".join([level, text, *(f"{name}={_json(value)}" for name, value in {**self._fields, **fields}.items())])
        self._host.print(stream, line)


def _json(value: object) -> str:
    from ._errors import ResultError
    from ._results import encode_value

    try:
        return encode_value(value).decode()
    except ResultError:
        return encode_value(repr(value)).decode()
