"""The caller's trace, if the program uses OpenTelemetry."""

from __future__ import annotations

import sys
from typing import Any


def current_traceparent() -> str:
    """Returns W3C's `traceparent` of the present span; empty if there is none, or no OpenTelemetry."""
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return ""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"


def current_tracestate() -> str:
    """Returns W3C's `tracestate` of the present span; empty if there is none, or no OpenTelemetry."""
    trace: Any = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return ""
    state = trace.get_current_span().get_span_context().trace_state
    return state.to_header() if state else ""
