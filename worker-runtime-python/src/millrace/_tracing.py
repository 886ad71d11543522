"""Gives the OpenTelemetry API a tracer while a traced job runs, if the script has the API.

The spans of a job wait in this process until the job ends, and leave before its result. The host hands them on, so that
neither an SDK nor an exporter is needed here. A script that sets up a tracer provider of its own keeps it: its spans
only get the right parent.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from random import getrandbits

from . import _frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, Final

SPANS_MAX = 999
"""Spans of one job; further ones are dropped."""

TEXT_LENGTH_MAX = 4_096
"""Largest number of characters of a text in a span; longer texts are cut."""

_KINDS = ("internal", "server", "client", "producer", "consumer")


class JobSpans:
    """The spans of one job that have ended. Threads of the job may add to it; what they add after its end is dropped."""

    __slots__ = ("_job_id", "_spans", "_token", "is_over")

    def __init__(self, job_id: str) -> None:
        self._job_id: Final = job_id
        self._spans: Final[list[bytes]] = []
        self._token: Any = None
        self.is_over = False

    def begin(self, traceparent: str, tracestate: str) -> None:
        """Makes the host's span the current one. Does nothing if the script has no OpenTelemetry."""
        if not _has_api():
            return
        from opentelemetry import context, trace

        _install(trace)
        _, trace_id, span_id, flags = traceparent.split("-")
        parent = trace.SpanContext(
            trace_id=int(trace_id, 16),
            span_id=int(span_id, 16),
            is_remote=True,
            trace_flags=trace.TraceFlags(int(flags, 16)),
            trace_state=trace.TraceState.from_header([tracestate]),
        )
        current = trace.set_span_in_context(trace.NonRecordingSpan(parent), context.Context({}))
        self._token = context.attach(context.set_value(_JOB, self, current))

    def end(self) -> bytes:
        """Ends the tracing of the job and returns the frames with its spans."""
        self.is_over = True
        if self._token is not None:
            from opentelemetry import context

            context.detach(self._token)
        return b"".join(self._spans)

    def add(self, span: dict[str, object]) -> None:
        if not self.is_over and len(self._spans) < SPANS_MAX:
            self._spans.append(_frames.span(self._job_id, json.dumps(span, default=str).encode("utf-8", "replace")))


_JOB = "millrace-job-spans"
"""Key of the job in OpenTelemetry's context, so that each span finds the job whose code began it."""


def _has_api() -> bool:
    """Whether the script can import OpenTelemetry. Importing it takes some 50 ms, so it happens only for traced jobs."""
    return "opentelemetry.trace" in sys.modules or (
        find_spec("opentelemetry") is not None and find_spec("opentelemetry.trace") is not None
    )


def _install(trace: Any) -> None:
    """Sets our tracer provider, unless there is one."""
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        trace.set_tracer_provider(_provider(trace))


def _provider(trace: Any) -> object:
    """Makes the classes here, because their base classes are imported late."""
    from opentelemetry import context as contexts

    class JobSpan(trace.Span):
        """A span of the running job."""

        def __init__(
            self, job: JobSpans, scope: str, name: str, parent: Any, kind: Any, attributes: object, start: int | None
        ) -> None:
            self._job = job
            self._scope = scope
            self._name = name
            self._kind = kind
            self._parent_id: int = parent.span_id
            self._context = trace.SpanContext(
                trace_id=parent.trace_id,
                span_id=getrandbits(63) + 1,
                is_remote=False,
                trace_flags=parent.trace_flags,
                trace_state=parent.trace_state,
            )
            self._attributes = _attributes(attributes)
            self._events: list[dict[str, object]] = []
            self._status = ""
            self._status_message = ""
            self._start = _micros(start)
            self._has_ended = False

        def get_span_context(self) -> Any:
            return self._context

        def is_recording(self) -> bool:
            return not self._has_ended

        def set_attribute(self, key: str, value: object) -> None:
            self._attributes.update(_attributes({key: value}))

        def set_attributes(self, attributes: object) -> None:
            self._attributes.update(_attributes(attributes))

        def add_event(self, name: str, attributes: object = None, timestamp: int | None = None) -> None:
            self._events.append({"name": name, "time_us": _micros(timestamp), "attributes": _attributes(attributes)})

        def add_link(self, context: object, attributes: object = None) -> None:
            """Links are not kept."""

        def update_name(self, name: str) -> None:
            self._name = name

        def set_status(self, status: Any, description: str | None = None) -> None:
            code = getattr(status, "status_code", status)
            self._status = {"OK": "ok", "ERROR": "error"}.get(code.name, "")
            self._status_message = str(getattr(status, "description", None) or description or "")

        def record_exception(
            self,
            exception: BaseException,
            attributes: object = None,
            timestamp: int | None = None,
            escaped: bool = False,
        ) -> None:
            told: dict[str, object] = {
                "exception.type": type(exception).__qualname__,
                "exception.message": str(exception),
                "exception.stacktrace": "".join(traceback.format_exception(exception)),
            }
            self.add_event("exception", told | _attributes(attributes), timestamp)

        def end(self, end_time: int | None = None) -> None:
            if self._has_ended:
                return
            self._has_ended = True
            self._job.add(
                {
                    "span_id": f"{self._context.span_id:016x}",
                    "parent_span_id": f"{self._parent_id:016x}",
                    "name": self._name[:TEXT_LENGTH_MAX],
                    "kind": _KINDS[self._kind.value],
                    "start_us": self._start,
                    "end_us": _micros(end_time),
                    "attributes": self._attributes,
                    "events": self._events,
                    "status": self._status,
                    "status_message": self._status_message[:TEXT_LENGTH_MAX],
                    "scope": self._scope,
                }
            )

        def __exit__(self, kind: object, error: BaseException | None, stack: object) -> None:
            if error is not None and self.is_recording():
                self.record_exception(error)
                self.set_status(trace.StatusCode.ERROR, f"{type(error).__name__}: {error}")
            self.end()

    class JobTracer(trace.Tracer):
        """A tracer whose spans belong to the job whose code began them; outside of traced jobs they are not kept."""

        def __init__(self, scope: str) -> None:
            self._scope = scope

        def start_span(
            self,
            name: str,
            context: Any = None,
            kind: Any = trace.SpanKind.INTERNAL,
            attributes: object = None,
            links: object = None,
            start_time: int | None = None,
            record_exception: bool = True,
            set_status_on_exception: bool = True,
        ) -> Any:
            parent = trace.get_current_span(context).get_span_context()
            job = contexts.get_value(_JOB, context)
            if not isinstance(job, JobSpans) or job.is_over or not parent.is_valid or not parent.trace_flags.sampled:
                return trace.NonRecordingSpan(parent)
            return JobSpan(job, self._scope, name, parent, kind, attributes, start_time)

        @contextmanager
        def start_as_current_span(
            self,
            name: str,
            context: Any = None,
            kind: Any = trace.SpanKind.INTERNAL,
            attributes: object = None,
            links: object = None,
            start_time: int | None = None,
            record_exception: bool = True,
            set_status_on_exception: bool = True,
            end_on_exit: bool = True,
        ) -> Generator[Any, None, None]:
            span = self.start_span(name, context, kind, attributes, links, start_time)
            with trace.use_span(
                span,
                end_on_exit=end_on_exit,
                record_exception=record_exception,
                set_status_on_exception=set_status_on_exception,
            ) as current:
                yield current

    class JobTracerProvider(trace.TracerProvider):
        def get_tracer(self, instrumenting_module_name: str, *_: object, **__: object) -> Any:
            return JobTracer(instrumenting_module_name)

    return JobTracerProvider()


def _micros(nanos: int | None) -> int:
    return (time.time_ns() if nanos is None else nanos) // 1_000


def _attributes(given: object) -> dict[str, object]:
    if not isinstance(given, Mapping):
        return {}
    return {str(key): _value(value) for key, value in given.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _value(value: object) -> object:
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        value = json.dumps(list(value), default=str)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)[:TEXT_LENGTH_MAX]
