"""The client against a scheduler of the test: requests, answers, errors, retries and streams."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest
from fake_scheduler import FakeScheduler, Refusal, reason, retry_after, violation

from millrace import ResultError
from millrace._proto.flow.v1 import flow_pb2, flow_service_pb2
from millrace._proto.log.v1 import log_pb2
from millrace._proto.operation.v1 import bulk_operation_pb2, bulk_operation_service_pb2, operation_service_pb2
from millrace._proto.run.v1 import iteration_pb2, run_pb2, run_service_pb2, step_pb2
from millrace._proto.signal.v1 import signal_service_pb2
from millrace.client import (
    AsyncClient,
    Client,
    Flow,
    Handler,
    InvalidFlow,
    InvalidRequest,
    NotFound,
    Overloaded,
    Retries,
    RunCanceled,
    RunFailed,
    RunKind,
    RunSelection,
    RunState,
    Script,
    Step,
    StepState,
    TimedOut,
    Unauthenticated,
    Unavailable,
)

QUICK = Retries(attempts_max=4, seconds_max=20, delay_min=0.001, delay_max=0.01)
RUN_ID = "0192f0c1-0000-7000-8000-000000000001"


@pytest.fixture
def scheduler() -> Iterator[FakeScheduler]:
    with FakeScheduler() as fake:
        yield fake


@pytest.fixture
def client(scheduler: FakeScheduler) -> Iterator[Client]:
    with Client(scheduler.target, retries=QUICK) as connected:
        yield connected


def run_message(state: str = "STATE_QUEUED", **fields: Any) -> run_pb2.Run:
    return run_pb2.Run(id=RUN_ID, workspace="default", name="a.py", state=state, **fields)


def submitted(state: str = "STATE_QUEUED", **fields: Any) -> run_service_pb2.SubmitRunResponse:
    return run_service_pb2.SubmitRunResponse(run=run_message(state, **fields))


def test_submits_values_as_scripts_return_them(scheduler: FakeScheduler, client: Client) -> None:
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, submitted())

    run = client.submit(Flow("wordcount"), {"since": date(2026, 11, 25)})

    (request,) = scheduler.requests["SubmitRun"]
    assert run.state is RunState.QUEUED
    assert request.spec.target.flow_path == "wordcount"
    assert request.spec.input == b'{"since":"2026-11-25"}'


def test_a_repeated_submission_has_the_same_request_id(scheduler: FakeScheduler, client: Client) -> None:
    lost = Refusal(grpc.StatusCode.UNAVAILABLE, "The scheduler is stopping.", reason("SHUTTING_DOWN"))
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, lost, lost, submitted())

    client.submit(Script("a.py"))
    client.submit(Script("a.py"))

    first, second, third, other = (request.request_id for request in scheduler.requests["SubmitRun"])
    assert first == second == third != ""
    assert other not in ("", first)


def test_an_error_says_what_where_and_what_to_do(scheduler: FakeScheduler, client: Client) -> None:
    refusal = Refusal(
        grpc.StatusCode.INVALID_ARGUMENT,
        "The request is invalid: spec.priority: 5000",
        reason("INVALID_REQUEST"),
        violation("spec.priority", "5000 (expected: -1000 to 1000)"),
    )
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, refusal)

    with pytest.raises(InvalidRequest) as caught:
        client.submit(Handler("resize"))

    error = caught.value
    assert str(error) == (
        f"SubmitRun at {scheduler.target}: The request is invalid: spec.priority: 5000. Correct the named fields."
    )
    assert error.violations[0].field == "spec.priority"
    assert (error.reason, error.status) == ("INVALID_REQUEST", "INVALID_ARGUMENT")
    assert len(scheduler.requests["SubmitRun"]) == 1, "such a call is not repeated"


@pytest.mark.parametrize(
    ("code", "word", "kind"),
    [
        (grpc.StatusCode.NOT_FOUND, "RUN_NOT_FOUND", NotFound),
        (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FLOW", InvalidFlow),
        (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED", Unauthenticated),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY", Overloaded),
    ],
)
def test_each_kind_of_error_has_a_class(
    scheduler: FakeScheduler, client: Client, code: grpc.StatusCode, word: str, kind: type[Exception]
) -> None:
    scheduler.on("GetRun", run_service_pb2.GetRunRequest, Refusal(code, "No.", reason(word)))

    with pytest.raises(kind):
        client.get_run(RUN_ID)
    assert len(scheduler.requests["GetRun"]) == 1


def test_waits_as_long_as_the_scheduler_asks(scheduler: FakeScheduler, client: Client) -> None:
    busy = Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "The queue is full.", reason("OVERLOADED"), retry_after(0.3))
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, busy, submitted())

    begin = time.monotonic()
    client.submit(Script("a.py"))

    assert time.monotonic() - begin >= 0.3


def test_gives_up_at_once_if_the_delay_is_too_long(scheduler: FakeScheduler, client: Client) -> None:
    busy = Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "The queue is full.", reason("OVERLOADED"), retry_after(60))
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, busy)

    with pytest.raises(Overloaded) as caught:
        client.submit(Script("a.py"))

    assert caught.value.retry_after == 60
    assert len(scheduler.requests["SubmitRun"]) == 1


def test_gives_up_after_the_last_attempt(scheduler: FakeScheduler, client: Client) -> None:
    scheduler.on("GetRun", run_service_pb2.GetRunRequest, Refusal(grpc.StatusCode.UNAVAILABLE, "Away"))

    with pytest.raises(Unavailable, match="Away. Check the address"):
        client.get_run(RUN_ID)

    assert len(scheduler.requests["GetRun"]) == QUICK.attempts_max


def test_run_returns_the_output_in_the_type_of_the_caller(scheduler: FakeScheduler, client: Client) -> None:
    @dataclass
    class Invoice:
        total: int
        due: date

    scheduler.on(
        "SubmitRun",
        run_service_pb2.SubmitRunRequest,
        submitted("STATE_SUCCEEDED", output=b'{"total":7,"due":"2026-12-01"}'),
    )

    assert client.run(Script("a.py"), returns=Invoice) == Invoice(7, date(2026, 12, 1))
    with pytest.raises(ResultError, match=r"output: .* is not a whole number"):
        client.run(Script("a.py"), returns=int)


def test_run_returns_what_the_flow_returns_early(scheduler: FakeScheduler, client: Client) -> None:
    early = run_service_pb2.EarlyReturn(step="answer", result=b"null")
    answer = run_service_pb2.SubmitRunResponse(run=run_message("STATE_RUNNING"), early_return=early)
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, answer)

    assert client.run(Flow("f")) is None


def test_run_raises_what_failed(scheduler: FakeScheduler, client: Client) -> None:
    failed = submitted("STATE_FAILED", error={"name": "ValueError", "message": "Seven is too small."})
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, failed, submitted("STATE_CANCELED"))

    with pytest.raises(RunFailed, match="of a.py failed. ValueError: Seven is too small."):
        client.run(Script("a.py"))
    with pytest.raises(RunCanceled):
        client.run(Script("a.py"))


def chunk(position: int) -> run_service_pb2.WatchRunResponse:
    return run_service_pb2.WatchRunResponse(
        log=log_pb2.LogChunk(run_id=RUN_ID, stream="STREAM_STDOUT", text=f"line {position}\n", position=position)
    )


def watched(**event: Any) -> run_service_pb2.WatchRunResponse:
    return run_service_pb2.WatchRunResponse(**event)


def test_follows_across_lost_connections_without_repeats(scheduler: FakeScheduler, client: Client) -> None:
    running = watched(run=run_message("STATE_RUNNING"))
    step = watched(step=step_pb2.Step(job_id="j", key="a", kind="KIND_SCRIPT", state="STATE_RUNNING", attempt=1))
    lost = Refusal(grpc.StatusCode.UNAVAILABLE, "Socket closed")
    scheduler.on(
        "WatchRun",
        run_service_pb2.WatchRunRequest,
        [running, step, chunk(3), lost],
        [running, step],  # Ends too early, as a scheduler that stops does.
        [running, step, chunk(5), watched(run=run_message("STATE_SUCCEEDED", output=b"7"))],
    )

    events = list(client.follow(RUN_ID))

    assert [type(event).__name__ for event in events] == ["Run", "Step", "LogChunk", "LogChunk", "Run"]
    assert isinstance(events[1], Step)
    assert [request.logs_after_position for request in scheduler.requests["WatchRun"]] == [0, 3, 3]


def test_a_wait_ends_in_time(scheduler: FakeScheduler, client: Client) -> None:
    over = Event()

    def silent(_request: Any) -> Any:
        yield watched(run=run_message("STATE_RUNNING"))
        over.wait(60)

    scheduler.on("WatchRun", run_service_pb2.WatchRunRequest, silent, [])

    with pytest.raises(TimedOut, match="The run has not ended within 0.2 s. It goes on."):
        client.wait(RUN_ID, timeout=0.2)
    over.set()


def test_reads_all_pages(scheduler: FakeScheduler, client: Client) -> None:
    pages = run_service_pb2.ListRunsResponse
    scheduler.on(
        "ListRuns",
        run_service_pb2.ListRunsRequest,
        pages(runs=[run_message(), run_message()], next_page_token="more"),
        pages(runs=[run_message("STATE_FAILED")]),
    )

    states = [RunState.QUEUED, RunState.FAILED]
    found = list(client.search(states=states, with_input=["customer=7"], kind=RunKind.ALL, tag="gpu"))

    assert [run.state.value for run in found] == ["queued", "queued", "failed"]
    first, second = scheduler.requests["ListRuns"]
    assert (list(first.input), list(first.states), first.kind, first.tag) == (["customer=7"], [1, 4], 3, "gpu")
    assert (first.page_token, second.page_token) == ("", "more")


def test_large_loops_are_folded_when_asked_and_while_waiting(scheduler: FakeScheduler, client: Client) -> None:
    counts = step_pb2.IterationCounts(total=100, running=2, failed=1)
    loop = step_pb2.Step(key="each", kind="KIND_FOR_EACH", state="STATE_RUNNING", attempt=1, iterations=counts)
    scheduler.on("ListSteps", run_service_pb2.ListStepsRequest, run_service_pb2.ListStepsResponse(steps=[loop]))
    seventh = iteration_pb2.Iteration(number=7, key="each[7]", state="STATE_FAILED")
    scheduler.on(
        "ListIterations",
        run_service_pb2.ListIterationsRequest,
        run_service_pb2.ListIterationsResponse(iterations=[seventh]),
    )
    scheduler.on("WatchRun", run_service_pb2.WatchRunRequest, [watched(run=run_message("STATE_SUCCEEDED"))])
    scheduler.on("GetRun", run_service_pb2.GetRunRequest, run_service_pb2.GetRunResponse(run=run_message()))

    (step,) = client.steps(RUN_ID, fold_loops=True)
    (iteration,) = client.iterations(RUN_ID, "each", states=[StepState.FAILED], from_number=5)
    client.wait(RUN_ID)

    assert step.iterations is not None
    assert (step.iterations.total, step.iterations.running, step.iterations.failed) == (100, 2, 1)
    assert (iteration.number, iteration.key, iteration.state) == (7, "each[7]", StepState.FAILED)
    (asked,) = scheduler.requests["ListIterations"]
    assert (asked.loop, list(asked.states), asked.from_number) == ("each", [4], 5)
    assert scheduler.requests["ListSteps"][0].fold_loops
    assert scheduler.requests["WatchRun"][0].fold_loops


def test_a_rerun_may_take_another_version_and_another_input_of_its_step(
    scheduler: FakeScheduler, client: Client
) -> None:
    answer = operation_service_pb2.RerunRunResponse(run=run_message())
    scheduler.on("RerunRun", operation_service_pb2.RerunRunRequest, answer, answer)

    client.rerun(RUN_ID, "mail", flow_hash="ab12", step_input={"to": "ada"})
    client.rerun(RUN_ID, "mail", {"n": 1})

    changed, plain = scheduler.requests["RerunRun"]
    assert (changed.step, changed.flow_hash, changed.step_input) == ("mail", "ab12", b'{"to":"ada"}')
    assert (changed.input, plain.input, plain.step_input) == (b"", b'{"n":1}', b"")


def test_many_runs_rerun_with_another_version_and_another_input_of_the_step(
    scheduler: FakeScheduler, client: Client
) -> None:
    bulk = bulk_operation_pb2.BulkOperation(id="b1", total=2, done=1)
    scheduler.on(
        "StartBulkOperation",
        bulk_operation_service_pb2.StartBulkOperationRequest,
        *[bulk_operation_service_pb2.StartBulkOperationResponse(bulk_operation=bulk)] * 3,
    )
    scheduler.on(
        "ListBulkOperationRuns",
        bulk_operation_service_pb2.ListBulkOperationRunsRequest,
        bulk_operation_service_pb2.ListBulkOperationRunsResponse(
            runs=[bulk_operation_pb2.BulkOperationRun(run_id="r1", state="STATE_DONE", new_run_id="r2")]
        ),
    )

    failed = RunSelection(flow="shop/pay", states=[RunState.FAILED])
    started = client.rerun_all(failed, "mail", flow_hash="ab12", step_input={"to": "ada"})
    client.cancel_all(RunSelection(run_ids=["r1", "r2"]), reason="Too late")
    client.cancel_all(RunSelection(name="pay.py", with_input=["id=7"], with_output=["note~late"], tag="gpu"))

    assert (started.id, started.total, started.done, started.end_time) == ("b1", 2, 1, None)
    assert [(run.run_id, run.state, run.new_run_id) for run in client.bulk_runs("b1")] == [("r1", "done", "r2")]
    rerun, cancel, found = scheduler.requests["StartBulkOperation"]
    assert (rerun.step, rerun.flow_hash, rerun.step_input) == ("mail", "ab12", b'{"to":"ada"}')
    assert (rerun.filter.flow_path, len(rerun.filter.states), rerun.note.request_id != "") == ("shop/pay", 1, True)
    assert (list(cancel.run_ids.ids), cancel.note.reason) == (["r1", "r2"], "Too late")
    assert (found.filter.name, list(found.filter.input)) == ("pay.py", ["id=7"])
    assert (list(found.filter.output), found.filter.tag) == (["note~late"], "gpu")


def test_operations_and_answers_carry_request_ids(scheduler: FakeScheduler, client: Client) -> None:
    lost = Refusal(grpc.StatusCode.UNAVAILABLE, "Away")
    scheduler.on(
        "CancelRun",
        operation_service_pb2.CancelRunRequest,
        lost,
        operation_service_pb2.CancelRunResponse(run=run_message("STATE_CANCELED")),
    )
    answered = signal_service_pb2.AnswerWaitResponse(step="boss")
    scheduler.on("AnswerWait", signal_service_pb2.AnswerWaitRequest, lost, answered)

    assert client.cancel(RUN_ID, reason="Too late").state is RunState.CANCELED
    assert client.approve(RUN_ID, {"limit": 5}, actor="ada") == "boss"

    first, second = scheduler.requests["CancelRun"]
    assert first.note.request_id == second.note.request_id != ""
    assert first.note.reason == "Too late"
    one, two = scheduler.requests["AnswerWait"]
    assert one.request_id == two.request_id != ""
    assert (one.answer, one.payload) == (1, b'{"limit":5}')


def test_deploys_a_flow_with_the_scripts_beside_it(scheduler: FakeScheduler, client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "flow"
    folder.mkdir()
    (folder / "flow.yaml").write_text("name: f\n")
    (folder / "a.py").write_text("def main(): ...\n")
    (tmp_path / "secret.py").write_text("x = 1\n")
    named = flow_service_pb2.ValidateFlowResponse
    scheduler.on(
        "ValidateFlow",
        flow_service_pb2.ValidateFlowRequest,
        named(script_paths=["a.py", "deployed.py"]),
        named(script_paths=["../secret.py"]),
    )
    scheduler.on(
        "DeployFlow",
        flow_service_pb2.DeployFlowRequest,
        flow_service_pb2.DeployFlowResponse(flow=flow_pb2.Flow(path="f", hash="77")),
    )

    assert client.deploy(folder / "flow.yaml").path == "f"
    with pytest.raises(InvalidRequest, match="outside the flow's folder"):
        client.deploy(folder / "flow.yaml")

    (request,) = scheduler.requests["DeployFlow"]
    assert [file.path for file in request.files] == ["a.py"]


def test_reads_the_token_again_once_it_is_refused(scheduler: FakeScheduler, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old\n")
    scheduler.on(
        "GetRun",
        run_service_pb2.GetRunRequest,
        Refusal(grpc.StatusCode.UNAUTHENTICATED, "The token has expired.", reason("UNAUTHENTICATED")),
        run_service_pb2.GetRunResponse(run=run_message()),
    )

    with Client(scheduler.target, token_file=file, retries=QUICK) as client:
        file.write_text("new\n")
        client.get_run(RUN_ID)

    assert [metadata["authorization"] for metadata in scheduler.metadata] == ["Bearer old", "Bearer new"]


def test_the_async_client_does_the_same(scheduler: FakeScheduler) -> None:
    lost = Refusal(grpc.StatusCode.UNAVAILABLE, "Away")
    scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, lost, submitted("STATE_RUNNING"))
    ended = watched(run=run_message("STATE_SUCCEEDED"))
    scheduler.on("WatchRun", run_service_pb2.WatchRunRequest, [chunk(1), lost], [chunk(1), chunk(2), ended])
    scheduler.on(
        "GetRun",
        run_service_pb2.GetRunRequest,
        run_service_pb2.GetRunResponse(run=run_message("STATE_SUCCEEDED", output=b"[1,2]")),
    )

    async def use() -> tuple[Any, list[str]]:
        async with AsyncClient(scheduler.target, retries=QUICK) as client:
            output = await client.run(Flow("f"), returns=tuple[int, int])
            return output, [type(event).__name__ async for event in client.follow(RUN_ID)]

    assert asyncio.run(use()) == ((1, 2), ["LogChunk", "LogChunk", "Run"])


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type[Any]) -> dict[str, Any]:
        names = [name for name in vars(kind) if not name.startswith("_")]
        return {name: inspect.signature(getattr(kind, name)).parameters for name in names}

    assert methods(AsyncClient) == methods(Client)
