package dev.millrace.gateway.audit;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.http.EventStreams;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.audit.v1.AuditEvent;
import dev.millrace.proto.audit.v1.AuditEvent.Outcome;
import dev.millrace.proto.audit.v1.AuditFilter;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ExportAuditEventsRequest;
import dev.millrace.proto.audit.v1.ExportAuditEventsResponse;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that list and export audit events. */
public final class AuditEndpoints {

    private static final String EVENTS = "/api/v1/audit-events";
    private static final String OUTCOME_PREFIX = "OUTCOME_";

    private final Scheduler scheduler;
    private final EventStreams streams;

    public AuditEndpoints(Scheduler scheduler, EventStreams streams) {
        this.scheduler = scheduler;
        this.streams = streams;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        EVENTS,
                        Set.of(
                                "all",
                                "principal",
                                "action",
                                "subject",
                                "outcome",
                                "since",
                                "until",
                                "page_size",
                                "page_token"),
                        this::list),
                Endpoint.get(
                        EVENTS + ":export",
                        Set.of("all", "principal", "action", "subject", "outcome", "since", "until", "after_id"),
                        this::export));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListAuditEventsRequest.newBuilder()
                .setAll(request.flag("all"))
                .setFilter(filter(request))
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), AuditServiceGrpc.getListAuditEventsMethod(), list)
                .thenApply(page ->
                        Answers.page(page.getAuditEventsList(), page.getNextPageToken(), AuditEndpoints::write));
    }

    private CompletionStage<HttpResponse> export(ApiRequest request) {
        var export = ExportAuditEventsRequest.newBuilder()
                .setAll(request.flag("all"))
                .setFilter(filter(request))
                .setAfterId(request.query("after_id"))
                .build();
        return streams.lines(
                request,
                AuditServiceGrpc.getExportAuditEventsMethod(),
                export,
                ExportAuditEventsResponse::getCloudEventBytes);
    }

    private static AuditFilter filter(ApiRequest request) {
        var filter = AuditFilter.newBuilder()
                .setPrincipal(request.query("principal"))
                .setAction(request.query("action"))
                .setSubject(request.query("subject"))
                .setOutcome(outcome(request.query("outcome")));
        request.time("since").ifPresent(filter::setSince);
        request.time("until").ifPresent(filter::setUntil);
        return filter.build();
    }

    private static Outcome outcome(String name) {
        return name.isEmpty()
                ? Outcome.OUTCOME_UNSPECIFIED
                : EnumNames.parse(Outcome.class, OUTCOME_PREFIX, name)
                        .orElseThrow(() -> ApiRequest.wrongQuery(
                                "outcome",
                                "is \"" + name + "\" (expected: " + EnumNames.known(Outcome.class, OUTCOME_PREFIX)
                                        + ")"));
    }

    private static void write(JsonWriter json, AuditEvent event) {
        json.text("id", event.getId());
        json.time("time", event.getTime());
        json.optionalText("workspace", event.getWorkspace());
        json.text("principal", event.getPrincipal());
        json.optionalText("credential_id", event.getCredentialId());
        json.optionalText("address", event.getAddress());
        json.text("action", event.getAction());
        json.optionalText("subject", event.getSubject());
        json.text("outcome", EnumNames.json(event.getOutcome(), OUTCOME_PREFIX));
        json.raw("detail", ByteString.copyFromUtf8(event.getDetail()));
        json.integer("count", event.getCount());
    }
}
