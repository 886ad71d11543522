"""Delays and ends of retries, without time."""

from __future__ import annotations

import grpc
import pytest

from millrace.client import ClientError, NotFound, Overloaded, Retries, ServerFailed, Unavailable
from millrace.client._errors import error_of
from millrace.client._retries import Attempts, may_help

AWAY = Unavailable("Away.", status="UNAVAILABLE")


class Clock:
    """Seconds that pass when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def attempts(clock: Clock, **limits: float) -> Attempts:
    retries = Retries(
        attempts_max=int(limits.get("attempts_max", 100)), seconds_max=limits.get("seconds_max", 60.0), delay_min=0.1
    )
    return Attempts(retries, clock=clock, random=lambda: 1.0)


def test_delays_double_up_to_a_limit() -> None:
    tries = attempts(Clock())

    delays = [tries.delay_after(AWAY) for _ in range(8)]

    assert delays == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])


def test_half_of_a_delay_is_random() -> None:
    least = Attempts(Retries(delay_min=1.0), clock=Clock(), random=lambda: 0.0)

    assert least.delay_after(AWAY) == 0.5


def test_the_scheduler_may_ask_for_a_longer_delay() -> None:
    assert attempts(Clock()).delay_after(Overloaded("Full.", retry_after=9.0)) == 9.0


def test_no_attempt_begins_after_the_time_is_over() -> None:
    clock = Clock()
    tries = attempts(clock, seconds_max=10.0)
    tries.delay_after(AWAY)

    clock.now = 9.9

    assert tries.timeout(15.0) == pytest.approx(0.1)
    with pytest.raises(Unavailable):
        tries.delay_after(AWAY)


def test_a_stream_that_delivers_begins_anew() -> None:
    clock = Clock()
    tries = attempts(clock, seconds_max=10.0, attempts_max=2)
    tries.delay_after(AWAY)
    clock.now = 9.9

    tries.progressed()

    assert tries.delay_after(AWAY) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("error", "helps"),
    [
        (AWAY, True),
        (Overloaded("Full.", retry_after=0.0), True),
        (Overloaded("Too many signals."), False),
        (NotFound("No."), False),
        (ServerFailed("Received RST_STREAM with error code 2", status="INTERNAL"), True),
        (ServerFailed("The scheduler failed.", status="INTERNAL", reason="INTERNAL"), False),
        (ServerFailed("No such method.", status="UNIMPLEMENTED"), False),
    ],
)
def test_only_what_may_pass_is_repeated(error: ClientError, helps: bool) -> None:
    assert may_help(error) is helps


def test_refuses_limits_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="attempts_max: 0"):
        Retries(attempts_max=0)
    with pytest.raises(ValueError, match="delay_min: 9"):
        Retries(delay_min=9.0)


class AnswerOfHttp(grpc.RpcError):
    """What gRPC makes of the answer of a gateway."""

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNIMPLEMENTED

    def details(self) -> str:
        return "Received http2 header with status: 404"

    def trailing_metadata(self) -> tuple[()]:
        return ()


def test_tells_a_gateway_from_a_scheduler() -> None:
    error = error_of(AnswerOfHttp(), call="SubmitRun", target="localhost:8400")

    assert isinstance(error, ServerFailed)
    assert "SubmitRun at localhost:8400: " in str(error)
    assert "name the address of the scheduler, usually at port 8401." in str(error)
