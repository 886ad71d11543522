package dev.millrace.scheduler.rpc;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of calls that callers without a token keep open, as others see them. */
class CallsOfStrangersTest {
    private static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final int CALLS_MAX = 200;

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
        List<Watcher> watchers = new ArrayList<>();
        for (int call = 0; call < 2 * 2 * CALLS_MAX; call++) {
            watchers.add(watch());
        }
        for (Watcher watcher : watchers) {
            watcher.begun.await(60, TimeUnit.SECONDS);
        }

        assertThat(requests.reservedBytes()).isLessThan(requests.limitBytes() / 2);
        assertThat(watchers.getFirst().end.join().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(watchers.getLast().end).isNotDone();
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

    private Watcher watch() {
        Watcher watcher = new Watcher();
        ClientCall<HealthCheckRequest, HealthCheckResponse> call =
                channel.newCall(HealthGrpc.getWatchMethod(), CallOptions.DEFAULT);
        call.start(watcher, new Metadata());
        call.sendMessage(HealthCheckRequest.getDefaultInstance());
        call.halfClose();
        call.request(1);
        return watcher;
    }

    private static final class Watcher extends ClientCall.Listener<HealthCheckResponse> {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public void onMessage(HealthCheckResponse answer) {
            begun.countDown();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end.complete(status);
            begun.countDown();
        }
    }
}
