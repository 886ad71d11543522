"""Traced jobs: the OpenTelemetry API works in scripts without setup."""

from __future__ import annotations

from pathlib import Path

from opentelemetry import trace
from runtime_process import RuntimeProcess

from millrace.client._trace import current_traceparent, current_tracestate

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"

SCRIPT = """
    from opentelemetry import propagate, trace

    tracer = trace.get_tracer("shop")

    def main(order: str = "A-17"):
        headers = {}
        with tracer.start_as_current_span("charge", kind=trace.SpanKind.CLIENT, attributes={"order": order}) as span:
            propagate.inject(headers)
            span.add_event("seen", {"n": 1})
            try:
                with tracer.start_as_current_span("inner"):
                    raise ValueError("no card")
            except ValueError:
                pass
        return [headers.get("traceparent"), headers.get("tracestate")]
"""


def test_spans_of_a_traced_job_come_before_its_result(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, SCRIPT) as process:
        inner, charge, result = process.run(traceparent=PARENT, spans=True)

    assert [inner["type"], inner["id"], charge["type"]] == ["span", "job-1", "span"]
    span = charge["span"]
    assert (span["name"], span["parent_span_id"], span["scope"]) == ("charge", "00f067aa0ba902b7", "shop")
    assert (span["kind"], span["attributes"]) == ("client", {"order": "A-17"})
    assert span["end_us"] >= span["start_us"]
    assert [event["name"] for event in span["events"]] == ["seen"]
    assert inner["span"]["parent_span_id"] == span["span_id"]
    assert (inner["span"]["status"], inner["span"]["status_message"]) == ("error", "ValueError: no card")
    assert [event["name"] for event in inner["span"]["events"]] == ["exception"]
    assert result["result"] == [f"00-{TRACE}-{span['span_id']}-01", None]


def test_the_state_of_a_trace_is_passed_on(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, SCRIPT) as process:
        _, charge, result = process.run(traceparent=PARENT, tracestate="one=1,two=2", spans=True)

    assert result["result"] == [f"00-{TRACE}-{charge['span']['span_id']}-01", "one=1,two=2"]


def test_jobs_that_are_not_traced_send_no_spans(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, SCRIPT) as process:
        process.run(traceparent=PARENT, spans=True)
        untraced = process.run(traceparent=PARENT)
        traced = process.run(traceparent=PARENT, spans=True)

    assert [frame["type"] for frame in untraced] == ["result"]
    assert untraced[0]["result"] == [None, None]
    assert [frame["type"] for frame in traced] == ["span", "span", "result"]


def test_a_job_without_the_api_runs_as_ever(tmp_path: Path) -> None:
    script = """
        import sys

        def main():
            return "opentelemetry" in sys.modules
    """
    with RuntimeProcess(tmp_path, script) as process:
        frames = process.run(traceparent="00-aa-bb-01", spans=False)

    assert frames[-1]["result"] is False


def test_spans_are_kept_up_to_a_limit(tmp_path: Path) -> None:
    script = """
        from opentelemetry import trace

        def main():
            for _ in range(3_000):
                trace.get_tracer("loop").start_span("step").end()
    """
    with RuntimeProcess(tmp_path, script) as process:
        frames = process.run(traceparent=PARENT, spans=True)

    assert len([frame for frame in frames if frame["type"] == "span"]) == 999


def test_a_client_continues_the_trace_of_its_caller() -> None:
    parent = trace.SpanContext(
        int(TRACE, 16),
        0xF067AA0BA902B7,
        is_remote=True,
        trace_flags=trace.TraceFlags(1),
        trace_state=trace.TraceState([("one", "1")]),
    )
    assert current_traceparent() == ""
    assert current_tracestate() == ""

    with trace.use_span(trace.NonRecordingSpan(parent)):
        assert current_traceparent() == PARENT
        assert current_tracestate() == "one=1"
