package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the steps of runs. An unknown run has no steps. Blocking and thread-safe. */
public final class Steps {
    /** Number of live jobs of a run that are looked at. */
    static final int LIVE_STEPS_MAX = 10_000;

    /** Number of ends of one step that a caller gets, the latest ones. */
    private static final int ROWS_OF_A_STEP_MAX = 4;

    private final StepStore store;
    private final StepPages pages;
    private final RunFolds folds;
    private final ProgressStore progress;
    private final StartedJobs started;

    public Steps(Database database, StartedJobs started) {
        this.store = new StepStore(database);
        this.pages = new StepPages(store);
        this.folds = new RunFolds(new FoldStore(database), store);
        this.progress = new ProgressStore(database);
        this.started = started;
    }

    /** One page, see {@link StepPages}. */
    public PageRequest.Page<Step> list(RunId run, PageRequest page, boolean payloads) {
        return read(run, StepFolding.NONE, page, payloads);
    }

    /** One page of the steps that are not folded. */
    public FoldedSteps list(RunRef run, StepFolding folding, PageRequest page, boolean payloads) {
        if (!folding.isFolded()) {
            return new FoldedSteps(read(run.id(), folding, page, payloads), Map.of());
        }
        StepFolding known = folding.iteration().isEmpty() ? folding.knowing(folds.counts(run, "")) : folding;
        // Counted again, since a loop may have become large meanwhile.
        return FoldedSteps.of(read(run.id(), known, page, payloads), folds.counts(run, folding.iteration()));
    }

    private PageRequest.Page<Step> read(RunId run, StepFolding folding, PageRequest page, boolean payloads) {
        return pages.read(run, folding, page, payloads).map(step -> step.startedAsIn(started));
    }

    /** The ends and the job of one step, see {@link StepStore#find}. */
    public List<Step> find(RunId run, String stepKey, boolean payloads) {
        return store.find(run, stepKey, payloads, ROWS_OF_A_STEP_MAX).stream()
                .map(step -> step.startedAsIn(started))
                .toList();
    }

    /** The result of a step; empty unless the step has succeeded or was skipped. */
    public Optional<Json> findResult(RunId run, String stepKey) {
        return store.findResult(run, stepKey);
    }

    /**
     * Iterations of the folded loops of a run, or of those inside an iteration, by the keys of the loops.
     *
     * @param iteration key of the iteration; empty for the whole run
     */
    public Map<String, IterationCounts> iterations(RunRef run, String iteration) {
        return folds.counts(run, iteration);
    }

    /** A page of the iterations of a loop, and all of them by their states. */
    public IterationPage iterations(RunRef run, IterationQuery query, PageRequest page) {
        int from = Math.max(query.from(), (int) Math.min(Integer.MAX_VALUE, page.afterNumber(-1) + 1));
        return folds.find(
                run,
                query.loop(),
                (loop, live) -> new IterationPage(
                        page.of(
                                limit -> loop.list(from, query.states(), limit, live),
                                iteration -> Integer.toString(iteration.number())),
                        loop.counts(live)));
    }

    /** Live jobs of a run without payloads, the root job first, at most {@link #LIVE_STEPS_MAX}. */
    public List<Step> live(RunId run) {
        return live(run, StepFolding.NONE);
    }

    /** The same without those that are folded. */
    public List<Step> live(RunId run, StepFolding folding) {
        return store.live(run, folding, Optional.empty(), LIVE_STEPS_MAX).stream()
                .map(step -> step.startedAsIn(started))
                .toList();
    }

    /** How far the running jobs of a run are, as their code has told last; jobs that have told nothing are absent. */
    public Map<JobId, Json> progress(RunId run) {
        return progress.find(run);
    }

    /** History rows of a run after a position, see {@link StepStore#history}. */
    public List<Step> history(RunId run, StepFolding folding, HistoryPosition after, int limit) {
        return store.history(run, folding, after, limit);
    }
}
