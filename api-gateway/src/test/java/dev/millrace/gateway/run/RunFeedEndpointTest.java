package dev.millrace.gateway.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.event.v1.EventFilter;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunTarget;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunFeedEndpointTest extends GatewayTest {

    private static final String FEED = "/api/v1/workspaces/team-a/runs/events";

    private final BlockingQueue<StreamObserver<FollowRunsResponse>> calls =
            scheduler.canned.hold(EventServiceGrpc.getFollowRunsMethod());

    @Test
    void sendsEachTabWhatItsListShows() throws Exception {
        var opening = opening("");
        var call = next(calls);
        call.onNext(position("1"));
        var all = opening.join();
        assertThat(all.next()).isEqualTo("checkpoint 1");
        var failed = tab("?state=failed&name=shop/pay");
        assertThat(failed.next()).isEqualTo("checkpoint 1");

        call.onNext(run("1", "shop/pay", Run.State.STATE_RUNNING, false));
        call.onNext(run("1", "shop/other", Run.State.STATE_FAILED, false));
        call.onNext(run("2", "shop/pay.py (schema)", Run.State.STATE_FAILED, true));
        call.onNext(run("3", "shop/pay", Run.State.STATE_FAILED, false));

        assertThat(List.of(all.next(), all.next(), all.next())).containsExactly("run 1", "run 1", "run 3");
        assertThat(List.of(failed.next(), failed.next())).containsExactly("left 1", "run 3");
    }

    @Test
    void asksTheSchedulerOnceForAllTabsOfACaller() throws Exception {
        var opening = opening("");
        var call = next(calls);
        call.onNext(position("1"));
        var first = opening.join();
        assertThat(first.next()).isEqualTo("checkpoint 1");

        List<Tab> tabs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            tabs.add(tab(""));
            assertThat(tabs.getLast().next()).isEqualTo("checkpoint 1");
        }
        call.onNext(run("2", "a", Run.State.STATE_QUEUED, false));

        for (Tab tab : tabs) {
            assertThat(tab.next()).isEqualTo("run 2");
        }
        assertThat(calls).isEmpty();
        assertThat(scheduler.requests.stream().filter(FollowRunsRequest.class::isInstance))
                .containsExactly(
                        FollowRunsRequest.newBuilder().setWorkspace("team-a").build());

        var stranger = opening("", "authorization", "Bearer other");
        next(calls).onNext(position("7"));
        assertThat(stranger.join().next()).isEqualTo("checkpoint 7");
    }

    @Test
    void goesOnWhereAReaderWas() throws Exception {
        var opening = opening("", "last-event-id", "0");
        var call = next(calls);
        call.onNext(run("0", "a", Run.State.STATE_QUEUED, false));
        var first = opening.join();
        call.onNext(run("1", "b", Run.State.STATE_QUEUED, false));
        call.onNext(run("2", "c", Run.State.STATE_QUEUED, false));
        assertThat(List.of(first.next(), first.next(), first.next())).containsExactly("run 0", "run 1", "run 2");

        var back = tab("", "last-event-id", "1");
        assertThat(back.next()).isEqualTo("run 2");
        assertThat(tab("", "last-event-id", "unknown").next()).isEqualTo("gap 2");

        call.onError(Status.UNAVAILABLE.asRuntimeException());
        assertThat(first.next()).isEqualTo("error ");
        assertThat(back.next()).isEqualTo("error ");
        var again = opening("", "last-event-id", "2");
        next(calls).onNext(run("3", "d", Run.State.STATE_QUEUED, false));
        assertThat(again.join().next()).isEqualTo("run 3");
        assertThat(scheduler.requests)
                .contains(FollowRunsRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setAfterPosition("2")
                        .build());
    }

    @Test
    void tellsRunsAndEventsInOneStream() throws Exception {
        var eventCalls = scheduler.canned.hold(EventServiceGrpc.getFollowEventsMethod());
        var opening = opening("?type=wait.*,worker.lost");
        var runs = next(calls);
        var events = next(eventCalls);
        runs.onNext(position("1"));
        events.onNext(event("20", ""));
        var tab = opening.join();
        assertThat(List.of(tab.next(), tab.next())).containsExactlyInAnyOrder("checkpoint 1/20", "checkpoint 1/20");

        runs.onNext(run("2", "a", Run.State.STATE_RUNNING, false));
        assertThat(tab.next()).isEqualTo("run 2/20");
        events.onNext(event("21", """
                {"specversion":"1.0","id":"e","source":"s","type":"dev.millrace.worker.lost","time":"2026-01-31T08:00:00Z","position":"21","data":{}}"""));
        assertThat(tab.next()).isEqualTo("event 2/21");
        runs.onNext(position("3"));
        assertThat(tab.next()).isEqualTo("checkpoint 3/21");

        events.onError(Status.UNAVAILABLE.asRuntimeException());
        assertThat(tab.next()).isEqualTo("error ");
        var again = opening("?type=wait.*,worker.lost", "last-event-id", "3/21");
        next(calls).onNext(run("4", "b", Run.State.STATE_QUEUED, false));
        next(eventCalls).onNext(event("21", ""));
        var joined = again.join();
        // The two calls answer in any order.
        assertThat(List.of(joined.next(), joined.next()))
                .isIn(List.of("run 4/21", "checkpoint 4/21"), List.of("checkpoint 3/21", "run 4/21"));
        assertThat(scheduler.requests)
                .contains(
                        FollowRunsRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setAfterPosition("3")
                                .build(),
                        FollowEventsRequest.newBuilder()
                                .setWorkspace("team-a")
                                .setFilter(EventFilter.newBuilder()
                                        .addTypes("wait.*")
                                        .addTypes("worker.lost"))
                                .setAfterPosition("21")
                                .build());
    }

    @Test
    void endsTheCallWithItsLastReader() throws Exception {
        var opening = opening("");
        var call = (ServerCallStreamObserver<FollowRunsResponse>) next(calls);
        call.onNext(position("1"));
        var first = opening.join();
        var second = tab("");
        assertThat(List.of(first.next(), second.next())).containsExactly("checkpoint 1", "checkpoint 1");

        first.close();
        second.close();

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!call.isCancelled() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(call.isCancelled()).isTrue();
    }

    @Test
    void refusesWrongFilters() {
        problem(get(FEED + "?state=lost"), 400, "invalid_argument");
        problem(get(FEED + "?input=a%3D1"), 400, "unknown_parameter");
    }

    /** Opens a tab that gets its headers with its first event. */
    private CompletableFuture<Tab> opening(String query, String... headers) {
        return CompletableFuture.supplyAsync(() -> tab(query, headers));
    }

    private Tab tab(String query, String... headers) {
        return new Tab(open(FEED + query, headers));
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        var next = queue.poll(60, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private static FollowRunsResponse position(String position) {
        return FollowRunsResponse.newBuilder().setPosition(position).build();
    }

    /** @param cloudEvent empty for a position alone */
    private static FollowEventsResponse event(String position, String cloudEvent) {
        return FollowEventsResponse.newBuilder()
                .setPosition(position)
                .setCloudEvent(cloudEvent)
                .build();
    }

    private static FollowRunsResponse run(String position, String name, Run.State state, boolean preparation) {
        return FollowRunsResponse.newBuilder()
                .setPosition(position)
                .setRun(Run.newBuilder()
                        .setId(name)
                        .setName(name)
                        .setWorkspace("team-a")
                        .setTarget(RunTarget.newBuilder().setHandler(name))
                        .setState(state)
                        .setCreateTime(Timestamp.newBuilder().setSeconds(1_764_000_000)))
                .setPreparation(preparation)
                .build();
    }

    /** Reads events one after the other. */
    private static final class Tab {
        private final BufferedReader lines;

        Tab(HttpResponse<java.io.InputStream> response) {
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        void close() throws IOException {
            lines.close();
        }

        String next() throws IOException {
            String id = "";
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && !name.isEmpty()) {
                    return name + " " + id;
                }
                id = line.startsWith("id: ") ? line.substring(4) : id;
                name = line.startsWith("event: ") ? line.substring(7) : name;
            }
            return "cut off";
        }
    }
}
