package dev.millrace.scheduler.explain;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.explain.core.Cause;
import dev.millrace.scheduler.explain.core.Reason;
import dev.millrace.scheduler.explain.core.Reasons;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.UnbegunSteps;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Explains why runs make no progress, from the database alone. Blocking and thread-safe. */
public final class Explanations {
    /** Maximum number of running or waiting steps in an explanation; the oldest come first. */
    private static final int STEPS_MAX = 100;
    /** Maximum number of steps in an explanation that have not begun. */
    private static final int NOT_BEGUN_MAX = 100;
    /**
     * Maximum number of jobs and waits in the queue from which unbegun steps are computed, and of steps to look up in
     * history.
     */
    private static final int KEYS_MAX = 10_000;

    private final ExplainStore store;
    private final Runs runs;
    private final FlowCatalog flows;

    public Explanations(Database database, Runs runs, FlowCatalog flows) {
        this.store = new ExplainStore(database);
        this.runs = runs;
        this.flows = flows;
    }

    /**
     * State of a run.
     *
     * @param leftOut number of further steps that are not listed
     */
    record Explanation(String summary, List<Reason> steps, int leftOut) {}

    /**
     * Explains what a run waits for.
     *
     * @throws dev.millrace.scheduler.error.MillraceException with
     *     {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND} if the run does not exist
     */
    Explanation explain(RunRef named) {
        Run run = runs.load(named);
        if (run.state().isEnd()) {
            return new Explanation(
                    "The run has ended: " + run.state().name().toLowerCase(Locale.ROOT) + ".", List.of(), 0);
        }
        ExplainStore.Live live = store.load(run.id(), STEPS_MAX);
        List<Reason> reasons = live.jobs().stream().map(Reasons::of).toList();
        UnbegunSteps.Found unbegun = notBegun(run, live);
        List<Reason> listed = Stream.concat(
                        reasons.stream(), unbegun.first().stream().map(Reasons::of))
                .toList();
        return new Explanation(summary(run, reasons), listed, live.total() + unbegun.total() - listed.size());
    }

    /** Finds the steps that have not begun; none if the queue has too many jobs of the run. */
    private UnbegunSteps.Found notBegun(Run run, ExplainStore.Live live) {
        if (run.kind() != JobKind.FLOW || run.target().isEmpty() || live.total() > KEYS_MAX) {
            return UnbegunSteps.Found.NONE;
        }
        UnbegunSteps steps = UnbegunSteps.of(flows.model(run.target()), store.liveKeys(run.id(), KEYS_MAX));
        return steps.find(ended(run.id(), steps.perhapsEnded()), NOT_BEGUN_MAX);
    }

    /**
     * Returns the steps that have ended. If there are too many to look up, all of them count as ended, so neither they
     * nor their successors are listed.
     */
    private Set<StepKey> ended(RunId run, List<StepKey> perhaps) {
        if (perhaps.isEmpty() || perhaps.size() > KEYS_MAX) {
            return Set.copyOf(perhaps);
        }
        return UnbegunSteps.ended(store.rowsOf(run, perhaps));
    }

    private static String summary(Run run, List<Reason> reasons) {
        if (!run.waiting().isEmpty()) {
            return run.waiting();
        }
        if (run.paused()) {
            return "The run is paused: running steps finish, but no further step begins until the run is resumed.";
        }
        if (reasons.isEmpty()) {
            return "A scheduler is processing the run.";
        }
        return reasons.stream().anyMatch(reason -> reason.cause() == Cause.RUNNING)
                ? "Steps of the run are running."
                : "No step of the run is running; the run waits.";
    }
}
