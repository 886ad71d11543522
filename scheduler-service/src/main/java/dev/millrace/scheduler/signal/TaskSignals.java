package dev.millrace.scheduler.signal;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.signal.SignalDelivery.Message;
import dev.millrace.scheduler.signal.core.Reception;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import dev.millrace.scheduler.signal.core.SignalKind;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.util.List;
import java.util.Optional;

/**
 * Ends tasks of workflows that wait, as Conductor does: by the name of the task, or by its id. A task with a name is the last
 * iteration of it if it stands in loops. Blocking and thread-safe.
 */
public final class TaskSignals {
    /** Maximum number of waits among which a task is looked for. */
    private static final int WAITS_MAX = 1_000;
    /** What stands between the name of a task and the number of its iteration. */
    private static final String ITERATION = "__";

    private final Runs runs;
    private final WaitStore store;
    private final SignalDelivery delivery;

    public TaskSignals(Database database, Runs runs, SignalSender sender, IdSource ids) {
        this.runs = runs;
        this.store = new WaitStore(database);
        this.delivery = new SignalDelivery(sender, ids);
    }

    /**
     * How a task ends.
     *
     * @param reason of a failure; may be empty
     * @param requestId of the same end, however often it is tried
     */
    public record End(boolean isSuccess, Json output, String reason, String actor, String requestId) {
        public End {
            requireNonNull(output, "output");
            requireNonNull(reason, "reason");
            requireNonNull(actor, "actor");
            requireNonNull(requestId, "requestId");
        }
    }

    /** A task that waits. */
    public record Task(RunId run, String step) {
        public Task {
            requireNonNull(run, "run");
            requireNonNull(step, "step");
        }
    }

    /** The task with an id; empty if it does not wait. */
    public Optional<Task> find(String id) {
        try {
            return store.findStep(JobId.parse(id));
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }

    /**
     * Ends the task of a name.
     *
     * @return key of the step that has ended; empty if no step waits for it yet, so that the run keeps the end for it
     * @throws MillraceException if the run takes no signals
     */
    public String endTask(RunRef named, String task, End end) {
        RunId run = runs.resolve(named);
        List<WaitView> waits = store.list(run, Optional.empty(), WAITS_MAX).reversed();
        for (WaitView wait : waits) {
            Optional<WaitSpec> spec = wait.spec();
            if (spec.isPresent() && isOf(task, wait, spec.get())) {
                return endStep(run, wait, spec.get(), end);
            }
        }
        SignalKind kind = end.isSuccess() ? SignalKind.RESUME : SignalKind.FAIL;
        return received(run, delivery.send(run, new Address.Name(task), message(kind, end)), end);
    }

    private static boolean isOf(String task, WaitView wait, WaitSpec spec) {
        String last = wait.stepKey().substring(wait.stepKey().lastIndexOf('.') + 1);
        return spec.isForPeople()
                ? last.equals(task)
                : spec.name().equals(task) || spec.name().startsWith(task + ITERATION);
    }

    /** Ends the task of a step, which must wait. Otherwise as {@link #endTask}. */
    public String endStep(RunRef named, String step, End end) {
        RunId run = runs.resolve(named);
        WaitView wait = store.find(run, step)
                .filter(found -> found.spec().isPresent())
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.NOT_WAITING, "The step " + step + " of run " + run + " waits for no event."));
        return endStep(run, wait, wait.spec().orElseThrow(), end);
    }

    private String endStep(RunId run, WaitView wait, WaitSpec spec, End end) {
        SignalKind kind;
        if (spec.isForPeople()) {
            kind = !end.isSuccess()
                    ? SignalKind.DENY
                    : spec.takes(SignalKind.COMPLETE) ? SignalKind.COMPLETE : SignalKind.RESUME;
        } else {
            kind = end.isSuccess() ? SignalKind.RESUME : SignalKind.FAIL;
        }
        return received(run, delivery.send(run, new Address.Step(wait.stepKey()), message(kind, end)), end);
    }

    private static Message message(SignalKind kind, End end) {
        Json payload = switch (kind) {
            case RESUME, COMPLETE -> end.output();
            case DENY, FAIL -> JsonValue.ofString(end.reason()).json();
        };
        return new Message(kind, payload, end.actor(), end.requestId());
    }

    private String received(RunId run, Reception reception, End end) {
        return switch (reception) {
            case Reception.Counted counted -> counted.waiting().stepKey();
            case Reception.Ended ended -> ended.waiting().stepKey();
            case Reception.Repeated _ ->
                store.findSignal(run, end.requestId()).map(PastSignal::taker).orElse("");
            case Reception.Kept _,
                    Reception.Begun _,
                    Reception.NobodyWaits _,
                    Reception.WrongKind _,
                    Reception.TooMany _ -> "";
        };
    }
}
