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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link MillraceClient} with futures, which fail with the same errors. What the other client returns as a
 * stream goes to a consumer, entry by entry. No thread waits for an answer. A future that is canceled ends its call; the
 * run goes on.
 *
 * <p>Thread-safe. The client that made it closes the connection. Consumers and what follows a future run on threads of
 * gRPC: do not block them.
 */
public final class AsyncMillraceClient {
    private final Calls calls;
    private final AsyncCalls sending;

    AsyncMillraceClient(Connection connection, Calls calls) {
        this.calls = requireNonNull(calls, "calls");
        this.sending = new AsyncCalls(connection);
    }

    /** As {@link MillraceClient#run(Target, Object)}. */
    public CompletableFuture<JsonNode> run(Target target, @Nullable Object input) {
        return outcome(target, input, RunOptions.DEFAULT, Optional.empty())
                .thenApply(outcome -> outcome.early().isPresent()
                        ? Json.orNull(calls.json().read(outcome.early().get()))
                        : outcome.run().result());
    }

    /** As {@link MillraceClient#run(Target, Object, Class)}. */
    public <T> CompletableFuture<@Nullable T> run(Target target, @Nullable Object input, Class<T> type) {
        return run(target, input, type, RunOptions.DEFAULT, Optional.empty());
    }

    /** As {@link MillraceClient#run(Target, Object, Class, RunOptions, Optional)}. */
    public <T> CompletableFuture<@Nullable T> run(
            Target target, @Nullable Object input, Class<T> type, RunOptions options, Optional<Duration> limit) {
        CompletableFuture<Outcome> ended = outcome(target, input, options, limit);
        return ended.thenApply(outcome -> outcome.early().isPresent()
                ? calls.json().read(outcome.early().get(), type)
                : outcome.run().result(type));
    }

    /** As {@link MillraceClient#wait(String)}. */
    public CompletableFuture<Run> wait(String runId) {
        return wait(runId, Optional.empty());
    }

    /** As {@link MillraceClient#wait(String, Duration)}. */
    public CompletableFuture<Run> wait(String runId, Duration limit) {
        return wait(runId, Optional.of(limit));
    }

    /** As {@link MillraceClient#follow(String)}; the future completes when the run has ended. */
    public CompletableFuture<Void> follow(String runId, Consumer<? super RunEvent> consumer) {
        return follow(runId, true, Optional.empty(), consumer);
    }

    /** As {@link MillraceClient#follow(String, boolean, Optional)}; the future completes when the run has ended. */
    public CompletableFuture<Void> follow(
            String runId, boolean withLogs, Optional<Duration> limit, Consumer<? super RunEvent> consumer) {
        return follow(runId, new FollowOptions(withLogs, false, limit), consumer);
    }

    /** As {@link MillraceClient#follow(String, FollowOptions)}; the future completes when the run has ended. */
    public CompletableFuture<Void> follow(String runId, FollowOptions options, Consumer<? super RunEvent> consumer) {
        return sending.events(position -> calls.watchRun(runId, options, position), options.limit(), consumer);
    }

    /** As {@link MillraceClient#deploy(Path)}. */
    public CompletableFuture<Deployed> deploy(Path file) {
        return deploy(file, "");
    }

    /** As {@link MillraceClient#deploy(Path, String)}. */
    public CompletableFuture<Deployed> deploy(Path file, String path) {
        String content = SourceFiles.read(file);
        if (SourceFiles.isScript(file)) {
            return deployScript(path.isEmpty() ? SourceFiles.name(file) : path, content);
        }
        FlowSource bare =
                FlowSource.of(content).withFileName(SourceFiles.name(file)).withPath(path);
        return sending.perform(calls.scriptPaths(bare))
                .thenCompose(names -> deployFlow(bare.withFiles(SourceFiles.readBeside(file, names))));
    }

    /** Starts a run, which is durable once the call has returned. */
    public CompletableFuture<Run> submit(Target target, @Nullable Object input) {
        return submit(target, input, RunOptions.DEFAULT);
    }

    /** Starts a run, which is durable once the call has returned. */
    public CompletableFuture<Run> submit(Target target, @Nullable Object input, RunOptions options) {
        return sending.perform(calls.submitRun(new RunSpec(target, input, options), Duration.ZERO))
                .thenApply(Calls.Submitted::run);
    }

    /** Starts up to 10,000 runs in one transaction, all or none; returns their ids in order. */
    public CompletableFuture<List<String>> submitAll(List<RunSpec> specs) {
        return sending.perform(calls.submitRuns(specs, Optional.empty()));
    }

    /** As {@link #submitAll(List)}; later calls with the same id and runs return the same ids. */
    public CompletableFuture<List<String>> submitAll(List<RunSpec> specs, String requestId) {
        return sending.perform(calls.submitRuns(specs, Optional.of(requestId)));
    }

    /** Returns a run with its input and output. */
    public CompletableFuture<Run> getRun(String runId) {
        return sending.perform(calls.getRun(runId));
    }

    /** Cancels a run: waiting jobs are dropped, running ones are stopped. */
    public CompletableFuture<Run> cancel(String runId) {
        return cancel(runId, Note.NONE);
    }

    /** Cancels a run: waiting jobs are dropped, running ones are stopped. */
    public CompletableFuture<Run> cancel(String runId, Note note) {
        return sending.perform(calls.cancelRun(runId, note));
    }

    /** Pauses a run: running jobs finish, and no further job begins. */
    public CompletableFuture<Run> pause(String runId) {
        return pause(runId, Note.NONE);
    }

    /** Pauses a run: running jobs finish, and no further job begins. */
    public CompletableFuture<Run> pause(String runId, Note note) {
        return sending.perform(calls.pauseRun(runId, note));
    }

    /** Resumes a paused run. */
    public CompletableFuture<Run> resume(String runId) {
        return resume(runId, Note.NONE);
    }

    /** Resumes a paused run. */
    public CompletableFuture<Run> resume(String runId, Note note) {
        return sending.perform(calls.resumeRun(runId, note));
    }

    /** Reopens a failed or canceled run; succeeded steps keep their results. */
    public CompletableFuture<Run> retry(String runId) {
        return retry(runId, Note.NONE);
    }

    /** Reopens a failed or canceled run; succeeded steps keep their results. */
    public CompletableFuture<Run> retry(String runId, Note note) {
        return sending.perform(calls.retryRun(runId, note));
    }

    /** Starts a new run of the same version and returns it. Null takes the same input. */
    public CompletableFuture<Run> restart(String runId, @Nullable Object input) {
        return restart(runId, input, Note.NONE);
    }

    /** Starts a new run of the same version and returns it. Null takes the same input. */
    public CompletableFuture<Run> restart(String runId, @Nullable Object input, Note note) {
        return sending.perform(calls.restartRun(runId, input, note));
    }

    /**
     * Starts a new run of the same version at a step, with the results before it, and returns the new run. Null
     * takes the same input.
     */
    public CompletableFuture<Run> rerun(String runId, String step, @Nullable Object input) {
        return rerun(runId, step, input, Note.NONE);
    }

    /**
     * Starts a new run of the same version at a step, with the results before it, and returns the new run. Null
     * takes the same input.
     */
    public CompletableFuture<Run> rerun(String runId, String step, @Nullable Object input, Note note) {
        return rerun(runId, new Rerun(step, input, Optional.empty(), null), note);
    }

    /** Starts a new run at a step, with the results before it, and returns the new run. */
    public CompletableFuture<Run> rerun(String runId, Rerun rerun, Note note) {
        return sending.perform(calls.rerunRun(runId, rerun, note));
    }

    /**
     * Starts new runs at a step of many runs, in the background, and returns the operation. Unless runs are named by id,
     * their states must be given.
     *
     * @throws IllegalArgumentException if the rerun has an input of the run, which many runs cannot share
     */
    public CompletableFuture<BulkOperation> rerunAll(RunSelection runs, Rerun rerun, Note note) {
        return sending.perform(calls.rerunAll(runs, rerun, note));
    }

    /** Cancels many runs in the background, and returns the operation. */
    public CompletableFuture<BulkOperation> cancelAll(RunSelection runs, Note note) {
        return sending.perform(calls.cancelAll(runs, note));
    }

    /** Returns how far an operation on many runs has come. */
    public CompletableFuture<BulkOperation> bulk(String bulkId) {
        return sending.perform(calls.getBulk(bulkId));
    }

    /** Passes to the consumer what an operation on many runs did to each of them, ordered by id. */
    public CompletableFuture<Void> bulkRuns(String bulkId, Consumer<? super BulkRun> consumer) {
        return sending.pages(token -> calls.listBulkRuns(bulkId, token), consumer);
    }

    /** Leaves out the runs that an operation on many runs has not reached; nothing is undone. */
    public CompletableFuture<BulkOperation> stopBulk(String bulkId, Note note) {
        return sending.perform(calls.stopBulk(bulkId, note));
    }

    /** Ends a waiting or running step as skipped, with this result. */
    public CompletableFuture<Run> skip(String runId, String step, @Nullable Object result) {
        return skip(runId, step, result, Note.NONE);
    }

    /** Ends a waiting or running step as skipped, with this result. */
    public CompletableFuture<Run> skip(String runId, String step, @Nullable Object result, Note note) {
        return sending.perform(calls.skipStep(runId, step, result, note));
    }

    /** Sends a signal. Returns the step that took it; empty if the run keeps it for a later wait. */
    public CompletableFuture<String> signal(String runId, String name, @Nullable Object payload) {
        return signal(runId, name, payload, Note.NONE);
    }

    /**
     * Sends a signal. Returns the step that took it; empty if the run keeps it for a later wait. The reason of the
     * note has no place.
     */
    public CompletableFuture<String> signal(String runId, String name, @Nullable Object payload, Note note) {
        return sending.perform(calls.sendSignal(runId, name, payload, note));
    }

    /** Approves a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public CompletableFuture<String> approve(String runId, String step, @Nullable Object payload) {
        return approve(runId, step, payload, Note.NONE);
    }

    /** Approves a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public CompletableFuture<String> approve(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_APPROVE, payload, note));
    }

    /** Denies a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public CompletableFuture<String> deny(String runId, String step, @Nullable Object payload) {
        return deny(runId, step, payload, Note.NONE);
    }

    /** Denies a step that waits for people, and returns its key. The step may be empty if only one waits. */
    public CompletableFuture<String> deny(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_DENY, payload, note));
    }

    /**
     * Hands in the result of a human task, and returns the key of its step. The step may be empty if only one
     * waits.
     */
    public CompletableFuture<String> complete(String runId, String step, @Nullable Object payload) {
        return complete(runId, step, payload, Note.NONE);
    }

    /**
     * Hands in the result of a human task, and returns the key of its step. The step may be empty if only one
     * waits.
     */
    public CompletableFuture<String> complete(String runId, String step, @Nullable Object payload, Note note) {
        return sending.perform(calls.answerWait(runId, step, Answer.ANSWER_COMPLETE, payload, note));
    }

    /** Signs links with which these people can answer a step; empty lets them be valid for 30 days. */
    public CompletableFuture<List<WaitLink>> waitLinks(
            String runId, String step, List<String> actors, Optional<Duration> validFor) {
        return sending.perform(calls.createWaitLinks(runId, step, actors, validFor));
    }

    /** Stores a version of a script and makes it the current one of its path. */
    public CompletableFuture<Deployed> deployScript(String path, String content) {
        return sending.perform(calls.deployScript(path, content));
    }

    /** Stores a version of a flow with its scripts and makes it the current one of its path. */
    public CompletableFuture<Deployed> deployFlow(FlowSource flow) {
        return sending.perform(calls.deployFlow(flow));
    }

    /**
     * Passes to the consumer the runs of the workspace, the newest first, without input and output. Pages are read
     * as they are needed.
     */
    public CompletableFuture<Void> search(RunFilter filter, Consumer<? super Run> consumer) {
        return sending.pages(token -> calls.listRuns(filter, token), consumer);
    }

    /**
     * Passes to the consumer the steps of a run without inputs and results: the ended ones in the order of their
     * ends, then the others. Pages are read as they are needed.
     */
    public CompletableFuture<Void> steps(String runId, Consumer<? super Step> consumer) {
        return steps(runId, StepFilter.ALL, consumer);
    }

    /** As {@link #steps(String, Consumer)}, with inputs and results. Pages are read as they are needed. */
    public CompletableFuture<Void> stepsWithPayloads(String runId, Consumer<? super Step> consumer) {
        return steps(runId, StepFilter.ALL.andPayloads(), consumer);
    }

    /** As {@link MillraceClient#steps(String, StepFilter)}: passes the steps to the consumer. */
    public CompletableFuture<Void> steps(String runId, StepFilter wanted, Consumer<? super Step> consumer) {
        return sending.pages(token -> calls.listSteps(runId, wanted, token), consumer);
    }

    /** As {@link MillraceClient#iterations}: passes the iterations to the consumer. */
    public CompletableFuture<Void> iterations(
            String runId, String loop, Set<StepState> states, int from, Consumer<? super Iteration> consumer) {
        return sending.pages(token -> calls.listIterations(runId, loop, states, from, token), consumer);
    }

    /**
     * Passes to the consumer the stored log of a run; {@link #follow} also passes on what comes later. Pages are
     * read as they are needed.
     */
    public CompletableFuture<Void> logs(String runId, Consumer<? super LogChunk> consumer) {
        return sending.pages(token -> calls.listLogs(runId, "", token), consumer);
    }

    /** Passes to the consumer the stored log of one job of a run. Pages are read as they are needed. */
    public CompletableFuture<Void> logs(String runId, String jobId, Consumer<? super LogChunk> consumer) {
        return sending.pages(token -> calls.listLogs(runId, jobId, token), consumer);
    }

    /**
     * Passes to the consumer the steps of a run that wait now, the oldest wait first. Pages are read as they are
     * needed.
     */
    public CompletableFuture<Void> waits(String runId, Consumer<? super Wait> consumer) {
        return sending.pages(token -> calls.listWaits(runId, token), consumer);
    }

    private CompletableFuture<Outcome> outcome(
            Target target, @Nullable Object input, RunOptions options, Optional<Duration> limit) {
        long begin = System.nanoTime();
        Duration first = Calls.firstWait(limit);
        return sending.perform(calls.submitRun(new RunSpec(target, input, options), first))
                .thenCompose(submitted -> {
                    if (submitted.early().isPresent() || submitted.run().state().isEnd()) {
                        return CompletableFuture.completedFuture(new Outcome(submitted.run(), submitted.early()));
                    }
                    Optional<Duration> left = limit.map(time -> time.minusNanos(System.nanoTime() - begin));
                    return wait(submitted.run().id(), left).thenApply(run -> new Outcome(run, Optional.empty()));
                });
    }

    private CompletableFuture<Run> wait(String runId, Optional<Duration> limit) {
        return follow(runId, FollowOptions.end(limit), event -> {}).thenCompose(ended -> getRun(runId));
    }

    private record Outcome(Run run, Optional<ByteString> early) {}
}
