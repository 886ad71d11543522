package dev.millrace.scheduler.lane;

import dev.millrace.memory.MemoryPart;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.StoredReads;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.FlowModels;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.ResultListener;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.Backlog;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.runtime.EventBus;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** All lanes of a scheduler: runs are divided among them by bucket, so that two lanes never touch one run. Thread-safe. */
public final class Lanes implements Queue, AutoCloseable {
    /** Most submissions that may wait in one lane; more are refused until it has caught up. */
    static final int SUBMISSIONS_WAITING_MAX = 10_000;
    /** Most flows that one lane remembers. */
    static final int FLOWS_REMEMBERED_MAX = 20_000;

    /** What a preparation may hold of the large results that it reads. */
    private static final long LARGE_READ_BYTES = 2L * StoredReads.KEPT_LENGTH_MAX;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final List<Lane> lanes;
    private final Backlog backlog;
    private final FlowModels models;

    /**
     * @param scheduler leases jobs only to sessions that it holds
     * @param count how many lanes
     * @param connections opens a lane's own connection
     * @param storedResults reads results that flows in progress leave in the history
     * @param lossesMax after this many lost workers a job fails
     * @param results memory of the results that wait for a lane, see {@link #attemptEnded}
     * @param flowBytesMax most bytes of the flows that all lanes together remember
     * @param features that take part in flushes, in the order in which they are asked
     */
    public Lanes(
            SchedulerId scheduler,
            int count,
            Callable<Connection> connections,
            FlowModels models,
            ResultReader storedResults,
            IdSource ids,
            RandomGenerator random,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            RunEvents events,
            EventBus bus,
            int lossesMax,
            MemoryPart results,
            long flowBytesMax,
            List<LaneFeature.Maker> features) {
        this.models = models;
        this.backlog = new Backlog();
        LaneContext context = new LaneContext(
                scheduler,
                ids,
                random,
                slots,
                backlog,
                leases,
                started,
                events,
                bus,
                lossesMax,
                results,
                new Semaphore((int) Math.max(1, flowBytesMax / LARGE_READ_BYTES), true),
                features);
        this.lanes = IntStream.range(0, count)
                .mapToObj(i -> new Lane(
                        "lane-" + i,
                        context,
                        new LaneStore(new LaneConnection(connections), models, storedResults, ids),
                        new LiveFlows(FLOWS_REMEMBERED_MAX, flowBytesMax / count)))
                .toList();
    }

    public void start() {
        lanes.forEach(Lane::start);
    }

    @Override
    public CompletableFuture<SubmitResult> submit(Submission submission) {
        Lane lane = laneOf(submission.runs().getFirst().id());
        if (!lane.isConnected()) {
            return CompletableFuture.failedFuture(new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "The database does not answer; nothing was accepted. Submit again later."));
        }
        if (lane.backlog() >= SUBMISSIONS_WAITING_MAX) {
            return CompletableFuture.completedFuture(new SubmitResult.Busy(RETRY_AFTER));
        }
        CompletableFuture<SubmitResult> answer = new CompletableFuture<>();
        lane.offer(new SubmitRuns(submission, modelsOf(submission), answer));
        return answer;
    }

    /**
     * Has a command of a caller done. Fails at once if the lane is overloaded or the database does not answer.
     *
     * @param command makes the command, which completes its argument once it is durable
     */
    public <T> CompletableFuture<T> ask(RunId run, Function<CompletableFuture<T>, LaneCommand> command) {
        Lane lane = laneOf(run);
        return isOpen(lane) ? send(lane, command) : CompletableFuture.failedFuture(closed(lane));
    }

    /**
     * Has a command done whatever the load, because it belongs to what has begun: a timer, for example.
     *
     * @param command makes the command, which completes its argument once it is durable
     */
    public <T> CompletableFuture<T> demand(RunId run, Function<CompletableFuture<T>, LaneCommand> command) {
        return send(laneOf(run), command);
    }

    private static <T> CompletableFuture<T> send(Lane lane, Function<CompletableFuture<T>, LaneCommand> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        lane.offer(command.apply(answer));
        return answer;
    }

    /**
     * An attempt has ended; {@code listener} is told once that is durable or refused. The caller has reserved {@code reservedBytes} for it in the memory of
     * results, and the lane gives them back. See {@link EndAttempt}.
     */
    public void attemptEnded(
            JobId job,
            LeaseToken token,
            AttemptResult result,
            long runMicros,
            String workerName,
            ResultListener listener,
            long reservedBytes) {
        lanes.get(job.bucket().value() % lanes.size())
                .offer(new EndAttempt(job, token, result, runMicros, workerName, listener, reservedBytes));
    }

    /** There may be room, or jobs: a lane looks. */
    public void wake() {
        lanes.getFirst().offer(new Wake());
    }

    /** Jobs of this tag may have been queued by someone else. */
    public void jobsMayWait(String tag) {
        backlog.forget(tag);
        wake();
    }

    /** Anything may have been queued by someone else. */
    public void anythingMayWait() {
        backlog.forgetAll();
        wake();
    }

    /** Gives the sessions connected here what the database says they hold; completes when that is done. */
    public CompletableFuture<Void> resync() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        lanes.getFirst().offer(new Resync(() -> done.complete(null)));
        return done;
    }

    /** Whether the database answers. */
    public boolean isConnected() {
        return lanes.stream().allMatch(Lane::isConnected);
    }

    /** Finishes what has been taken, then stops. */
    @Override
    public void close() {
        lanes.forEach(lane -> lane.close(CLOSE_PATIENCE));
    }

    private Map<String, FlowModel> modelsOf(Submission submission) {
        Map<String, FlowModel> named = new HashMap<>();
        for (NewRun run : submission.runs()) {
            if (run.target() instanceof RunTarget.FlowRun(String hash)) {
                named.computeIfAbsent(hash, models::model);
            }
        }
        return named;
    }

    /** Whether a lane takes what callers ask for. What has begun in any case, results and timers for example, is always taken. */
    private static boolean isOpen(Lane lane) {
        return lane.isConnected() && lane.backlog() < SUBMISSIONS_WAITING_MAX;
    }

    private static MillraceException closed(Lane lane) {
        return lane.isConnected()
                ? MillraceException.overloaded(
                        SUBMISSIONS_WAITING_MAX + " changes wait already: nothing was done. Repeat the call later.",
                        RETRY_AFTER)
                : new MillraceException(
                        ErrorCode.DATABASE_UNAVAILABLE,
                        "The database does not answer; nothing was done. Repeat the call later.");
    }

    private Lane laneOf(RunId run) {
        return lanes.get(run.bucket().value() % lanes.size());
    }
}
