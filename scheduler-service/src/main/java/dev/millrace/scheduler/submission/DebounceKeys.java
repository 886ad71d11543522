package dev.millrace.scheduler.submission;

import dev.millrace.scheduler.expression.evaluator.EvaluationNeeded;
import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.flow.core.machine.RunKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the keys of submissions that may be merged. A key that needs an evaluator is computed on a thread of its
 * own, and the submission waits for it only for a moment: the expression may take long, or never end. Thread-safe.
 */
final class DebounceKeys {
    /** How long a submission waits for its key: many times as long as an expression usually takes. */
    static final Duration WAIT_MAX = Duration.ofMillis(500);

    /** Maximum number of keys of a workspace that are computed at a time. Further submissions wait for theirs. */
    static final int COMPUTED_MAX = 500;

    private static final Logger log = LoggerFactory.getLogger(DebounceKeys.class);

    private final Map<Workspace, Integer> computed = new HashMap<>();

    /** What is known of a key when the submission must be answered. */
    sealed interface Answer {
        /** The key, which may be unusable: the caller can correct the input. */
        record Plain(RunKey key) implements Answer {}

        /** The key is computed, and known. */
        record InTime(String key) implements Answer {}

        /** The key is not known yet, or cannot be computed. */
        record Late(CompletableFuture<RunKey> key) implements Answer {}
    }

    /** @param run name of the run, for fairness among evaluations */
    Answer find(Workspace workspace, String run, Supplier<RunKey> key) {
        Optional<RunKey> plain = withoutEvaluator(key);
        if (plain.isPresent()) {
            return new Answer.Plain(plain.get());
        }
        EvaluationOwner owner = new EvaluationOwner(Optional.of(workspace), run);
        if (!enter(workspace)) {
            return answer(CompletableFuture.completedFuture(compute(owner, key)));
        }
        CompletableFuture<RunKey> future = new CompletableFuture<>();
        Thread.ofVirtual().name("debounce-key").start(() -> {
            try {
                future.complete(compute(owner, key));
            } finally {
                leave(workspace);
            }
        });
        return answer(future);
    }

    private static Answer answer(CompletableFuture<RunKey> key) {
        Optional<RunKey> inTime = key.thenApply(Optional::of)
                .completeOnTimeout(Optional.empty(), WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return inTime.isPresent() && inTime.get() instanceof RunKey.Known(String text)
                ? new Answer.InTime(text)
                : new Answer.Late(key);
    }

    private static Optional<RunKey> withoutEvaluator(Supplier<RunKey> key) {
        try {
            return Optional.of(Evaluators.computeWithout(key));
        } catch (EvaluationNeeded needed) {
            return Optional.empty();
        }
    }

    private static RunKey compute(EvaluationOwner owner, Supplier<RunKey> key) {
        try {
            return ScopedValue.where(EvaluationOwner.CURRENT, owner).call(key::get);
        } catch (RuntimeException bug) {
            log.atError().addKeyValue("run", owner.run()).setCause(bug).log("A debounce key could not be computed");
            return new RunKey.Unusable(
                    JobError.permanent("InternalError", "Millrace failed to compute the debounce key: " + bug));
        }
    }

    private synchronized boolean enter(Workspace workspace) {
        int count = computed.getOrDefault(workspace, 0);
        if (count >= COMPUTED_MAX) {
            return false;
        }
        computed.put(workspace, count + 1);
        return true;
    }

    private synchronized void leave(Workspace workspace) {
        computed.computeIfPresent(workspace, (_, count) -> count == 1 ? null : count - 1);
    }
}
