"""Reads the contexts of the command line: named servers with a workspace, a token and an authority."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

from ._errors import AccessError

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A server with what its caller needs there.

    Attributes:
        server: Address of the gateway, such as ``https://millrace.example``.
        workspace: Workspace of calls that name none; empty for the server's choice.
        token: Secret token; empty for none.
        ca_file: PEM file with the authority of the server's certificate; empty for those that the machine trusts.
    """

    server: str
    workspace: str = ""
    token: str = field(default="", repr=False)
    ca_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """All contexts of a person.

    Attributes:
        current: Name of the context that counts if nothing else is named; empty for none.
        by_name: The contexts.
    """

    current: str = ""
    by_name: Mapping[str, Context] = field(default_factory=dict[str, Context])

    def require(self, name: str) -> Context:
        """Returns the context with this name.

        Raises:
            AccessError: There is none.
        """
        context = self.by_name.get(name)
        if context is None:
            known = f"There are: {', '.join(sorted(self.by_name))}." if self.by_name else "There are none yet."
            raise AccessError(f"There is no context '{name}'. {known} Make one with: ./millrace contexts set {name} --server URL")
        return context


def contexts_file(environment: Mapping[str, str]) -> Path | None:
    """Returns the path of the file with the contexts; None if the variables name no folder of the user."""
    for variable, below in (("XDG_CONFIG_HOME", ""), ("HOME", ".config")):
        folder = environment.get(variable, "")
        if os.path.isabs(folder):  # Relative folders count as absent, as the XDG specification wants it.
            return Path(folder, below, "millrace", "contexts.yaml")
    return None


def read_contexts(environment: Mapping[str, str]) -> Contexts:
    """Reads the contexts of the user; none if there is no file.

    Raises:
        AccessError: The file cannot be read, holds no valid contexts, or may be read by other users.
    """
    path = contexts_file(environment)
    if path is None or not path.exists():
        return Contexts()
    try:
        if path.stat().st_mode & _OTHERS:
            raise AccessError(
                f"The file {path} holds tokens, but other users may read or write it. Run: chmod 600 {path}"
            )
        root = yaml.safe_load(path.read_text())
    except OSError as error:
        raise AccessError(f"The file {path} with your contexts cannot be read: {error}.") from error
    except yaml.YAMLError as error:
        raise _invalid(path, str(error)) from error
    return Contexts() if root is None else _contexts(path, root)


def _contexts(path: Path, root: Any) -> Contexts:
    members = _members(path, root, "the file")
    named = _members(path, members.get("contexts") or {}, "`contexts`")
    contexts = {
        name: _context(path, name, _members(path, value, f"the context '{name}'")) for name, value in named.items()
    }
    return Contexts(current=str(members.get("current") or ""), by_name=contexts)


def _context(path: Path, name: str, value: dict[str, Any]) -> Context:
    server = str(value.get("server") or "")
    if not server:
        raise _invalid(path, f"the context '{name}' has no server")
    return Context(
        server=server,
        workspace=str(value.get("workspace") or ""),
        token=str(value.get("token") or ""),
        ca_file=str(value.get("ca_file") or ""),
    )


def _members(path: Path, value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _invalid(path, f"{what} is no mapping of keys to values")
    return {str(key): member for key, member in cast("dict[Any, Any]", value).items()}


def _invalid(path: Path, clause: str) -> AccessError:
    return AccessError(f"The file {path} holds no valid contexts: {clause}. Correct it, or delete it and log in again.")
