"""Makes values for callers of messages."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from .._proto.common.v1 import error_pb2
from .._proto.flow.v1 import flow_service_pb2
from .._proto.log.v1 import log_pb2
from .._proto.operation.v1 import bulk_operation_pb2
from .._proto.run.v1 import iteration_pb2, run_pb2, run_service_pb2, step_pb2
from .._proto.signal.v1 import signal_service_pb2, wait_pb2
from ._models import (
    BulkOperation,
    BulkRun,
    Deployed,
    Iteration,
    IterationCounts,
    LogChunk,
    LogStream,
    Run,
    RunError,
    RunState,
    Step,
    StepState,
    Wait,
    WaitLink,
)


def json_value(text: bytes) -> Any:
    """Returns a JSON value; None for nothing."""
    return json.loads(text) if text else None


def run(message: run_pb2.Run) -> Run:
    return Run(
        id=message.id,
        workspace=message.workspace,
        name=message.name,
        state=RunState(_word(run_pb2.Run.State.Name(message.state))),
        input=json_value(message.input),
        output=json_value(message.output),
        error=_error(message),
        create_time=_time(message, "create_time"),
        start_time=_time(message, "start_time"),
        end_time=_time(message, "end_time"),
        is_paused=message.paused,
        wait_reason=message.wait_reason,
        is_from_cache=message.from_cache,
        started_by=message.started_by,
        progress=json_value(message.progress),
    )


def step(message: step_pb2.Step) -> Step:
    return Step(
        key=message.key,
        job_id=message.job_id,
        kind=_word(step_pb2.Step.Kind.Name(message.kind)),
        state=StepState(_word(step_pb2.Step.State.Name(message.state))),
        attempt=message.attempt,
        input=json_value(message.input),
        result=json_value(message.result),
        error=_error(message),
        create_time=_time(message, "create_time"),
        start_time=_time(message, "start_time"),
        end_time=_time(message, "end_time"),
        worker=message.worker,
        is_from_cache=message.from_cache,
        child_run_id=message.child_run_id,
        progress=json_value(message.progress),
        iterations=_counts(message.iterations) if message.HasField("iterations") else None,
    )


def _counts(message: step_pb2.IterationCounts) -> IterationCounts:
    return IterationCounts(
        total=message.total,
        queued=message.queued,
        running=message.running,
        succeeded=message.succeeded,
        failed=message.failed,
        canceled=message.canceled,
        skipped=message.skipped,
        is_only_live=message.only_live,
    )


def iteration(message: iteration_pb2.Iteration) -> Iteration:
    return Iteration(
        number=message.number,
        key=message.key,
        state=StepState(_word(step_pb2.Step.State.Name(message.state))),
        create_time=_time(message, "create_time"),
        start_time=_time(message, "start_time"),
        end_time=_time(message, "end_time"),
    )


def log(message: log_pb2.LogChunk) -> LogChunk:
    return LogChunk(
        run_id=message.run_id,
        job_id=message.job_id,
        step=message.step,
        attempt=message.attempt,
        stream=LogStream(_word(log_pb2.LogChunk.Stream.Name(message.stream))),
        text=message.text,
        time=_time(message, "time"),
        position=message.position,
    )


def event(message: run_service_pb2.WatchRunResponse) -> Run | Step | LogChunk | None:
    """Returns what a stream tells; None for a kind of event that this client does not know."""
    if message.HasField("run"):
        return run(message.run)
    if message.HasField("step"):
        return step(message.step)
    return log(message.log) if message.HasField("log") else None


def wait(message: wait_pb2.Wait) -> Wait:
    return Wait(
        step=message.step,
        kind=_word(wait_pb2.Wait.Kind.Name(message.kind)),
        name=message.name,
        required=message.required,
        received=message.received,
        approvers=tuple(message.approvers),
        details=json_value(message.details),
        create_time=_time(message, "create_time"),
        end_time=_time(message, "end_time"),
    )


def wait_link(message: signal_service_pb2.WaitLink) -> WaitLink:
    return WaitLink(
        actor=message.actor,
        accept_token=message.accept_token,
        deny_token=message.deny_token,
        expire_time=_time(message, "expire_time"),
    )


def bulk(message: bulk_operation_pb2.BulkOperation) -> BulkOperation:
    """Reads an operation on many runs."""
    return BulkOperation(
        id=message.id,
        total=message.total,
        done=message.done,
        failed=message.failed,
        left_out=message.left_out,
        create_time=message.create_time.ToDatetime(tzinfo=timezone.utc),
        end_time=_time(message, "end_time"),
    )


def bulk_run(message: bulk_operation_pb2.BulkOperationRun) -> BulkRun:
    """Reads what an operation on many runs did to one of them."""
    return BulkRun(
        run_id=message.run_id,
        state=_word(bulk_operation_pb2.BulkOperationRun.State.Name(message.state)),
        new_run_id=message.new_run_id,
        error=message.error_message,
    )


def deployed_flow(message: flow_service_pb2.DeployFlowResponse) -> Deployed:
    return Deployed(
        path=message.flow.path,
        hash=message.flow.hash,
        warnings=tuple(
            f"line {warning.line}: {warning.message} {warning.remedy}".rstrip() for warning in message.warnings
        ),
    )


def _word(name: str) -> str:
    """Returns the word of REST for a value such as ``STATE_QUEUED`` or ``KIND_FOR_EACH``."""
    return name.partition("_")[2].lower()


def _error(message: run_pb2.Run | step_pb2.Step) -> RunError | None:
    if not message.HasField("error"):
        return None
    error: error_pb2.JobError = message.error
    return RunError(name=error.name, message=error.message, stack=error.stack, retryable=error.retryable)


def _time(message: Message, field: str) -> datetime | None:
    if not message.HasField(field):
        return None
    stamp: Timestamp = getattr(message, field)
    return stamp.ToDatetime(timezone.utc)
