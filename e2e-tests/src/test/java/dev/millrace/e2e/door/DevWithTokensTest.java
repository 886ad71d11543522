package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace dev --require-auth} on a machine that several people share: its own worker works, strangers do not. */
final class DevWithTokensTest {
    private static final Pattern TOKEN = Pattern.compile("token +(\\S+)  \\(of the first owner\\)");
    private static final Pattern GRPC = Pattern.compile("gRPC +(localhost:\\d+)");

    /** Returns what a script finds where a worker might keep a token: its environment and its folders. */
    private static final String NOSY = """
            import os

            def main():
                return [name for name, value in os.environ.items() if "mrw_" in value or "TOKEN" in name]
            """;

    @Test
    void onlyTheOwnWorkerNeedsNoToken(@TempDir Path folder) throws Exception {
        Path token;
        try (DevProcess dev = DevProcess.start(folder, "--require-auth")) {
            token = Path.of(dev.found(TOKEN));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                    .isEqualTo("rw-------");
            new Api(dev.gatewayUrl()).get("/api/v1/whoami").problem(401, "unauthenticated");
            Api owner = new Api(dev.gatewayUrl(), Files.readString(token).strip());

            owner.deployScript("door/nosy.py", NOSY);
            JsonNode run = owner.runToEnd(Map.of("target", Map.of("script", "door/nosy.py")));

            assertThat(run.path("state").asText()).as("%s", run).isEqualTo("succeeded");
            assertThat(run.path("output")).as("%s", run).isEmpty();
            assertRefusesStrangers(dev.found(GRPC));
            assertThat(dev.output()).contains("MILLRACE_TOKEN_FILE=" + token).doesNotContain("WARN");
        }
        assertThat(token).as("the token of data that is gone").doesNotExist();
    }

    private static void assertRefusesStrangers(String target) {
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(target).usePlaintext().build();
        try {
            StatusRuntimeException refusal = Assertions.catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> RunServiceGrpc.newBlockingStub(channel).listRuns(ListRunsRequest.getDefaultInstance()));
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(openSession(channel))
                    .failsWithin(Api.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("UNAUTHENTICATED");
        } finally {
            channel.shutdownNow();
        }
    }

    private static CompletableFuture<OpenSessionResponse> openSession(ManagedChannel channel) {
        var answer = new CompletableFuture<OpenSessionResponse>();
        StreamObserver<OpenSessionRequest> requests = WorkerSessionServiceGrpc.newStub(channel)
                .openSession(new StreamObserver<>() {
                    @Override
                    public void onNext(OpenSessionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(OpenSessionRequest.newBuilder()
                .setHello(Hello.newBuilder().setWorkerName("stranger"))
                .build());
        return answer;
    }
}
