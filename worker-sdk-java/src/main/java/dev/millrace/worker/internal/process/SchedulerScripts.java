package dev.millrace.worker.internal.process;

import com.google.protobuf.ByteString;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepInputSchemaRequest;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.session.LeaseKey;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Source of scripts: the leases of their jobs, else the scheduler, which is asked by these leases. It waits a limited
 * time for a connection.
 */
public final class SchedulerScripts implements ScriptSource {
    static final Duration FETCH_TIMEOUT = Duration.ofSeconds(30);
    static final Duration RETRY_DELAY = Duration.ofMillis(200);

    /**
     * Ends of calls that are repeated: the scheduler is away, a refused token may be replaced by a new one, and a lost
     * lease may not be the only one of the script.
     */
    private static final Set<Status.Code> PASSING =
            EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.UNAUTHENTICATED, Status.Code.FAILED_PRECONDITION);

    private final JobApiServiceGrpc.JobApiServiceBlockingStub jobs;
    private final ScriptServiceGrpc.ScriptServiceBlockingStub scripts;

    public SchedulerScripts(Channel channel) {
        this.jobs = JobApiServiceGrpc.newBlockingStub(channel).withWaitForReady();
        this.scripts = ScriptServiceGrpc.newBlockingStub(channel).withWaitForReady();
    }

    @Override
    public Script fetch(ScriptKey key, Supplier<Optional<LeasedJob>> lease) {
        Deadline deadline = Deadline.after(FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        while (true) {
            LeasedJob held = lease.get()
                    .orElseThrow(() -> new LoadException(
                            "No job of this worker runs the script version " + key.hash() + " any more.", true));
            if (held.lease().hasScript()) {
                return held.lease().getScript();
            }
            try {
                return fetch(key, held.key(), deadline);
            } catch (StatusRuntimeException e) {
                Status status = e.getStatus();
                if (status.getCode() == Status.Code.NOT_FOUND) {
                    throw new LoadException(
                            "The script version " + key.hash()
                                    + " does not exist: the scheduler has none with this hash.",
                            false);
                }
                if (!PASSING.contains(status.getCode()) || deadline.isExpired()) {
                    throw new LoadException.Unavailable(
                            "The script version " + key.hash() + " could not be fetched: " + status + ".");
                }
                pause(key);
            }
        }
    }

    @Override
    public void keepSchema(LeasedJob job, byte[] schema) {
        try {
            var unused = jobs.withDeadlineAfter(FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .keepInputSchema(KeepInputSchemaRequest.newBuilder()
                            .setJobId(job.key().jobId())
                            .setLeaseToken(job.key().token())
                            .setSchema(ByteString.copyFrom(schema))
                            .build());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                throw new LoadException(
                        "The scheduler does not keep the schema of the script: "
                                + e.getStatus().getDescription() + ".",
                        false);
            }
            throw new LoadException.Unavailable(
                    "The scheduler could not be given the schema of the script: " + e.getStatus() + ".");
        }
    }

    @Override
    public LockKeeper locks(Supplier<Optional<LeasedJob>> lease) {
        return new SchedulerLocks(jobs, lease);
    }

    private Script fetch(ScriptKey key, LeaseKey lease, Deadline deadline) {
        try {
            dev.millrace.proto.worker.v1.GetScriptRequest request =
                    dev.millrace.proto.worker.v1.GetScriptRequest.newBuilder()
                            .setJobId(lease.jobId())
                            .setLeaseToken(lease.token())
                            .build();
            return jobs.withDeadline(deadline).getScript(request).getScript();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
                throw e;
            }
            // A scheduler of an earlier version knows no tokens, and gives scripts by their hashes.
            GetScriptRequest byHash = GetScriptRequest.newBuilder()
                    .setWorkspace(key.workspace())
                    .setHash(key.hash())
                    .build();
            return scripts.withDeadline(deadline).getScript(byHash).getScript();
        }
    }

    /** Waits before a retry: the scheduler went away during a call, and may be back soon. */
    private static void pause(ScriptKey key) {
        try {
            Thread.sleep(RETRY_DELAY.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException.Unavailable(
                    "The worker stopped while it fetched the script version " + key.hash() + ".");
        }
    }
}
