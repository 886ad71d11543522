package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The child processes that evaluate for this process: at most a fixed number, started when first needed, kept warm, and replaced when they die. Whoever
 * evaluates waits for a process in turns with other runs. A request whose process died is tried once more; if that kills, too, it
 * fails and is remembered. Thread-safe. Blocks: never called by a lane.
 *
 * <p>There is one for a whole JVM, as there is one common pool: what it evaluates depends on nothing but the request.
 */
public final class Evaluators {
    private static final Logger log = LoggerFactory.getLogger(Evaluators.class);
    /** How often a request is tried before it is held to be what kills. */
    private static final int TRIES_MAX = 2;
    /** Wait before another process is started where one could not be. */
    private static final Duration START_RETRY_INTERVAL = Duration.ofSeconds(1);

    private static final String LIMIT = "ExpressionLimit";
    private static final Evaluators SHARED = new Evaluators(EvaluatorSettings.DEFAULT);

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<EvaluatorProcess> idle = new ArrayDeque<>();
    private final Turns<CompletableFuture<EvaluatorProcess>> waiting = new Turns<>();
    private final ScheduledThreadPoolExecutor watch;
    private final AtomicInteger kills = new AtomicInteger();
    private EvaluatorSettings settings;
    /** Processes that run or are being started. */
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

    /** Changes how many processes there are and how large; those that run are replaced as they become idle. */
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

    /** Remembers requests that kill in {@code store} from now on. */
    public void remember(KilledRequests store) {
        killed = store;
    }

    /** Starts a process in the background, so that the first expression need not wait. The others start when evaluations come at once. */
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

    /** How many processes have been killed, or died, in the middle of a request. */
    public int kills() {
        return kills.get();
    }

    /** Evaluates a request that asks for nothing while it runs. */
    public Answer evaluate(Request request) {
        return evaluate(request, (part, key) -> null);
    }

    /**
     * Evaluates a request in the name of {@link EvaluationOwner#CURRENT}.
     *
     * @param values answers what the program asks for while it runs, on the caller's thread
     * @throws EvaluationFailed where the request has killed its process twice, now or before
     * @throws EvaluatorStopped where the calling thread is interrupted
     */
    public Answer evaluate(Request request, Engine.Lookup values) {
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
                    throw new EvaluatorStopped("An evaluation was broken off.");
                }
                kills.incrementAndGet();
                log.atWarn()
                        .addKeyValue("workspace", owner.workspace())
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
            throw new EvaluatorStopped("An evaluation was broken off before it began.");
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
            throw new EvaluatorStopped("An evaluation was broken off while it waited for its turn.");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void leave(EvaluationOwner owner, CompletableFuture<EvaluatorProcess> turn) {
        lock.lock();
        try {
            if (!waiting.remove(owner, turn) && turn.isDone()) {
                giveOn(turn.join());
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(EvaluatorProcess process) {
        lock.lock();
        try {
            if (process.isAlive() && running <= settings.processes()) {
                giveOn(process);
            } else {
                process.kill("it is one too many");
                running--;
                if (running < settings.processes()) {
                    startOne();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void giveOn(EvaluatorProcess process) {
        Optional<CompletableFuture<EvaluatorProcess>> next = waiting.poll();
        if (next.isPresent()) {
            next.get().complete(process);
        } else {
            idle.addFirst(process);
        }
    }

    /** Under the lock. */
    private void startOne() {
        running++;
        EvaluatorSettings wanted = settings;
        Thread.ofPlatform().name("evaluator-start").daemon().start(() -> bringUp(wanted));
    }

    private void bringUp(EvaluatorSettings wanted) {
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
            giveOn(fresh);
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
