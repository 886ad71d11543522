package dev.millrace.gateway.run;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.trace.v1.GetRunTraceRequest;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import dev.millrace.proto.trace.v1.TraceServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoint that shows the trace of a run. */
public final class TraceEndpoint {
    private final Scheduler scheduler;

    public TraceEndpoint(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(Endpoint.get("/api/v1/runs/{id}/trace", Set.of(), this::trace));
    }

    private CompletionStage<HttpResponse> trace(ApiRequest request) {
        var get = GetRunTraceRequest.newBuilder().setRunId(request.path("id")).build();
        return scheduler
                .call(request.context(), TraceServiceGrpc.getGetRunTraceMethod(), get)
                .thenApply(answer -> Answers.json(json -> {
                    if (!answer.getTraceId().isEmpty()) {
                        json.text("trace_id", answer.getTraceId());
                    }
                    json.array("spans", answer.getSpansList(), TraceEndpoint::span);
                    json.flag("truncated", answer.getTruncated());
                }));
    }

    private static void span(JsonWriter json, Span span) {
        json.text("span_id", span.getSpanId());
        if (!span.getParentSpanId().isEmpty()) {
            json.text("parent_span_id", span.getParentSpanId());
        }
        json.text("name", span.getName());
        json.text("kind", EnumNames.json(span.getKind(), "KIND_"));
        json.time("start_time", span.getStartTime());
        if (span.hasEndTime()) {
            json.time("end_time", span.getEndTime());
        }
        if (span.getStatus() != Span.Status.STATUS_UNSPECIFIED) {
            json.text("status", EnumNames.json(span.getStatus(), "STATUS_"));
        }
        if (!span.getStatusMessage().isEmpty()) {
            json.text("status_message", span.getStatusMessage());
        }
        if (!span.getScope().isEmpty()) {
            json.text("scope", span.getScope());
        }
        json.object("attributes", attributes -> span.getAttributesList().forEach(each -> attribute(attributes, each)));
        if (span.getEventsCount() > 0) {
            json.array("events", span.getEventsList(), TraceEndpoint::event);
        }
    }

    private static void event(JsonWriter json, SpanEvent event) {
        json.text("name", event.getName());
        json.time("time", event.getTime());
        json.object("attributes", attributes -> event.getAttributesList().forEach(each -> attribute(attributes, each)));
    }

    private static void attribute(JsonWriter json, SpanAttribute attribute) {
        switch (attribute.getValueCase()) {
            case INT_VALUE -> json.integer(attribute.getKey(), attribute.getIntValue());
            case DOUBLE_VALUE -> json.number(attribute.getKey(), attribute.getDoubleValue());
            case BOOL_VALUE -> json.flag(attribute.getKey(), attribute.getBoolValue());
            case STRING_VALUE, VALUE_NOT_SET -> json.text(attribute.getKey(), attribute.getStringValue());
        }
    }
}
