"""The token that calls show."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from ._errors import AccessError

LENGTH_MAX = 4096
"""Most characters of a token; more than any has."""


class TokenSource:
    """A token, or the file that holds it, which is read again after the scheduler has refused it. Thread-safe."""

    __slots__ = ("_file", "_lock", "_token")

    def __init__(self, *, token: str = "", file: str = "") -> None:
        self._file = file
        self._lock = Lock()
        self._token = _read(file) if file else token.strip()

    @property
    def exists(self) -> bool:
        """Whether there is a token."""
        return bool(self._token)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Returns what a call shows."""
        return (("authorization", f"Bearer {self._token}"),) if self._token else ()

    def renew(self, shown: tuple[tuple[str, str], ...]) -> bool:
        """Reads the file again after a refusal of what was shown; returns whether there is another token to try."""
        with self._lock:
            if self._file and self.metadata() == shown:
                try:
                    self._token = _read(self._file)
                except AccessError:
                    return False
            return self.metadata() != shown

    def __repr__(self) -> str:
        return f"TokenSource({'file ' + self._file if self._file else 'a token' if self._token else 'none'})"


def _read(file: str) -> str:
    try:
        with Path(file).open(encoding="utf-8") as lines:
            token = lines.readline(LENGTH_MAX + 1).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise AccessError(
            f"The token cannot be read from {file}: {error}. Check the path and that this user may read it."
        ) from error
    if not token or len(token) > LENGTH_MAX:
        raise AccessError(f"The file {file} holds no token (expected: the token on its first line).")
    return token
