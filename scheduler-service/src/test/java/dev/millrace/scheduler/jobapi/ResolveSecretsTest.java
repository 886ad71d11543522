package dev.millrace.scheduler.jobapi;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.scheduler.secret.SecretCalls;
import dev.millrace.scheduler.testing.DatabaseText;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests what jobs get for the references of their steps, over gRPC. */
class ResolveSecretsTest {
    private static final RunningScheduler SCHEDULER = new RunningScheduler();
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), "handler:h");

    private final SecretCalls calls = new SecretCalls(SCHEDULER.channel());

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @Test
    void answersWithTheValuesOfTheStepAlone() throws InterruptedException {
        calls.set("shop/key", "correct horse");
        calls.set("shop/pw", "battery \"staple\"");
        calls.set("shop/unused", "nobody asks for it");
        calls.put("shop/db", "{\"host\": \"h\", \"password\": \"${{ secrets.shop.pw }}\"}");
        calls.deploy(
                "shop/sync",
                "h",
                "{key: '${{ secrets.shop.key }}', header: 'Bearer ${{ secrets.shop.key }}',"
                        + " db: '${{ resources.shop.db }}', list: [1, '${{ secrets.shop.pw }}'], plain: '${{ inputs.x }}'}");

        Lease lease = run("shop/sync", "{\"x\": 1}");

        assertThat(lease.getHasSecrets()).isTrue();
        assertThat(lease.getInput().toStringUtf8())
                .contains("${{ secrets.shop.key }}")
                .doesNotContain("horse");
        ResolveSecretsResponse resolved = resolve(lease);
        assertThat(resolved.getValuesList())
                .extracting(value -> value.getPointer() + " " + value.getValue().toStringUtf8())
                .containsExactlyInAnyOrder(
                        "/key \"correct horse\"",
                        "/header \"Bearer correct horse\"",
                        "/db {\"host\":\"h\",\"password\":\"battery \\\"staple\\\"\"}",
                        "/list/1 \"battery \\\"staple\\\"\"");
        assertThat(resolved.getMaskedList())
                .extracting(ByteString::toStringUtf8)
                .containsExactlyInAnyOrder("correct horse", "battery \"staple\"");
        WORKER.succeed(lease, "1");
        DatabaseText database = new DatabaseText(SCHEDULER.open());
        assertThat(database.tablesWith("correct horse")).isEmpty();
        assertThat(database.tablesWith("staple")).isEmpty();
    }

    @Test
    void takesNothingThatACallerWritesForAReference() throws InterruptedException {
        calls.set("shop/key", "correct horse");
        calls.deploy("shop/plain", "h", "{x: '${{ inputs.x }}'}");

        Lease step = run("shop/plain", "{\"x\": \"${{ secrets.shop.key }}\"}");
        assertThat(resolve(step)).isEqualTo(ResolveSecretsResponse.getDefaultInstance());
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunningScheduler.handler(
                                "h",
                                spec -> spec.setInput(ByteString.copyFromUtf8("{\"x\": \"${{ secrets.shop.key }}\"}"))))
                        .build());
        Lease job = WORKER.take();
        assertThat(resolve(job)).isEqualTo(ResolveSecretsResponse.getDefaultInstance());
        WORKER.succeed(step, "1");
        WORKER.succeed(job, "1");
    }

    @Test
    void costsJobsWithoutReferencesNothing() throws InterruptedException {
        calls.deploy("shop/none", "h", "{x: '${{ inputs.x }}'}");

        Lease lease = run("shop/none", "{\"x\": 1}");

        assertThat(lease.getHasSecrets()).isFalse();
        WORKER.succeed(lease, "1");
    }

    @Test
    void helpsNobodyWhoseLeaseIsGone() throws InterruptedException {
        calls.set("shop/key", "correct horse");
        calls.deploy("shop/one", "h", "{key: '${{ secrets.shop.key }}'}");
        Lease first = run("shop/one", "{}");
        Lease second = run("shop/one", "{}");

        // A token that was never given, the token of another job, and the token of an ended lease.
        Lease stale = first.toBuilder().setLeaseToken(first.getLeaseToken() + 1).build();
        Lease foreign = first.toBuilder().setLeaseToken(second.getLeaseToken()).build();
        for (Lease wrong : new Lease[] {stale, foreign}) {
            assertThat(reason(refusal(wrong))).isEqualTo("LEASE_LOST");
        }
        assertThat(resolve(first).getValuesList()).hasSize(1);
        WORKER.giveBack(first);
        Lease again = WORKER.take();
        assertThat(again.getJobId()).isEqualTo(first.getJobId());
        assertThat(reason(refusal(first))).isEqualTo("LEASE_LOST");
        assertThat(again.getHasSecrets()).isTrue();
        assertThat(resolve(again).getValuesList()).hasSize(1);
        WORKER.succeed(again, "1");
        WORKER.succeed(second, "1");
    }

    @Test
    void saysWhichSecretIsMissing() throws InterruptedException {
        calls.deploy("shop/missing", "h", "{key: '${{ secrets.shop.nothing }}', db: '${{ resources.shop.none }}'}");
        Lease lease = run("shop/missing", "{}");

        StatusRuntimeException refusal = refusal(lease);
        assertThat(reason(refusal)).isEqualTo("SECRET_UNAVAILABLE");
        assertThat(refusal).hasMessageContaining("There is no resource shop/none in workspace default");
        calls.put("shop/none", "[]");
        assertThat(refusal(lease))
                .hasMessageContaining(
                        "There is no secret shop/nothing in workspace default: set it with millrace secrets set shop/nothing");
        WORKER.succeed(lease, "1");
    }

    @Test
    void refusesWhatHasNoRoomInAnInput() throws InterruptedException {
        calls.set("shop/large", "x".repeat(60_000));
        calls.put("shop/repeats", "\"" + "${{ secrets.shop.large }}".repeat(2_000) + "\"");
        calls.deploy("shop/amplified", "h", "{key: '${{ resources.shop.repeats }}'}");
        Lease resource = run("shop/amplified", "{}");
        assertThat(refusal(resource)).hasMessageContaining("more than 1048576 characters together");
        assertThat(reason(refusal(resource))).isEqualTo("SECRET_UNAVAILABLE");
        WORKER.succeed(resource, "1");

        calls.deploy("shop/repeated", "h", "{key: '" + "${{ secrets.shop.large }}".repeat(100) + "'}");
        Lease secret = run("shop/repeated", "{}");
        assertThat(refusal(secret)).hasMessageContaining("more than 1048576 characters together");
        WORKER.succeed(secret, "1");
    }

    @Test
    void opensNoCiphertextThatSomebodyMoved() throws InterruptedException {
        calls.set("shop/mine", "value of mine");
        calls.set("billing/theirs", "value of theirs");
        calls.deploy("shop/moved", "h", "{key: '${{ secrets.shop.mine }}'}");
        SCHEDULER.database().execute("""
                update secret set sealed = (select sealed from secret where path = 'billing/theirs')
                where path = 'shop/mine'
                """);
        Lease lease = run("shop/moved", "{}");

        assertThatThrownBy(() -> resolve(lease))
                .hasMessageContaining("The stored value of the secret shop/mine does not belong there");
        WORKER.succeed(lease, "1");
    }

    @Test
    void resolvesStepsOfLoopsAndHooksAndSubFlows() throws InterruptedException {
        calls.set("shop/key", "correct horse");
        calls.deploy("shop/inner", "h", "{key: '${{ secrets.shop.key }}'}");
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath("shop/nested")
                        .setFileName("f.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: nested
                                steps:
                                  - {id: each, for_each: [1, 2], handler: h, input: {k: "${{ secrets.shop.key }}"}}
                                  - {id: sub, flow: shop/inner}
                                  - id: hooked
                                    handler: h
                                    before: {handler: h, input: {b: "${{ secrets.shop.key }}"}}
                                """))
                        .build());
        var run = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("shop/nested")))
                        .build())
                .getRun();

        for (String expected : new String[] {"/k", "/k", "/key", "/b", ""}) {
            Lease lease = WORKER.take();
            assertThat(resolve(lease).getValuesList())
                    .as(lease.getStep())
                    .extracting(value -> value.getPointer())
                    .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected));
            WORKER.succeed(lease, "1");
        }
        assertThat(SCHEDULER
                        .runs()
                        .getRun(GetRunRequest.newBuilder().setRunId(run.getId()).build())
                        .getRun()
                        .getTarget()
                        .getFlowHash())
                .isNotEmpty();
    }

    private static Lease run(String flow, String input) throws InterruptedException {
        UnaryOperator<RunSpec.Builder> spec = given -> given.setInput(ByteString.copyFromUtf8(input));
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(spec.apply(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow))))
                        .build());
        return WORKER.take();
    }

    private static ResolveSecretsResponse resolve(Lease lease) {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .resolveSecrets(ResolveSecretsRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .build());
    }

    private static StatusRuntimeException refusal(Lease lease) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> resolve(lease));
        assertThat(refusal).as("the call was answered").isNotNull();
        return refusal;
    }
}
