package dev.millrace.gateway.run.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.access.CallerOrigin;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.access.TrustedProxies;
import dev.millrace.gateway.rpc.CallHeaders;
import dev.millrace.gateway.rpc.Caller;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.gateway.testing.FakeScheduler;
import dev.millrace.memory.MemoryBudget;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.proto.run.v1.ListRunsRequest;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RunFeedsTest {

    private static final int BYTES_MAX = 1 << 20;

    private final FakeScheduler fake = FakeScheduler.start();
    private final Scheduler scheduler = Scheduler.at(
            fake.target(),
            Optional.empty(),
            Duration.ofSeconds(10),
            BYTES_MAX,
            MemoryBudget.ofBytes(4 * BYTES_MAX).part("answers", 1),
            new CallHeaders(
                    new Site(Optional.empty(), List.of()),
                    "127.0.0.1",
                    TrustedProxies.of(List.of()),
                    Optional.empty()));
    private final RunFeeds feeds = new RunFeeds(scheduler);

    @AfterEach
    void close() {
        scheduler.close();
        fake.close();
    }

    /** A reader asks for more on one thread while the call to the scheduler ends on another. */
    @Test
    void endsNoReaderWhoGetsAMessageMeanwhile() throws Exception {
        var calls = fake.canned.hold(EventServiceGrpc.getFollowRunsMethod());
        var told = Collections.synchronizedList(new ArrayList<String>());
        var ending = new CompletableFuture<Thread>();
        var delivering = new CompletableFuture<Thread>();
        var ended = new CompletableFuture<Void>();
        var second = new CompletableFuture<ClientCall<?, FollowRunsResponse>>();
        var first = follow(new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
                Thread.startVirtualThread(() -> second.join().request(2));
                delivering.join();
                ending.complete(Thread.currentThread());
            }
        });
        second.complete(follow(new ClientCall.Listener<>() {
            @Override
            public void onMessage(FollowRunsResponse message) {
                delivering.complete(Thread.currentThread());
                Thread other = ending.join();
                while (other.getState() == Thread.State.RUNNABLE && !ended.isDone()) {
                    Thread.onSpinWait();
                }
                told.add(message.getPosition());
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                told.add("end");
                ended.complete(null);
            }
        }));
        first.request(2);

        var call = calls.poll(60, TimeUnit.SECONDS);
        assertThat(call).isNotNull();
        call.onNext(position("1"));
        call.onNext(position("2"));
        call.onError(Status.UNAVAILABLE.asRuntimeException());
        ended.get(60, TimeUnit.SECONDS);

        assertThat(told).containsExactly("1", "2", "end");
    }

    private ClientCall<?, FollowRunsResponse> follow(ClientCall.Listener<FollowRunsResponse> listener) {
        var caller = new Caller(Optional.empty(), CallerOrigin.LOCAL, "127.0.0.1");
        return feeds.follow("team-a", caller, new RunFilter(ListRunsRequest.getDefaultInstance()), "", listener);
    }

    private static FollowRunsResponse position(String position) {
        return FollowRunsResponse.newBuilder().setPosition(position).build();
    }
}
