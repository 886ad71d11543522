package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.runtime.LongJobs;
import dev.millrace.worker.internal.runtime.Threads;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.JobErrors;
import dev.millrace.worker.internal.session.LeaseKey;
import dev.millrace.worker.internal.session.LeasedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** Engine that runs handler jobs on one thread per slot; each thread takes the next job from the queue itself. */
public final class HandlerEngine implements JobEngine {
    private static final Duration THREAD_IDLE = Duration.ofSeconds(30);

    private final Function<LeasedJob, Optional<JobHandler>> handlers;
    private final ObjectMapper json;
    private final JobApiClient steps;
    private final ScheduledExecutorService timers = Threads.timer("millrace-handler-timer");
    private final Map<LeaseKey, HandlerRun> runs = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor executor;
    /** Runs that a thread took while their leases were in doubt. */
    private final Queue<HandlerRun> inDoubt = new ConcurrentLinkedQueue<>();

    private final SlotGroup group;
    private final LongJobs longJobs = new LongJobs(timers, this::hasJobsBehind, this::giveBackBehind);
    private Consumer<List<SlotGroup>> roomListener = room -> {};
    /** Whether the running jobs are long, as far as known. If so, no jobs wait here. */
    private boolean jobsAreLong;

    private volatile boolean draining;

    /**
     * @param handlers finds the handler of a job
     * @param group slots, and the number of jobs that may wait for them unless the running ones are long
     */
    public HandlerEngine(
            Function<LeasedJob, Optional<JobHandler>> handlers,
            ObjectMapper json,
            SlotGroup group,
            JobApiClient steps) {
        this.handlers = handlers;
        this.json = json;
        this.group = group;
        this.steps = steps;
        AtomicInteger count = new AtomicInteger();
        ThreadFactory threads = task -> new HandlerThread(task, "millrace-handler-" + count.incrementAndGet(), timers);
        executor = new ThreadPoolExecutor(
                group.getSlots(),
                group.getSlots(),
                THREAD_IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Finds handlers by the names that jobs give. */
    public static Function<LeasedJob, Optional<JobHandler>> byName(Map<String, JobHandler> handlers) {
        return job -> Optional.ofNullable(handlers.get(job.lease().getHandler()));
    }

    @Override
    public void accept(LeasedJob job) {
        Optional<JobHandler> handler = handlers.apply(job);
        if (handler.isEmpty()) {
            String name = job.lease().getHandler();
            job.fail(JobErrors.of("NoSuchHandler", "This worker has no handler named \"" + name + "\".", true));
        } else if (draining) {
            job.giveBack("The worker is stopping.");
        } else {
            HandlerRun run = new HandlerRun(job, handler.get(), json, steps, this::keepInDoubt, () -> ended(job));
            runs.put(job.key(), run);
            execute(run);
        }
    }

    private void execute(HandlerRun run) {
        try {
            executor.execute(run);
            longJobs.watch();
        } catch (RejectedExecutionException e) {
            run.giveBack("The worker is stopping.");
        }
    }

    private void ended(LeasedJob job) {
        runs.remove(job.key());
        if (job.hasStarted()) {
            longJobs.ended();
            if (job.ranNanos() < LongJobs.LONG_RUN_MIN.toNanos()) {
                expectLongJobs(false);
            }
        }
    }

    private synchronized void expectLongJobs(boolean expected) {
        if (jobsAreLong != expected) {
            jobsAreLong = expected;
            roomListener.accept(
                    List.of(expected ? group.toBuilder().setPrefetch(0).build() : group));
        }
    }

    private boolean hasJobsBehind() {
        return !executor.getQueue().isEmpty();
    }

    /**
     * Returns all waiting jobs. Handlers mostly wait for external services, so the jobs behind them are better off with
     * other workers.
     */
    private void giveBackBehind() {
        // Before the jobs return to the queue, so that they do not come back.
        expectLongJobs(true);
        giveBack(takeQueue(), LongJobs.GIVEN_BACK);
    }

    private List<Runnable> takeQueue() {
        List<Runnable> waiting = new ArrayList<>();
        executor.getQueue().drainTo(waiting);
        return waiting;
    }

    private static void giveBack(List<Runnable> waiting, String reason) {
        for (Runnable task : waiting) {
            ((HandlerRun) task).giveBack(reason);
        }
    }

    private void keepInDoubt(HandlerRun run) {
        inDoubt.add(run);
        // Another thread may have changed this state before the run was in the queue.
        if ((draining || run.mayBegin()) && inDoubt.remove(run)) {
            execute(run);
        }
    }

    @Override
    public void goOn() {
        for (HandlerRun run = inDoubt.poll(); run != null; run = inDoubt.poll()) {
            execute(run);
        }
    }

    @Override
    public synchronized void onRoomChange(Consumer<List<SlotGroup>> listener) {
        roomListener = listener;
    }

    @Override
    public void noteTurnaround(long nanos) {}

    @Override
    public void stop(LeasedJob job, String reason) {
        HandlerRun run = runs.get(job.key());
        if (run != null && !executor.remove(run) && !inDoubt.remove(run)) {
            run.interrupt();
        } else {
            runs.remove(job.key());
        }
    }

    @Override
    public void drain() {
        draining = true;
        List<Runnable> waiting = takeQueue();
        inDoubt.removeIf(waiting::add);
        giveBack(waiting, "The worker is stopping.");
        executor.shutdown();
    }

    @Override
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        draining = true;
        executor.shutdownNow();
        timers.shutdownNow();
    }
}
