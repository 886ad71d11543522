package dev.millrace.gateway.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.queue.v1.ActivityMinute;
import dev.millrace.proto.queue.v1.ActivityWaits;
import dev.millrace.proto.queue.v1.GetActivityResponse;
import dev.millrace.proto.queue.v1.LimitLine;
import dev.millrace.proto.queue.v1.ListLimitsResponse;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.ListQueuesResponse;
import dev.millrace.proto.queue.v1.PauseQueueRequest;
import dev.millrace.proto.queue.v1.PauseQueueResponse;
import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueuePause;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueueEndpointsTest extends GatewayTest {
    private static final String QUEUES = "/api/v1/queues";
    private static final int TABS = 5;
    private static final QueuePause PAUSE = QueuePause.newBuilder()
            .setActor("ada")
            .setReason("driver update")
            .setPauseTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
            .build();
    private static final ListQueuesResponse ANSWER = ListQueuesResponse.newBuilder()
            .addQueues(Queue.newBuilder()
                    .setTag("gpu")
                    .setWaiting(7)
                    .setOldestTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
                    .setPause(PAUSE)
                    .addReasons("The tag is paused."))
            .build();

    @Test
    void listsQueues() {
        scheduler.canned.answer(QueueServiceGrpc.getListQueuesMethod(), ANSWER);

        assertThat(json(get(QUEUES)).toString())
                .isEqualTo("{\"items\":[{\"tag\":\"gpu\",\"waiting\":7,\"has_more_waiting\":false,"
                        + "\"oldest_time\":\"2027-01-15T08:00:00Z\",\"running\":0,\"slots\":0,\"workers\":0,"
                        + "\"rate\":{\"enqueued_per_second\":0.0,\"leased_per_second\":0.0,\"ended_per_second\":0.0},"
                        + "\"pause\":{\"actor\":\"ada\",\"reason\":\"driver update\",\"pause_time\":\"2027-01-15T08:00:00Z\"},"
                        + "\"reasons\":[\"The tag is paused.\"]}],\"has_more\":false}");
    }

    @Test
    void asksOnceForAllTabsOfACaller() throws Exception {
        var calls = scheduler.canned.hold(QueueServiceGrpc.getListQueuesMethod());
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < TABS; i++) {
                answers.add(client.sendAsync(request(QUEUES).build(), BodyHandlers.ofString()));
            }
            var call = calls.poll(60, TimeUnit.SECONDS);
            assertThat(call).isNotNull();
            call.onNext(ANSWER);
            call.onCompleted();
            for (var answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS).body()).contains("\"gpu\"");
            }
        }
        assertThat(scheduler.requests)
                .filteredOn(ListQueuesRequest.class::isInstance)
                .hasSize(1);
    }

    @Test
    void looksAgainAfterAPause() {
        scheduler.canned.answer(
                QueueServiceGrpc.getPauseQueueMethod(),
                PauseQueueResponse.newBuilder().setTag("gpu").setPause(PAUSE).build());
        scheduler.canned.answer(QueueServiceGrpc.getListQueuesMethod(), ListQueuesResponse.getDefaultInstance());
        assertThat(json(get(QUEUES)).path("items")).isEmpty();

        var paused = json(post(QUEUES + ":pause", "{\"tag\":\"gpu\",\"reason\":\"driver update\",\"length\":\"2h\"}"));
        scheduler.canned.answer(QueueServiceGrpc.getListQueuesMethod(), ANSWER);

        assertThat(paused.path("pause").path("actor").asText()).isEqualTo("ada");
        assertThat(scheduler.requests)
                .contains(PauseQueueRequest.newBuilder()
                        .setTag("gpu")
                        .setReason("driver update")
                        .setLength(Duration.newBuilder().setSeconds(7_200))
                        .build());
        assertThat(json(get(QUEUES)).path("items")).hasSize(1);
        assertThat(json(post(QUEUES + ":resume", "{\"tag\":\"gpu\"}")).has("pause"))
                .isFalse();
        problem(post(QUEUES + ":pause", "{\"tag\":\"gpu\",\"length\":\"soon\"}"), 400, "invalid_argument");
    }

    @Test
    void sharesTheLimitsOfAWorkspaceWithThatWorkspaceAlone() {
        for (String workspace : List.of("team-a", "team-b")) {
            scheduler.canned.answer(
                    QueueServiceGrpc.getListLimitsMethod(),
                    ListLimitsResponse.newBuilder()
                            .addLimits(LimitLine.newBuilder()
                                    .setKind(LimitLine.Kind.KIND_JOBS)
                                    .setKey(workspace))
                            .build());

            assertThat(json(get("/api/v1/workspaces/" + workspace + "/limits"))
                            .path("items")
                            .path(0)
                            .path("key")
                            .asText())
                    .isEqualTo(workspace);
        }
    }

    @Test
    void tellsWhatAWorkspaceDid() {
        scheduler.canned.answer(
                QueueServiceGrpc.getGetActivityMethod(),
                GetActivityResponse.newBuilder()
                        .addMinutes(ActivityMinute.newBuilder()
                                .setStartTime(Timestamp.newBuilder().setSeconds(60))
                                .setRunsFailed(2)
                                .setWaits(ActivityWaits.newBuilder()
                                        .setJobs(1)
                                        .setMedian(Duration.newBuilder().setNanos(5_000_000))))
                        .setWaits(ActivityWaits.newBuilder().setJobs(1))
                        .build());

        assertThat(json(get("/api/v1/workspaces/team-a/activity?minutes=1")).toString())
                .isEqualTo(
                        "{\"minutes\":[{\"start_time\":\"1970-01-01T00:01:00Z\",\"runs_accepted\":0,\"runs_succeeded\":0,"
                                + "\"runs_failed\":2,\"runs_canceled\":0,\"waits\":{\"jobs\":1,\"median\":\"0.005s\"}}],"
                                + "\"waits\":{\"jobs\":1}}");
        problem(get("/api/v1/activity?minutes=all"), 400, "invalid_argument");
    }

    @Test
    void listsLimits() {
        scheduler.canned.answer(
                QueueServiceGrpc.getListLimitsMethod(),
                ListLimitsResponse.newBuilder()
                        .addLimits(LimitLine.newBuilder()
                                .setKind(LimitLine.Kind.KIND_JOBS)
                                .setKey("printer")
                                .setMax(2)
                                .setRateCount(5)
                                .setRatePer(Duration.newBuilder().setSeconds(60))
                                .setWaiting(3))
                        .build());

        assertThat(json(get("/api/v1/workspaces/team-a/limits"))
                        .path("items")
                        .path(0)
                        .toString())
                .isEqualTo("{\"kind\":\"jobs\",\"key\":\"printer\",\"max\":2,\"rate\":{\"count\":5,\"per\":\"60s\"},"
                        + "\"waiting\":3,\"has_more_waiting\":false,\"running\":0}");
    }
}
