package dev.millrace.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.gateway.testing.Refusals;
import dev.millrace.proto.audit.v1.AuditEvent;
import dev.millrace.proto.audit.v1.AuditFilter;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ExportAuditEventsRequest;
import dev.millrace.proto.audit.v1.ExportAuditEventsResponse;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.audit.v1.ListAuditEventsResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditEndpointsTest extends GatewayTest {

    private static final String EVENTS = "/api/v1/workspaces/team-a/audit-events";
    private static final ExportAuditEventsResponse FIRST = event("{\"id\":\"1\"}");

    @Test
    void listsWhatFits() {
        scheduler.canned.answer(
                AuditServiceGrpc.getListAuditEventsMethod(),
                ListAuditEventsResponse.newBuilder()
                        .addAuditEvents(AuditEvent.newBuilder()
                                .setId("019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41")
                                .setTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
                                .setPrincipal("ada")
                                .setAction("DeployFlow")
                                .setOutcome(AuditEvent.Outcome.OUTCOME_DENIED)
                                .setDetail("{\"reason\":\"no\"}")
                                .setCount(3))
                        .setNextPageToken("next")
                        .build());

        var page = json(get(EVENTS + "?principal=ada&action=DeployFlow&subject=a/b&outcome=denied"
                + "&since=2027-01-15T08:00:00Z&until=2027-01-15T09:00:01%2B01:00&page_size=1&page_token=p"));

        var event = page.path("items").path(0);
        assertThat(event.path("outcome").asText()).isEqualTo("denied");
        assertThat(event.path("detail").path("reason").asText()).isEqualTo("no");
        assertThat(event.path("count").asInt()).isEqualTo(3);
        assertThat(event.has("workspace")).isFalse();
        assertThat(scheduler.requests)
                .containsExactly(ListAuditEventsRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setFilter(AuditFilter.newBuilder()
                                .setPrincipal("ada")
                                .setAction("DeployFlow")
                                .setSubject("a/b")
                                .setOutcome(AuditEvent.Outcome.OUTCOME_DENIED)
                                .setSince(Timestamp.newBuilder().setSeconds(1_800_000_000))
                                .setUntil(Timestamp.newBuilder().setSeconds(1_800_000_001)))
                        .setPageSize(1)
                        .setPageToken("p")
                        .build());
    }

    @Test
    void refusesAnUnknownOutcome() {
        assertThat(problem(get(EVENTS + "?outcome=odd"), 400, "invalid_argument")
                        .path("detail")
                        .asText())
                .contains("allowed, denied, failed, unknown");
    }

    @Test
    void exportsOneEventALine() {
        scheduler.canned.stream(AuditServiceGrpc.getExportAuditEventsMethod(), List.of(FIRST, event("{\"id\":\"2\"}")));

        var export = get("/api/v1/audit-events:export?all=true&after_id=0");

        assertThat(export.headers().firstValue("content-type")).hasValue("application/jsonl");
        assertThat(export.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(export.body()).isEqualTo("{\"id\":\"1\"}\n{\"id\":\"2\"}\n");
        assertThat(scheduler.requests)
                .containsExactly(ExportAuditEventsRequest.newBuilder()
                        .setAll(true)
                        .setFilter(AuditFilter.getDefaultInstance())
                        .setAfterId("0")
                        .build());
    }

    @Test
    void exportsNothing() {
        scheduler.canned.stream(AuditServiceGrpc.getExportAuditEventsMethod(), List.of());

        var export = get(EVENTS + ":export");

        assertThat(export.statusCode()).isEqualTo(200);
        assertThat(export.body()).isEmpty();
    }

    @Test
    void answersWithAProblemIfTheExportDoesNotBegin() {
        scheduler.canned.refuse(
                AuditServiceGrpc.getExportAuditEventsMethod(),
                Refusals.of(Code.PERMISSION_DENIED, "PERMISSION_DENIED", "ada is no owner."));

        problem(get("/api/v1/audit-events:export?all=true"), 403, "permission_denied");
    }

    @Test
    void breaksTheConnectionIfTheExportBreaksOff() {
        scheduler.canned.breakOff(
                AuditServiceGrpc.getExportAuditEventsMethod(),
                FIRST,
                Refusals.of(Code.INTERNAL, "INTERNAL", "The database is gone."));

        assertThatThrownBy(() -> get(EVENTS + ":export")).hasRootCauseInstanceOf(java.io.IOException.class);
    }

    private static ExportAuditEventsResponse event(String json) {
        return ExportAuditEventsResponse.newBuilder().setCloudEvent(json).build();
    }
}
