package dev.millrace.gateway.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventEndpointsTest extends GatewayTest {

    private static final String EVENT =
            "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/millrace/workspaces/team-a\","
                    + "\"type\":\"dev.millrace.run.failed\",\"time\":\"2026-11-26T10:40:00Z\",\"position\":\"1-2-4-4\",\"data\":{}}";

    @Test
    void streamsEventsGapsAndCheckpoints() {
        scheduler.canned.stream(
                EventServiceGrpc.getFollowEventsMethod(),
                List.of(
                        FollowEventsResponse.newBuilder()
                                .setPosition("1-2-3-4")
                                .setGap("Nobody followed.")
                                .build(),
                        FollowEventsResponse.newBuilder()
                                .setPosition("1-2-4-4")
                                .setCloudEvent(EVENT)
                                .build(),
                        FollowEventsResponse.newBuilder().setPosition("1-9-0-9").build()));

        var stream = get("/api/v1/workspaces/team-a/events?type=run.failed,step.*&folder=shop&path=shop/pay"
                + "&run_id=r&after_position=1-2-3-4&until_now=true");

        assertThat(stream.body()).isEqualTo("""
                id: 1-2-3-4
                event: gap
                data: {"position":"1-2-3-4","reason":"Nobody followed."}

                id: 1-2-4-4
                event: event
                data: %s

                id: 1-9-0-9
                event: checkpoint
                data: {"position":"1-9-0-9"}

                event: end
                data: {}

                """.formatted(EVENT));
        assertThat(scheduler.requests)
                .containsExactly(FollowEventsRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setFilter(EventFilter.newBuilder()
                                .addTypes("run.failed")
                                .addTypes("step.*")
                                .setFolder("shop")
                                .setPath("shop/pay")
                                .setRunId("r"))
                        .setAfterPosition("1-2-3-4")
                        .setUntilNow(true)
                        .build());
    }
}
