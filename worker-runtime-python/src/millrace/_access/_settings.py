"""Chooses scheduler, workspace, token and certificates from arguments, environment variables and contexts."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import sample
from urllib.parse import urlsplit

from ._contexts import Context, Contexts, read_contexts
from ._errors import AccessError
from ._tokens import TokenSource

TARGET_DEFAULT = "localhost:8401"
PORT_DEFAULT = 8401
SYSTEM_AUTHORITIES = "system"
"""Value for an authority's file that stands for the authorities that gRPC trusts by itself."""

_TARGET = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(?P<port>\d{1,5})")
_PORT_MAX = 65_535
_LOOPBACK = re.compile(r"localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?", re.IGNORECASE)
_TRUE = ("true", "1", "yes", "on")

__all__ = ["Access", "AccessError", "TlsFiles", "choose_access"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFiles:
    """Files of a connection with TLS.

    Attributes:
        ca_file: Authorities of the scheduler's certificate in PEM; ``system`` for those that gRPC trusts by itself.
        certificate_file: Certificate for a scheduler that asks for one; empty for none.
        key_file: Its key.
    """

    ca_file: str
    certificate_file: str = ""
    key_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a program reaches its scheduler.

    Attributes:
        target: ``HOST:PORT`` of the scheduler's gRPC services, or several separated by commas.
        workspace: Workspace of calls; empty for the server's choice.
        tokens: The token of calls, if there is one.
        tls: None for plain text.
    """

    target: str
    workspace: str
    tokens: TokenSource
    tls: TlsFiles | None

    def targets(self) -> list[str]:
        """Returns the addresses of all schedulers in an order of chance, so that programs spread over them."""
        addresses = _addresses(self.target)
        return sample(addresses, len(addresses))


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a program says itself; empty texts leave the choice to the environment."""

    target: str = ""
    workspace: str = ""
    token: str = ""
    token_file: str = ""
    ca_file: str = ""
    certificate_file: str = ""
    key_file: str = ""
    context: str = ""
    allow_plaintext: bool = False


def choose_access(
    *,
    target: str | None = None,
    workspace: str | None = None,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    ca_file: str | os.PathLike[str] | None = None,
    certificate_file: str | os.PathLike[str] | None = None,
    key_file: str | os.PathLike[str] | None = None,
    context: str | None = None,
    allow_plaintext: bool = False,
    token_variable: str = "MILLRACE_TOKEN",
    use_contexts: bool = True,
    environment: Mapping[str, str] = os.environ,
) -> Access:
    """Chooses each setting from the first source that names it: the arguments, the environment, the context.

    Args:
        target: ``HOST:PORT`` of the scheduler, or those of several that share a database, separated by commas.
        workspace: Workspace of calls.
        token: The token itself.
        token_file: File whose first line is the token.
        ca_file: Authorities of the scheduler in PEM, or ``system``; turns TLS on.
        certificate_file: Certificate of the caller.
        key_file: Its key.
        context: Name of a context of the command line.
        allow_plaintext: Whether a token may leave the machine in plain text, because something else encrypts the connection.
        token_variable: Environment variable with the token; that name with ``_FILE`` has the path of a file.
        use_contexts: Whether the contexts of the command line count.
        environment: Environment variables.

    Raises:
        AccessError: The settings contradict each other, or a file cannot be used.
    """
    given = Given(
        target=target or environment.get("MILLRACE_SCHEDULER_TARGET", ""),
        workspace=workspace or environment.get("MILLRACE_WORKSPACE", ""),
        token=token or "",
        token_file=os.fspath(token_file or ""),
        ca_file=os.fspath(ca_file or "") or environment.get("MILLRACE_SCHEDULER_TLS_CA", ""),
        certificate_file=os.fspath(certificate_file or "") or environment.get("MILLRACE_SCHEDULER_TLS_CERTIFICATE", ""),
        key_file=os.fspath(key_file or "") or environment.get("MILLRACE_SCHEDULER_TLS_KEY", ""),
        context=context or environment.get("MILLRACE_CONTEXT", ""),
        allow_plaintext=allow_plaintext
        or environment.get("MILLRACE_SCHEDULER_ALLOW_PLAINTEXT", "").strip().lower() in _TRUE,
    )
    contexts = read_contexts(environment) if use_contexts else Contexts()
    server, chosen = _server(given, environment, contexts) if use_contexts else ("", None)
    address = given.target or _target_of(server)
    tokens = _tokens(given, token_variable, environment, _context_for(address, chosen))
    tls = _tls(given, environment, server, chosen)
    _check(address, tokens, tls, given)
    return Access(
        target=address,
        workspace=given.workspace or (chosen.workspace if chosen else ""),
        tokens=tokens,
        tls=tls,
    )


def _server(given: Given, environment: Mapping[str, str], contexts: Contexts) -> tuple[str, Context | None]:
    """Returns the gateway that the environment or the context names, and the context that counts for it."""
    named = environment.get("MILLRACE_SERVER", "")
    if given.context:
        context = contexts.require(given.context)
        if named and not _is_same(named, context.server):
            raise AccessError(
                f"The context '{given.context}' is one of {context.server}, but MILLRACE_SERVER is {named}. Unset one of them."
            )
        return context.server, context
    current = contexts.require(contexts.current) if contexts.current else None
    if named:
        return named, current if current is not None and _is_same(named, current.server) else None
    return ("", None) if current is None else (current.server, current)


def _is_same(one: str, other: str) -> bool:
    return one.rstrip("/").lower() == other.rstrip("/").lower()


def _target_of(server: str) -> str:
    """Returns the scheduler beside a gateway: the same host, and the port that schedulers have if nobody chooses another."""
    if not server:
        return TARGET_DEFAULT
    host = urlsplit(server).hostname
    if not host:
        raise AccessError(f"The server address '{server}' is not an http or https URL. Write it like http://localhost:8400.")
    return f"[{host}]:{PORT_DEFAULT}" if ":" in host else f"{host}:{PORT_DEFAULT}"


def _context_for(target: str, context: Context | None) -> Context | None:
    """Returns the context if its server is on the host of the scheduler: its token goes to no other host."""
    if context is None:
        return None
    return context if _host(_target_of(context.server)) == _host(target) else None


def _tokens(given: Given, variable: str, environment: Mapping[str, str], context: Context | None) -> TokenSource:
    if given.token and given.token_file:
        raise AccessError("token and token_file are both given, and only one can count. Leave one of them out.")
    if given.token or given.token_file:
        return TokenSource(token=given.token, file=given.token_file)
    text, file = environment.get(variable, ""), environment.get(f"{variable}_FILE", "")
    if text and file:
        raise AccessError(f"{variable} and {variable}_FILE are both set, and only one can count. Unset one.")
    if text or file:
        return TokenSource(token=text, file=file)
    return TokenSource(token=context.token if context else "")


def _tls(given: Given, environment: Mapping[str, str], server: str, context: Context | None) -> TlsFiles | None:
    if bool(given.certificate_file) != bool(given.key_file):
        raise AccessError("A certificate of the caller needs both its file and the file of its key. Name both, or neither.")
    ca_file = given.ca_file
    if not ca_file and server:
        ca_file = environment.get("MILLRACE_CA_FILE", "") or (context.ca_file if context else "")
    if not ca_file and not given.certificate_file and not server.lower().startswith("https://"):
        return None
    for file in (ca_file, given.certificate_file, given.key_file):
        if file and file != SYSTEM_AUTHORITIES and not Path(file).is_file():
            raise AccessError(f"There is no file {file}, which should hold a certificate or key in PEM. Correct its path.")
    return TlsFiles(
        ca_file=ca_file or SYSTEM_AUTHORITIES, certificate_file=given.certificate_file, key_file=given.key_file
    )


def _check(target: str, tokens: TokenSource, tls: TlsFiles | None, given: Given) -> None:
    addresses = _addresses(target)
    if not all(_is_address(address) for address in addresses):
        raise AccessError(
            f"The address '{target}' of the scheduler is not HOST:PORT. Write it like {TARGET_DEFAULT}, and several"
            " separated by commas."
        )
    stays_here = all(_LOOPBACK.fullmatch(_host(address)) for address in addresses)
    if tls is None and tokens.exists and not stays_here and not given.allow_plaintext:
        raise AccessError(
            f"The token would travel unencrypted to {target}, where others can read it on the way. Name the authority of the"
            " scheduler's certificate (ca_file, or MILLRACE_SCHEDULER_TLS_CA), or allow plain text if something else encrypts"
            " the connection (allow_plaintext, or MILLRACE_SCHEDULER_ALLOW_PLAINTEXT=true)."
        )


def _addresses(target: str) -> list[str]:
    return target.split(",")


def _is_address(text: str) -> bool:
    match = _TARGET.fullmatch(text)
    return match is not None and int(match["port"]) <= _PORT_MAX


def _host(target: str) -> str:
    return target.rpartition(":")[0].lower()
