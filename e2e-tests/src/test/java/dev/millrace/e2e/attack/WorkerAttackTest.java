package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.secret.v1.SecretServiceGrpc;
import dev.millrace.proto.secret.v1.SetSecretRequest;
import dev.millrace.proto.worker.v1.Demand;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.Welcome;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks by workers, which have a token: for jobs of others, for sessions of others, and for secrets. */
final class WorkerAttackTest {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";
    private static final String LOOT = "handler:loot";
    private static final String FIRST = "the first secret";
    private static final String SECOND = "the second secret";

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;

    /** The scheduler listens in plain text beyond this machine, as behind a network that encrypts. */
    @BeforeAll
    static void start() {
        installation = GuardedInstallation.start(
                "attack-worker",
                folder,
                Map.of("millrace.grpc.host", "0.0.0.0", "millrace.grpc.allow-plaintext", "true"));
        installation.workspace(OURS);
        installation.isolatedWorkspace(THEIRS);
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Tag("attack-16")
    void noWorkerOffersSlotsForTagsOfTheSchedulerOrOfAnotherWorkspace() {
        Channel shared = installation.with(installation.sharedWorker());
        for (String tag : List.of("@anything", "~" + THEIRS + "/" + LOOT)) {
            try (AttackingWorker greeting = new AttackingWorker(shared, AttackingWorker.hello(LOOT, tag));
                    AttackingWorker later = new AttackingWorker(shared, AttackingWorker.hello(LOOT))) {
                assertThat(greeting.end()).as("hello with %s", tag).isEqualTo(Status.Code.INVALID_ARGUMENT);

                later.welcome();
                later.send(OpenSessionRequest.newBuilder()
                        .setDemand(Demand.newBuilder().addSlotGroups(AttackingWorker.slots(tag))));
                assertThat(later.end()).as("demand with %s", tag).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    @Tag("attack-16")
    void noWorkerOffersSlotsForTagsBeyondItsToken() {
        Channel limited = installation.with(installation.worker(OURS, "gpu"));

        try (AttackingWorker greeting = new AttackingWorker(limited, AttackingWorker.hello("gpu", LOOT));
                AttackingWorker later = new AttackingWorker(limited, AttackingWorker.hello("gpu"))) {
            assertThat(greeting.end()).isEqualTo(Status.Code.PERMISSION_DENIED);

            later.welcome();
            later.send(OpenSessionRequest.newBuilder()
                    .setDemand(Demand.newBuilder().addSlotGroups(AttackingWorker.slots(LOOT))));
            assertThat(later.end()).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
    }

    @Test
    @Tag("attack-16")
    void aWorkerGetsTheJobsOfItsWorkspaceOnly() {
        submit(THEIRS, RunTarget.newBuilder().setHandler("loot"));

        for (String token : List.of(installation.worker(OURS), installation.sharedWorker())) {
            String own = submit(OURS, RunTarget.newBuilder().setHandler("loot"));
            try (AttackingWorker worker = new AttackingWorker(installation.with(token), AttackingWorker.hello(LOOT))) {
                // The foreign job is older, and would come first.
                Lease lease = worker.lease();
                assertThat(lease.getWorkspace()).isEqualTo(OURS);
                assertThat(lease.getRunId()).isEqualTo(own);
                worker.succeed(lease);
            }
        }
    }

    @Test
    void noWorkerFillsTheListOfWorkers() {
        Channel channel = installation.with(installation.worker(OURS));
        Hello boast = AttackingWorker.hello(LOOT).toBuilder()
                .putLabels("about", "x".repeat(300_000))
                .build();
        Hello nul = AttackingWorker.hello(LOOT).toBuilder().setVersion("1\0").build();

        for (Hello hello : List.of(boast, nul)) {
            try (AttackingWorker worker = new AttackingWorker(channel, hello)) {
                assertThat(worker.end()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    @Tag("attack-17")
    void aSessionResumesUnderItsOwnTokenOnly() {
        Channel victim = installation.with(installation.worker(OURS));
        Channel attacker = installation.with(installation.worker(OURS));
        try (AttackingWorker owner = new AttackingWorker(victim, AttackingWorker.hello("sleep"))) {
            Welcome session = owner.welcome();
            Hello stolen = AttackingWorker.hello("sleep").toBuilder()
                    .setSessionId(session.getSessionId())
                    .setResumeToken(session.getResumeToken())
                    .build();

            try (AttackingWorker thief = new AttackingWorker(attacker, stolen)) {
                Welcome answer = thief.welcome();
                assertThat(answer.getResumed()).isFalse();
                assertThat(answer.getSessionId()).isNotEqualTo(session.getSessionId());
            }

            owner.send(OpenSessionRequest.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder().setSequence(7)));
            assertThat(owner.heartbeat()).isEqualTo(7);
            try (AttackingWorker again = new AttackingWorker(victim, stolen)) {
                assertThat(again.welcome().getResumed()).isTrue();
            }
        }
    }

    @Test
    @Tag("attack-18")
    void aLeaseResolvesTheSecretsOfItsOwnStepWhileItIsHeld() {
        String token = installation.worker(OURS);
        Channel channel = installation.with(token);
        startTwoStepsWithSecrets();
        try (AttackingWorker worker = new AttackingWorker(channel, AttackingWorker.hello("handler:a", "handler:b"))) {
            Lease one = worker.lease();
            Lease other = worker.lease();
            Lease first = one.getStep().equals("first") ? one : other;
            Lease second = first.equals(one) ? other : one;

            assertThat(resolve(channel, first.getJobId(), first.getLeaseToken()).toString())
                    .contains(FIRST)
                    .doesNotContain(SECOND);
            assertThat(refusal(channel, second.getJobId(), first.getLeaseToken()))
                    .as("for another step")
                    .isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(refusal(channel, first.getJobId(), first.getLeaseToken() + 1))
                    .as("without the lease")
                    .isEqualTo(Status.Code.FAILED_PRECONDITION);
            worker.giveBack(first);
            Lease again = worker.lease();
            assertThat(again.getJobId()).isEqualTo(first.getJobId());
            assertThat(refusal(channel, first.getJobId(), first.getLeaseToken()))
                    .as("with the lease before")
                    .isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(worker.succeed(again).getDisposition()).isEqualTo(ResultAck.Disposition.DISPOSITION_ACCEPTED);
            assertThat(refusal(channel, again.getJobId(), again.getLeaseToken()))
                    .as("after the end of the job")
                    .isEqualTo(Status.Code.FAILED_PRECONDITION);
            worker.succeed(second);
        }
    }

    @Test
    @Tag("attack-18")
    void secretsDoNotCrossTheNetworkInPlainText() {
        Optional<InetAddress> outside = addressBeyondLoopback();
        assumeTrue(outside.isPresent(), "this machine has no address but the loopback address");
        String token = installation.worker(OURS);
        startTwoStepsWithSecrets();
        ManagedChannel network = NettyChannelBuilder.forAddress(new InetSocketAddress(
                        outside.orElseThrow(), installation.cluster().schedulerPort(0)))
                .usePlaintext()
                .build();
        // The session itself is allowed, so only the answer with secrets is refused.
        try (AttackingWorker worker = new AttackingWorker(
                GuardedInstallation.with(network, token), AttackingWorker.hello("handler:a", "handler:b"))) {
            Lease lease = worker.lease();

            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> resolve(GuardedInstallation.with(network, token), lease.getJobId(), lease.getLeaseToken()));

            assertThat(refused).hasMessageContaining("PERMISSION_DENIED").hasMessageContaining("without TLS");
            assertThat(resolve(installation.with(token), lease.getJobId(), lease.getLeaseToken())
                            .getValuesList())
                    .as("over loopback")
                    .isNotEmpty();
            worker.succeed(lease);
            worker.succeed(worker.lease());
        } finally {
            network.shutdownNow();
        }
    }

    private static void startTwoStepsWithSecrets() {
        Channel owner = installation.owner();
        Map.of("vault/first", FIRST, "vault/second", SECOND)
                .forEach((path, value) -> SecretServiceGrpc.newBlockingStub(owner)
                        .setSecret(SetSecretRequest.newBuilder()
                                .setWorkspace(OURS)
                                .setPath(path)
                                .setValue(ByteString.copyFromUtf8(value))
                                .build()));
        FlowServiceGrpc.newBlockingStub(owner)
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setWorkspace(OURS)
                        .setDefinition(ByteString.copyFrom("""
                                millrace: v1
                                name: vault/two
                                steps:
                                  - {id: first, handler: a, input: {key: "${{ secrets.vault.first }}"}}
                                  - {id: second, needs: [], handler: b, input: {key: "${{ secrets.vault.second }}"}}
                                """, UTF_8))
                        .build());
        submit(OURS, RunTarget.newBuilder().setFlowPath("vault/two"));
    }

    private static String submit(String workspace, RunTarget.Builder target) {
        return RunServiceGrpc.newBlockingStub(installation.owner())
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setSpec(RunSpec.newBuilder().setTarget(target))
                        .build())
                .getRun()
                .getId();
    }

    private static ResolveSecretsResponse resolve(Channel channel, String job, long token) {
        return JobApiServiceGrpc.newBlockingStub(channel)
                .resolveSecrets(ResolveSecretsRequest.newBuilder()
                        .setJobId(job)
                        .setLeaseToken(token)
                        .build());
    }

    /** The code with which the secrets are refused; OK if they are not. */
    private static Status.Code refusal(Channel channel, String job, long token) {
        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> resolve(channel, job, token));
        return refused == null
                ? Status.Code.OK
                : Objects.requireNonNull(refused.getStatus()).getCode();
    }

    private static Optional<InetAddress> addressBeyondLoopback() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .findFirst();
        } catch (SocketException unreadable) {
            throw new IllegalStateException("The addresses of this machine cannot be read.", unreadable);
        }
    }
}
