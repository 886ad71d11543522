package dev.millrace.scheduler.explain;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.explain.core.Cause;
import dev.millrace.scheduler.explain.core.Reason;
import dev.millrace.scheduler.explain.core.Reasons;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.NotBegun;
import dev.millrace.scheduler.flow.core.StepKey;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Says why runs do not go on, from the database alone. Blocking and thread-safe. */
public final class Explanations {
    private static final int STEPS_MAX = 100;

    private final ExplainStore store;
    private final Runs runs;
    private final FlowCatalog flows;

    public Explanations(Database database, Runs runs, FlowCatalog flows) {
        this.store = new ExplainStore(database);
        this.runs = runs;
        this.flows = flows;
    }

    /**
     * How things stand with a run.
     *
     * @param leftOut how many steps there are beyond those that are told
     */
    record Explanation(String summary, List<Reason> steps, int leftOut) {}

    /** Fails with {@link dev.millrace.scheduler.error.ErrorCode#RUN_NOT_FOUND}. */
    Explanation explain(RunId id) {
        Run run = runs.load(id);
        if (run.state().isEnd()) {
            return new Explanation(
                    "The run has ended: " + run.state().name().toLowerCase(Locale.ROOT) + ".", List.of(), 0);
        }
        ExplainStore.Live live = store.load(id, STEPS_MAX);
        List<Reason> reasons = live.jobs().stream().map(Reasons::of).toList();
        List<Reason> all = Stream.concat(reasons.stream(), notBegun(run, live)).toList();
        List<Reason> told = all.stream().limit(STEPS_MAX).toList();
        return new Explanation(summary(run, reasons), told, Math.max(live.total(), all.size()) - told.size());
    }

    /** Known where all that is live is known. */
    private Stream<Reason> notBegun(Run run, ExplainStore.Live live) {
        if (run.kind() != JobKind.FLOW || live.total() > live.jobs().size()) {
            return Stream.empty();
        }
        List<StepKey> keys =
                live.jobs().stream().map(job -> new StepKey(job.key())).toList();
        return NotBegun.of(flows.model(run.target()), keys).stream().map(Reasons::of);
    }

    private static String summary(Run run, List<Reason> reasons) {
        if (!run.waiting().isEmpty()) {
            return run.waiting();
        }
        if (run.paused()) {
            return "The run is paused: what runs finishes, and nothing more begins until it is resumed.";
        }
        if (reasons.isEmpty()) {
            return "A scheduler works on the run at this moment.";
        }
        return reasons.stream().anyMatch(reason -> reason.cause() == Cause.RUNNING)
                ? "The run goes on."
                : "Nothing of the run is on a worker: it waits.";
    }
}
