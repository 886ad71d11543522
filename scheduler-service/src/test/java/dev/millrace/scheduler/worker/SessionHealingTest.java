package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.Metrics;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.testing.RunningScheduler;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.tls.InProcess;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what a worker and its jobs must not lose if messages are lost or schedulers stop. */
@Tag("nightly")
@Timeout(120)
class SessionHealingTest {
    private static final String TAG = "handler:h";
    private static final String CUT_LISTENERS =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace listen'";

    private static final Duration PAUSE = Duration.ofMillis(20);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Database database = postgres.database();

    private final Scheduler scheduler = Scheduler.start(postgres.schedulerConfig());

    private final ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", scheduler.port())
            .usePlaintext()
            .build();

    private final ResumingWorker worker = new ResumingWorker(TAG);

    @AfterEach
    void close() {
        worker.close();
        channel.shutdownNow();
        scheduler.close();
    }

    @Test
    void storesLogsOfAJobAfterItsResultWasAccepted() {
        worker.connect(scheduler.port());
        Lease lease = lease();
        worker.succeed(lease);
        accepted();

        worker.print(lease, 0, "sent again\n");

        ResumingWorker.next(worker.storedBatches);
        assertThat(logOf(lease)).containsExactly("1|sent again\n");
    }

    @Test
    void acceptsAResultOnlyAfterTheLogsOfTheJobAreStored() {
        worker.connect(scheduler.port());
        Lease prints = lease();
        Lease silent = lease();

        database.transaction(context -> {
            context.execute("lock table job_log in exclusive mode");
            worker.print(prints, 0, "before the result\n");
            worker.succeed(prints);
            worker.succeed(silent);
            ResultAck first = ResumingWorker.next(worker.acks);
            assertThat(first.getJobId()).as("the other need not wait").isEqualTo(silent.getJobId());
            return true;
        });

        assertThat(ResumingWorker.next(worker.acks).getJobId()).isEqualTo(prints.getJobId());
        assertThat(logOf(prints)).containsExactly("1|before the result\n");
    }

    @Test
    void storesLogsWhileTheSessionIsResumedElsewhere() {
        Welcome session = worker.connect(scheduler.port());
        Lease running = lease();
        Lease ended = lease();
        worker.succeed(ended);
        accepted();

        try (Scheduler other = Scheduler.start(postgres.schedulerConfig())) {
            worker.resume(other.port(), session, running);
            worker.print(running, 0, "running\n");
            worker.print(ended, 0, "ended\n");
            ResumingWorker.next(worker.storedBatches);
            ResumingWorker.next(worker.storedBatches);

            assertThat(logOf(running)).containsExactly("1|running\n");
            assertThat(logOf(ended)).containsExactly("1|ended\n");
            worker.succeed(running);
            accepted();
        }
    }

    @Test
    void forgetsTheLeasesOfASessionThatWentOnElsewhere() {
        WorkerConfig often = new WorkerConfig(Duration.ofSeconds(2), Duration.ofMillis(500));
        Metrics metrics = new Metrics();
        try (Scheduler left = Scheduler.start(
                        postgres.schedulerConfig().withWorker(often), InProcess.newTarget(), metrics, Tracing.start());
                Scheduler other = Scheduler.start(postgres.schedulerConfig().withWorker(often))) {
            Welcome session = worker.connect(left.port());
            Lease lease = lease();
            awaitLine(metrics, "millrace_worker_leases 1.0");

            worker.resume(other.port(), session, lease);

            awaitLine(metrics, "millrace_worker_leases 0.0");
            worker.succeed(lease);
            accepted();
        }
    }

    @Test
    void ignoresLogsOfALeaseThatNeverExisted() {
        worker.connect(scheduler.port());
        Lease lease = lease();
        worker.print(lease.toBuilder().setLeaseToken(lease.getLeaseToken() + 1).build(), 0, "forged\n");

        ResumingWorker.next(worker.storedBatches);
        assertThat(logOf(lease)).isEmpty();
    }

    @Test
    void cancelsAJobOnItsWorkerIfTheNotificationWasLost() {
        worker.connect(scheduler.port());
        Lease lease = lease();

        // Simulates another scheduler that cancels the run, without its notification.
        postgres.execute("delete from job_queue");
        postgres.execute(CUT_LISTENERS);

        assertThat(ResumingWorker.next(worker.cancels).getJobId()).isEqualTo(lease.getJobId());
    }

    @Test
    void sendsALeaseThatWasCommittedButNeverSent() {
        Welcome session = worker.connect(scheduler.port());
        String held = submit().getId();
        ResumingWorker.next(worker.leases);
        // Simulates a scheduler that dies between the commit and the message.
        postgres.execute("update job_queue set lease_token = 4711, session_id = '" + session.getSessionId() + "'");

        Lease sent = ResumingWorker.next(worker.leases);
        assertThat(sent.getLeaseToken()).isEqualTo(4711);
        worker.succeed(sent);
        accepted();
        assertThat(held).isNotEmpty();
    }

    /** Sessions last longer than the test, so the jobs can only arrive because the worker's death was noticed. */
    @Test
    void requeuesTheJobsOfADeadWorkerLongBeforeItsSessionWouldExpire() {
        WorkerConfig patience = new WorkerConfig(Duration.ofHours(1), Duration.ofSeconds(5));
        try (Scheduler patient = Scheduler.start(postgres.schedulerConfig().withWorker(patience));
                ResumingWorker other = new ResumingWorker(TAG)) {
            worker.connect(patient.port());
            Lease lease = lease();
            other.connect(patient.port());

            worker.die();

            assertThat(ResumingWorker.next(other.leases).getJobId()).isEqualTo(lease.getJobId());
        }
    }

    @Test
    void keepsTheJobsOfAWorkerThatReconnectsAtOnce() {
        Welcome session = worker.connect(scheduler.port());
        Lease lease = lease();
        worker.die();
        worker.resume(scheduler.port(), session, lease);
        assertThat(ResumingWorker.next(worker.welcomes).getResumed()).isTrue();

        worker.succeed(lease);
        accepted();
        assertThat(worker.leases).isEmpty();
    }

    @Test
    void resumesASessionAfterAFailedAttempt() {
        Welcome session = worker.connect(scheduler.port());
        Lease lease = lease();
        worker.die();
        ResumingWorker.next(worker.ends);
        // Simulates an outage of the database that begins during the resumption.
        postgres.execute("alter table worker_group rename to worker_group_away");
        worker.resume(scheduler.port(), session, lease);
        ResumingWorker.next(worker.ends);
        worker.welcomes.clear();
        postgres.execute("alter table worker_group_away rename to worker_group");

        worker.resume(scheduler.port(), session, lease);
        assertThat(ResumingWorker.next(worker.welcomes).getResumed()).isTrue();
        worker.succeed(lease);
        accepted();
    }

    private Lease lease() {
        submit();
        return ResumingWorker.next(worker.leases);
    }

    private Run submit() {
        return RunServiceGrpc.newBlockingStub(channel)
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunningScheduler.handler("h", spec -> spec))
                        .build())
                .getRun();
    }

    private void accepted() {
        assertThat(ResumingWorker.next(worker.acks).getDisposition())
                .isEqualTo(ResultAck.Disposition.DISPOSITION_ACCEPTED);
    }

    private static void awaitLine(Metrics metrics, String line) {
        while (metrics.page("application/openmetrics-text").text().lines().noneMatch(line::equals)) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private List<String> logOf(Lease lease) {
        return database.run(context -> context.fetch(
                        "select attempt || '|' || text from job_log where job_id = ?::uuid and stream = 1 order by sequence",
                        lease.getJobId())
                .getValues(0, String.class));
    }
}
