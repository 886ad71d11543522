package dev.millrace.scheduler.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.testing.OpenGuards;
import dev.millrace.telemetry.Telemetry;
import dev.millrace.tls.InProcess;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of calls that callers without a token keep open, as others see them. */
class CallsOfStrangersTest {
    private static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final int CALLS_MAX = 200;
    /** A quarter of the calls for which half of the memory has room. */
    private static final int OPEN_MAX = CALLS_MAX / 2;

    private final MemoryBudget budget = MemoryBudget.ofBytes(4L * CALLS_MAX * CallMemory.CALL_BYTES);
    private final MemoryPart requests = budget.part("requests", 0.5);
    private final GrpcServer server = GrpcServer.start(
            new GrpcConfig("127.0.0.1", 0),
            InProcess.newTarget(),
            List.of(),
            Set.of(),
            new RpcMemory(requests, budget.part("answers", 0.2), budget.part("results", 0.2), 1 << 20, Set.of()),
            new CallGuards(new OpenGuards(), (_, headers) -> !headers.containsKey(TOKEN), List.of()),
            new CallMetrics(new Metrics()),
            Telemetry.off(),
            () -> true);
    private final ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .build();

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.close();
    }

    @Test
    void streamsOfStrangersLeaveRoomToOthers() throws InterruptedException {
        int calls = 2 * 2 * CALLS_MAX;
        CountDownLatch begun = new CountDownLatch(calls);
        BlockingQueue<Status> ends = new LinkedBlockingQueue<>();
        for (int call = 0; call < calls; call++) {
            watch(begun, ends);
        }
        begun.await(60, TimeUnit.SECONDS);

        // The server handles the calls in any order.
        for (int end = 0; end < calls - OPEN_MAX; end++) {
            assertThat(requireNonNull(ends.poll(60, TimeUnit.SECONDS)).getCode())
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        }
        assertThat(requests.reservedBytes()).isLessThan(requests.limitBytes() / 2);
        assertThat(ends).as("the others stay open").isEmpty();
        assertThat(check(new Metadata())).as("a probe").isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
        Metadata token = new Metadata();
        token.put(TOKEN, "Bearer x");
        assertThat(check(token)).isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
    }

    @Test
    void largeMessagesOfStrangersLeaveHalfOfTheRoom() {
        int bytes = (int) (requests.limitBytes() * 5 / 8);
        Metadata token = new Metadata();
        token.put(TOKEN, "Bearer x");

        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> check(new Metadata(), bytes));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        StatusRuntimeException unknown = catchThrowableOfType(StatusRuntimeException.class, () -> check(token, bytes));
        assertThat(unknown.getStatus().getCode()).as("of another caller").isNotEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    private HealthCheckResponse.ServingStatus check(Metadata headers) {
        return check(headers, 0);
    }

    private HealthCheckResponse.ServingStatus check(Metadata headers, int bytes) {
        return HealthGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .check(HealthCheckRequest.newBuilder()
                        .setService("x".repeat(bytes))
                        .build())
                .getStatus();
    }

    private void watch(CountDownLatch begun, BlockingQueue<Status> ends) {
        ClientCall<HealthCheckRequest, HealthCheckResponse> call =
                channel.newCall(HealthGrpc.getWatchMethod(), CallOptions.DEFAULT);
        call.start(new Watcher(begun, ends), new Metadata());
        call.sendMessage(HealthCheckRequest.getDefaultInstance());
        call.halfClose();
        call.request(1);
    }

    /** Counts a call as begun once it has an answer or has ended. */
    private static final class Watcher extends ClientCall.Listener<HealthCheckResponse> {
        private final AtomicBoolean isCounted = new AtomicBoolean();
        private final CountDownLatch begun;
        private final BlockingQueue<Status> ends;

        Watcher(CountDownLatch begun, BlockingQueue<Status> ends) {
            this.begun = begun;
            this.ends = ends;
        }

        @Override
        public void onMessage(HealthCheckResponse answer) {
            count();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ends.add(status);
            count();
        }

        private void count() {
            if (isCounted.compareAndSet(false, true)) {
                begun.countDown();
            }
        }
    }
}
