"""Reads what a docstring says about parameters, in the styles of Google, NumPy and reST."""

from __future__ import annotations

import re
from textwrap import dedent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

DESCRIPTION_CHARS_MAX = 1_000
_SECTION: Final = re.compile(r"(Args|Arguments|Parameters|Params|Keyword Args|Attributes|Other Parameters)\s*:?\s*", re.I)
_OTHER_SECTION: Final = re.compile(r"[A-Z][\w ]{1,30}:\s*")
_ENTRY: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY: Final = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?")
_REST: Final = re.compile(r":(?:param|parameter|arg|argument|key|keyword|ivar|var)\s+(?:[^:\n]*?\s)?\*{0,2}(\w+)\s*:\s*(.*)")


def read(docstring: str | None) -> tuple[str, dict[str, str]]:
    """Returns the first paragraph, and the descriptions of parameters by their names."""
    lines = dedent(docstring or "").strip().splitlines()
    found: dict[str, str] = {}
    _read_rest(lines, found)
    index = 0
    while index < len(lines):
        if _SECTION.fullmatch(lines[index].strip()) is None:
            index += 1
        elif index + 1 < len(lines) and re.fullmatch(r"\s*-{3,}\s*", lines[index + 1]):
            index = _read_section(lines, index + 2, found, _NUMPY_ENTRY)
        else:
            index = _read_section(lines, index + 1, found, _ENTRY)
    return _summary(lines), {name: text[:DESCRIPTION_CHARS_MAX] for name, text in found.items() if text}


def _summary(lines: list[str]) -> str:
    first: list[str] = []
    for line in lines:
        text = line.strip()
        if not text or _SECTION.fullmatch(text) or _OTHER_SECTION.fullmatch(text) or text.startswith(":"):
            break
        first.append(text)
    return " ".join(first)[:DESCRIPTION_CHARS_MAX]


def _read_rest(lines: list[str], found: dict[str, str]) -> None:
    name = ""
    for line in lines:
        match = _REST.match(line.strip())
        if match:
            name = match[1]
            found[name] = match[2].strip()
        elif not line.strip() or line.strip().startswith(":"):
            name = ""
        elif name and line[:1].isspace():
            found[name] = f"{found[name]} {line.strip()}".strip()
        else:
            name = ""


def _read_section(lines: list[str], index: int, found: dict[str, str], entry: re.Pattern[str]) -> int:
    """Reads entries until the section ends: at text that is indented less than its first entry."""
    depth = -1
    names: list[str] = []
    while index < len(lines):
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        text = line.strip()
        if text:
            depth = indent if depth < 0 else depth
            underlined = index + 1 < len(lines) and re.fullmatch(r"\s*-{3,}\s*", lines[index + 1])
            if indent < depth or underlined or (indent == 0 and entry is _ENTRY):
                return index
            if indent > depth:
                for name in names:
                    found[name] = f"{found.get(name, '')} {text}".strip()
            else:
                match = entry.fullmatch(text)
                names = [name.strip() for name in match[1].split(",")] if match else []
                for name in names:
                    found[name] = match[2].strip() if match and entry is _ENTRY else ""
        index += 1
    return index
