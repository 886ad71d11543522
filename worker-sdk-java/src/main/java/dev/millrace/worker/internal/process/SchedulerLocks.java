package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.GetPackageLockRequest;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.KeepPackageLockRequest;
import dev.millrace.worker.internal.packages.LockKeeper;
import dev.millrace.worker.internal.session.LeaseKey;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Keeps the versions of a script's packages at the scheduler, by the leases of the script's jobs. */
final class SchedulerLocks implements LockKeeper {
    private final JobApiServiceGrpc.JobApiServiceBlockingStub jobs;
    private final Supplier<Optional<LeasedJob>> lease;

    SchedulerLocks(JobApiServiceGrpc.JobApiServiceBlockingStub jobs, Supplier<Optional<LeasedJob>> lease) {
        this.jobs = jobs;
        this.lease = lease;
    }

    @Override
    public Optional<String> find(String interpreter) {
        return call(held -> jobs().getPackageLock(GetPackageLockRequest.newBuilder()
                                .setJobId(held.jobId())
                                .setLeaseToken(held.token())
                                .setInterpreter(interpreter)
                                .build())
                        .getLock())
                .filter(lock -> !lock.isEmpty());
    }

    @Override
    public String keep(String interpreter, String lock, List<String> inferred) {
        return call(held -> jobs().keepPackageLock(KeepPackageLockRequest.newBuilder()
                                .setJobId(held.jobId())
                                .setLeaseToken(held.token())
                                .setInterpreter(interpreter)
                                .setLock(lock)
                                .addAllInferred(inferred)
                                .build())
                        .getLock())
                .orElse(lock);
    }

    private JobApiServiceGrpc.JobApiServiceBlockingStub jobs() {
        return jobs.withDeadlineAfter(SchedulerScripts.FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Empty if the scheduler is of an earlier version, which keeps no locks. */
    private Optional<String> call(Function<LeaseKey, String> call) {
        LeaseKey held = lease.get()
                .map(LeasedJob::key)
                .orElseThrow(() -> new LoadException("No job of this worker runs the script any more.", true));
        try {
            return Optional.of(call.apply(held));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return Optional.empty();
            }
            if (e.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
                throw new LoadException(
                        "The scheduler does not keep the packages of the script: "
                                + e.getStatus().getDescription() + ".",
                        false);
            }
            throw new LoadException.Unavailable(
                    "The scheduler could not be asked for the packages of the script: " + e.getStatus() + ".");
        }
    }
}
