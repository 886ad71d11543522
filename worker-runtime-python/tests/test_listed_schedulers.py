"""Clients and workers that know several schedulers go to another one when theirs is gone."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Iterator
from functools import partial
from threading import Event, Thread

import pytest
from fake_scheduler import FakeScheduler

from millrace._access import Channels
from millrace._proto.run.v1 import run_pb2, run_service_pb2
from millrace._proto.worker.v1 import session_pb2
from millrace._proto.worker.v1.worker_session_service_pb2 import OpenSessionRequest, OpenSessionResponse
from millrace.client import AsyncClient, Client, Handler, Retries, Unavailable
from millrace.worker import Worker

QUICK = Retries(attempts_max=4, seconds_max=30, delay_min=0.001, delay_max=0.01)
RUN_ID = "0192f0c1-0000-7000-8000-000000000001"


@pytest.fixture
def two() -> Iterator[tuple[FakeScheduler, FakeScheduler]]:
    with FakeScheduler() as one, FakeScheduler() as other:
        for scheduler in (one, other):
            answer = run_service_pb2.SubmitRunResponse(run=run_pb2.Run(id=RUN_ID, workspace="default", state="STATE_QUEUED"))
            scheduler.on("SubmitRun", run_service_pb2.SubmitRunRequest, answer)
        yield one, other


def targets(*schedulers: FakeScheduler) -> str:
    return ",".join(scheduler.target for scheduler in schedulers)


def calls(scheduler: FakeScheduler) -> int:
    return len(scheduler.requests["SubmitRun"])


def free_address() -> str:
    with socket.socket() as unused:
        unused.bind(("localhost", 0))
        return f"localhost:{unused.getsockname()[1]}"


def test_a_client_stays_with_a_scheduler_until_it_is_gone(two: tuple[FakeScheduler, FakeScheduler]) -> None:
    with Client(targets(*two), retries=QUICK) as client:
        for _ in range(3):
            client.submit(Handler("h"))
        first, second = two if calls(two[0]) else reversed(two)
        assert (calls(first), calls(second)) == (3, 0)

        first.stop()
        client.submit(Handler("h"))

        assert calls(second) == 1


def test_an_async_client_goes_on_too(two: tuple[FakeScheduler, FakeScheduler]) -> None:
    async def scenario() -> None:
        async with AsyncClient(targets(*two), retries=QUICK) as client:
            await client.submit(Handler("h"))
            first, second = two if calls(two[0]) else reversed(two)
            first.stop()
            await client.submit(Handler("h"))
            assert (calls(first), calls(second)) == (1, 1)

    asyncio.run(scenario())


def test_the_next_scheduler_need_not_be_spared(two: tuple[FakeScheduler, FakeScheduler]) -> None:
    patient = Retries(attempts_max=3, seconds_max=600, delay_min=300, delay_max=300)

    with Client(f"{free_address()},{free_address()},{two[0].target}", retries=patient) as client:
        client.submit(Handler("h"))

    assert calls(two[0]) == 1


def test_none_of_a_list_can_be_reached() -> None:
    target = f"{free_address()},{free_address()}"

    with Client(target, retries=QUICK) as client, pytest.raises(Unavailable, match=f"SubmitRun at {target}: "):
        client.submit(Handler("h"))


def test_a_call_tries_each_scheduler_before_it_waits() -> None:
    route = Channels("abc", str.upper).route()

    tried = [(route.channel(), route.leads_on()) for _ in range(6)]

    assert tried == [("A", True), ("B", True), ("C", False), ("A", True), ("B", True), ("C", False)]


def test_calls_that_fail_together_leave_a_scheduler_once() -> None:
    channels = Channels("abc", str.upper)
    one, other = channels.route(), channels.route()
    assert (one.channel(), other.channel()) == ("A", "A")

    one.leads_on()
    other.leads_on()

    assert (one.channel(), other.channel(), channels.route().channel()) == ("B", "B", "B")


def serve_session(welcomed: Event, requests: Iterator[OpenSessionRequest]) -> Iterator[OpenSessionResponse]:
    for request in requests:
        if request.HasField("hello"):
            yield OpenSessionResponse(welcome=session_pb2.Welcome(session_id=RUN_ID, resumed=bool(request.hello.session_id)))
            welcomed.set()
        elif request.HasField("heartbeat"):
            yield OpenSessionResponse(heartbeat=request.heartbeat)


def test_a_worker_goes_on_with_another_scheduler(two: tuple[FakeScheduler, FakeScheduler]) -> None:
    welcomed = {scheduler.target: Event() for scheduler in two}
    for scheduler in two:
        scheduler.on_session(OpenSessionRequest, partial(serve_session, welcomed[scheduler.target]))
    worker = Worker(targets(*two), slots=1)
    worker.job("h")(lambda: None)
    serves = Thread(target=worker.run, daemon=True)
    serves.start()
    try:
        first = next(scheduler for scheduler in itertools.cycle(two) if welcomed[scheduler.target].wait(0.01))
        second = two[1] if first is two[0] else two[0]
        assert not welcomed[second.target].is_set()

        first.stop()

        assert welcomed[second.target].wait(60)
    finally:
        worker.stop()
        serves.join(60)
