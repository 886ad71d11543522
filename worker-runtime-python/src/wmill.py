"""What scripts of Windmill import as ``wmill``, so that they run unchanged: a thin layer over `millrace.current`.

Paths of variables and resources are those of Windmill. A variable is a secret, or a resource that is a text. What is not here
raises an error that names it.
"""

from __future__ import annotations

from millrace import blobs
from millrace._context import current, current_host
from millrace._errors import CallFailed
from millrace._values import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from typing import Any, BinaryIO, NoReturn, TypeAlias

    _Object: TypeAlias = dict[str, Any]
    _Timeout: TypeAlias = "timedelta | float | None"
else:
    _Object = dict

_VARIABLE = "$var:"
_RESOURCE = "$res:"
_S3 = "s3:"

_MISSING = frozenset({
    "Windmill",
    "append_to_result_stream",
    "boto3_connection_settings",
    "cancel_running",
    "datatable",
    "delete_s3_object",
    "duckdb_connection_settings",
    "ducklake",
    "get_id_token",
    "get_presigned_s3_public_url",
    "get_presigned_s3_public_urls",
    "get_progress",
    "get_resume_urls_v2",
    "get_script_hash",
    "get_shared_state",
    "get_shared_state_pickle",
    "get_user",
    "get_version",
    "list_resources",
    "polars_connection_settings",
    "request_interactive_slack_approval",
    "run_inline_script_preview",
    "send_teams_message",
    "set_shared_state",
    "set_shared_state_pickle",
    "sign_s3_object",
    "sign_s3_objects",
    "stream_result",
    "task",
    "task_flow",
    "task_script",
    "username_to_email",
    "whoami",
    "worker_is_draining",
    "workflow",
})


def get_variable(path: str) -> str:
    """Returns the value of the secret with this path; if there is none, the resource, which must be a text."""
    path = path.removeprefix(_VARIABLE)
    try:
        return current().secrets.get(path)
    except CallFailed as missing:
        value = _plain_variable(path)
        if value is None:
            raise missing from None
        return value


def set_variable(path: str, value: str, is_secret: bool = False) -> None:
    """Sets the secret with this path. If there is none, and `is_secret` does not ask for one, it writes a resource."""
    path = path.removeprefix(_VARIABLE)
    if is_secret or _is_secret(path):
        current().secrets.set(path, value)
    else:
        current().resources.set(path, value)


def _is_secret(path: str) -> bool:
    try:
        current().secrets.get(path)
    except CallFailed:
        return False
    return True


def _plain_variable(path: str) -> str | None:
    try:
        value = current().resources.get(path)
    except CallFailed:
        return None
    return value if isinstance(value, str) else None


def get_resource(path: str) -> Any:
    """Returns a resource, with the values of the secrets to which it refers."""
    return current().resources.get(path.removeprefix(_RESOURCE))


def set_resource(path: str, value: object, resource_type: str = "any") -> None:
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


def run_script(
    path: str | None = None,
    hash_: str | None = None,
    args: dict[str, object] | None = None,
    timeout: _Timeout = None,
    verbose: bool = False,
    cleanup: bool = True,
    assert_result_is_not_none: bool = True,
    tag: str | None = None,
) -> Any:
    """Runs a script, waits for its end and returns its result. The run is canceled if it takes longer than `timeout`."""
    started = _start("script", path, hash_, args, tag)
    return wait_job(started, timeout, verbose, cleanup, assert_result_is_not_none)


def run_script_by_path(
    path: str,
    args: dict[str, object] | None = None,
    timeout: _Timeout = None,
    verbose: bool = False,
    cleanup: bool = True,
    assert_result_is_not_none: bool = True,
    tag: str | None = None,
) -> Any:
    """Does what `run_script` does."""
    return run_script(path, None, args, timeout, verbose, cleanup, assert_result_is_not_none, tag)


def run_script_by_hash(
    hash_: str,
    args: dict[str, object] | None = None,
    timeout: _Timeout = None,
    verbose: bool = False,
    cleanup: bool = True,
    assert_result_is_not_none: bool = True,
    tag: str | None = None,
) -> Any:
    """Does what `run_script` does, for one version. Hashes are those of Millrace."""
    return run_script(None, hash_, args, timeout, verbose, cleanup, assert_result_is_not_none, tag)


def run_script_async(
    hash_or_path: str,
    args: dict[str, object] | None = None,
    scheduled_in_secs: float | None = None,
    tag: str | None = None,
) -> str:
    """Starts a run of a script, and returns its id."""
    is_path = "/" in hash_or_path
    path, hash_ = (hash_or_path, None) if is_path else (None, hash_or_path)
    return _start("script", path, hash_, args, tag, scheduled_in_secs)


def run_script_by_path_async(
    path: str,
    args: dict[str, object] | None = None,
    scheduled_in_secs: float | None = None,
    tag: str | None = None,
) -> str:
    """Starts a run of a script, and returns its id."""
    return _start("script", path, None, args, tag, scheduled_in_secs)


def run_script_by_hash_async(
    hash_: str,
    args: dict[str, object] | None = None,
    scheduled_in_secs: float | None = None,
    tag: str | None = None,
) -> str:
    """Starts a run of one version of a script, and returns its id."""
    return _start("script", None, hash_, args, tag, scheduled_in_secs)


def run_flow_async(
    path: str,
    args: dict[str, object] | None = None,
    scheduled_in_secs: float | None = None,
    do_not_track_in_parent: bool = True,
    tag: str | None = None,
) -> str:
    """Starts a run of a flow, and returns its id. Steps have their own tags here, so `tag` has no effect."""
    return _start("flow", path, None, args, None, scheduled_in_secs)


def wait_job(
    job_id: str,
    timeout: _Timeout = None,
    verbose: bool = False,
    cleanup: bool = True,
    assert_result_is_not_none: bool = False,
) -> Any:
    """Waits for the end of a run and returns its result. A run that takes longer than `timeout` is canceled."""
    runs = current().runs
    seconds = timeout if timeout is None or isinstance(timeout, (int, float)) else timeout.total_seconds()
    if not runs.wait(job_id, timeout=seconds):
        runs.cancel(job_id, reason="wait_job has waited for as long as it should")
        raise TimeoutError(f"run {job_id} has not ended in time and was canceled")
    result = runs.result(job_id)
    if result is None and assert_result_is_not_none:
        raise Exception(f"run {job_id} has no result")
    return result


def get_result(job_id: str, assert_result_is_not_none: bool = True) -> Any:
    """Returns the result of a run that has ended; fails if it has not, or has none."""
    found = current().runs.get(job_id)
    if found.state != "succeeded" or (found.output is None and assert_result_is_not_none):
        raise Exception(f"run {job_id} has no result: {found.state}{'' if found.error is None else f', {found.error}'}")
    return found.output


def get_job_status(job_id: str) -> str:
    """Returns `WAITING`, `RUNNING` or `COMPLETED`."""
    found = current().runs.get(job_id)
    return "COMPLETED" if found.has_ended else "WAITING" if found.state == "queued" else "RUNNING"


def get_job(job_id: str) -> dict[str, Any]:
    """Returns what is known of a run, with the keys `id`, `script_path`, `running`, `success`, `canceled` and `result`."""
    found = current().runs.get(job_id)
    job: dict[str, Any] = {"id": found.run_id, "script_path": found.name, "running": found.state == "running"}
    if found.has_ended:
        job |= {"success": found.state == "succeeded", "canceled": found.state == "canceled", "result": found.output}
        job["type"] = "CompletedJob"
    else:
        job["type"] = "QueuedJob"
    return job


def cancel_job(job_id: str, reason: str | None = None) -> str:
    """Cancels a run, and returns its id."""
    current().runs.cancel(job_id, reason=reason or "")
    return job_id


def get_resume_urls(approver: str | None = None, flow_level: bool | None = None) -> dict[str, str]:
    """Returns addresses that resume or cancel the flow at the `suspend` of this step. They are paths on the server.

    A path takes a POST; a GET only shows what it is for. Without an approver, the links are for whoever started the run.
    """
    step = current().step
    if flow_level or not step:
        _missing("get_resume_urls", "for a whole flow")
    return _urls(f"{step}_suspend", approver)


def get_approval_urls(step_key: str = "approval", approver: str | None = None) -> dict[str, str]:
    """Returns addresses that resume or cancel the flow at the `suspend` of another step."""
    return _urls(f"{step_key}_suspend", approver)


def _urls(step: str, approver: str | None) -> dict[str, str]:
    link = current().runs.wait_links(step, [approver] if approver else [])[0]
    return {"approvalPage": link.accept_path, "resume": link.accept_path, "cancel": link.deny_path}


def _start(
    kind: str,
    path: str | None,
    hash_: str | None,
    args: dict[str, object] | None,
    tag: str | None,
    scheduled_in_secs: float | None = None,
) -> str:
    if bool(path) == bool(hash_):
        raise Exception("name either a path or a hash_")
    call: dict[str, object] = {
        "script": "",
        "flow": "",
        kind: path or hash_,
        "is_hash": bool(hash_),
        "input": args or {},
        "tag": tag or "",
        "priority": 0,
    }
    run_after = None
    if scheduled_in_secs is not None:
        from datetime import datetime, timedelta, timezone

        run_after = datetime.now(timezone.utc) + timedelta(seconds=scheduled_in_secs)
    return current().runs.start_any(call, run_after=run_after)


class S3Object(_Object):
    """A file under a key, ``{"s3": key}``. Here it is a blob of the run, and the object has the reference to it."""


def write_s3_file(
    s3object: dict[str, Any] | str | None,
    file_content: BinaryIO | bytes,
    s3_resource_path: str | None = None,
    content_type: str | None = None,
    content_disposition: str | None = None,
) -> S3Object:
    """Saves a file as a blob. Steps of the same run find it by its key, and other runs by the returned object.

    Args:
        s3object: Its key, or an object with it; None for a new one.
    """
    if s3_resource_path:
        _missing("write_s3_file", "with a resource")
    reference = blobs.put(file_content, media_type=content_type or "application/octet-stream").reference()
    key = _s3_key(s3object) if s3object else f"blob/{reference['$blob']}"
    current().data.set(_S3 + key, reference)
    return S3Object({"s3": key, **reference})


def load_s3_file_reader(s3object: dict[str, Any] | str, s3_resource_path: str | None = None) -> BinaryIO:
    """Opens a file that this run has written, or that its input refers to."""
    if s3_resource_path:
        _missing("load_s3_file_reader", "with a resource")
    reference: Any = s3object if isinstance(s3object, dict) and "$blob" in s3object else None
    if reference is None:
        reference = current().data.get(_S3 + _s3_key(s3object))
    if reference is None:
        raise FileNotFoundError(f"no step of this run has written the file {_s3_key(s3object)}")
    return blobs.open({name: reference[name] for name in ("$blob", "bytes", "sha256", "media_type")})


def load_s3_file(s3object: dict[str, Any] | str, s3_resource_path: str | None = None) -> bytes:
    """Reads a file that this run has written, or that its input refers to."""
    with load_s3_file_reader(s3object, s3_resource_path) as file:
        return file.read()


def _s3_key(s3object: dict[str, Any] | str) -> str:
    key = s3object["s3"] if isinstance(s3object, dict) else s3object
    return str(key).removeprefix("s3://").lstrip("/")


def set_progress(value: int, job_id: str | None = None) -> None:
    """Tells how far the job is, in percent."""
    if job_id is not None and job_id != current().job_id:
        _missing("set_progress", "of another job")
    current().progress(value / 100)


get_internal_state = get_state
set_internal_state = set_state
run_script_sync = run_script_by_hash
run_script_by_path_sync = run_script_by_path


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
