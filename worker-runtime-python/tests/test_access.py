"""Where settings come from, and which of them are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from millrace._access import AccessError, TokenSource, choose_access

CONTEXTS = """\
# Servers of the command line millrace. The tokens are secret.
current: "prod"
contexts:
  "local":
    server: "http://localhost:8400"
  "prod":
    server: "https://millrace.example"
    workspace: "billing"
    token: "secret-of-prod"
    ca_file: "CA"
"""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment whose contexts file has two contexts."""
    folder = tmp_path / "millrace"
    folder.mkdir()
    (tmp_path / "ca.pem").write_text("")
    file = folder / "contexts.yaml"
    file.write_text(CONTEXTS.replace("CA", str(tmp_path / "ca.pem")))
    file.chmod(0o600)
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def shown(tokens: TokenSource) -> str:
    return "".join(value for _, value in tokens.metadata())


def test_without_any_setting_it_is_the_scheduler_of_dev() -> None:
    access = choose_access(environment={})

    assert (access.target, access.workspace, access.tls, access.tokens.exists) == ("localhost:8401", "", None, False)


def test_the_current_context_counts(home: dict[str, str]) -> None:
    access = choose_access(environment=home)

    assert (access.target, access.workspace) == ("millrace.example:8401", "billing")
    assert shown(access.tokens) == "Bearer secret-of-prod"
    assert access.tls is not None
    assert access.tls.ca_file.endswith("ca.pem")


def test_arguments_come_before_variables_and_both_before_the_context(home: dict[str, str]) -> None:
    environment = home | {"MILLRACE_WORKSPACE": "variable", "MILLRACE_TOKEN": "of-variable"}

    assert shown(choose_access(environment=environment).tokens) == "Bearer of-variable"
    access = choose_access(workspace="argument", token="of-argument", environment=environment)
    assert (access.workspace, shown(access.tokens)) == ("argument", "Bearer of-argument")


def test_a_context_can_be_chosen_by_its_name(home: dict[str, str]) -> None:
    assert choose_access(context="local", environment=home).target == "localhost:8401"
    assert choose_access(environment=home | {"MILLRACE_CONTEXT": "local"}).tls is None
    with pytest.raises(AccessError, match="There is no context 'nowhere'. There are: local, prod."):
        choose_access(context="nowhere", environment=home)


def test_the_token_of_a_context_goes_to_no_other_host(home: dict[str, str]) -> None:
    other = home | {"MILLRACE_SCHEDULER_TARGET": "other.example:8401"}
    beside = home | {"MILLRACE_SCHEDULER_TARGET": "millrace.example:9000"}
    gateway = home | {"MILLRACE_SERVER": "https://other.example"}

    assert not choose_access(environment=other).tokens.exists
    assert choose_access(environment=beside).tokens.exists
    assert not choose_access(environment=gateway).tokens.exists


def test_no_token_travels_in_plain_text(home: dict[str, str]) -> None:
    with pytest.raises(AccessError, match="would travel unencrypted to far.example:8401"):
        choose_access(target="far.example:8401", token="secret", environment={})

    assert choose_access(target="127.0.0.1:8401", token="secret", environment={}).tls is None
    assert choose_access(target="far.example:8401", token="secret", allow_plaintext=True, environment={}).tls is None
    assert choose_access(target="far.example:8401", token="secret", ca_file="system", environment={}).tls is not None


def test_refuses_a_contexts_file_that_others_may_read(home: dict[str, str]) -> None:
    Path(home["XDG_CONFIG_HOME"], "millrace", "contexts.yaml").chmod(0o644)

    with pytest.raises(AccessError, match="Run: chmod 600"):
        choose_access(environment=home)


@pytest.mark.parametrize("text", ["just a text", "contexts: [1]", "contexts:\n  a: {workspace: b}", "a: [", "current: c"])
def test_refuses_contexts_that_are_none(home: dict[str, str], text: str) -> None:
    Path(home["XDG_CONFIG_HOME"], "millrace", "contexts.yaml").write_text(text)

    with pytest.raises(AccessError):
        choose_access(environment=home)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"target": "localhost"}, "is not HOST:PORT"),
        ({"target": "localhost:99999"}, "is not HOST:PORT"),
        ({"target": "a:8401,b"}, "and several separated by commas"),
        ({"target": "a:8401,"}, "is not HOST:PORT"),
        ({"target": "localhost:8401,far.example:8401", "token": "a"}, "would travel unencrypted"),
        ({"token": "a", "token_file": "b"}, "only one can count"),
        ({"token_file": "/nowhere/token"}, "cannot be read"),
        ({"ca_file": "/nowhere/ca.pem"}, "There is no file"),
        ({"certificate_file": "cert.pem"}, "both its file and the file of its key"),
    ],
)
def test_refuses_settings_that_cannot_be_meant(settings: dict[str, str], message: str) -> None:
    with pytest.raises(AccessError, match=message):
        choose_access(environment={}, **settings)  # pyright: ignore[reportArgumentType]


def test_a_list_has_an_order_of_chance() -> None:
    access = choose_access(target="a:1,[::1]:2,c:3", environment={})

    assert access.target == "a:1,[::1]:2,c:3"
    assert sorted(access.targets()) == ["[::1]:2", "a:1", "c:3"]


def test_a_worker_takes_no_token_of_a_person(home: dict[str, str]) -> None:
    access = choose_access(environment=home, use_contexts=False, token_variable="MILLRACE_WORKER_TOKEN")

    assert (access.target, access.tokens.exists) == ("localhost:8401", False)


def test_scripts_load_nothing_of_the_client() -> None:
    code = "import millrace, millrace._process, sys; print([m for m in sys.modules if m.startswith(('grpc', 'google', 'yaml'))])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="src")

    assert done.stdout.strip() == "[]"
