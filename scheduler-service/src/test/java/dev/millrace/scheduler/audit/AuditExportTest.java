package dev.millrace.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.audit.v1.AuditEvent;
import dev.millrace.proto.audit.v1.AuditFilter;
import dev.millrace.proto.audit.v1.AuditServiceGrpc;
import dev.millrace.proto.audit.v1.ExportAuditEventsRequest;
import dev.millrace.proto.audit.v1.ExportAuditEventsResponse;
import dev.millrace.proto.audit.v1.ListAuditEventsRequest;
import dev.millrace.proto.audit.v1.ListAuditEventsResponse;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditExportTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler().withWorkspaces("acme");

    private static final int EVENTS = 1_200;

    private final Instant begin = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);

    @BeforeAll
    void fill() {
        StringBuilder rows = new StringBuilder();
        for (int event = 0; event < EVENTS; event++) {
            rows.append(rows.isEmpty() ? "" : ", ")
                    .append("('%s', '%s', 'ada', '10.0.0.1', 'CancelRun', 'run%d', 'allowed', '{\"n\":%d}', 0)"
                            .formatted(id(event), event % 2 == 0 ? "acme" : "", event, event));
        }
        SCHEDULER
                .database()
                .execute(
                        "insert into audit_event (id, workspace, principal, address, action, subject, outcome, detail, transaction_id) values "
                                + rows);
    }

    @Test
    void returnsCloudEventsInTheirOrder() {
        List<ExportAuditEventsResponse> exported = export(ExportAuditEventsRequest.newBuilder()
                .setAll(true)
                .setFilter(AuditFilter.newBuilder().setPrincipal("ada"))
                .build());

        assertThat(exported)
                .extracting(ExportAuditEventsResponse::getId)
                .isEqualTo(IntStream.range(0, EVENTS).mapToObj(this::id).toList());
        assertThat(exported.getFirst().getCloudEvent()).isEqualTo("""
                        {"specversion":"1.0","id":"%s","source":"/millrace/workspaces/acme","type":"dev.millrace.audit.CancelRun",\
                        "subject":"run0","time":"%s","datacontenttype":"application/json","data":{"workspace":"acme",\
                        "principal":"ada","credential_id":"","address":"10.0.0.1","action":"CancelRun","outcome":"allowed",\
                        "detail":{"n":0},"count":1}}""".formatted(id(0), begin));
    }

    @Test
    void goesOnAfterAnId() {
        List<ExportAuditEventsResponse> exported = export(ExportAuditEventsRequest.newBuilder()
                .setWorkspace("acme")
                .setAfterId(id(EVENTS - 5))
                .setFilter(AuditFilter.newBuilder().setPrincipal("ada"))
                .build());

        assertThat(exported)
                .extracting(ExportAuditEventsResponse::getId)
                .containsExactly(id(EVENTS - 4), id(EVENTS - 2));
    }

    @Test
    void leavesOutWhatMayStillBeJoinedByOlderEvents() {
        List<ExportAuditEventsResponse> first = export(ExportAuditEventsRequest.newBuilder()
                .setAll(true)
                .setFilter(AuditFilter.newBuilder().setAction("ExportAuditEvents"))
                .build());

        assertThat(first).as("this export itself").isEmpty();
        assertThat(list(AuditFilter.newBuilder().setAction("ExportAuditEvents"), 10, "")
                        .getAuditEventsList())
                .isNotEmpty();
    }

    @Test
    void listsPagesNewestFirst() {
        List<String> found = new ArrayList<>();
        String token = "";
        do {
            ListAuditEventsResponse page = list(AuditFilter.newBuilder().setPrincipal("ada"), 500, token);
            page.getAuditEventsList().stream().map(AuditEvent::getId).forEach(found::add);
            token = page.getNextPageToken();
        } while (!token.isEmpty());

        assertThat(found)
                .isEqualTo(IntStream.range(0, EVENTS)
                        .mapToObj(event -> id(EVENTS - 1 - event))
                        .toList());
    }

    @Test
    void listsTheEventsOfATime() {
        AuditFilter.Builder filter = AuditFilter.newBuilder()
                .setPrincipal("ada")
                .setSince(TimeProtos.timestamp(begin.plusSeconds(10)))
                .setUntil(TimeProtos.timestamp(begin.plusSeconds(13)));

        assertThat(list(filter, 10, "").getAuditEventsList())
                .extracting(AuditEvent::getId)
                .containsExactly(id(12), id(11), id(10));
    }

    private static ListAuditEventsResponse list(AuditFilter.Builder filter, int size, String token) {
        return AuditServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .listAuditEvents(ListAuditEventsRequest.newBuilder()
                        .setAll(true)
                        .setFilter(filter)
                        .setPageSize(size)
                        .setPageToken(token)
                        .build());
    }

    private static List<ExportAuditEventsResponse> export(ExportAuditEventsRequest request) {
        List<ExportAuditEventsResponse> exported = new ArrayList<>();
        AuditServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .exportAuditEvents(request)
                .forEachRemaining(exported::add);
        return exported;
    }

    /** The id of an event that began so many seconds later. */
    private String id(int event) {
        long millis = begin.plusSeconds(event).toEpochMilli();
        return new UUID(millis << 16 | 0x7000, 0x8000000000000000L | event).toString();
    }
}
