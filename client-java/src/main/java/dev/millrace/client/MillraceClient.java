package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls a scheduler.
 *
 * <pre>{@code
 * try (MillraceClient client = MillraceClient.connect()) {
 *     Invoice invoice = client.run(Target.flow("shop/invoice"), new Order("lamp", 2), Invoice.class);
 * }
 * }</pre>
 *
 * <p>Each call that changes something carries a request id and is repeated if the connection breaks: it takes effect once.
 * Inputs are records, maps or other values that Jackson writes as JSON objects. A call that fails throws a {@link
 * ClientException}. If the thread is interrupted, it throws a {@link CallInterruptedException}, and the thread stays
 * interrupted.
 *
 * <p>Thread-safe; keeps one connection. A call occupies only the thread of its caller, which may be a virtual one.
 */
public final class MillraceClient implements AutoCloseable {
    private final Connection connection;
    private final Calls calls;
    private final BlockingCalls sending;

    MillraceClient(Connection connection, Calls calls) {
        this.connection = requireNonNull(connection, "connection");
        this.calls = requireNonNull(calls, "calls");
        this.sending = new BlockingCalls(connection);
    }

    /** Takes all settings from the environment variables and contexts of the command line. */
    public static MillraceClient connect() {
        return builder().build();
    }

    /** Begins to configure a client. What is not set comes from the variables and contexts of the command line. */
    public static MillraceClientBuilder builder() {
        return new MillraceClientBuilder();
    }

    /** The same calls with futures, over the same connection. */
    public AsyncMillraceClient async() {
        return new AsyncMillraceClient(connection, calls);
    }

    /** Uploads and downloads blobs, over the same connection. */
    public BlobClient blobs() {
        return new BlobClient(connection, sending, calls.workspace());
    }

    /** Closes the connection; calls in progress fail. */
    @Override
    public void close() {
        connection.close();
    }

    /** As {@link #run(Target, Object, Class, RunOptions, Optional)}, and returns any output. */
    public JsonNode run(Target target, @Nullable Object input) {
        Outcome outcome = outcome(target, input, RunOptions.DEFAULT, Optional.empty());
        return outcome.early().isPresent()
                ? Json.orNull(calls.json().read(outcome.early().get()))
                : outcome.run().result();
    }

    /** As {@link #run(Target, Object, Class, RunOptions, Optional)}, and waits as long as it takes. */
    public <T> @Nullable T run(Target target, @Nullable Object input, Class<T> type) {
        return run(target, input, type, RunOptions.DEFAULT, Optional.empty());
    }

    /**
     * Starts a run, waits for its end and returns its output; null for the JSON null. A flow may return a result before its
     * end.
     *
     * @param limit longest time to wait for the end; empty waits as long as it takes
     * @throws RunFailedException if the run has failed, or was canceled ({@link RunCanceledException})
     * @throws TimedOutException if the run has not ended in time; it goes on
     * @throws ConversionException if the output does not fit the type
     */
    public <T> @Nullable T run(
            Target target, @Nullable Object input, Class<T> type, RunOptions options, Optional<Duration> limit) {
        Outcome outcome = outcome(target, input, options, limit);
        return outcome.early().isPresent()
                ? calls.json().read(outcome.early().get(), type)
                : outcome.run().result(type);
    }

    /** Waits for the end of a run, however long it takes, and returns the run with its output. */
    public Run wait(String runId) {
        return wait(runId, Optional.empty());
    }

    /**
     * Waits for the end of a run and returns it with its output.
     *
     * @throws TimedOutException if the run has not ended in time; it goes on
     */
    public Run wait(String runId, Duration limit) {
        return wait(runId, Optional.of(limit));
    }

    /** As {@link #follow(String, boolean, Optional)}, with the log and without a limit. */
    public Stream<RunEvent> follow(String runId) {
        return follow(runId, true, Optional.empty());
    }

    /**
     * Returns the events of a run to its end: its present state and every change, and its log if asked for. Survives lost
     * connections. Close the stream if you leave it before its end.
     *
     * @param limit time after which the stream throws a {@link TimedOutException}; empty for no limit
     */
    public Stream<RunEvent> follow(String runId, boolean withLogs, Optional<Duration> limit) {
        return follow(runId, new FollowOptions(withLogs, false, limit));
    }

    /** As {@link #follow(String, boolean, Optional)}; {@link FollowOptions#folded} is for runs with large loops. */
    public Stream<RunEvent> follow(String runId, FollowOptions options) {
        return sending.events(position -> calls.watchRun(runId, options, position), options.limit());
    }

    /** As {@link #deploy(Path, String)}: a script gets the name of its file, and a flow the name in its definition. */
    public Deployed deploy(Path file) {
        return deploy(file, "");
    }

    /**
     * Deploys a script, or a flow with the scripts beside it.
     *
     * @param file a script in Python or TypeScript, or the definition of a flow
     * @param path path on the server; empty means the name of the script's file, or the name in the definition
     * @throws InvalidFlowException if the definition has problems
     */
    public Deployed deploy(Path file, String path) {
        String content = SourceFiles.read(file);
        if (SourceFiles.isScript(file)) {
            return deployScript(path.isEmpty() ? SourceFiles.name(file) : path, content);
        }
        FlowSource bare =
                FlowSource.of(content).withFileName(SourceFiles.name(file)).withPath(path);
        List<String> names = sending.perform(calls.scriptPaths(bare));
        return deployFlow(bare.withFiles(SourceFiles.readBeside(file, names)));
    }

    /** Starts a run, which is durable once the call has returned. */
    public Run submit(Target target, @Nullable Object input) {
        return submit(target, input, RunOptions.DEFAULT);
    }

    /** Starts a run, which is durable once the call has returned. */
    public Run submit(Target target, @Nullable Object input, RunOptions options) {
        return sending.perform(calls.submitRun(new RunSpec(target, input, options), Duration.ZERO))
                .run();
    }

    /** Starts up to 10,000 runs in one transaction, all or none; returns their ids in order. */
    public List<String> submitAll(List<RunSpec> specs) {
        return sending.perform(calls.submitRuns(specs, Optional.empty()));
    }

    /** As {@link #submitAll(List)}; later calls with the same id and runs return the same ids. */
    public List<String> submitAll(List<RunSpec> specs, String requestId) {
        return sending.perform(calls.submitRuns(specs, Optional.of(requestId)));
    }

    /** Returns a run with its input and output. */
    public Run getRun(String runId) {
        return sending.perform(calls.getRun(runId));
    }

    /** Cancels a run: waiting jobs are dropped, running ones are stopped. */
    public Run cancel(String runId) {
        return cancel(runId, Note.NONE);
    }

    /** Cancels a run: waiting jobs are dropped, running ones are stopped. */
    public Run cancel(String runId, Note note) {
        return sending.perform(calls.cancelRun(runId, note));
    }

    /** Pauses a run: running jobs finish, and no further job begins. */
    public Run pause(String runId) {
        return pause(runId, Note.NONE);
    }

    /** Pauses a run: running jobs finish, and no further job begins. */
    public Run pause(String runId, Note note) {
        return sending.perform(calls.pauseRun(runId, note));
    }

    /** Resumes a paused run. */
    public Run resume(String runId) {
        return resume(runId, Note.NONE);
    }

    /** Resumes a paused run. */
    public Run resume(String runId, Note note) {
        return sending.perform(calls.resumeRun(runId, note));
    }

    /** Reopens a failed or canceled run; succeeded steps keep their results. */
    public Run retry(String runId) {
        return retry(runId, Note.NONE);
    }

    /** Reopens a failed or canceled run; succeeded steps keep their results. */
    public Run retry(String runId, Note note) {
        return sending.perform(calls.retryRun(runId, note));
    }

    /** Starts a new run of the same version and returns it. Null takes the same input. */
    public Run restart(String runId, @Nullable Object input) {
        return restart(runId, input, Note.NONE);
    }

    /** Starts a new run of the same version and returns it. Null takes the same input. */
    public Run restart(String runId, @Nullable Object input, Note note) {
        return sending.perform(calls.restartRun(runId, input, note));
    }

    /**
     * Starts a new run of the same version at a step, with the results before it, and returns the new run. Null
     * takes the same input.
     */
    public Run rerun(String runId, String step, @Nullable Object input) {
        return rerun(runId, step, input, Note.NONE);
    }

    /**
     * Starts a new run of the same version at a step, with the results before it, and returns the new run. Null
     * takes the same input.
     */
    public Run rerun(String runId, String step, @Nullable Object input, Note note) {
        return rerun(runId, new Rerun(step, input, Optional.empty(), null), note);
    }

    /** Starts a new run at a step, with the results before it, and returns the new run. */
    public Run rerun(String runId, Rerun rerun, Note note) {
        return sending.perform(calls.rerunRun(runId, rerun, note));
    }

    /**
     * Starts new runs at a step of many runs, in the background, and returns the operation. Unless runs are named by id,
     * their states must be given.
     *
     * @throws IllegalArgumentException if the rerun has an input of the run, which many runs cannot share
     */
    public BulkOperation rerunAll(RunSelection runs, Rerun rerun, Note note) {
        return sending.perform(calls.rerunAll(runs, rerun, note));
    }

    /** Cancels many runs in the background, and returns the operation. */
    public BulkOperation cancelAll(RunSelection runs, Note note) {
        return sending.perform(calls.cancelAll(runs, note));
    }

    /** Returns how far an operation on many runs has come. */
    public BulkOperation bulk(String bulkId) {
        return sending.perform(calls.getBulk(bulkId));
    }

    /** Returns what an operation on many runs did to each of them, ordered by id. Pages are read as they are needed. */
    public Stream<BulkRun> bulkRuns(String bulkId) {
        return sending.pages(token -> calls.listBulkRuns(bulkId, token));
    }

    /** Leaves out the runs that an operation on many runs has not reached; nothing is undone. */
    public BulkOperation stopBulk(String bulkId, Note note) {
        return sending.perform(calls.stopBulk(bulkId, note));
    }

    /** Ends a waiting or running step as skipped, with this result. */
    public Run skip(String runId, String step, @Nullable Object result) {
        return skip(runId, step, result, Note.NONE);
    }

    /** Ends a waiting or running step as skipped, with this result. */
    public Run skip(String runId, String step, @Nullable Object result, Note note) {
        return sending.perform(calls.skipStep(runId, step, result, note));
    }

    /** Sends a signal. Returns the step that took it; empty if the run keeps it for a later wait. */
    public String signal(String runId, String name, @Nullable Object payload) {
        return signal(runId, name, payload, Note.NONE);
    }

    /**
     * Sends a signal. Returns the step that took it; empty if the run keeps it for a later wait. The reason of the
     * note has no place.
     */
    public String signal(String runId, String name, @Nullable Object payload, Note note) {
        return sending.perform(calls.sendSignal(runId, name, payload, note));
    }

    /** Approves a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public String approve(String runId, String step, @Nullable Object payload) {
        return approve(runId, step, payload, Note.NONE);
    }

    /** Approves a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public String approve(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_APPROVE, payload, note));
    }

    /** Denies a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public String deny(String runId, String step, @Nullable Object payload) {
        return deny(runId, step, payload, Note.NONE);
    }

    /** Denies a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public String deny(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_DENY, payload, note));
    }

    /**
     * Hands in the result of a human task, and returns the key of its step. The step may be empty if only one
     * waits.
     */
    public String complete(String runId, String step, @Nullable Object payload) {
        return complete(runId, step, payload, Note.NONE);
    }

    /**
     * Hands in the result of a human task, and returns the key of its step. The step may be empty if only one
     * waits.
     */
    public String complete(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_COMPLETE, payload, note));
    }

    /** Signs links with which these people can answer a step; empty lets them be valid for 30 days. */
    public List<WaitLink> waitLinks(String runId, String step, List<String> actors, Optional<Duration> validFor) {
        return sending.perform(calls.createWaitLinks(runId, step, actors, validFor));
    }

    /** Stores a version of a script and makes it the current one of its path. */
    public Deployed deployScript(String path, String content) {
        return sending.perform(calls.deployScript(path, content));
    }

    /** Stores a version of a flow with its scripts and makes it the current one of its path. */
    public Deployed deployFlow(FlowSource flow) {
        return sending.perform(calls.deployFlow(flow));
    }

    /**
     * Searches the runs of the workspace, the newest first, without input and output. Pages are read as they are
     * needed.
     */
    public Stream<Run> search(RunFilter filter) {
        return sending.pages(token -> calls.listRuns(filter, token));
    }

    /**
     * Returns the steps of a run without inputs and results: the ended ones in the order of their ends, then the
     * others. Pages are read as they are needed.
     */
    public Stream<Step> steps(String runId) {
        return steps(runId, StepFilter.ALL);
    }

    /** As {@link #steps(String)}, with inputs and results. Pages are read as they are needed. */
    public Stream<Step> stepsWithPayloads(String runId) {
        return steps(runId, StepFilter.ALL.andPayloads());
    }

    /**
     * As {@link #steps(String)}, only those that are wanted. {@link StepFilter#FOLDED} leaves out those inside large loops,
     * of which {@link #iterations} lists the iterations, and {@link StepFilter#inside} returns those of one iteration.
     */
    public Stream<Step> steps(String runId, StepFilter wanted) {
        return sending.pages(token -> calls.listSteps(runId, wanted, token));
    }

    /**
     * Returns the iterations of a loop that have begun, in the order of their numbers. Pages are read as they are needed.
     *
     * @param loop key of the loop, for example {@code count}
     * @param states only these states; empty for all
     * @param from number of the first iteration
     */
    public Stream<Iteration> iterations(String runId, String loop, Set<StepState> states, int from) {
        return sending.pages(token -> calls.listIterations(runId, loop, states, from, token));
    }

    /**
     * Returns the stored log of a run; {@link #follow} also returns what comes later. Pages are read as they are
     * needed.
     */
    public Stream<LogChunk> logs(String runId) {
        return sending.pages(token -> calls.listLogs(runId, "", token));
    }

    /** Returns the stored log of one job of a run. Pages are read as they are needed. */
    public Stream<LogChunk> logs(String runId, String jobId) {
        return sending.pages(token -> calls.listLogs(runId, jobId, token));
    }

    /** Returns the steps of a run that wait now, the oldest wait first. Pages are read as they are needed. */
    public Stream<Wait> waits(String runId) {
        return sending.pages(token -> calls.listWaits(runId, token));
    }

    private Outcome outcome(Target target, @Nullable Object input, RunOptions options, Optional<Duration> limit) {
        long begin = System.nanoTime();
        Duration first = Calls.firstWait(limit);
        Calls.Submitted submitted = sending.perform(calls.submitRun(new RunSpec(target, input, options), first));
        if (submitted.early().isPresent() || submitted.run().state().isEnd()) {
            return new Outcome(submitted.run(), submitted.early());
        }
        Optional<Duration> left = limit.map(time -> time.minusNanos(System.nanoTime() - begin));
        return new Outcome(wait(submitted.run().id(), left), Optional.empty());
    }

    private Run wait(String runId, Optional<Duration> limit) {
        try (Stream<RunEvent> events = follow(runId, FollowOptions.end(limit))) {
            events.forEach(event -> {});
        }
        return getRun(runId);
    }

    private record Outcome(Run run, Optional<ByteString> early) {}
}
