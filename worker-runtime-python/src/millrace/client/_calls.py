"""Calls as values: the request, and how to read the answer. Client and async client send the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import uuid4

from google.protobuf.message import Message

from .._proto.flow.v1 import flow_pb2, flow_service_pb2
from .._proto.log.v1 import log_service_pb2
from .._proto.operation.v1 import (
    bulk_operation_pb2,
    bulk_operation_service_pb2,
    operation_pb2,
    operation_service_pb2,
)
from .._proto.run.v1 import run_service_pb2
from .._proto.script.v1 import script_service_pb2
from .._proto.signal.v1 import signal_service_pb2
from . import _read, _write
from ._models import (
    BulkOperation,
    BulkRun,
    Deployed,
    Iteration,
    LogChunk,
    Run,
    RunKind,
    RunSelection,
    RunSpec,
    RunState,
    Step,
    StepState,
    Wait,
    WaitLink,
)

A = TypeVar("A", bound=Message)
T = TypeVar("T")

RUNS = "/millrace.run.v1.RunService/"
OPERATIONS = "/millrace.operation.v1.OperationService/"
BULKS = "/millrace.operation.v1.BulkOperationService/"
SIGNALS = "/millrace.signal.v1.SignalService/"
LOGS = "/millrace.log.v1.LogService/"
FLOWS = "/millrace.flow.v1.FlowService/"
SCRIPTS = "/millrace.script.v1.ScriptService/"

PAGE_SIZE = 200

_SCRIPT_NAME = re.compile(r".*\.(py|ts|mts|js|mjs)")


@dataclass(frozen=True, slots=True)
class Call(Generic[A, T]):
    """A call that may be sent any number of times.

    Attributes:
        method: Full name of the method.
        request: The request; a request id is part of it, if the call changes something.
        answers: Class of the answer.
        read: Makes the value for the caller of an answer.
    """

    method: str
    request: Message
    answers: type[A]
    read: Callable[[A], T]

    @property
    def name(self) -> str:
        """Name for messages, such as ``SubmitRun``."""
        return self.method.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Entries of one page, and the call for the next; None on the last page."""

    entries: Sequence[T]
    next_token: str


@dataclass(frozen=True, slots=True)
class Submitted:
    """A run that was accepted, and the result that its flow returned to the waiting caller before the end, if it did."""

    run: Run
    early: tuple[Any] | None


def new_request_id() -> str:
    """Returns a request id that nobody else has."""
    return uuid4().hex


def submit_run(
    workspace: str, spec: RunSpec, request_id: str | None, wait: timedelta | None = None
) -> Call[run_service_pb2.SubmitRunResponse, Submitted]:
    request = run_service_pb2.SubmitRunRequest(
        workspace=workspace, request_id=request_id or new_request_id(), spec=_write.spec(spec), wait=wait
    )
    return Call(RUNS + "SubmitRun", request, run_service_pb2.SubmitRunResponse, _submitted)


def _submitted(answer: run_service_pb2.SubmitRunResponse) -> Submitted:
    early = (_read.json_value(answer.early_return.result),) if answer.HasField("early_return") else None
    return Submitted(_read.run(answer.run), early)


def submit_runs(
    workspace: str, specs: Iterable[RunSpec], request_id: str | None
) -> Call[run_service_pb2.SubmitRunsResponse, list[str]]:
    request = run_service_pb2.SubmitRunsRequest(
        workspace=workspace, request_id=request_id or new_request_id(), specs=[_write.spec(spec) for spec in specs]
    )
    return Call(RUNS + "SubmitRuns", request, run_service_pb2.SubmitRunsResponse, lambda answer: list(answer.run_ids))


def get_run(workspace: str, run_id: str) -> Call[run_service_pb2.GetRunResponse, Run]:
    request = run_service_pb2.GetRunRequest(workspace=workspace, run_id=run_id)
    return Call(RUNS + "GetRun", request, run_service_pb2.GetRunResponse, lambda answer: _read.run(answer.run))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs a list has.

    Attributes:
        states: Only these states; empty means all.
        name: Only runs of this flow, script or handler.
        created_from: Only runs accepted at this time or later.
        created_before: Only runs accepted before this time.
        with_input: Only runs whose input meets all these conditions: ``PATH=VALUE`` or ``PATH~TEXT``.
        with_output: Only runs whose output meets all these conditions.
        kind: Only runs of this kind; None means work, or all if there is a name.
    """

    states: Sequence[RunState] = ()
    name: str = ""
    created_from: datetime | None = None
    created_before: datetime | None = None
    with_input: Sequence[str] = ()
    with_output: Sequence[str] = ()
    kind: RunKind | None = None
    tag: str = ""


def list_runs(
    workspace: str, wanted: RunFilter, page_token: str
) -> Call[run_service_pb2.ListRunsResponse, Page[Run]]:
    request = run_service_pb2.ListRunsRequest(
        workspace=workspace,
        states=[f"STATE_{state.name}" for state in wanted.states],
        page_size=PAGE_SIZE,
        page_token=page_token,
        name=wanted.name,
        created_from=wanted.created_from,
        created_before=wanted.created_before,
        input=wanted.with_input,
        output=wanted.with_output,
        kind=None if wanted.kind is None else f"KIND_{wanted.kind.name}",
        tag=wanted.tag,
    )
    return Call(
        RUNS + "ListRuns",
        request,
        run_service_pb2.ListRunsResponse,
        lambda answer: Page([_read.run(run) for run in answer.runs], answer.next_page_token),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which steps of a run a caller wants, and whether with their inputs and results."""

    payloads: bool = False
    fold_loops: bool = False
    iteration: str = ""


def list_steps(
    workspace: str, run_id: str, wanted: Wanted, page_token: str
) -> Call[run_service_pb2.ListStepsResponse, Page[Step]]:
    request = run_service_pb2.ListStepsRequest(
        workspace=workspace,
        run_id=run_id,
        include_payloads=wanted.payloads,
        fold_loops=wanted.fold_loops,
        iteration=wanted.iteration,
        page_size=PAGE_SIZE,
        page_token=page_token,
    )
    return Call(
        RUNS + "ListSteps",
        request,
        run_service_pb2.ListStepsResponse,
        lambda answer: Page([_read.step(step) for step in answer.steps], answer.next_page_token),
    )


def list_iterations(
    workspace: str, run_id: str, loop: str, states: Sequence[StepState], from_number: int, page_token: str
) -> Call[run_service_pb2.ListIterationsResponse, Page[Iteration]]:
    request = run_service_pb2.ListIterationsRequest(
        workspace=workspace,
        run_id=run_id,
        loop=loop,
        states=[f"STATE_{state.name}" for state in states],
        from_number=from_number,
        page_size=PAGE_SIZE,
        page_token=page_token,
    )
    return Call(
        RUNS + "ListIterations",
        request,
        run_service_pb2.ListIterationsResponse,
        lambda answer: Page([_read.iteration(one) for one in answer.iterations], answer.next_page_token),
    )


def list_logs(
    workspace: str, run_id: str, job_id: str, page_token: str
) -> Call[log_service_pb2.ListLogsResponse, Page[LogChunk]]:
    request = log_service_pb2.ListLogsRequest(
        workspace=workspace, run_id=run_id, job_id=job_id, page_size=PAGE_SIZE, page_token=page_token
    )
    return Call(
        LOGS + "ListLogs",
        request,
        log_service_pb2.ListLogsResponse,
        lambda answer: Page([_read.log(chunk) for chunk in answer.chunks], answer.next_page_token),
    )


def list_waits(
    workspace: str, run_id: str, page_token: str
) -> Call[signal_service_pb2.ListWaitsResponse, Page[Wait]]:
    request = signal_service_pb2.ListWaitsRequest(
        workspace=workspace, run_id=run_id, page_size=PAGE_SIZE, page_token=page_token
    )
    return Call(
        SIGNALS + "ListWaits",
        request,
        signal_service_pb2.ListWaitsResponse,
        lambda answer: Page([_read.wait(wait) for wait in answer.waits], answer.next_page_token),
    )


def watch_run(
    workspace: str, run_id: str, *, logs: bool, fold_loops: bool, after_position: int
) -> Call[run_service_pb2.WatchRunResponse, Run | Step | LogChunk | None]:
    request = run_service_pb2.WatchRunRequest(
        workspace=workspace,
        run_id=run_id,
        include_logs=logs,
        fold_loops=fold_loops,
        logs_after_position=after_position,
    )
    return Call(RUNS + "WatchRun", request, run_service_pb2.WatchRunResponse, _read.event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Who asks for an operation, and why."""

    actor: str = ""
    reason: str = ""
    request_id: str | None = None

    def proto(self) -> operation_pb2.OperationNote:
        return operation_pb2.OperationNote(
            actor=self.actor, reason=self.reason, request_id=self.request_id or new_request_id()
        )


def cancel_run(workspace: str, run_id: str, note: Note) -> Call[operation_service_pb2.CancelRunResponse, Run]:
    request = operation_service_pb2.CancelRunRequest(workspace=workspace, run_id=run_id, note=note.proto())
    return _operation("CancelRun", request, operation_service_pb2.CancelRunResponse)


def pause_run(workspace: str, run_id: str, note: Note) -> Call[operation_service_pb2.PauseRunResponse, Run]:
    request = operation_service_pb2.PauseRunRequest(workspace=workspace, run_id=run_id, note=note.proto())
    return _operation("PauseRun", request, operation_service_pb2.PauseRunResponse)


def resume_run(workspace: str, run_id: str, note: Note) -> Call[operation_service_pb2.ResumeRunResponse, Run]:
    request = operation_service_pb2.ResumeRunRequest(workspace=workspace, run_id=run_id, note=note.proto())
    return _operation("ResumeRun", request, operation_service_pb2.ResumeRunResponse)


def retry_run(workspace: str, run_id: str, note: Note) -> Call[operation_service_pb2.RetryRunResponse, Run]:
    request = operation_service_pb2.RetryRunRequest(workspace=workspace, run_id=run_id, note=note.proto())
    return _operation("RetryRun", request, operation_service_pb2.RetryRunResponse)


def restart_run(
    workspace: str, run_id: str, new_input: Mapping[str, object] | None, note: Note
) -> Call[operation_service_pb2.RestartRunResponse, Run]:
    request = operation_service_pb2.RestartRunRequest(
        workspace=workspace, run_id=run_id, note=note.proto(), input=_write.json_object(new_input)
    )
    return _operation("RestartRun", request, operation_service_pb2.RestartRunResponse)


def rerun_run(
    workspace: str,
    run_id: str,
    step: str,
    new_input: Mapping[str, object] | None,
    note: Note,
    *,
    flow_hash: str,
    step_input: Mapping[str, object] | None,
) -> Call[operation_service_pb2.RerunRunResponse, Run]:
    request = operation_service_pb2.RerunRunRequest(
        workspace=workspace,
        run_id=run_id,
        step=step,
        note=note.proto(),
        input=_write.json_object(new_input),
        flow_hash=flow_hash,
        step_input=_write.json_object(step_input),
    )
    return _operation("RerunRun", request, operation_service_pb2.RerunRunResponse)


def skip_step(
    workspace: str, run_id: str, step: str, result: object, note: Note
) -> Call[operation_service_pb2.SkipStepResponse, Run]:
    request = operation_service_pb2.SkipStepRequest(
        workspace=workspace, run_id=run_id, step=step, note=note.proto(), result=_write.json_value(result, "result")
    )
    return _operation("SkipStep", request, operation_service_pb2.SkipStepResponse)


def _operation(name: str, request: Message, answers: type[A]) -> Call[A, Run]:
    return Call(OPERATIONS + name, request, answers, _run_of)


def _run_of(answer: Any) -> Run:
    return _read.run(answer.run)


def rerun_all(
    workspace: str,
    runs: RunSelection,
    step: str,
    note: Note,
    *,
    flow_hash: str,
    step_input: Mapping[str, object] | None,
) -> Call[bulk_operation_service_pb2.StartBulkOperationResponse, BulkOperation]:
    request = bulk_operation_service_pb2.StartBulkOperationRequest(
        workspace=workspace,
        operation="OPERATION_KIND_RERUN",
        step=step,
        note=note.proto(),
        flow_hash=flow_hash,
        step_input=_write.json_object(step_input),
    )
    return _start_bulk(request, runs)


def cancel_all(
    workspace: str, runs: RunSelection, note: Note
) -> Call[bulk_operation_service_pb2.StartBulkOperationResponse, BulkOperation]:
    request = bulk_operation_service_pb2.StartBulkOperationRequest(
        workspace=workspace, operation="OPERATION_KIND_CANCEL", note=note.proto()
    )
    return _start_bulk(request, runs)


def _start_bulk(
    request: bulk_operation_service_pb2.StartBulkOperationRequest, runs: RunSelection
) -> Call[bulk_operation_service_pb2.StartBulkOperationResponse, BulkOperation]:
    if runs.run_ids:
        request.run_ids.ids.extend(runs.run_ids)
    else:
        wanted = bulk_operation_pb2.RunFilter(
            flow_path=runs.flow,
            states=[f"STATE_{state.name}" for state in runs.states],
            created_from=runs.created_from,
            created_before=runs.created_before,
            name=runs.name,
            input=runs.with_input,
            output=runs.with_output,
            tag=runs.tag,
        )
        request.filter.CopyFrom(wanted)
    return Call(
        BULKS + "StartBulkOperation",
        request,
        bulk_operation_service_pb2.StartBulkOperationResponse,
        lambda answer: _read.bulk(answer.bulk_operation),
    )


def get_bulk(
    workspace: str, bulk_id: str
) -> Call[bulk_operation_service_pb2.GetBulkOperationResponse, BulkOperation]:
    request = bulk_operation_service_pb2.GetBulkOperationRequest(workspace=workspace, bulk_operation_id=bulk_id)
    return Call(
        BULKS + "GetBulkOperation",
        request,
        bulk_operation_service_pb2.GetBulkOperationResponse,
        lambda answer: _read.bulk(answer.bulk_operation),
    )


def list_bulk_runs(
    workspace: str, bulk_id: str, page_token: str
) -> Call[bulk_operation_service_pb2.ListBulkOperationRunsResponse, Page[BulkRun]]:
    request = bulk_operation_service_pb2.ListBulkOperationRunsRequest(
        workspace=workspace, bulk_operation_id=bulk_id, page_size=PAGE_SIZE, page_token=page_token
    )
    return Call(
        BULKS + "ListBulkOperationRuns",
        request,
        bulk_operation_service_pb2.ListBulkOperationRunsResponse,
        lambda answer: Page([_read.bulk_run(run) for run in answer.runs], answer.next_page_token),
    )


def stop_bulk(
    workspace: str, bulk_id: str, note: Note
) -> Call[bulk_operation_service_pb2.CancelBulkOperationResponse, BulkOperation]:
    request = bulk_operation_service_pb2.CancelBulkOperationRequest(
        workspace=workspace, bulk_operation_id=bulk_id, note=note.proto()
    )
    return Call(
        BULKS + "CancelBulkOperation",
        request,
        bulk_operation_service_pb2.CancelBulkOperationResponse,
        lambda answer: _read.bulk(answer.bulk_operation),
    )


def send_signal(
    workspace: str, run_id: str, name: str, payload: object, actor: str, request_id: str | None
) -> Call[signal_service_pb2.SendSignalResponse, str]:
    request = signal_service_pb2.SendSignalRequest(
        workspace=workspace,
        run_id=run_id,
        name=name,
        payload=_write.json_value(payload, "payload"),
        actor=actor,
        request_id=request_id or new_request_id(),
    )
    return Call(SIGNALS + "SendSignal", request, signal_service_pb2.SendSignalResponse, lambda answer: answer.step)


def answer_wait(
    workspace: str, run_id: str, answer: str, *, step: str, payload: object, actor: str, request_id: str | None
) -> Call[signal_service_pb2.AnswerWaitResponse, str]:
    request = signal_service_pb2.AnswerWaitRequest(
        workspace=workspace,
        run_id=run_id,
        step=step,
        answer=f"ANSWER_{answer.upper()}",
        payload=_write.json_value(payload, "payload"),
        actor=actor,
        request_id=request_id or new_request_id(),
    )
    return Call(SIGNALS + "AnswerWait", request, signal_service_pb2.AnswerWaitResponse, lambda done: done.step)


def create_wait_links(
    workspace: str, run_id: str, step: str, actors: Sequence[str], valid_for: timedelta | None
) -> Call[signal_service_pb2.CreateWaitLinksResponse, list[WaitLink]]:
    request = signal_service_pb2.CreateWaitLinksRequest(
        workspace=workspace, run_id=run_id, step=step, actors=actors, valid_for=valid_for
    )
    return Call(
        SIGNALS + "CreateWaitLinks",
        request,
        signal_service_pb2.CreateWaitLinksResponse,
        lambda answer: [_read.wait_link(link) for link in answer.wait_links],
    )


def is_script(file_name: str) -> bool:
    """Whether a file is a script by its name; all others are definitions of flows."""
    return _SCRIPT_NAME.fullmatch(file_name) is not None


def deploy_script(
    workspace: str, path: str, content: str
) -> Call[script_service_pb2.DeployScriptResponse, Deployed]:
    request = script_service_pb2.DeployScriptRequest(workspace=workspace, path=path, content=content.encode())
    return Call(
        SCRIPTS + "DeployScript",
        request,
        script_service_pb2.DeployScriptResponse,
        lambda answer: Deployed(path=answer.script.path, hash=answer.script.hash),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A definition of a flow with the files that it names."""

    content: str
    file_name: str
    path: str = ""
    files: Mapping[str, str] | None = None

    def flow_files(self) -> list[flow_pb2.FlowFile]:
        return [flow_pb2.FlowFile(path=path, content=content.encode()) for path, content in (self.files or {}).items()]


def script_paths(
    workspace: str, definition: Definition
) -> Call[flow_service_pb2.ValidateFlowResponse, list[str]]:
    """Asks which scripts a definition names."""
    request = flow_service_pb2.ValidateFlowRequest(
        workspace=workspace, file_name=definition.file_name, definition=definition.content.encode()
    )
    return Call(
        FLOWS + "ValidateFlow",
        request,
        flow_service_pb2.ValidateFlowResponse,
        lambda answer: list(answer.script_paths),
    )


def deploy_flow(
    workspace: str, definition: Definition
) -> Call[flow_service_pb2.DeployFlowResponse, Deployed]:
    request = flow_service_pb2.DeployFlowRequest(
        workspace=workspace,
        path=definition.path,
        file_name=definition.file_name,
        definition=definition.content.encode(),
        files=definition.flow_files(),
    )
    return Call(FLOWS + "DeployFlow", request, flow_service_pb2.DeployFlowResponse, _read.deployed_flow)
