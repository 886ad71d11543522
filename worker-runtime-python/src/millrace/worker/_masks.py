"""Replaces secrets in what a job sends; docs/reference/masking.md has the rules."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast
from urllib.parse import quote, quote_plus

MASK = "***"
BYTES_MIN = 8
"""Shorter texts are not masked."""

PATTERN_CHARS_MAX = 8 << 20
"""Most characters of all spellings of the secrets of one job."""

_CODE = re.compile(r"%[0-9A-F]{2}")


class TooManySpellings(Exception):
    """The secrets are too large to be masked."""


class Masks:
    """Spellings of the secrets of one job, in one pattern. Thread-safe."""

    def __init__(self, secrets: Iterable[bytes]) -> None:
        """Prepares the search.

        Raises:
            TooManySpellings: The secrets are too large.
        """
        spellings = {
            spelling
            for secret in secrets
            for text in _texts(secret.decode(errors="replace"))
            for spelling in _spellings(text)
        }
        if sum(map(len, spellings)) > PATTERN_CHARS_MAX:
            raise TooManySpellings(f"their spellings have more than {PATTERN_CHARS_MAX} characters")
        longest_first = sorted(spellings, key=len, reverse=True)
        alternatives = "|".join(map(re.escape, longest_first))
        self._pattern = re.compile(f"(?:{alternatives})+") if longest_first else None

    def text(self, text: str) -> str:
        """Returns a text without secrets."""
        return self._pattern.sub(MASK, text) if self._pattern else text

    def json(self, encoded: bytes) -> bytes:
        """Returns JSON without secrets in its texts, keys and numbers; it stays valid JSON."""
        if not self._pattern:
            return encoded
        masked = json.dumps(self._value(json.loads(encoded)), ensure_ascii=False, separators=(",", ":"))
        return (masked if self.text(masked) == masked else json.dumps(MASK)).encode()

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            return {self.text(key): self._value(member) for key, member in members.items()}
        if isinstance(value, list):
            return [self._value(item) for item in cast("list[Any]", value)]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            written = json.dumps(value)
            return value if self.text(written) == written else MASK
        return value


def _texts(secret: str) -> Iterator[str]:
    """Yields the secret, its lines, and the texts in it if it is JSON."""
    for text in (secret, *secret.splitlines(), *_texts_in_json(secret)):
        stripped = text.strip("\r\n")
        if len(stripped.encode()) >= BYTES_MIN:
            yield stripped


def _texts_in_json(secret: str) -> Iterator[str]:
    if secret.lstrip().startswith(("{", "[")):
        try:
            yield from _strings(json.loads(secret))
        except (ValueError, RecursionError):
            return


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, *value.splitlines())
    elif isinstance(value, (dict, list)):
        inner: Iterable[Any] = cast("dict[str, Any]", value).values() if isinstance(value, dict) else cast("list[Any]", value)
        for item in inner:
            yield from _strings(item)


def _spellings(text: str) -> Iterator[str]:
    yield text
    for escaped in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1]):
        yield escaped
        yield escaped.replace("/", "\\/")
    for coded in (quote(text), quote(text, safe=""), quote_plus(text), quote(text, safe="!*'();:@&=+$,/?#")):
        yield coded
        yield _CODE.sub(lambda code: code.group().lower(), coded)
    encoded = text.encode()
    yield encoded.hex()
    yield encoded.hex().upper()
    yield from _base64(encoded)


def _base64(encoded: bytes) -> Iterator[str]:
    """Yields what of its Base64 form does not depend on the bytes around it, for each of the three places it can begin at."""
    for before, dropped in ((0, 0), (1, 2), (2, 3)):
        whole = base64.b64encode(bytes(before) + encoded).decode()
        padding = whole.count("=")
        core = whole[dropped : len(whole) - padding - (1 if padding else 0)]
        if len(core) >= BYTES_MIN:
            yield core
            yield core.replace("+", "-").replace("/", "_")
    alone = base64.b64encode(encoded).decode()
    yield alone
    yield alone.replace("+", "-").replace("/", "_")
    yield alone.rstrip("=")
