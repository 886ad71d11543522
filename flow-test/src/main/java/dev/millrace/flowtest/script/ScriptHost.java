package dev.millrace.flowtest.script;

import com.google.protobuf.ByteString;
import dev.millrace.flowtest.SimulationStopped;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.expression.Placeholders;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.tls.InProcess;
import dev.millrace.worker.ScriptWorker;
import dev.millrace.worker.ScriptWorkerOptions;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts as a worker does, in real processes: it starts a worker within this process, and is its scheduler. Nothing
 * is started before the first script. Runs one script at a time; thread-safe.
 */
public final class ScriptHost implements AutoCloseable {
    static final String WORKSPACE = "default";

    /** Time for the worker to find its interpreters and connect. */
    private static final Duration START_MAX = Duration.ofSeconds(60);
    /** Time beyond the timeout of an attempt, for the installation of packages and for its end. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** Number of times that the worker may give a job back. */
    private static final int RETURNS_MAX = 3;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private final Function<String, ScriptWorkerOptions> options;
    private final TestJobs jobs = new TestJobs();
    private final TestValues values = new TestValues(jobs::values);
    private final TestBlobs blobs = new TestBlobs();
    private final AtomicLong tokens = new AtomicLong();
    private @Nullable Running running;

    /** The parts that the first script starts. */
    private record Running(Server server, ScriptWorker worker, TestSession session, List<SlotGroup> groups) {}

    /**
     * Creates a host.
     *
     * @param options those of the worker, for the target that it connects to
     */
    public ScriptHost(Function<String, ScriptWorkerOptions> options) {
        this.options = options;
    }

    /**
     * A host whose worker finds Python and Deno as every worker does.
     *
     * @param folder where the worker keeps scripts and packages; several may share it
     */
    public static ScriptHost in(Path folder) {
        return new ScriptHost(target -> ScriptWorkerOptions.of(target).withFolder(folder));
    }

    /**
     * Runs an attempt, and waits for its end.
     *
     * @throws SimulationStopped if this machine cannot run the script
     */
    public synchronized ScriptAnswer run(ScriptCall call) {
        Running parts = running();
        Script version = call.code().version();
        String job = UUID.randomUUID().toString();
        jobs.begin(job, call, version.getHash());
        try {
            Lease.Builder lease = Lease.newBuilder()
                    .setJobId(job)
                    .setAttempt(call.attempt())
                    .setSlotGroup(group(parts, version.getLanguageName(), call))
                    .setScriptHash(version.getHash())
                    .setScript(version)
                    .setInput(ByteString.copyFromUtf8(call.input().text()))
                    .setTimeout(com.google.protobuf.Duration.newBuilder()
                            .setSeconds(call.timeout().toSeconds())
                            .setNanos(call.timeout().toNanosPart()))
                    .setRunId(call.run())
                    .setStep(call.step())
                    .setHasSecrets(Placeholders.mayBeIn(call.input().text()))
                    .setWorkspace(WORKSPACE);
            return run(parts, lease, call);
        } finally {
            jobs.end(job);
        }
    }

    /** Forgets what the runs of a test have shared. */
    public synchronized void clear() {
        jobs.clear();
        blobs.clear();
    }

    private ScriptAnswer run(Running parts, Lease.Builder lease, ScriptCall call) {
        TestSession.Ended ended;
        int returns = 0;
        do {
            ended = await(
                    parts.session()
                            .run(lease.setLeaseToken(tokens.incrementAndGet()).build()),
                    call.timeout().plus(PATIENCE),
                    "The script " + call.code().path() + " has not ended in time.");
        } while (ended.result().hasReturned() && ++returns < RETURNS_MAX);
        return new ScriptAnswer(result(ended.result()), ended.log());
    }

    private static AttemptResult result(JobResult result) {
        return switch (result.getOutcomeCase()) {
            case RESULT ->
                new AttemptResult.Succeeded(new Json(result.getResult().toStringUtf8()));
            case ERROR ->
                new AttemptResult.Failed(new JobError(
                        result.getError().getName(),
                        result.getError().getMessage(),
                        result.getError().getStack(),
                        result.getError().getRetryable()));
            case RETURNED, OUTCOME_NOT_SET ->
                throw new SimulationStopped("The worker cannot run the script: "
                        + result.getReturned().getReason());
        };
    }

    private static String group(Running parts, String language, ScriptCall call) {
        return parts.groups().stream()
                .filter(group -> group.getTagsList().contains(language))
                .findFirst()
                .map(SlotGroup::getName)
                .orElseThrow(
                        () -> new SimulationStopped("The script " + call.code().path() + " is in " + language
                                + ", for which this machine has no interpreter. Install it, or give the step a fake."));
    }

    private Running running() {
        Running parts = running;
        if (parts == null) {
            parts = start();
            running = parts;
        }
        return parts;
    }

    private Running start() {
        String target = InProcess.newTarget();
        CompletableFuture<TestSession> sessions = new CompletableFuture<>();
        Server server = server(target, sessions);
        ScriptWorker worker;
        try {
            worker = ScriptWorker.start(
                    options.apply(target).withSpareProcess(false).withStopTimeout(STOP_TIMEOUT));
        } catch (RuntimeException failure) {
            server.shutdownNow();
            throw new SimulationStopped("No worker for scripts can be started: " + failure.getMessage());
        }
        String late = "The worker for scripts has not started within " + START_MAX.toSeconds() + " s.";
        TestSession session = await(sessions, START_MAX, late);
        return new Running(server, worker, session, await(session.groups(), START_MAX, late));
    }

    private Server server(String target, CompletableFuture<TestSession> sessions) {
        var service = new WorkerSessionServiceGrpc.WorkerSessionServiceImplBase() {
            @Override
            public StreamObserver<OpenSessionRequest> openSession(StreamObserver<OpenSessionResponse> worker) {
                TestSession session = new TestSession(worker);
                sessions.complete(session);
                return session;
            }
        };
        try {
            return InProcess.server(target)
                    .addService(service)
                    .addService(jobs)
                    .addService(values)
                    .addService(blobs)
                    .build()
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static <T> T await(CompletableFuture<T> coming, Duration patience, String late) {
        try {
            return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new SimulationStopped(late);
        } catch (ExecutionException failure) {
            throw new SimulationStopped("The worker for scripts has failed: " + failure.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SimulationStopped("The test was interrupted.");
        }
    }

    @Override
    public synchronized void close() {
        Running parts = running;
        running = null;
        if (parts != null) {
            parts.worker().close();
            parts.server().shutdownNow();
        }
    }
}
