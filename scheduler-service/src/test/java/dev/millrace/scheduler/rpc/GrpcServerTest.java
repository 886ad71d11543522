package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class GrpcServerTest {
    @Test
    void saysThatItServesAndWhat() {
        try (RunningScheduler scheduler = new RunningScheduler()) {
            Iterator<HealthCheckResponse> health = HealthGrpc.newBlockingStub(scheduler.channel())
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .watch(HealthCheckRequest.getDefaultInstance());

            while (health.next().getStatus() != HealthCheckResponse.ServingStatus.SERVING) {}
            assertThat(services(scheduler).join().getListServicesResponse().getServiceList())
                    .extracting(ServiceResponse::getName)
                    .contains(RunServiceGrpc.SERVICE_NAME, HealthGrpc.SERVICE_NAME);
        }
    }

    @Test
    void refusesWhatIsNoMessageWithoutALineInTheLog() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.grpc");
        logger.addHandler(handler);
        try (RunningScheduler scheduler = new RunningScheduler()) {
            for (MethodDescriptor<?, ?> method : List.of(
                    RunServiceGrpc.getGetRunMethod(),
                    RunServiceGrpc.getWatchRunMethod(),
                    RunServiceGrpc.getSubmitRunBatchesMethod(),
                    WorkerSessionServiceGrpc.getOpenSessionMethod(),
                    HealthGrpc.getCheckMethod())) {
                StatusRuntimeException refused = sendGarbage(scheduler.channel(), method);
                assertThat(refused.getStatus().getCode())
                        .as(method.getFullMethodName())
                        .isEqualTo(Status.Code.INVALID_ARGUMENT);
                assertThat(refused).hasMessageContaining("is not a protobuf message of its type");
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    private static StatusRuntimeException sendGarbage(Channel channel, MethodDescriptor<?, ?> method) {
        MethodDescriptor<byte[], byte[]> raw = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(method.getFullMethodName())
                .build();
        CompletableFuture<StatusRuntimeException> end = new CompletableFuture<>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(raw, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS)),
                new StreamObserver<byte[]>() {
                    @Override
                    public void onNext(byte[] answer) {}

                    @Override
                    public void onError(Throwable failure) {
                        end.complete((StatusRuntimeException) failure);
                    }

                    @Override
                    public void onCompleted() {
                        end.completeExceptionally(new AssertionError("the call succeeded"));
                    }
                });
        requests.onNext(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0x01});
        requests.onCompleted();
        return end.join();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream bytes) {
            try {
                return bytes.readAllBytes();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    private static CompletableFuture<ServerReflectionResponse> services(RunningScheduler scheduler) {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> request = ServerReflectionGrpc.newStub(scheduler.channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        request.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        request.onCompleted();
        return answer;
    }
}
