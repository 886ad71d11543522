package dev.millrace.worker.internal.jobapi;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.signal.v1.WaitLink;
import dev.millrace.proto.worker.v1.AwaitRunRequest;
import dev.millrace.proto.worker.v1.AwaitRunResponse;
import dev.millrace.proto.worker.v1.CancelRunRequest;
import dev.millrace.proto.worker.v1.JobRunServiceGrpc;
import dev.millrace.proto.worker.v1.ReadRunRequest;
import dev.millrace.proto.worker.v1.ReadRunResponse;
import dev.millrace.proto.worker.v1.SignWaitLinksRequest;
import dev.millrace.proto.worker.v1.StartRunRequest;
import dev.millrace.worker.internal.jobapi.JobValues.Calls;
import dev.millrace.worker.internal.session.LeasedJob;
import io.grpc.Channel;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Starts and follows runs for running jobs. A wait holds no thread: it is a call that the scheduler answers at the end of the
 * run, or after a while, and then it is repeated as long as the job is held. Thread-safe; no method waits.
 */
final class JobRuns {
    /** Largest input of a started run in bytes. Larger values travel as blobs. */
    static final int INPUT_BYTES_MAX = 1 << 20;

    /** Time for which the scheduler holds a call that waits. */
    static final long POLL_MILLIS = 10_000;
    /** Maximum number of calls that the scheduler holds at once. Further waits look now and then. */
    static final int POLLS_MAX = 400;
    /** Pause between two looks of a wait that the scheduler does not hold. */
    static final long LOOK_PAUSE_MILLIS = 3_000;

    /** Number of runs that are read at once, as each may have an output of several megabytes. */
    static final int READS_MAX = 2;

    private static final String NOTHING = "null";
    private static final String STATE_PREFIX = "STATE_";
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final JobRunServiceGrpc.JobRunServiceFutureStub scheduler;
    private final Calls calls;
    private final Semaphore polls = new Semaphore(POLLS_MAX);
    private final Turns reads = new Turns(READS_MAX);

    JobRuns(Channel channel, Calls calls) {
        this.scheduler = JobRunServiceGrpc.newFutureStub(channel);
        this.calls = requireNonNull(calls, "calls");
    }

    /** Starts a run, unless the job has started one with this key before. The result is its id. */
    CompletableFuture<JobApiAnswer> start(LeasedJob job, JsonNode arguments) {
        String input = arguments.path("input").toString();
        ByteString bytes = ByteString.copyFromUtf8(input);
        if (bytes.size() > INPUT_BYTES_MAX) {
            return failed("The input of the run has " + bytes.size() + " bytes (expected: at most " + INPUT_BYTES_MAX
                    + "). Save what is large as a blob, and pass its reference.");
        }
        if (!job.masks().json(input).equals(input)) {
            return failed("The input of the run contains a secret that this process has read or written, and inputs are"
                    + " stored as they are. Pass the path of the secret, and let the run read it.");
        }
        RunSpec.Builder spec = RunSpec.newBuilder()
                .setTarget(target(arguments))
                .setInput(bytes)
                .setTag(arguments.path("tag").asText())
                .setPriority(arguments.path("priority").asInt())
                .setTraceparent(job.traceparent())
                .setTracestate(job.tracestate());
        if (arguments.path("run_after_ms").isNumber()) {
            spec.setRunAfter(timestamp(arguments.path("run_after_ms").asLong()));
        }
        StartRunRequest request = StartRunRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setSpec(spec)
                .setKey(job.masks().text(arguments.path("key").asText()))
                .build();
        return answer(
                calls.call(job, () -> stub().startRun(request)),
                started -> TextNode.valueOf(started.getRunId()).toString());
    }

    /** Waits for the end of a run. The result is whether it has ended. */
    CompletableFuture<JobApiAnswer> await(LeasedJob job, String run, long waitMillis) {
        CompletableFuture<JobApiAnswer> answer = new CompletableFuture<>();
        long now = System.nanoTime();
        long wait = Math.min(TimeUnit.MILLISECONDS.toNanos(Math.max(0, waitMillis)), Long.MAX_VALUE / 2);
        new RunWait(job, run, now + wait, answer).look();
        return answer;
    }

    /** Reads a run. The result is {@code {"run_id": …, "name": …, "state": …}} with an output or error once it has ended. */
    CompletableFuture<JobApiAnswer> read(LeasedJob job, String run) {
        ReadRunRequest request = ReadRunRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setRunId(run)
                .build();
        CompletableFuture<ReadRunResponse> response = reads.take(() -> calls.call(job, () -> stub().readRun(request)));
        return answer(response, found -> json(found.getRun()));
    }

    /** Cancels a run. The result is null. */
    CompletableFuture<JobApiAnswer> cancel(LeasedJob job, String run, String reason) {
        CancelRunRequest request = CancelRunRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setRunId(run)
                .setReason(job.masks().text(reason))
                .build();
        return answer(calls.call(job, () -> stub().cancelRun(request)), done -> NOTHING);
    }

    /** Signs links with which people answer a step of the job's run. The result is a list with a pair for each person. */
    CompletableFuture<JobApiAnswer> signLinks(LeasedJob job, JsonNode arguments) {
        SignWaitLinksRequest.Builder request = SignWaitLinksRequest.newBuilder()
                .setJobId(job.jobId())
                .setLeaseToken(job.key().token())
                .setStep(arguments.path("step").asText());
        arguments.path("people").forEach(person -> request.addActors(person.asText()));
        if (arguments.path("valid_ms").isNumber()) {
            long millis = arguments.path("valid_ms").asLong();
            request.setValidFor(duration(millis));
        }
        String run = job.lease().getRunId();
        return answer(
                calls.call(job, () -> stub().signWaitLinks(request.build())),
                signed -> signed.getWaitLinksList().stream()
                        .map(link -> json(run, link))
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private static RunTarget target(JsonNode arguments) {
        RunTarget.Builder target = RunTarget.newBuilder();
        String script = arguments.path("script").asText();
        String flow = arguments.path("flow").asText();
        if (script.isEmpty() == flow.isEmpty()) {
            throw new IllegalArgumentException("name either a script or a flow");
        }
        boolean isHash = arguments.path("is_hash").asBoolean();
        if (flow.isEmpty()) {
            return isHash
                    ? target.setScriptHash(script).build()
                    : target.setScriptPath(script).build();
        }
        return isHash
                ? target.setFlowHash(flow).build()
                : target.setFlowPath(flow).build();
    }

    private static String json(Run run) {
        String state = run.getState().name().substring(STATE_PREFIX.length()).toLowerCase(Locale.ROOT);
        StringBuilder json = new StringBuilder("{\"run_id\":")
                .append(quoted(run.getId()))
                .append(",\"name\":")
                .append(quoted(run.getName()))
                .append(",\"state\":")
                .append(quoted(state));
        if (run.getState() == Run.State.STATE_SUCCEEDED) {
            json.append(",\"output\":")
                    .append(
                            run.getOutput().isEmpty()
                                    ? NOTHING
                                    : run.getOutput().toStringUtf8());
        }
        if (run.hasError()) {
            json.append(",\"error\":{\"name\":")
                    .append(quoted(run.getError().getName()))
                    .append(",\"message\":")
                    .append(quoted(run.getError().getMessage()))
                    .append('}');
        }
        return json.append('}').toString();
    }

    private static String json(String run, WaitLink link) {
        String start = "/api/v1/runs/" + run + "/wait-links/";
        return "{\"person\":" + quoted(link.getActor())
                + ",\"accept_path\":" + quoted(start + link.getAcceptToken())
                + ",\"deny_path\":" + quoted(start + link.getDenyToken())
                + ",\"expire_time\":"
                + quoted(
                        Instant.ofEpochSecond(link.getExpireTime().getSeconds()).toString())
                + "}";
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    private static Timestamp timestamp(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, MILLIS_PER_SECOND))
                .setNanos((int) Math.floorMod(millis, MILLIS_PER_SECOND) * NANOS_PER_MILLI)
                .build();
    }

    private static Duration duration(long millis) {
        return Duration.newBuilder()
                .setSeconds(millis / MILLIS_PER_SECOND)
                .setNanos((int) (millis % MILLIS_PER_SECOND) * NANOS_PER_MILLI)
                .build();
    }

    private static CompletableFuture<JobApiAnswer> failed(String message) {
        return CompletableFuture.completedFuture(new JobApiAnswer.Failed(JobApiAnswer.Failed.INVALID_CALL, message));
    }

    private static <T> CompletableFuture<JobApiAnswer> answer(CompletableFuture<T> response, Function<T, String> json) {
        return response.handle((found, failure) ->
                found == null ? JobApiAnswer.Failed.of(failure) : new JobApiAnswer.Value(json.apply(found)));
    }

    private JobRunServiceGrpc.JobRunServiceFutureStub stub() {
        return stub(0);
    }

    private JobRunServiceGrpc.JobRunServiceFutureStub stub(long waitMillis) {
        return scheduler.withDeadlineAfter(JobApiClient.CALL_TIMEOUT.toMillis() + waitMillis, TimeUnit.MILLISECONDS);
    }

    /** A wait for the end of one run. */
    private final class RunWait {
        private final LeasedJob job;
        private final String run;
        private final long endNanos;
        private final CompletableFuture<JobApiAnswer> answer;

        RunWait(LeasedJob job, String run, long endNanos, CompletableFuture<JobApiAnswer> answer) {
            this.job = job;
            this.run = run;
            this.endNanos = endNanos;
            this.answer = answer;
        }

        /** Asks the scheduler, which answers at the end of the run, or after a while. */
        void look() {
            boolean isHeld = polls.tryAcquire();
            long wait = isHeld ? Math.min(POLL_MILLIS, leftMillis()) : 0;
            AwaitRunRequest request = AwaitRunRequest.newBuilder()
                    .setJobId(job.jobId())
                    .setLeaseToken(job.key().token())
                    .setRunId(run)
                    .setWait(duration(wait))
                    .build();
            var unused = calls.call(job, () -> stub(wait).awaitRun(request)).whenComplete((response, failure) -> {
                if (isHeld) {
                    polls.release();
                }
                if (response == null) {
                    answer.complete(JobApiAnswer.Failed.of(failure));
                } else {
                    goOn(response, isHeld);
                }
            });
        }

        private void goOn(AwaitRunResponse response, boolean wasHeld) {
            if (response.getEnded()) {
                answer.complete(new JobApiAnswer.Value("true"));
            } else if (!job.isHeld()) {
                answer.complete(new JobApiAnswer.Failed(
                        JobApiAnswer.Failed.LEASE_LOST, "The job has ended or lost its lease, so it waits no more."));
            } else if (leftMillis() == 0) {
                answer.complete(new JobApiAnswer.Value("false"));
            } else {
                long pause = wasHeld ? 0 : Math.min(LOOK_PAUSE_MILLIS, leftMillis());
                CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::look);
            }
        }

        private long leftMillis() {
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()));
        }
    }
}
