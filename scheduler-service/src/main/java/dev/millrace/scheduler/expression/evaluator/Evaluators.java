package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.queue.core.Workspace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pool of child processes that evaluate for this JVM. The processes are started on demand up to a limit, kept warm, and
 * replaced when they die.
 *
 * <p>Callers wait for a process in turns with other runs. A request whose process dies is tried once more. If it kills
 * again, it fails and is remembered. Thread-safe. Calls block, so lanes must not call it.
 *
 * <p>Like the common pool, there is one for the whole JVM: an evaluation depends only on the request.
 */
public final class Evaluators {
    /** Present while {@link #doWithout} runs. */
    private static final ScopedValue<Boolean> DONE_WITHOUT = ScopedValue.newInstance();

    private static final Logger log = LoggerFactory.getLogger(Evaluators.class);
    /** Number of attempts after which a request is remembered as one that kills its process. */
    private static final int TRIES_MAX = 2;
    /** Delay before a failed start of a process is retried. */
    private static final Duration START_RETRY_INTERVAL = Duration.ofSeconds(1);

    private static final String LIMIT = "ExpressionLimit";
    private static final Evaluators SHARED = new Evaluators(EvaluatorSettings.DEFAULT);

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<EvaluatorProcess> idle = new ArrayDeque<>();
    private final Turns<CompletableFuture<EvaluatorProcess>> waiting = new Turns<>();
    private final ScheduledThreadPoolExecutor watch;
    private final AtomicInteger kills = new AtomicInteger();
    private EvaluatorSettings settings;
    /** Number of processes that are running or starting. */
    private int running;

    private volatile KilledRequests killed = KilledRequests.NONE;

    Evaluators(EvaluatorSettings settings) {
        this.settings = settings;
        this.watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("evaluator-watch").daemon().factory());
        watch.setRemoveOnCancelPolicy(true);
    }

    /** The evaluators of this JVM. */
    public static Evaluators shared() {
        return SHARED;
    }

    /** Changes the number and size of the processes. Running processes are replaced as they become idle. */
    public void configure(EvaluatorSettings changed) {
        lock.lock();
        try {
            if (!settings.equals(changed)) {
                settings = changed;
                for (EvaluatorProcess old : idle) {
                    old.kill("the settings have changed");
                    running--;
                }
                idle.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sets the store for requests that kill their process. */
    public void remember(KilledRequests store) {
        killed = store;
    }

    /**
     * Starts one process in the background, so that the first expression need not wait. Further processes start when
     * evaluations are concurrent.
     */
    public void warmUp() {
        lock.lock();
        try {
            if (running == 0) {
                startOne();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Number of processes that were killed or died during a request. */
    public int kills() {
        return kills.get();
    }

    /**
     * Runs an action that must not evaluate anything, on the current thread.
     *
     * @throws EvaluationNeeded if the action needs an evaluation
     */
    public static void doWithout(Runnable action) {
        ScopedValue.where(DONE_WITHOUT, Boolean.TRUE).run(action);
    }

    /**
     * Computes a value that must need no evaluation, on the current thread.
     *
     * @throws EvaluationNeeded if the value needs an evaluation
     */
    public static <T> T computeWithout(Supplier<T> value) {
        return ScopedValue.where(DONE_WITHOUT, Boolean.TRUE).call(value::get);
    }

    /**
     * Does nothing, unless evaluations are to be done without.
     *
     * @throws EvaluationNeeded within {@link #doWithout} and {@link #computeWithout}
     */
    public static void requireAllowed() {
        if (DONE_WITHOUT.isBound()) {
            throw new EvaluationNeeded();
        }
    }

    /** Evaluates a request that reads no further values while it runs. */
    public Answer evaluate(Request request) {
        return evaluate(request, (part, key) -> null);
    }

    /**
     * Evaluates a request on behalf of {@link EvaluationOwner#CURRENT}.
     *
     * @param values lookup of values that the program reads while it runs, called on the caller's thread
     * @throws EvaluationFailed if the request has killed its process twice, in this call or an earlier one
     * @throws EvaluatorStopped if the calling thread is interrupted
     * @throws EvaluationNeeded within {@link #doWithout} and {@link #computeWithout}
     */
    public Answer evaluate(Request request, Engine.Lookup values) {
        requireAllowed();
        Optional<String> known = killed.isEmpty() ? Optional.empty() : killed.find(request.key());
        if (known.isPresent()) {
            throw stopped(request, known.get());
        }
        EvaluationOwner owner =
                EvaluationOwner.CURRENT.isBound() ? EvaluationOwner.CURRENT.get() : EvaluationOwner.NOBODY;
        for (int attempt = 1; ; attempt++) {
            EvaluatorProcess process = acquire(owner);
            try {
                return process.evaluate(request, values);
            } catch (EvaluatorDied died) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new EvaluatorStopped("An evaluation was interrupted.");
                }
                kills.incrementAndGet();
                log.atWarn()
                        .addKeyValue(
                                "workspace",
                                owner.workspace().map(Workspace::name).orElse(""))
                        .addKeyValue("run", owner.run())
                        .addKeyValue("pid", process.pid())
                        .addKeyValue("reason", died.reason())
                        .addKeyValue("attempt", attempt)
                        .log("An evaluator died and is replaced");
                if (attempt >= TRIES_MAX) {
                    killed.add(request.key(), died.reason());
                    throw stopped(request, died.reason());
                }
            } finally {
                release(process);
            }
        }
    }

    private static EvaluationFailed stopped(Request request, String reason) {
        return new EvaluationFailed(LIMIT, request.phrase() + " was stopped: " + reason + ". " + request.remedy());
    }

    private EvaluatorProcess acquire(EvaluationOwner owner) {
        if (Thread.currentThread().isInterrupted()) {
            throw new EvaluatorStopped("An evaluation was interrupted before it began.");
        }
        CompletableFuture<EvaluatorProcess> turn;
        lock.lock();
        try {
            EvaluatorProcess free = idle.pollFirst();
            if (free != null && free.isAlive()) {
                return free;
            }
            if (free != null) {
                running--;
            }
            turn = new CompletableFuture<>();
            waiting.add(owner, turn);
            if (running < settings.processes()) {
                startOne();
            }
        } finally {
            lock.unlock();
        }
        try {
            return turn.get();
        } catch (InterruptedException interrupted) {
            leave(owner, turn);
            Thread.currentThread().interrupt();
            throw new EvaluatorStopped("An evaluation was interrupted while it waited for its turn.");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void leave(EvaluationOwner owner, CompletableFuture<EvaluatorProcess> turn) {
        lock.lock();
        try {
            if (!waiting.remove(owner, turn) && turn.isDone()) {
                handOver(turn.join());
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(EvaluatorProcess process) {
        lock.lock();
        try {
            if (process.isAlive() && running <= settings.processes()) {
                handOver(process);
            } else {
                process.kill("it exceeds the configured number of processes");
                running--;
                if (running < settings.processes()) {
                    startOne();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands the process to the next waiter, or makes it idle. Requires the lock. */
    private void handOver(EvaluatorProcess process) {
        Optional<CompletableFuture<EvaluatorProcess>> next = waiting.poll();
        if (next.isPresent()) {
            next.get().complete(process);
        } else {
            idle.addFirst(process);
        }
    }

    /** Starts a process. Requires the lock. */
    private void startOne() {
        running++;
        EvaluatorSettings wanted = settings;
        Thread.ofPlatform().name("evaluator-start").daemon().start(() -> startProcess(wanted));
    }

    private void startProcess(EvaluatorSettings wanted) {
        @Nullable EvaluatorProcess fresh = null;
        try {
            fresh = EvaluatorProcess.start(wanted, watch);
            fresh.awaitReady();
        } catch (IOException | EvaluatorDied failure) {
            log.atError()
                    .addKeyValue("reason", failure.getMessage())
                    .addKeyValue("retryAfter", START_RETRY_INTERVAL)
                    .log("An evaluator cannot be started and will be tried again; expressions wait for it");
            var _ = watch.schedule(this::retryStart, START_RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            return;
        }
        lock.lock();
        try {
            handOver(fresh);
        } finally {
            lock.unlock();
        }
    }

    private void retryStart() {
        lock.lock();
        try {
            running--;
            startOne();
        } finally {
            lock.unlock();
        }
    }
}
