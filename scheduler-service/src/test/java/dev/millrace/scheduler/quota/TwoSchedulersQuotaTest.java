package dev.millrace.scheduler.quota;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests what two schedulers of one database know of each other's quotas and tokens. */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoSchedulersQuotaTest {
    /** Less than the time after which a scheduler looks by itself. */
    private static final Duration TOLD_MAX = Duration.ofSeconds(4);
    /** Time after which a scheduler has looked by itself, and some time for a busy machine. */
    private static final Duration HEALED_MAX = Duration.ofSeconds(13);

    private static final int BATCH = 500;

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;
    private final Channel other;

    TwoSchedulersQuotaTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
        other = scheduler.another();
    }

    @BeforeAll
    void createWorkspaces() {
        for (String name : List.of("rates", "queues", "streams", "told", "lost")) {
            WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                    .createWorkspace(
                            CreateWorkspaceRequest.newBuilder().setName(name).build());
        }
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aRateHoldsOnEachScheduler() {
        here("rates").set(Quotas.newBuilder().setSubmitsPerSecondMax(2));
        here("rates").submitBatch(BATCH);
        assertThatThrownBy(() -> here("rates").submit()).hasMessageContaining("submits_per_second_max");

        // The debt on one scheduler is none on the other, which has a rate of its own.
        there("rates").submitBatch(BATCH);
        assertThat(QuotaCalls.refusalWithin(() -> there("rates").submit()))
                .hasMessageContaining("submits_per_second_max");
    }

    @Test
    void jobsAreCountedAcrossBoth() {
        here("queues").set(Quotas.newBuilder().setQueuedJobsMax(20));
        here("queues").submitBatch(20);

        StatusRuntimeException refusal =
                QuotaCalls.refusalWithin(() -> there("queues").submit());

        assertThat(refusal).hasMessageContaining("queued_jobs_max");
        assertThat(there("queues").get().getUse().getQueuedJobs()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void openStreamsAreCountedOnEachScheduler() {
        here("streams").set(Quotas.newBuilder().setOpenStreamsMax(1));
        String run = here("streams").submit();
        assertThat(here("streams").watch(run).next().hasRun()).isTrue();
        assertThatThrownBy(() -> here("streams").watch(run).next()).hasMessageContaining("open_streams_max");

        assertThat(there("streams").watch(run).next().hasRun()).isTrue();
        assertThat(QuotaCalls.refusalWithin(() -> there("streams").watch(run).next()))
                .hasMessageContaining("open_streams_max");
    }

    @Test
    void aChangedQuotaIsToldToTheOther() {
        there("told").submit();
        here("told").set(Quotas.newBuilder().setSubmitsPerSecondMax(1));

        Duration took = timeUntilRefused(() -> there("told").submit());

        System.out.printf("quota: the other scheduler knows a new quota after %d ms%n", took.toMillis());
        assertThat(took).isLessThan(TOLD_MAX);
    }

    @Test
    void aChangedQuotaIsFoundIfNobodyTells() {
        here("lost").submit();
        scheduler.database().execute("""
                insert into workspace_quota (workspace, submits_per_second_max, queued_jobs_max, open_streams_max,
                    log_bytes_per_second_max, payload_bytes_per_second_max, set_by)
                values ('lost', 1, 0, 0, 0, 0, 'test')
                """);

        Duration took = timeUntilRefused(() -> there("lost").submit());

        assertThat(took).isLessThan(HEALED_MAX);
    }

    @Test
    void aRevokedTokenEndsOnTheOtherAtOnce() {
        String token = calls.user("default", "", Role.ROLE_RUNNER);
        Iterator<WatchRunResponse> stream = openStream(token);
        String id = whoAmI(other, token);

        var _ = TokenServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .revokeToken(RevokeTokenRequest.newBuilder().setId(id).build());

        Duration call = timeUntilRefused(() -> whoAmI(other, token));
        Duration end = timeUntilRefused(stream::next);
        System.out.printf(
                "token: the other scheduler refuses a revoked token after %d ms, and has ended its stream %d ms later%n",
                call.toMillis(), end.toMillis());
        assertThat(call.plus(end)).isLessThan(TOLD_MAX);
    }

    @Test
    void aRevokedTokenEndsIfNobodyTells() {
        String token = calls.user("default", "", Role.ROLE_RUNNER);
        Iterator<WatchRunResponse> stream = openStream(token);
        String id = whoAmI(other, token);

        scheduler.database().execute("update credential set revoked_at = now() where id = '" + id + "'");

        Duration end = timeUntilRefused(stream::next);
        Duration call = timeUntilRefused(() -> whoAmI(other, token));
        assertThat(call.plus(end)).isLessThan(HEALED_MAX);
        assertThat(code(QuotaCalls.refusalWithin(() -> whoAmI(other, token)))).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    private QuotaCalls here(String workspace) {
        return new QuotaCalls(calls.with(calls.owner()), workspace);
    }

    private QuotaCalls there(String workspace) {
        return new QuotaCalls(IdentityCalls.on(other, calls.owner()), workspace);
    }

    /** A stream of the other scheduler that has begun. */
    private Iterator<WatchRunResponse> openStream(String token) {
        QuotaCalls caller = new QuotaCalls(IdentityCalls.on(other, token), "default");
        Iterator<WatchRunResponse> stream = caller.watch(here("default").submit());
        assertThat(stream.next().hasRun()).isTrue();
        return stream;
    }

    /** Id of the token. */
    private static String whoAmI(Channel channel, String token) {
        return PrincipalServiceGrpc.newBlockingStub(IdentityCalls.on(channel, token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getTokenId();
    }

    private static Duration timeUntilRefused(ThrowingCallable call) {
        long begin = System.nanoTime();
        var _ = QuotaCalls.refusalWithin(call);
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
