package dev.millrace.gateway.rpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Answers of the scheduler that equal callers share who ask the same within {@link #KEPT} or another time, so that the tabs
 * of a person cost the scheduler no more than one. Equal callers show the same token from the same address. Thread-safe.
 *
 * @param <Q> a request
 * @param <A> the answer
 */
public final class SharedAnswers<Q, A> {
    /**
     * For how long an answer is given again unless said otherwise. Pages that ask after an event wait for as long, so that
     * they see what has changed.
     */
    static final Duration KEPT = Duration.ofMillis(250);

    /** Maximum number of answers that are kept; those of further callers are not shared. */
    private static final int ANSWERS_MAX = 64;

    private final Scheduler scheduler;
    private final MethodDescriptor<Q, A> method;
    private final Duration keptFor;
    private final LongSupplier nanos;
    /** Guarded by itself. */
    private final Map<Key<Q>, Kept<A>> kept = new HashMap<>();

    /** @param request with the workspace of the address */
    private record Key<Q>(Caller caller, Q request) {}

    private record Kept<A>(CompletableFuture<A> answer, long atNanos) {}

    public SharedAnswers(Scheduler scheduler, MethodDescriptor<Q, A> method) {
        this(scheduler, method, KEPT);
    }

    /** @param keptFor for how long an answer is given again, which is also for how long it may outlive the rights of a caller */
    public SharedAnswers(Scheduler scheduler, MethodDescriptor<Q, A> method, Duration keptFor) {
        this(scheduler, method, keptFor, System::nanoTime);
    }

    SharedAnswers(Scheduler scheduler, MethodDescriptor<Q, A> method, Duration keptFor, LongSupplier nanos) {
        this.scheduler = scheduler;
        this.method = method;
        this.keptFor = keptFor;
        this.nanos = nanos;
    }

    /** The answer to a request: that of an equal caller if there is one, or that of the scheduler. */
    public CompletionStage<A> ask(ServiceRequestContext context, Q request) {
        Key<Q> key = new Key<>(scheduler.caller(context), RequestWorkspace.of(context, request));
        Optional<CompletableFuture<A>> shared;
        CompletableFuture<A> own = new CompletableFuture<>();
        synchronized (kept) {
            forgetOld();
            shared = Optional.ofNullable(kept.get(key)).map(Kept::answer);
            if (shared.isEmpty() && kept.size() < ANSWERS_MAX) {
                kept.put(key, new Kept<>(own, nanos.getAsLong()));
            }
        }
        if (shared.isPresent()) {
            // A call ends with the request that caused it, so the answer of another may fail for that reason alone.
            return shared.get().exceptionallyCompose(_ -> scheduler.call(context, method, request));
        }
        var _ = scheduler.call(context, method, request).whenComplete((answer, failure) -> {
            if (failure == null) {
                own.complete(answer);
            } else {
                forget(key);
                own.completeExceptionally(failure);
            }
        });
        return own;
    }

    /** Forgets all answers, because somebody has changed what they tell. */
    public void forget() {
        synchronized (kept) {
            kept.clear();
        }
    }

    private void forget(Key<Q> key) {
        synchronized (kept) {
            kept.remove(key);
        }
    }

    private void forgetOld() {
        long now = nanos.getAsLong();
        // A call that is under way serves all who ask meanwhile, so a slow scheduler is not asked more often.
        kept.values().removeIf(each -> each.answer().isDone() && now - each.atNanos() >= keptFor.toNanos());
    }
}
