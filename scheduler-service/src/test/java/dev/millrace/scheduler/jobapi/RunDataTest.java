package dev.millrace.scheduler.jobapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.GetDataResponse;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests over gRPC, on a real Postgres. */
class RunDataTest {
    private static final RunningScheduler SCHEDULER = new RunningScheduler();
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), "handler:share");

    private Lease job = Lease.getDefaultInstance();

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @BeforeEach
    void startAJob() throws InterruptedException {
        job = start();
    }

    @Test
    void readsWhatWasWrittenLast() {
        set(job, "k", "{\"a\": 1.50}");
        set(job, "k", "[null]");
        set(job, "nothing", "null");

        assertThat(get(job, "k").getValue().toStringUtf8()).isEqualTo("[null]");
        assertThat(get(job, "nothing").getFound()).isTrue();
        assertThat(get(job, "never").getFound()).isFalse();
    }

    @Test
    void keepsRunsApart() throws InterruptedException {
        set(job, "k", "1");

        assertThat(get(start(), "k").getFound()).isFalse();
    }

    @Test
    void helpsNobodyWhoseLeaseIsGone() {
        set(job, "k", "1");
        Lease stale = job.toBuilder().setLeaseToken(job.getLeaseToken() + 1).build();

        assertThatThrownBy(() -> set(stale, "k", "2")).hasMessageContaining("The lease is no longer held");
        assertThatThrownBy(() -> get(stale, "k")).hasMessageContaining("The lease is no longer held");
        assertThat(get(job, "k").getValue().toStringUtf8()).isEqualTo("1");
        var _ = SCHEDULER
                .operations()
                .cancelRun(
                        CancelRunRequest.newBuilder().setRunId(job.getRunId()).build());
        assertThatThrownBy(() -> set(job, "k", "2")).hasMessageContaining("The lease is no longer held");
    }

    @Test
    void refusesMoreKeysThanARunMayHave() {
        SCHEDULER.database().execute("""
                insert into run_data (bucket, run_id, key, value, job_id, updated_at)
                select bucket, run_id, 'k-' || n, '0', id, now() from job_queue, generate_series(1, 1000) n
                where run_id = '%s'
                """.formatted(job.getRunId()));

        assertThatThrownBy(() -> set(job, "another", "1")).hasMessageContaining("1000");
        set(job, "k-1", "1");

        assertThat(get(job, "k-1").getValue().toStringUtf8()).isEqualTo("1");
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> set(job, "", "1")).hasMessageContaining("key:");
        assertThatThrownBy(() -> set(job, "\0", "1")).hasMessageContaining("key:");
        assertThatThrownBy(() -> set(job, "k", "")).hasMessageContaining("value:");
        assertThatThrownBy(() -> set(job, "k", "{\"a\":")).hasMessageContaining("value: is not valid JSON");
        assertThatThrownBy(() -> set(job, "k", "1".repeat(JobApiGrpcService.VALUE_BYTES_MAX + 1)))
                .hasMessageContaining("value:");
    }

    private static Lease start() throws InterruptedException {
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunningScheduler.handler("share", UnaryOperator.identity()))
                        .build());
        return WORKER.take();
    }

    private static void set(Lease lease, String key, String json) {
        var _ = steps().setData(SetDataRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setKey(key)
                .setValue(ByteString.copyFromUtf8(json))
                .build());
    }

    private static GetDataResponse get(Lease lease, String key) {
        return steps().getData(GetDataRequest.newBuilder()
                .setJobId(lease.getJobId())
                .setLeaseToken(lease.getLeaseToken())
                .setKey(key)
                .build());
    }

    private static JobApiServiceGrpc.JobApiServiceBlockingStub steps() {
        return JobApiServiceGrpc.newBlockingStub(SCHEDULER.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }
}
