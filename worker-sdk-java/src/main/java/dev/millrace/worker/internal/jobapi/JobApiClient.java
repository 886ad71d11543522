package dev.millrace.worker.internal.jobapi;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.AcquireLockResponse;
import dev.millrace.proto.worker.v1.GetDataRequest;
import dev.millrace.proto.worker.v1.JobApiServiceGrpc;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.worker.internal.secret.JobSecrets;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Client for calls on behalf of running jobs. Each call carries the job's lease, so that a job which has lost its lease
 * changes nothing. No method blocks. While the scheduler is unavailable, calls are retried as long as the job is held.
 * Thread-safe.
 */
public final class JobApiClient {
    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    /** Largest value in bytes; the scheduler accepts no larger one. */
    static final int VALUE_BYTES_MAX = 256 << 10;

    static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    /** Longest time that the scheduler may be unavailable before a call fails. */
    static final Duration OUTAGE_MAX = Duration.ofSeconds(60);

    /** Longest time in which the secrets of a job must be resolved. */
    static final Duration RESOLVE_TIME_MAX = Duration.ofSeconds(30);

    static final Duration RETRY_DELAY = Duration.ofMillis(200);
    /** Delay between two attempts at a mutex that others hold: short at first, since most are held briefly. */
    static final Duration LOCK_DELAY_MIN = Duration.ofMillis(20);

    static final Duration LOCK_DELAY_MAX = Duration.ofSeconds(1);

    /** Ends of calls that are repeated. A token that has been refused may be replaced by a new one. */
    private static final Set<Status.Code> AWAY =
            EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAUTHENTICATED);

    private final JobApiServiceGrpc.JobApiServiceFutureStub scheduler;
    private final JobBlobs blobs;
    private final JobValues values;
    private final JobRuns runs;

    public JobApiClient(Channel channel) {
        this.scheduler = JobApiServiceGrpc.newFutureStub(channel);
        this.blobs = new JobBlobs(channel);
        JobValues.Calls calls = new JobValues.Calls() {
            @Override
            public <T> CompletableFuture<T> call(LeasedJob job, Supplier<ListenableFuture<T>> request) {
                return JobApiClient.this.call(job, request);
            }
        };
        this.values = new JobValues(channel, calls);
        this.runs = new JobRuns(channel, calls);
    }

    /** Reads and writes secrets, resources and states. */
    JobValues values() {
        return values;
    }

    /** Starts and follows runs. */
    JobRuns runs() {
        return runs;
    }

    /** Saves and loads blobs. */
    JobBlobs blobs() {
        return blobs;
    }

    /** Saves a file of a folder as a blob, as {@code blob.save} does. The result is the reference of the blob. */
    public CompletableFuture<JobApiAnswer> saveBlob(LeasedJob job, Path folder, String name, String mediaType) {
        return blobs.save(job, folder, name, mediaType);
    }

    /** Loads a blob into a new file of a folder. The result is the reference of the blob. */
    public CompletableFuture<JobApiAnswer> loadBlob(LeasedJob job, Path folder, String name, String blobId) {
        return blobs.load(job, folder, name, blobId);
    }

    /**
     * Acquires a mutex, and waits while others hold it. The result is {@code {"fence": …}}, or null if the wait was in
     * vain.
     */
    public CompletableFuture<JobApiAnswer> acquire(LeasedJob job, LockWish wish) {
        CompletableFuture<JobApiAnswer> answer = new CompletableFuture<>();
        new LockAttempt(job, wish, answer).start();
        return answer;
    }

    /** Releases a hold. The result is true, or false if the hold had expired before. */
    public CompletableFuture<JobApiAnswer> release(LeasedJob job, LockWish wish) {
        ReleaseLockRequest request = ReleaseLockRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setName(job.masks().text(wish.name()))
                .setHoldId(wish.hold().toString())
                .build();
        return call(job, () -> stub().releaseLock(request))
                .handle((response, failure) -> response == null
                        ? JobApiAnswer.Failed.of(failure)
                        : new JobApiAnswer.Value(Boolean.toString(response.getReleased())));
    }

    /** Writes a value that all steps of the run can read. The result is null. */
    public CompletableFuture<JobApiAnswer> setData(LeasedJob job, String key, String json) {
        ByteString value = ByteString.copyFromUtf8(job.masks().json(json));
        if (value.size() > VALUE_BYTES_MAX) {
            String message = "The value of the key \"" + key + "\" has " + value.size() + " bytes (expected: at most "
                    + VALUE_BYTES_MAX + "). Store it elsewhere, and share its address.";
            return CompletableFuture.completedFuture(
                    new JobApiAnswer.Failed(JobApiAnswer.Failed.INVALID_CALL, message));
        }
        SetDataRequest request = SetDataRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setKey(job.masks().text(key))
                .setValue(value)
                .build();
        return call(job, () -> stub().setData(request))
                .handle((response, failure) ->
                        response == null ? JobApiAnswer.Failed.of(failure) : new JobApiAnswer.Value("null"));
    }

    /** Reads a value. The result is {@code {"value": …}}, or null if there is none. */
    public CompletableFuture<JobApiAnswer> getData(LeasedJob job, String key) {
        GetDataRequest request = GetDataRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setKey(job.masks().text(key))
                .build();
        return call(job, () -> stub().getData(request)).handle((response, failure) -> {
            if (response == null) {
                return JobApiAnswer.Failed.of(failure);
            }
            return new JobApiAnswer.Value(
                    response.getFound() ? "{\"value\":" + response.getValue().toStringUtf8() + "}" : "null");
        });
    }

    /**
     * Resolves the secrets in the input of a job that is about to begin. While the scheduler or a store of secrets is
     * unavailable, the request is repeated for a while, but no longer than the attempt may take.
     */
    public CompletableFuture<SecretsAnswer> resolveSecrets(LeasedJob job) {
        ResolveSecretsRequest request = ResolveSecretsRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .build();
        Duration timeout = job.timeout().isZero() ? RESOLVE_TIME_MAX : min(job.timeout(), RESOLVE_TIME_MAX);
        CompletableFuture<ResolveSecretsResponse> response = new CompletableFuture<>();
        attempt(job, () -> stub().resolveSecrets(request), response, System.nanoTime() + timeout.toNanos());
        return response.handle((values, failure) ->
                values == null ? SecretsAnswer.refused(failure) : new SecretsAnswer.Values(new JobSecrets(values)));
    }

    private JobApiServiceGrpc.JobApiServiceFutureStub stub() {
        return scheduler.withDeadlineAfter(CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Repeats a request until it is answered, while the job is held and the scheduler is not unavailable for too long.
     */
    private <T> CompletableFuture<T> call(LeasedJob job, Supplier<ListenableFuture<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        attempt(job, request, answer, System.nanoTime() + OUTAGE_MAX.toNanos());
        return answer;
    }

    private <T> void attempt(
            LeasedJob job, Supplier<ListenableFuture<T>> request, CompletableFuture<T> answer, long endNanos) {
        ListenableFuture<T> response = request.get();
        response.addListener(
                () -> {
                    try {
                        answer.complete(response.get());
                    } catch (Exception e) {
                        Throwable cause = e.getCause() == null ? e : e.getCause();
                        boolean isAway =
                                AWAY.contains(Status.fromThrowable(cause).getCode());
                        if (isAway && job.isHeld() && endNanos - System.nanoTime() > 0) {
                            later(RETRY_DELAY, () -> attempt(job, request, answer, endNanos));
                        } else {
                            answer.completeExceptionally(cause);
                        }
                    }
                },
                Runnable::run);
    }

    private static void later(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** One request for a mutex, until it is granted or its patience ends. */
    private final class LockAttempt {
        private final LeasedJob job;
        private final CompletableFuture<JobApiAnswer> answer;
        private final long endNanos;
        private final AcquireLockRequest request;
        private Duration delay = LOCK_DELAY_MIN;

        LockAttempt(LeasedJob job, LockWish wish, CompletableFuture<JobApiAnswer> answer) {
            this.job = job;
            this.answer = answer;
            this.endNanos = System.nanoTime() + wish.patience().toNanos();
            this.request = AcquireLockRequest.newBuilder()
                    .setJobId(job.jobId())
                    .setLeaseToken(job.key().token())
                    .setName(job.masks().text(wish.name()))
                    .setHoldId(wish.hold().toString())
                    .setTtl(toProto(wish.ttl()))
                    .build();
        }

        void start() {
            var unused = call(job, () -> stub().acquireLock(request)).whenComplete((response, failure) -> {
                if (response == null) {
                    answer.complete(JobApiAnswer.Failed.of(failure));
                } else if (response.getAcquired()) {
                    answer.complete(new JobApiAnswer.Value("{\"fence\":" + response.getFence() + "}"));
                } else {
                    goOn(response);
                }
            });
        }

        private void goOn(AcquireLockResponse busy) {
            Duration left = Duration.ofNanos(endNanos - System.nanoTime());
            if (!job.isHeld()) {
                String message = "The job has ended or lost its lease, so it cannot acquire a mutex.";
                answer.complete(new JobApiAnswer.Failed(JobApiAnswer.Failed.LEASE_LOST, message));
                return;
            }
            if (left.isNegative() || left.isZero()) {
                answer.complete(new JobApiAnswer.Value("null"));
                return;
            }
            Duration heldFor = Duration.ofSeconds(busy.getRetryAfter().getSeconds())
                    .plusNanos(busy.getRetryAfter().getNanos());
            later(min(min(delay, left), heldFor.plusMillis(1)), this::start);
            delay = min(delay.multipliedBy(2), LOCK_DELAY_MAX);
        }

        private static com.google.protobuf.Duration toProto(Duration duration) {
            long millis = duration.toMillis();
            return com.google.protobuf.Duration.newBuilder()
                    .setSeconds(millis / MILLIS_PER_SECOND)
                    .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI)
                    .build();
        }
    }
}
