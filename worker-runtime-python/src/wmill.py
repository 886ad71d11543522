"""What scripts of Windmill import as ``wmill``, so that they run unchanged: a thin layer over `millrace.current`.

Paths of variables and resources are those of Windmill; a variable is a secret. What is not here raises an error that names it.
"""

from __future__ import annotations

from millrace._context import current, current_host
from millrace._values import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_VARIABLE = "$var:"
_RESOURCE = "$res:"

_MISSING = frozenset({
    "S3Object",
    "Windmill",
    "boto3_connection_settings",
    "cancel_running",
    "duckdb_connection_settings",
    "get_job",
    "get_job_status",
    "get_result",
    "get_result_maybe",
    "get_resume_urls",
    "get_resume_urls_v2",
    "get_script_hash",
    "get_shared_state",
    "get_shared_state_pickle",
    "get_user",
    "get_version",
    "list_resources",
    "load_s3_file",
    "load_s3_file_reader",
    "polars_connection_settings",
    "request_interactive_slack_approval",
    "run_flow",
    "run_flow_async",
    "run_inline_script_preview",
    "run_script",
    "run_script_async",
    "run_script_by_hash",
    "run_script_by_hash_async",
    "run_script_by_path",
    "run_script_by_path_async",
    "set_shared_state",
    "set_shared_state_pickle",
    "sign_s3_object",
    "sign_s3_objects",
    "task",
    "wait_job",
    "whoami",
    "write_s3_file",
})


def get_variable(path: str) -> str:
    """Returns the value of the secret with this path."""
    return current().secrets.get(path.removeprefix(_VARIABLE))


def set_variable(path: str, value: str, is_secret: bool = False) -> None:
    """Sets the secret with this path. Every variable is a secret here, whatever `is_secret` says."""
    current().secrets.set(path.removeprefix(_VARIABLE), value)


def get_resource(path: str) -> Any:
    """Returns a resource, with the values of the secrets to which it refers."""
    return current().resources.get(path.removeprefix(_RESOURCE))


def set_resource(value: object, path: str, resource_type: str = "") -> None:
    """Writes a resource. Without a type, it keeps the one that it has."""
    kind = "" if resource_type == "any" else resource_type
    current().resources.set(path.removeprefix(_RESOURCE), value, type=kind)


def get_state(path: str | None = None) -> Any:
    """Returns what the script has remembered, None if nothing; with a path, what was remembered there."""
    return State(current_host(), path or "").get()


def set_state(value: object, path: str | None = None) -> None:
    """Remembers a value for later runs; None forgets it."""
    State(current_host(), path or "").set(value)


def get_flow_user_state(key: str) -> Any:
    """Returns what a step of this run has kept under a key, None if nothing."""
    return current().data.get(key)


def set_flow_user_state(key: str, value: object) -> None:
    """Keeps a value for the steps of this run."""
    current().data.set(key, value)


def get_workspace() -> str:
    """Returns the workspace of the job."""
    return current().workspace


def get_root_job_id(job_id: str | None = None) -> str:
    """Returns the id of the run. Other jobs than the running one cannot be asked for."""
    if job_id is not None and job_id != current().job_id:
        _missing("get_root_job_id", "of another job")
    return current().run_id


def set_progress(value: int, job_id: str | None = None) -> None:
    """Tells how far the job is, in percent."""
    if job_id is not None and job_id != current().job_id:
        _missing("set_progress", "of another job")
    current().progress(value / 100)


get_internal_state = get_state
set_internal_state = set_state


def _missing(name: str, what: str = "") -> NoReturn:
    raise NotImplementedError(
        f"wmill.{name} {what + ' ' if what else ''}does not work in Millrace. docs/how-to/run-windmill-scripts.md lists what does,"
        " and what to use instead."
    )


def __getattr__(name: str) -> Any:
    """Returns a function that raises an error, so that importing a missing name fails only where it is used."""
    if name not in _MISSING:
        raise AttributeError(f"module 'wmill' has no attribute {name!r}, neither here nor in Windmill")

    def missing(*_: object, **__: object) -> NoReturn:
        _missing(name)

    return missing
