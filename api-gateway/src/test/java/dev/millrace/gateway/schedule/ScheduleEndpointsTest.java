package dev.millrace.gateway.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.schedule.v1.BackfillScheduleRequest;
import dev.millrace.proto.schedule.v1.BackfillScheduleResponse;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import org.junit.jupiter.api.Test;

class ScheduleEndpointsTest extends GatewayTest {
    private static final String BACKFILL = "/api/v1/schedules:backfill";
    private static final String RANGE =
            "{\"path\":\"a\",\"from\":\"2026-03-01T00:00:00Z\",\"to\":\"2026-03-02T00:00:00Z\"";

    @Test
    void saysHowToWriteAnInterval() {
        var refused = put("/api/v1/schedules/a", "{\"run\":{\"target\":{\"flow\":\"a\"}},\"every\":3600}");

        assertThat(refused.body())
                .contains("every is a number (expected: a number and a unit in a string, such as \\\"30s\\\" or");
    }

    @Test
    void saysOnceThatAFieldIsUnknown() {
        var refused =
                json(put("/api/v1/schedules/a", "{\"run\":{\"target\":{\"flow\":\"a\"}},\"corn\":\"* * * * *\"}"));

        assertThat(refused.path("detail").asText())
                .isEqualTo("The request is invalid: corn "
                        + refused.path("errors").path(0).path("message").asText())
                .contains("corn is unknown (known here: run, cron, every,");
    }

    /** Zero runs at a time would start nothing, and must not mean something else. */
    @Test
    void refusesABackfillWithoutRunsAtATime() {
        scheduler.canned.answer(
                ScheduleServiceGrpc.getBackfillScheduleMethod(), BackfillScheduleResponse.getDefaultInstance());

        var refused = post(BACKFILL, RANGE + ",\"parallel\":0}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("parallel is 0 (expected: 1 to 100)");
        assertThat(post(BACKFILL, RANGE + "}").statusCode()).isEqualTo(200);
        assertThat(scheduler.requests)
                .filteredOn(BackfillScheduleRequest.class::isInstance)
                .hasSize(1);
    }
}
