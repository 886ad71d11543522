package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The scheduler's gRPC interface, as a client in any language sees it. */
@ExtendWith(SharedInstallation.class)
final class GrpcTest {
    private ManagedChannel channel;

    @BeforeEach
    void connect(Installation installation) {
        channel = ManagedChannelBuilder.forTarget(installation.cluster().schedulerAddress(0))
                .usePlaintext()
                .build();
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    @Test
    void isHealthy() {
        var health = HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());

        assertThat(health.getStatus()).isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void describesItselfByReflection() throws Exception {
        assertThat(reflectedServices())
                .contains(
                        "millrace.run.v1.RunService",
                        "millrace.flow.v1.FlowService",
                        "millrace.script.v1.ScriptService",
                        "millrace.log.v1.LogService",
                        "millrace.worker.v1.WorkerService",
                        "millrace.worker.v1.WorkerSessionService",
                        "grpc.health.v1.Health");
    }

    @Test
    void runsAScript(Api api) {
        api.deployScript("grpc/greet.py", "def main(name: str):\n    return 'hello ' + name\n");
        RunSpec spec = RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setScriptPath("grpc/greet.py"))
                .setInput(ByteString.copyFromUtf8("{\"name\":\"Ada\"}"))
                .build();

        Run run = RunServiceGrpc.newBlockingStub(channel)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(spec)
                        .setWait(Duration.newBuilder().setSeconds(30))
                        .build())
                .getRun();

        assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(run.getOutput().toStringUtf8()).isEqualTo("\"hello Ada\"");
    }

    @Test
    void saysWhatIsWrongWithAnId() {
        var stub = RunServiceGrpc.newBlockingStub(channel);

        var refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> stub.getRun(GetRunRequest.newBuilder().setRunId("seven").build()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused.getStatus().getDescription()).contains("seven");
    }

    private List<String> reflectedServices() throws Exception {
        var services = new CompletableFuture<List<String>>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        services.complete(response.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .toList());
                    }

                    @Override
                    public void onError(Throwable error) {
                        services.completeExceptionally(error);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        List<String> names = services.get(60, TimeUnit.SECONDS);
        requests.onCompleted();
        return names;
    }
}
