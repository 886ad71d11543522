package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Secrets of jobs in Java handlers. */
final class HandlerSecretsTest {
    private static final String INPUT = "{\"headers\":[{\"value\":\"${{ secrets.shop.api_key }}\"}]}";

    private final FakeScheduler scheduler = new FakeScheduler();

    @AfterEach
    void stop() {
        scheduler.close();
    }

    private JobResult run(JobHandler handler, Lease lease) throws InterruptedException {
        scheduler.steps().resolveTo("/headers/0/value", "hunter2hunter2");
        try (Worker worker =
                Worker.connect(scheduler.target()).handle("h", handler).start()) {
            FakeSession session = scheduler.awaitSession().welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
            session.lease(lease);
            JobResult result = session.awaitAndAcceptResult();
            assertThat(session.received().toString()).doesNotContain("hunter2");
            return result;
        }
    }

    private static Lease lease() {
        return TestLeases.withSecrets(TestLeases.handler("h", INPUT));
    }

    private static String key(JobContext context) {
        return context.input().at("/headers/0/value").asText();
    }

    @Test
    void getsTheSecretAndShowsItToNobody() throws Exception {
        JobResult result = run(
                context -> {
                    context.log("a " + key(context));
                    context.trace("b " + key(context));
                    context.setData("k", key(context));
                    return Map.of("length", key(context).length(), "key", key(context));
                },
                lease());

        assertThat(result.getResult().toStringUtf8()).contains("\"length\":14", "\"key\":\"***\"");
        assertThat(scheduler
                        .steps()
                        .requests(SetDataRequest.class)
                        .get(0)
                        .getValue()
                        .toStringUtf8())
                .isEqualTo("\"***\"");
    }

    @Test
    void masksErrors() throws Exception {
        JobResult result = run(
                context -> {
                    throw new IllegalStateException("no " + key(context), new Exception(key(context)));
                },
                lease());

        assertThat(result.getError().getMessage()).isEqualTo("no *** (caused by java.lang.Exception: ***)");
    }

    @Test
    void failsIfThereIsNoSecret() throws Exception {
        scheduler
                .steps()
                .refuseSecrets(Status.PERMISSION_DENIED
                        .withDescription("The worker may not.")
                        .asRuntimeException());

        JobResult result = run(HandlerSecretsTest::key, lease());

        assertThat(result.getError().getName()).isEqualTo("SecretUnavailable");
        assertThat(result.getError().getMessage()).endsWith("The worker may not.");
    }

    @Test
    void asksForNothingIfAJobHasNoSecrets() throws Exception {
        JobResult result = run(HandlerSecretsTest::key, TestLeases.handler("h", INPUT));

        assertThat(result.getResult().toStringUtf8()).isEqualTo("\"${{ secrets.shop.api_key }}\"");
        assertThat(scheduler.steps().requests(ResolveSecretsRequest.class)).isEmpty();
    }
}
