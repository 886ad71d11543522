package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.job.v1.RunServiceGrpc;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GrpcServerTest {
    @Test
    void saysThatItServesAndWhat() {
        try (RunningScheduler scheduler = new RunningScheduler()) {
            Iterator<HealthCheckResponse> health = HealthGrpc.newBlockingStub(scheduler.channel())
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .watch(HealthCheckRequest.getDefaultInstance());

            while (health.next().getStatus() != HealthCheckResponse.ServingStatus.SERVING) {}
            assertThat(services(scheduler).join().getListServicesResponse().getServiceList())
                    .extracting(ServiceResponse::getName)
                    .contains(RunServiceGrpc.SERVICE_NAME, HealthGrpc.SERVICE_NAME);
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
