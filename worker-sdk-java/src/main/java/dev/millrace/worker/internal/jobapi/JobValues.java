package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.millrace.proto.worker.v1.JobValueServiceGrpc;
import dev.millrace.proto.worker.v1.ReadResourceRequest;
import dev.millrace.proto.worker.v1.ReadSecretRequest;
import dev.millrace.proto.worker.v1.ReadStateRequest;
import dev.millrace.proto.worker.v1.WriteResourceRequest;
import dev.millrace.proto.worker.v1.WriteSecretRequest;
import dev.millrace.proto.worker.v1.WriteStateRequest;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads and writes secrets, resources and states for running jobs. A secret is masked in all that the process sends before
 * the process gets it. Thread-safe; no method waits.
 */
final class JobValues {
    /** Largest resource or state in bytes; the scheduler accepts no larger one. */
    static final int VALUE_BYTES_MAX = 256 << 10;

    /** Sizes of secrets; the scheduler accepts no others. */
    private static final int SECRET_BYTES_MIN = 8;

    private static final int SECRET_BYTES_MAX = 64 << 10;

    private static final String NOTHING = "null";

    private final JobValueServiceGrpc.JobValueServiceFutureStub scheduler;
    private final Calls calls;

    JobValues(Channel channel, Calls calls) {
        this.scheduler = JobValueServiceGrpc.newFutureStub(channel);
        this.calls = requireNonNull(calls, "calls");
    }

    /** Repeats a request while the scheduler is unavailable. */
    interface Calls {
        <T> CompletableFuture<T> call(LeasedJob job, Supplier<ListenableFuture<T>> request);
    }

    /** Reads a secret. The result is its text. */
    CompletableFuture<JobApiAnswer> readSecret(LeasedJob job, String path) {
        ReadSecretRequest request = ReadSecretRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .build();
        return answer(calls.call(job, () -> stub().readSecret(request)), found -> {
            String text = found.getValue().toStringUtf8();
            return masked(job, List.of(text), TextNode.valueOf(text).toString());
        });
    }

    /** Sets a secret, which is masked from then on. The result is null. */
    CompletableFuture<JobApiAnswer> writeSecret(LeasedJob job, String path, String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        // The scheduler refuses any other.
        boolean canBeSecret = bytes >= SECRET_BYTES_MIN && bytes <= SECRET_BYTES_MAX;
        JobApiAnswer mask = masked(job, canBeSecret ? List.of(value) : List.of(), NOTHING);
        if (mask instanceof JobApiAnswer.Failed) {
            return CompletableFuture.completedFuture(mask);
        }
        WriteSecretRequest request = WriteSecretRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .setValue(ByteString.copyFromUtf8(value))
                .build();
        return answer(calls.call(job, () -> stub().writeSecret(request)), done -> mask);
    }

    /** Reads a resource. The result is its value, with the secrets to which it refers. */
    CompletableFuture<JobApiAnswer> readResource(LeasedJob job, String path) {
        ReadResourceRequest request = ReadResourceRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .build();
        return answer(
                calls.call(job, () -> stub().readResource(request)),
                found -> masked(
                        job,
                        found.getMaskedList().stream()
                                .map(ByteString::toStringUtf8)
                                .toList(),
                        found.getValue().toStringUtf8()));
    }

    /**
     * Writes the value of a resource. The result is null.
     *
     * @param type name of its type; empty for the one that it has
     */
    CompletableFuture<JobApiAnswer> writeResource(LeasedJob job, String path, String type, String json) {
        Optional<JobApiAnswer> problem = problem(job, "resource " + path, json);
        if (problem.isPresent()) {
            return CompletableFuture.completedFuture(problem.get());
        }
        WriteResourceRequest request = WriteResourceRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .setType(type)
                .setValue(ByteString.copyFromUtf8(json))
                .build();
        return answer(calls.call(job, () -> stub().writeResource(request)), done -> new JobApiAnswer.Value(NOTHING));
    }

    /**
     * Reads a state. The result is {@code {"value": …}}, or null if there is none.
     *
     * @param path empty for the state of the job's step
     */
    CompletableFuture<JobApiAnswer> readState(LeasedJob job, String path) {
        ReadStateRequest request = ReadStateRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .build();
        return answer(
                calls.call(job, () -> stub().readState(request)),
                found -> new JobApiAnswer.Value(
                        found.getFound() ? "{\"value\":" + found.getValue().toStringUtf8() + "}" : NOTHING));
    }

    /** Writes a state, or forgets it if the value is null. The result is null. */
    CompletableFuture<JobApiAnswer> writeState(LeasedJob job, String path, String json) {
        Optional<JobApiAnswer> problem = problem(job, "state", json);
        if (problem.isPresent()) {
            return CompletableFuture.completedFuture(problem.get());
        }
        WriteStateRequest request = WriteStateRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setPath(path)
                .setValue(ByteString.copyFromUtf8(json))
                .build();
        return answer(calls.call(job, () -> stub().writeState(request)), done -> new JobApiAnswer.Value(NOTHING));
    }

    /** Masks secrets in all that the process of the job sends from now on, and only then answers. */
    private static JobApiAnswer masked(LeasedJob job, List<String> secrets, String json) {
        try {
            if (secrets.isEmpty() || job.masks().canAdd(secrets)) {
                return new JobApiAnswer.Value(json);
            }
        } catch (TooManyPatternsException tooLarge) {
            // The answer is the same.
        }
        return failed("The process of this job has read too many or too large secrets to mask them all. Read fewer.");
    }

    /** Why a value cannot be written where people may read it as it is. */
    private static Optional<JobApiAnswer> problem(LeasedJob job, String what, String json) {
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > VALUE_BYTES_MAX) {
            return Optional.of(failed("The value of the " + what + " has " + bytes + " bytes (expected: at most "
                    + VALUE_BYTES_MAX + "). Store it elsewhere, and keep its address."));
        }
        if (!job.masks().json(json).equals(json)) {
            return Optional.of(failed("The value of the " + what
                    + " contains a secret that this process has read or written. Keep it as a secret."));
        }
        return Optional.empty();
    }

    private static JobApiAnswer failed(String message) {
        return new JobApiAnswer.Failed(JobApiAnswer.Failed.INVALID_CALL, message);
    }

    private static <T> CompletableFuture<JobApiAnswer> answer(
            CompletableFuture<T> response, Function<T, JobApiAnswer> answer) {
        return response.handle(
                (found, failure) -> found == null ? JobApiAnswer.Failed.of(failure) : answer.apply(found));
    }

    private JobValueServiceGrpc.JobValueServiceFutureStub stub() {
        return scheduler.withDeadlineAfter(JobApiClient.CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
