"""Reads the scripts that lie beside the definition of a flow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ._errors import InvalidRequest


def read_beside(definition: Path, names: Iterable[str]) -> dict[str, str]:
    """Returns the contents of the named files that exist; the server looks for the others among deployed scripts.

    Raises:
        InvalidRequest: A file lies outside the folder of the definition. Definitions come from anywhere, and must not make
            this machine send unrelated files.
    """
    folder = definition.resolve().parent
    contents: dict[str, str] = {}
    for name in names:
        file = folder / name
        if not file.is_file():
            continue
        if not file.resolve().is_relative_to(folder):
            raise InvalidRequest(
                f'The flow names the script "{name}", which lies outside the flow\'s folder {folder}, so it was not sent. Move'
                " or copy it into that folder and name it by its path there."
            )
        contents[name] = file.read_text(encoding="utf-8")
    return contents
