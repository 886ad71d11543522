package dev.millrace.scheduler.run;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.PageRequest;
import java.util.List;
import java.util.Optional;

/** Runs and their steps, as they stand. Blocking and thread-safe. */
public final class Runs implements RunPhases {
    private static final int LIVE_STEPS_MAX = 10_000;

    private final RunStore runs;
    private final StepStore steps;
    private final StepPages pages;
    private final StartedJobs started;
    private final RunSelectionStore selection;
    private final PayloadSearchStore payloads;

    public Runs(Database database, StartedJobs started) {
        this.runs = new RunStore(database);
        this.steps = new StepStore(database);
        this.pages = new StepPages(steps);
        this.started = started;
        this.selection = new RunSelectionStore(database);
        this.payloads = new PayloadSearchStore(database);
    }

    @Override
    public Phase phaseOf(RunId run) {
        return runs.findLiveness(run)
                .map(live -> live ? Phase.LIVE : Phase.ENDED)
                .orElse(Phase.UNKNOWN);
    }

    /** Fails with {@link ErrorCode#RUN_NOT_FOUND} where there is no such run. */
    public void requireKnown(RunId run) {
        if (phaseOf(run) == Phase.UNKNOWN) {
            throw notFound(run);
        }
    }

    /** The run with its payloads. Fails with {@link ErrorCode#RUN_NOT_FOUND}. */
    public Run load(RunId run) {
        return runs.find(run).map(this::withStart).orElseThrow(() -> notFound(run));
    }

    /** The same for a run that is said to have ended: then it takes one query. */
    Run loadEnded(RunId run) {
        return runs.findLikelyEnded(run).map(this::withStart).orElseThrow(() -> notFound(run));
    }

    /** One page; a search by payloads looks at a limited number of runs for it. */
    RunPage list(String workspace, RunSearch search, PageRequest page) {
        Optional<RunId> before = page.after().isEmpty() ? Optional.empty() : Optional.of(lastRun(page.after()));
        if (search.looksIntoPayloads()) {
            return searchPayloads(workspace, search, before, page.size());
        }
        var found = page.of(
                        limit -> runs.list(workspace, search, before, limit),
                        run -> run.id().toString())
                .map(this::withStart);
        return new RunPage(found.items(), found.nextToken(), Optional.empty());
    }

    private RunPage searchPayloads(String workspace, RunSearch search, Optional<RunId> before, int size) {
        var looked = payloads.look(workspace, search, before, size);
        List<Run> found = runs.listThese(workspace, search, looked.found()).stream()
                .map(this::withStart)
                .toList();
        return new RunPage(
                found,
                looked.stoppedAt().map(run -> PageRequest.token(run.toString())).orElse(""),
                looked.stoppedAt().map(run -> IdTimes.madeAt(run.value())));
    }

    /** Up to {@code limit} runs that fit. */
    public List<RunId> select(String workspace, RunFilter filter, int limit) {
        return selection.find(workspace, filter, limit);
    }

    PageRequest.Page<Step> steps(RunId run, PageRequest page, boolean payloads) {
        requireKnown(run);
        return pages.read(run, page, payloads).map(this::withStart);
    }

    /** What the flow returns early, where that step has ended well. */
    Optional<EarlyReturn> findEarlyReturn(RunId run, String stepKey) {
        return steps.findResult(run, stepKey).map(result -> new EarlyReturn(stepKey, result));
    }

    /** The live jobs of a run, the root job first; without payloads. */
    List<Step> liveSteps(RunId run) {
        return steps.live(run, LIVE_STEPS_MAX).stream().map(this::withStart).toList();
    }

    /** What has come into the history of a run after a place, see {@link StepStore#history}. */
    List<Step> history(RunId run, HistoryPosition after, int limit) {
        return steps.history(run, after, limit);
    }

    static MillraceException notFound(RunId run) {
        return new MillraceException(ErrorCode.RUN_NOT_FOUND, "There is no run " + run + ".");
    }

    private Run withStart(Run run) {
        Times times = run.times();
        return run.state() == RunState.RUNNING && times.started().isEmpty()
                ? run.withTimes(times.withStarted(started.startOf(run.id().rootJob())))
                : run;
    }

    private Step withStart(Step step) {
        Times times = step.times();
        return step.state() == StepState.RUNNING && times.started().isEmpty()
                ? step.withTimes(times.withStarted(started.startOf(step.id())))
                : step;
    }

    private static RunId lastRun(String after) {
        try {
            return RunId.parse(after);
        } catch (IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }
}
