package dev.millrace.scheduler.expression.engine;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.expression.evaluator.EngineStuck;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs an engine that may not come back in a thread of its own, with a stack of its own; where it does not come back it is stuck. */
final class BoundedEngine implements Engine {
    /** Longest work of one request, in processor time of its thread. */
    private static final Duration WORK_MAX = Duration.ofSeconds(1);
    /** Longest wait for one request: on a busy machine its thread may not get a processor. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);
    /** How often a request in progress is looked at. */
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(100);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Bytes of stack: deeper nesting is an error of the request. */
    private static final long STACK_BYTES = 4 << 20;

    private final Engine engine;
    private final AtomicReference<Thread> worker = new AtomicReference<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread made = new Thread(null, work, "engine", STACK_BYTES);
        made.setDaemon(true);
        worker.set(made);
        return made;
    });

    BoundedEngine(Engine engine) {
        this.engine = engine;
    }

    @Override
    public Answer evaluate(List<@Nullable String> parts, Lookup values) {
        Future<Answer> answer = thread.submit(() -> engine.evaluate(parts, values));
        try {
            return await(answer);
        } catch (InterruptedException never) {
            throw new EngineStuck("it was interrupted");
        } catch (ExecutionException failed) {
            return switch (failed.getCause()) {
                case EvaluationFailed reason -> throw reason;
                case StackOverflowError _ ->
                    new Answer.Failed(
                            "ExpressionLimit", "An expression was stopped: it is nested, or calls itself, too deep.");
                case Error error -> throw error;
                case RuntimeException bug -> throw bug;
                case null, default -> throw new IllegalStateException(failed);
            };
        }
    }

    private Answer await(Future<Answer> answer) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        long workBefore = -1;
        while (System.nanoTime() - start < WAIT_MAX.toNanos()) {
            try {
                return answer.get(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException goesOn) {
                long work = THREADS.getThreadCpuTime(worker.get().threadId());
                workBefore = workBefore < 0 ? work : workBefore;
                if (work - workBefore > WORK_MAX.toNanos()) {
                    throw new EngineStuck("it worked for longer than " + WORK_MAX.toMillis() + " ms");
                }
            }
        }
        throw new EngineStuck("it took longer than " + WAIT_MAX.toSeconds() + " s");
    }
}
