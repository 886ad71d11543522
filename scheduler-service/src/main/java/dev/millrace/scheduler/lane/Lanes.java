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
import dev.millrace.scheduler.queue.TagRoutes;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * All lanes of a scheduler. Runs are divided among them by bucket, so that two lanes never touch one run. Thread-safe.
 */
public final class Lanes implements Queue, AutoCloseable {
    /** Maximum number of commands that may wait in one lane before new requests are rejected. */
    static final int SUBMISSIONS_WAITING_MAX = 10_000;
    /** Maximum number of flows that one lane remembers. */
    static final int FLOWS_REMEMBERED_MAX = 20_000;

    /** Estimate of the memory that a preparation takes for the large results that it reads. */
    private static final long LARGE_READ_BYTES = 2L * StoredReads.KEPT_LENGTH_MAX;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final List<Lane> lanes;
    private final Backlog backlog;
    private final FlowModels models;

    /**
     * @param scheduler leases jobs only to sessions that it holds
     * @param count number of lanes
     * @param connections opens a lane's own connection
     * @param storedResults reads large results, which flows in progress leave in the history
     * @param routes decides under which tags jobs wait
     * @param lossesMax number of lost workers after which a job fails
     * @param results memory budget of the results that wait for a lane, see {@link #attemptEnded}
     * @param flowBytesMax maximum number of bytes of the flows that all lanes together remember
     * @param observer learns what lanes have committed
     * @param features features of every flush, in the order in which they are called
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
            TagRoutes routes,
            Leases leases,
            StartedJobs started,
            RunEvents events,
            EventBus bus,
            int lossesMax,
            MemoryPart results,
            long flowBytesMax,
            LaneObserver observer,
            List<LaneFeature.Maker> features) {
        this.models = models;
        this.backlog = new Backlog();
        LaneContext context = new LaneContext(
                scheduler,
                ids,
                random,
                slots,
                routes,
                backlog,
                leases,
                started,
                events,
                bus,
                lossesMax,
                results,
                new Semaphore((int) Math.max(1, flowBytesMax / LARGE_READ_BYTES), true),
                observer,
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
        if (!lane.canCommit()) {
            return CompletableFuture.failedFuture(new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "The database does not answer or commits nothing, so nothing was accepted. Submit again later."));
        }
        if (lane.backlog() >= SUBMISSIONS_WAITING_MAX) {
            return CompletableFuture.completedFuture(new SubmitResult.Busy(RETRY_AFTER));
        }
        CompletableFuture<SubmitResult> answer = new CompletableFuture<>();
        lane.offer(new SubmitRuns(submission, modelsOf(submission), true, answer));
        return answer;
    }

    /**
     * Passes a caller's command to its lane. Fails at once if the lane is overloaded or the database does not answer.
     *
     * @param command creates the command, which completes its argument once it is durable
     */
    public <T> CompletableFuture<T> ask(RunId run, Function<CompletableFuture<T>, LaneCommand> command) {
        Lane lane = laneOf(run);
        return isOpen(lane) ? send(lane, command) : CompletableFuture.failedFuture(closed(lane));
    }

    /**
     * Passes a command to its lane whatever the load, because it belongs to a run that has begun: for example, a timer.
     *
     * @param command creates the command, which completes its argument once it is durable
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
     * Records the end of an attempt, see {@link EndAttempt}.
     *
     * @param listener called once the result is durable or rejected
     * @param reservedBytes memory that the caller has reserved in the budget of results; the lane releases it
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

    /** Makes a lane look for free slots and waiting jobs. */
    public void wake() {
        lanes.getFirst().offer(new Wake());
    }

    /** Makes every lane flush once more, even if it has nothing to write. */
    public void wakeAll() {
        lanes.forEach(lane -> lane.offer(new Wake()));
    }

    /** Notes that another scheduler may have enqueued jobs of this tag. */
    public void jobsMayWait(String tag) {
        backlog.forget(tag);
        wake();
    }

    /** Notes that another scheduler may have enqueued any jobs. */
    public void anythingMayWait() {
        backlog.forgetAll();
        wake();
    }

    /** Reconciles the leases of the connected sessions with the database. The future completes once that is done. */
    public CompletableFuture<Void> resync() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        lanes.getFirst().offer(new Resync(() -> done.complete(null)));
        return done;
    }

    /** The number of commands that wait in each lane. */
    public List<Integer> waiting() {
        return lanes.stream().map(Lane::backlog).toList();
    }

    /** Whether all lanes have a working connection, and no commit hangs. */
    public boolean canCommit() {
        return lanes.stream().allMatch(Lane::canCommit);
    }

    /** Time since the oldest commit under way began; zero if there is none. */
    public Duration oldestCommit() {
        return lanes.stream()
                .map(Lane::commitAge)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** Finishes the accepted commands, then stops. */
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

    /**
     * Whether a lane accepts requests. Commands of runs that have begun, such as results and timers, are always
     * accepted.
     */
    private static boolean isOpen(Lane lane) {
        return lane.canCommit() && lane.backlog() < SUBMISSIONS_WAITING_MAX;
    }

    private static MillraceException closed(Lane lane) {
        return lane.canCommit()
                ? MillraceException.overloaded(
                        SUBMISSIONS_WAITING_MAX + " changes are waiting: nothing was done. Repeat the call later.",
                        RETRY_AFTER)
                : new MillraceException(
                        ErrorCode.DATABASE_UNAVAILABLE,
                        "The database does not answer or commits nothing, so nothing was done. Repeat the call later.");
    }

    private Lane laneOf(RunId run) {
        return lanes.get(run.bucket().value() % lanes.size());
    }
}
