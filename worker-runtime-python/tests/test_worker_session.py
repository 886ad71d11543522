"""What a worker knows of its session, and what it keeps for it."""

from __future__ import annotations

import functools
from pathlib import Path
from threading import Event, Thread

import pytest

from millrace._proto.worker.v1 import session_pb2
from millrace.worker import Worker
from millrace.worker._handler import HandlerFunction
from millrace.worker._life import SessionLife
from millrace.worker._leased_job import LeasedJob, Limits
from millrace.worker._outbox import LOG_BUFFER_BYTES_MAX, Outbox
from millrace.worker._session_jobs import ENDED_MAX, SessionJobs
from millrace.worker._shared_folders import SharedFolders
from millrace.worker._threads import HandlerThreads, Timer


class Clock:
    """Seconds that pass when the test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_session_is_certain_for_half_of_its_time_to_live() -> None:
    clock = Clock()
    life = SessionLife(clock)
    assert not life.is_certain

    life.opened(clock.now, ttl=10.0)
    clock.now += 4.9
    assert life.is_certain
    clock.now += 0.2

    assert not life.is_certain


def test_an_answer_counts_from_its_heartbeat() -> None:
    clock = Clock()
    life = SessionLife(clock)
    life.opened(clock.now, ttl=10.0)
    first = life.send()
    clock.now += 4.0
    second = life.send()
    clock.now += 4.0

    life.answered(first)
    assert not life.is_certain, "the first heartbeat is eight seconds old"
    life.answered(second)

    assert life.is_certain


def test_a_lost_stream_ends_the_certainty() -> None:
    clock = Clock()
    life = SessionLife(clock)
    life.opened(clock.now, ttl=10.0)
    late = life.send()

    life.interrupted()
    life.answered(late)

    assert not life.is_certain


def result(job: str) -> session_pb2.JobResult:
    return session_pb2.JobResult(job_id=job, lease_token=1, result=b"1")


def log(text: str = "line\n") -> session_pb2.WorkerLog:
    return session_pb2.WorkerLog(job_id="a", lease_token=1, text=text)


def kinds(outbox: Outbox) -> list[str | None]:
    return [message.WhichOneof("message") for message in outbox.take(lambda: False)]


def test_logs_leave_before_results() -> None:
    outbox = Outbox()
    outbox.add_result(result("a"))
    outbox.add_log(log(), may_wait=False, is_held=lambda: True)

    assert kinds(outbox) == ["logs", "results"]
    assert kinds(outbox) == []


def test_a_new_stream_gets_what_was_not_acknowledged() -> None:
    outbox = Outbox()
    for job in ("a", "b"):
        outbox.add_result(result(job))
        outbox.add_log(log(), may_wait=False, is_held=lambda: True)
        kinds(outbox)
    outbox.acknowledge_result(("a", 1))

    outbox.resend(logs_acknowledged=1)

    logs, results = outbox.take(lambda: False)
    assert logs.logs.batch == 2
    assert [sent.job_id for sent in results.results.results] == ["b"]


def test_a_stream_that_is_over_takes_nothing() -> None:
    outbox = Outbox()
    outbox.add_result(result("a"))

    assert list(outbox.take(lambda: True)) == []
    assert kinds(outbox) == ["results"]


def test_a_lost_lease_sends_nothing() -> None:
    outbox = Outbox()
    outbox.add_result(result("a"))

    outbox.forget(("a", 1))

    assert kinds(outbox) == []
    assert outbox.settle(0.0)


def test_one_call_wakes_everybody_who_waits() -> None:
    outbox = Outbox()
    woken = [Event(), Event()]

    def wait(wakes: int, done: Event) -> None:
        outbox.wait(30, wakes=wakes, for_messages=False)
        done.set()

    for done in woken:
        Thread(target=wait, args=(outbox.wakes, done), daemon=True).start()
    outbox.wake()

    assert all(done.wait(60) for done in woken)
    late = outbox.wakes - 1
    outbox.wait(30, wakes=late, for_messages=False)  # Returns at once: something has changed since.


def test_logging_waits_for_the_scheduler() -> None:
    outbox = Outbox()
    outbox.add_log(log("x" * (LOG_BUFFER_BYTES_MAX + 1)), may_wait=True, is_held=lambda: True)
    (sent,) = outbox.take(lambda: False)
    added = Event()

    def add() -> None:
        outbox.add_log(log(), may_wait=True, is_held=lambda: True)
        added.set()

    Thread(target=add, daemon=True).start()

    assert not added.wait(0.05)
    outbox.acknowledge_logs(sent.logs.batch)
    assert added.wait(60)


def test_threads_are_used_again() -> None:
    threads = HandlerThreads()
    names: list[str] = []
    for _ in range(3):
        done = Event()

        def task(done: Event = done) -> None:
            from threading import current_thread

            names.append(current_thread().name)
            done.set()

        threads.run(task)
        assert done.wait(60)

    assert len(set(names)) <= 2, "a thread may still be on its way back to the idle ones"


def test_the_timer_calls_in_order_and_forgets_what_is_canceled() -> None:
    timer = Timer()
    called: list[str] = []
    done = Event()

    def last() -> None:
        called.append("last")
        done.set()

    timer.after(0.03, last)
    canceled = timer.after(0.01, lambda: called.append("canceled"))
    timer.after(0.02, lambda: called.append("first"))
    timer.cancel(canceled)

    assert done.wait(60)
    assert called == ["first", "last"]


def test_a_worker_refuses_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="slots: 0"):
        Worker("localhost:8401", slots=0)
    with pytest.raises(ValueError, match="1 to 128 characters"):
        Worker("localhost:8401", name="x" * 129)
    with pytest.raises(ValueError, match="has no handlers"):
        Worker("localhost:8401").run()


def test_a_name_has_one_handler() -> None:
    def len_of(text: str) -> int:
        return len(text)

    worker = Worker("localhost:8401")
    worker.job("a")(len_of)

    with pytest.raises(ValueError, match='"a" is registered twice'):
        worker.job("a")(len_of)


def test_coroutine_functions_are_known_behind_decorators() -> None:
    async def coroutine(value: int) -> int:
        return value

    @functools.wraps(coroutine)
    def plain_around_coroutine(value: int) -> object:
        return coroutine(value)

    def function(value: int) -> int:
        return value

    @functools.wraps(function)
    async def coroutine_around_function(value: int) -> int:
        return function(value)

    class Callable:
        async def __call__(self, value: int) -> int:
            return value

    for handler in (coroutine, plain_around_coroutine, coroutine_around_function, Callable()):
        assert HandlerFunction("a", handler).is_async
    assert not HandlerFunction("a", function).is_async


def lease(group: str) -> session_pb2.Lease:
    return session_pb2.Lease(job_id="a", workspace="default", group_id=group)


def test_jobs_of_a_group_share_a_folder_of_this_session(tmp_path: Path) -> None:
    folders = SharedFolders(tmp_path / "root")
    first = folders.hold(lease("g"))
    assert first is not None
    assert folders.hold(lease("g")) == first
    assert folders.hold(lease("other")) != first
    assert folders.hold(lease("")) is None
    first.mkdir(parents=True)

    folders.end_all()

    assert not first.exists()
    assert folders.hold(lease("g")) != first, "a job of the lost session may still run"
    folders.close()
    assert list((tmp_path / "root").iterdir()) == []


def test_a_worker_deletes_what_a_killed_one_has_left(tmp_path: Path) -> None:
    (tmp_path / "killed.lock").touch()
    (tmp_path / "killed" / "group" / "shared").mkdir(parents=True)
    alive = SharedFolders(tmp_path)
    kept = alive.hold(lease("g"))
    assert kept is not None
    kept.mkdir(parents=True)

    SharedFolders(tmp_path).hold(lease("g"))

    assert not (tmp_path / "killed").exists()
    assert kept.exists()


class Recorder:
    """An engine that notes the jobs it is to run."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def accept(self, job: LeasedJob) -> None:
        self.begun.append(job.lease.job_id)

    def resume(self) -> None: ...

    def stop(self, job: LeasedJob, reason: str) -> None: ...


def leased(*jobs: str) -> list[session_pb2.Lease]:
    return [session_pb2.Lease(job_id=job, lease_token=1) for job in jobs]


def test_a_lease_that_has_ended_does_not_begin_again() -> None:
    engine = Recorder()
    jobs = SessionJobs(engine, Outbox(), SharedFolders())
    jobs.accept(leased("acknowledged", "canceled"), Limits())
    jobs.acknowledge([session_pb2.ResultAck(job_id="acknowledged", lease_token=1)])
    jobs.cancel([session_pb2.CancelJob(job_id=job, lease_token=1) for job in ("canceled", "canceled before it comes")])

    jobs.accept(leased("acknowledged", "canceled", "canceled before it comes"), Limits())
    assert engine.begun == ["acknowledged", "canceled"]

    jobs.drop_all("The session is lost.")
    jobs.accept(leased("acknowledged"), Limits())
    assert engine.begun == ["acknowledged", "canceled", "acknowledged"], "the next session has other leases"


def test_the_oldest_ended_leases_are_forgotten() -> None:
    engine = Recorder()
    jobs = SessionJobs(engine, Outbox(), SharedFolders())
    jobs.acknowledge(session_pb2.ResultAck(job_id=str(number), lease_token=1) for number in range(ENDED_MAX + 1))

    jobs.accept(leased("0", "1", str(ENDED_MAX)), Limits())

    assert engine.begun == ["0"]
