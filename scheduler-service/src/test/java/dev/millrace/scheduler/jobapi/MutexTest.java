package dev.millrace.scheduler.jobapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.AcquireLockResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests over gRPC, on a real Postgres. Holds expire because the test moves their end, not because it waits. */
class MutexTest {
    private static final RunningScheduler SCHEDULER = new RunningScheduler().withWorkspaces("strangers");
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), "handler:hold");

    private final String name = "mutex-" + UUID.randomUUID();
    private Lease one = Lease.getDefaultInstance();
    private Lease other = Lease.getDefaultInstance();

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @BeforeEach
    void startTwoJobs() throws InterruptedException {
        one = start();
        other = start();
    }

    @Test
    void isHeldByOneJobAtATime() {
        assertThat(acquire(one, hold()).getAcquired()).isTrue();

        AcquireLockResponse busy = acquire(other, hold());

        assertThat(busy.getAcquired()).isFalse();
        assertThat(busy.getRetryAfter().getSeconds()).isBetween(50L, 60L);
    }

    @Test
    void isFreeOnceItIsReleased() {
        String hold = hold();
        long first = acquire(one, hold).getFence();
        assertThat(release(one, hold)).isTrue();

        AcquireLockResponse next = acquire(other, hold());

        assertThat(next.getAcquired()).isTrue();
        assertThat(next.getFence()).isGreaterThan(first);
    }

    @Test
    void canBeTakenAgainByItsHolderAndIsFreeAfterTheLastRelease() {
        String outer = hold();
        String inner = hold();
        long fence = acquire(one, outer).getFence();

        assertThat(acquire(one, inner).getFence()).isEqualTo(fence);
        assertThat(release(one, inner)).isTrue();
        assertThat(acquire(other, hold()).getAcquired()).isFalse();
        assertThat(release(one, outer)).isTrue();
        assertThat(acquire(other, hold()).getAcquired()).isTrue();
    }

    @Test
    void countsAHoldOnceHoweverOftenItIsAskedFor() {
        String hold = hold();
        acquire(one, hold);
        acquire(one, hold);

        assertThat(release(one, hold)).isTrue();
        assertThat(release(one, hold)).isFalse();
        assertThat(acquire(other, hold()).getAcquired()).isTrue();
    }

    @Test
    void isTakenByAJobOnlySoOften() {
        String first = hold();
        acquire(one, first);
        for (int i = 1; i < MutexStore.HOLDS_MAX; i++) {
            acquire(one, hold());
        }

        assertThatThrownBy(() -> acquire(one, hold())).hasMessageContaining("100 times");
        assertThat(acquire(one, first).getAcquired()).isTrue();
        assertThat(acquire(other, hold()).getAcquired()).isFalse();
    }

    @Test
    void isFreeWhenItsJobHasEnded() throws InterruptedException {
        long first = acquire(one, hold()).getFence();

        WORKER.succeed(one, "1");
        awaitEnd(one);

        AcquireLockResponse next = acquire(other, hold());
        assertThat(next.getAcquired()).isTrue();
        assertThat(next.getFence()).isGreaterThan(first);
    }

    @Test
    void isFreeWhenItsRunIsCanceled() {
        acquire(one, hold());

        cancel(one);

        assertThat(acquire(other, hold()).getAcquired()).isTrue();
    }

    @Test
    void isTakenOverByTheNextAttemptAndByNobodyElse() throws InterruptedException {
        String lost = hold();
        long first = acquire(one, lost).getFence();

        WORKER.giveBack(one);
        Lease again = WORKER.take();

        assertThat(again.getJobId()).isEqualTo(one.getJobId());
        assertThat(acquire(other, hold()).getAcquired()).isFalse();
        String hold = hold();
        assertThat(acquire(again, hold).getFence()).isGreaterThan(first);
        assertThat(release(again, lost)).isFalse();
        assertThat(release(again, hold)).isTrue();
        assertThat(acquire(other, hold()).getAcquired()).isTrue();
    }

    @Test
    void isNotLentToAnotherWorkspace() throws InterruptedException {
        Lease stranger = start(request -> request.setWorkspace("strangers"));
        acquire(one, hold());

        assertThat(acquire(stranger, hold()).getAcquired()).isTrue();
        assertThat(acquire(other, hold()).getAcquired()).isFalse();
    }

    @Test
    void isFreeWhenItsTimeIsOver() {
        String lost = hold();
        long first = acquire(one, lost).getFence();
        runOut();

        AcquireLockResponse next = acquire(other, hold());

        assertThat(next.getAcquired()).isTrue();
        assertThat(next.getFence()).isGreaterThan(first);
        assertThat(release(one, lost)).isFalse();
        assertThat(acquire(one, hold()).getAcquired()).isFalse();
    }

    @Test
    void aHolderThatComesBackLateHasAnotherFence() {
        long first = acquire(one, hold()).getFence();
        runOut();

        assertThat(acquire(one, hold()).getFence()).isGreaterThan(first);
    }

    @Test
    void helpsNobodyWhoseLeaseIsGone() {
        cancel(one);

        assertThatThrownBy(() -> acquire(one, hold())).isInstanceOfSatisfying(StatusRuntimeException.class, refusal -> {
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(refusal).hasMessageContaining("The lease is no longer held");
        });
        assertThatThrownBy(() -> release(one, hold())).hasMessageContaining("FAILED_PRECONDITION");
        assertThatThrownBy(() -> acquire(request(other, hold()).setLeaseToken(other.getLeaseToken() + 1)))
                .hasMessageContaining("FAILED_PRECONDITION");
        assertThat(acquire(other, hold()).getAcquired()).isTrue();
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> acquire(request(one, hold()).setName(""))).hasMessageContaining("name:");
        assertThatThrownBy(() -> acquire(request(one, hold()).clearTtl())).hasMessageContaining("ttl:");
        assertThatThrownBy(() -> acquire(request(one, hold()).setName("\0"))).hasMessageContaining("name:");
        assertThatThrownBy(() -> acquire(
                        request(one, hold()).setTtl(Duration.newBuilder().setSeconds(Long.MAX_VALUE))))
                .hasMessageContaining("ttl:");
        assertThatThrownBy(() -> acquire(request(one, "no id"))).hasMessageContaining("hold_id");
    }

    @Test
    void isNeverHeldByTwoWhoAskAtTheSameTime() throws Exception {
        List<Lease> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(start());
        }
        // The holder has ended, and any of the jobs may be the first to notice.
        acquire(one, hold());
        cancel(one);
        List<Future<Boolean>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Lease job : jobs) {
                answers.add(threads.submit(() -> acquire(job, hold()).getAcquired()));
            }
        }

        int acquired = 0;
        for (Future<Boolean> answer : answers) {
            acquired += answer.get() ? 1 : 0;
        }
        assertThat(acquired).isEqualTo(1);
    }

    private static Lease start() throws InterruptedException {
        return start(UnaryOperator.identity());
    }

    private static Lease start(UnaryOperator<SubmitRunRequest.Builder> options) throws InterruptedException {
        SubmitRunRequest.Builder request =
                SubmitRunRequest.newBuilder().setSpec(RunningScheduler.handler("hold", UnaryOperator.identity()));
        var _ = SCHEDULER.runs().submitRun(options.apply(request).build());
        return WORKER.take();
    }

    private static void awaitEnd(Lease lease) {
        WatchRunRequest request =
                WatchRunRequest.newBuilder().setRunId(lease.getRunId()).build();
        SCHEDULER.runs().watchRun(request).forEachRemaining(_ -> {});
    }

    private static void cancel(Lease lease) {
        var _ = SCHEDULER
                .operations()
                .cancelRun(
                        CancelRunRequest.newBuilder().setRunId(lease.getRunId()).build());
    }

    private void runOut() {
        SCHEDULER.database().execute("update mutex set expires_at = now() where name = '/" + name + "'");
    }

    private AcquireLockResponse acquire(Lease lease, String hold) {
        return acquire(request(lease, hold));
    }

    private static AcquireLockResponse acquire(AcquireLockRequest.Builder request) {
        return steps().acquireLock(request.build());
    }

    private boolean release(Lease lease, String hold) {
        return steps().releaseLock(ReleaseLockRequest.newBuilder()
                        .setJobId(lease.getJobId())
                        .setLeaseToken(lease.getLeaseToken())
                        .setName(name)
                        .setHoldId(hold)
                        .build())
                .getReleased();
    }

    private AcquireLockRequest.Builder request(Lease lease, String hold) {
        return AcquireLockRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setName(name)
                .setHoldId(hold)
                .setTtl(Duration.newBuilder().setSeconds(60));
    }

    private static String hold() {
        return UUID.randomUUID().toString();
    }

    private static JobApiServiceGrpc.JobApiServiceBlockingStub steps() {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }
}
