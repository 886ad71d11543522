package dev.millrace.scheduler.operation;

import dev.millrace.scheduler.audit.LaneAudit;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RedoPlan;
import dev.millrace.scheduler.flow.core.machine.RunLimit;
import dev.millrace.scheduler.flow.core.machine.SameSteps;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.DueTimeSet;
import dev.millrace.scheduler.lane.Effects;
import dev.millrace.scheduler.lane.FlowVersions;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.OutcomeColumns;
import dev.millrace.scheduler.lane.RecordOriginsStatement;
import dev.millrace.scheduler.lane.RecordedStep;
import dev.millrace.scheduler.lane.RunAccepted;
import dev.millrace.scheduler.lane.RunOrigin;
import dev.millrace.scheduler.lane.RunRequest;
import dev.millrace.scheduler.lane.RunsToStart;
import dev.millrace.scheduler.lane.StoredRun;
import dev.millrace.scheduler.option.RecordRunOptionsStatement;
import dev.millrace.scheduler.option.RunOption;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.start.StartFeature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Performs operations on runs: those that change the course of an existing run, and those that start a new run from the
 * model of another.
 */
public final class OperationFeature implements LaneFeature {
    private static final String NO_DETAILS = "{}";

    private final FlushPlan plan;
    private final LaneContext context;
    private final LaneStore store;
    private final LaneOperationStore records;
    /** Runs that the flush pauses (true) or resumes (false). */
    private final Map<RunId, Boolean> holds = new LinkedHashMap<>();

    private LaneOperationStore.Known known = LaneOperationStore.Known.NOTHING;

    public OperationFeature(FlushPlan plan) {
        this.plan = plan;
        this.context = plan.context();
        this.store = plan.store();
        this.records = new LaneOperationStore(store.db());
    }

    /** Reads in one round trip what the operations of this flush need. Their flows have been read before. */
    @Override
    public void prefetch(List<LaneCommand> commands) throws DatabaseLost {
        Set<RunId> runs = new LinkedHashSet<>();
        Set<RunRequest> requests = new LinkedHashSet<>();
        for (LaneCommand command : commands) {
            if (command instanceof OperateRun operate) {
                runs.add(operate.run());
                if (!operate.note().requestId().isEmpty()) {
                    requests.add(new RunRequest(operate.run(), operate.note().requestId()));
                }
            }
        }
        if (!runs.isEmpty()) {
            known = records.load(runs, requests);
        }
    }

    /** The run's flow. Reads nothing if the run is known to have no flow in progress. */
    private Optional<LiveFlow> findFlow(RunId run) throws DatabaseLost {
        Optional<LiveFlow> remembered = plan.flows().live().find(run);
        return remembered.isPresent() || known.hasNoFlow(run)
                ? remembered
                : plan.flows().findFlow(run);
    }

    void operate(OperateRun operate) throws DatabaseLost {
        RunId run = operate.run();
        Optional<OperationResult> earlier = findEarlier(run, operate.operation().kind(), operate.note());
        if (earlier.isPresent()) {
            plan.afterCommit(() -> operate.answer().complete(earlier.get()));
            return;
        }
        OperationResult result = plan.ends(run)
                ? endsNow(operate)
                : switch (operate.operation()) {
                    case RunOperation.Cancel _ -> cancel(operate);
                    case RunOperation.Pause _ -> hold(operate, true);
                    case RunOperation.Resume _ -> hold(operate, false);
                    case RunOperation.Retry _ -> retry(operate);
                    case RunOperation.Skip skip -> skip(operate, skip);
                };
        plan.afterCommit(() -> operate.answer().complete(result));
    }

    /** The result if the run ends in this very flush. */
    private static OperationResult endsNow(OperateRun operate) {
        return operate.operation() instanceof RunOperation.Retry
                ? OperationResult.live(operate.run(), operate.operation())
                : OperationResult.ended(operate.run(), operate.operation());
    }

    private OperationResult done(OperateRun operate, String details) {
        LaneAudit.add(plan, operate.call());
        plan.add(
                RecordOperationsStatement.SECTION,
                new RecordedOperation(
                        operate.id(), operate.run(), operate.operation().kind(), operate.note(), new Json(details)));
        return new OperationResult.Done(true);
    }

    /** The result of an earlier request with the same id; empty if there was none. */
    private Optional<OperationResult> findEarlier(RunId run, OperationKind operation, OperationNote note)
            throws DatabaseLost {
        if (note.requestId().isEmpty()) {
            return Optional.empty();
        }
        var request = new RunRequest(run, note.requestId());
        Optional<OperationKind> found = known.requests().contains(request)
                ? Optional.ofNullable(known.earlier().get(request))
                : records.findOperation(run, note.requestId());
        return found.map(earlier -> earlier == operation
                ? new OperationResult.Done(false)
                : OperationResult.requestIdReused(note.requestId(), earlier));
    }

    private OperationResult cancel(OperateRun cancel) throws DatabaseLost {
        RunId run = cancel.run();
        String why = cancel.note().reason();
        JobError reason = JobError.permanent(
                "Canceled", why.isEmpty() ? "The run was canceled." : "The run was canceled: " + why);
        return cancel(run, reason) ? done(cancel, NO_DETAILS) : goneOrUnknown(cancel);
    }

    /** Ends a run as canceled, whether it has begun or not; false if it is not live. */
    public boolean cancel(RunId run, JobError reason) throws DatabaseLost {
        if (plan.advance(run, new FlowEvent.CancelRequested(reason))) {
            return true;
        }
        if (!store.isLive(run)) {
            return false;
        }
        plan.cancelJobs(run, reason);
        plan.endIdle(run, new Outcome.Canceled(reason));
        plan.add(CheckCanceledStatement.SECTION, run);
        return true;
    }

    /**
     * Pauses or resumes a run. Reads the database in any case, because another scheduler may have changed the run in
     * the meantime.
     */
    private OperationResult hold(OperateRun operate, boolean held) throws DatabaseLost {
        RunId run = operate.run();
        Optional<LiveFlow> flow = findFlow(run);
        Optional<Boolean> before = flow.isPresent() ? flow.map(LiveFlow::isHeld) : Optional.ofNullable(holds.get(run));
        if (before.isEmpty()) {
            before = known.runs().contains(run)
                    ? Optional.ofNullable(known.roots().get(run)).map(LaneOperationStore.Root::held)
                    : records.findHeld(run);
        }
        if (before.isEmpty()) {
            return goneOrUnknown(operate);
        }
        // A transition even if nothing changes: its new version keeps other schedulers from continuing with an older
        // state.
        if (flow.isPresent()) {
            plan.flows().follow(flow.get(), flow.get().on(held ? new FlowEvent.Paused() : new FlowEvent.Resumed()));
        }
        holds.put(run, held);
        return before.get() == held ? new OperationResult.Done(false) : done(operate, NO_DETAILS);
    }

    private OperationResult retry(OperateRun operate) throws DatabaseLost {
        RunId run = operate.run();
        Optional<StoredRun> found = store.findRun(run);
        if (found.isEmpty()) {
            return OperationResult.notFound(run);
        }
        StoredRun ended = found.get();
        if (ended.end().isEmpty()) {
            return OperationResult.live(run, operate.operation());
        }
        Optional<JobError> error = OutcomeColumns.error(ended.end().get());
        if (error.isEmpty()) {
            return new OperationResult.Refused(
                    ErrorCode.RUN_STATE_UNSUITABLE,
                    "The run " + run
                            + " has succeeded: there is nothing to retry. Restart it, or rerun it from a step.");
        }
        long version = FlowVersions.ofRetry(records.retries(run) + 1);
        if (ended.root().kind() == JobKind.FLOW) {
            reopen(ended, version, operate.decides());
        } else {
            plan.add(ReopenRunsStatement.SECTION, ReopenedRun.asItWas(run, ended.endedMicros(), version));
            plan.queued(ended.root());
        }
        return done(
                operate,
                "{\"error\":{\"name\":" + JsonValue.ofString(error.get().name()) + ",\"message\":"
                        + JsonValue.ofString(error.get().message()) + "}}");
    }

    /**
     * Resets the failed and canceled steps and executes them again. A run that was never started becomes a pending run
     * again.
     *
     * @param decides whether the run continues at once; otherwise it is begun like any pending run
     */
    private void reopen(StoredRun ended, long version, boolean decides) throws DatabaseLost {
        QueuedJob root = ended.root();
        if (root.target().isEmpty()) {
            plan.add(ReopenRunsStatement.SECTION, ReopenedRun.asItWas(root.run(), ended.endedMicros(), version));
            plan.publish(new RunsToStart());
            return;
        }
        List<FinishedStep> rows = store.journal(root.run());
        FlowModel model = store.model(root.run(), root.target())
                .in(ended.options().env(), ended.options().stepInput());
        RedoPlan redo = store.fold(() -> RedoPlan.ofFailures(model, root.run(), ended.input(), rows));
        List<FinishedStep> history = new ArrayList<>(rows);
        for (RedoPlan.Reset reset : redo.resets()) {
            JobId id = context.ids().nextJob(root.run());
            Outcome told = new Outcome.Succeeded(reset.result());
            history.add(new FinishedStep(id, JobKind.RESET, reset.key(), told));
            plan.record(new RecordedStep(
                    id,
                    root.run(),
                    root.workspace(),
                    JobKind.RESET,
                    "",
                    "",
                    reset.key().text(),
                    Json.NULL,
                    told));
        }
        if (!decides) {
            plan.add(
                    ReopenRunsStatement.SECTION,
                    new ReopenedRun(
                            root.run(), ended.endedMicros(), version, Optional.empty(), Optional.empty(), true));
            RunAccepted accepted = new RunAccepted(root, ended.input(), model, version, false);
            plan.afterCommit(() -> context.bus().publish(accepted));
            return;
        }
        LiveFlow flow = folded(model, root, ended.input(), history, version);
        Optional<String> limitKey = flow.keys().limit() instanceof RunLimit.Limited limit
                ? Optional.of(StartFeature.limitKey(root, limit))
                : Optional.empty();
        plan.add(
                ReopenRunsStatement.SECTION,
                new ReopenedRun(
                        root.run(),
                        ended.endedMicros(),
                        version,
                        flow.model().definition().options().timeout(),
                        limitKey,
                        false));
        if (limitKey.isPresent()) {
            plan.publish(new RunsToStart());
        } else {
            plan.flows().remember(flow);
            plan.flows().follow(flow, flow.reopen());
        }
    }

    private LiveFlow folded(FlowModel model, QueuedJob root, Json input, List<FinishedStep> rows, long version) {
        return plan.flows().live().fresh(root.run(), () -> {
            FlowState state = FlowFold.of(model, root.run(), input, rows, Set.of());
            return new LiveFlow(root, model, state, version, false, context.ids());
        });
    }

    private OperationResult skip(OperateRun operate, RunOperation.Skip skip) throws DatabaseLost {
        RunId run = operate.run();
        StepKey step = new StepKey(skip.stepKey());
        Optional<LiveFlow> flow =
                plan.flows().findFlow(run, known -> known.liveKey(step).isPresent());
        if (flow.isEmpty()) {
            return store.isLive(run)
                    ? OperationResult.stepNotFound(run, skip.stepKey(), "as it is not a flow: cancel the run instead")
                    : goneOrUnknown(operate);
        }
        Optional<StepKey> live = flow.get().liveKey(step);
        if (live.isEmpty()) {
            return OperationResult.stepNotFound(run, skip.stepKey(), "that waits or runs now");
        }
        plan.add(
                SkipStepsStatement.SECTION,
                new SkippedStep(
                        run, live.get().text(), skip.result(), "The step was skipped by an operation on its run."));
        plan.stepsLeave(flow.get());
        plan.advance(run, new FlowEvent.SkipRequested(step, skip.result()));
        return done(
                operate,
                "{\"step\":" + JsonValue.ofString(skip.stepKey()) + ",\"result\":"
                        + skip.result().text() + "}");
    }

    void rerun(RerunRun item) throws DatabaseLost {
        Optional<OperationResult> earlier =
                findEarlier(item.rerun().original(), item.rerun().kind(), item.note());
        OperationResult result = earlier.isPresent() ? earlier.get() : startAgain(item);
        if (result instanceof OperationResult.Done(boolean changed) && changed) {
            Rerun rerun = item.rerun();
            String step = rerun.from().orElse("");
            LaneAudit.add(plan, item.call());
            plan.add(
                    RecordOriginsStatement.SECTION,
                    new RunOrigin(rerun.run(), rerun.original(), rerun.relation(), step, Optional.empty(), 0));
            plan.add(
                    RecordOperationsStatement.SECTION,
                    new RecordedOperation(item.id(), rerun.original(), rerun.kind(), item.note(), details(rerun)));
        }
        plan.afterCommit(() -> item.answer().complete(result));
    }

    private static Json details(Rerun rerun) {
        return new Json("{\"run_id\":\"" + rerun.run() + "\",\"step\":"
                + JsonValue.ofString(rerun.from().orElse("")) + ",\"input_changed\":"
                + rerun.input().isPresent()
                + rerun.flowHash()
                        .map(hash -> ",\"flow_hash\":" + JsonValue.ofString(hash))
                        .orElse("")
                + (rerun.stepInput().isPresent() ? ",\"step_input_changed\":true}" : "}"));
    }

    private OperationResult startAgain(RerunRun item) throws DatabaseLost {
        Rerun rerun = item.rerun();
        Optional<RunStarter> starter = starter(item);
        Optional<StoredRun> found = store.findRun(rerun.original());
        if (found.isEmpty()) {
            return OperationResult.notFound(rerun.original());
        }
        QueuedJob root = newRoot(found.get().root(), rerun);
        Json input = rerun.input().orElse(found.get().input());
        if (root.kind() != JobKind.FLOW) {
            if (rerun.from().isPresent()) {
                return OperationResult.stepNotFound(
                        rerun.original(), rerun.from().get(), "as it is not a flow: restart the run instead");
            }
            copyOptions(found.get(), rerun, starter);
            plan.jobs().place(root, input, Optional.empty(), false);
            return new OperationResult.Done(true);
        }
        KeptOptions options = found.get().options().withStepInput(rerun.stepInput());
        FlowModel model = store.model(root.run(), root.target()).in(options.env(), options.stepInput());
        List<FinishedStep> kept = List.of();
        if (rerun.from().isPresent()) {
            Optional<List<FinishedStep>> before = before(model, journal(found.get(), model, rerun), rerun, input);
            if (before.isEmpty()) {
                return OperationResult.stepNotFound(
                        rerun.original(),
                        rerun.from().get(),
                        "that can be executed: the flow has no such step, or a step around it has not begun or was"
                                + " ended early");
            }
            kept = before.get();
        }
        for (FinishedStep row : kept) {
            plan.add(
                    CopyStepsStatement.SECTION,
                    new CopiedStep(row.id(), context.ids().nextJob(rerun.run()), rerun.run()));
        }
        LiveFlow flow = folded(model, root, input, kept, 0);
        if (!item.decides()) {
            flow.leaveUndecided();
        }
        copyOptions(found.get(), rerun, starter);
        plan.flows().accept(flow, input, Optional.empty());
        return new OperationResult.Done(true);
    }

    /** Who starts the new run: the caller, or for one of many runs, who has asked for that. */
    private static Optional<RunStarter> starter(RerunRun item) {
        return item.call().isPresent()
                ? item.call().get().starter()
                : Optional.of(item.note().actor())
                        .filter(actor -> !actor.isEmpty())
                        .map(actor -> new RunStarter(actor, Optional.empty()));
    }

    /** Copies the options of a run to the run that somebody starts from it. */
    private void copyOptions(StoredRun original, Rerun rerun, Optional<RunStarter> starter) {
        KeptOptions options = original.options().startedBy(starter).withStepInput(rerun.stepInput());
        if (!options.isEmpty()) {
            plan.add(RecordRunOptionsStatement.SECTION, new RunOption(rerun.run(), options));
        }
    }

    /** The history of the run, as far as the version that is to be executed has the same steps. */
    private List<FinishedStep> journal(StoredRun original, FlowModel model, Rerun rerun) throws DatabaseLost {
        String executed = original.root().target();
        boolean isSameVersion =
                rerun.flowHash().filter(hash -> !hash.equals(executed)).isEmpty();
        if (isSameVersion || executed.isEmpty()) {
            return store.journal(rerun.original());
        }
        FlowModel before = store.model(rerun.run(), executed);
        return new SameSteps(before, model).keep(store.journal(rerun.original()));
    }

    /**
     * The rows that stay valid if the step and everything after it is executed again; empty if the step cannot be
     * executed.
     */
    private Optional<List<FinishedStep>> before(FlowModel model, List<FinishedStep> rows, Rerun rerun, Json input)
            throws DatabaseLost {
        StepKey step = new StepKey(rerun.from().orElseThrow());
        try {
            return store.fold(() -> RedoPlan.from(model, rerun.original(), input, step, rows))
                    .map(plan -> plan.keep(rows).stream()
                            .sorted(Comparator.comparing(FinishedStep::id))
                            .toList());
        } catch (IllegalArgumentException noSuchStep) {
            return Optional.empty();
        }
    }

    /** Root job of a new run with the options of {@code original}, and with its target or another version. */
    private static QueuedJob newRoot(QueuedJob original, Rerun rerun) {
        RunId run = rerun.run();
        return new QueuedJob(
                run.rootJob(),
                run,
                original.workspace(),
                original.kind(),
                rerun.flowHash().orElse(original.target()),
                original.name(),
                original.options(),
                run.orderKey(),
                1,
                Losses.NONE,
                "");
    }

    private OperationResult goneOrUnknown(OperateRun operate) throws DatabaseLost {
        return store.hasEnded(operate.run())
                ? OperationResult.ended(operate.run(), operate.operation())
                : OperationResult.notFound(operate.run());
    }

    /** An operation that this flush performs, for features that come after this one. */
    public record Done(RunId run, OperationKind kind, String actor, String reason) {}

    /** The operations that this flush performs. */
    public List<Done> done() {
        return plan.rows(RecordOperationsStatement.SECTION).stream()
                .map(row -> new Done(
                        row.run(),
                        row.operation(),
                        row.note().actor(),
                        row.note().reason()))
                .toList();
    }

    @Override
    public void complete() {
        holds.forEach((run, held) -> {
            if (!plan.ends(run)) {
                plan.add(HoldRunsStatement.SECTION, new RunHold(run, held));
                if (held) {
                    plan.add(RequeuePausedForLimitStatement.SECTION, run);
                }
            }
        });
    }

    @Override
    public boolean freesJobs() {
        return !holds.isEmpty() || !plan.rows(ReopenRunsStatement.SECTION).isEmpty();
    }

    @Override
    public void written(Effects effects) {
        plan.rows(SkipStepsStatement.SECTION).forEach(step -> effects.changed(step.run()));
        plan.written(SkipStepsStatement.SECTION).ifPresent(statement -> effects.endLeases(statement.ended()));
        holds.keySet().forEach(effects::changed);
        if (!holds.isEmpty()) {
            plan.publish(new RunsToStart());
        }
        plan.written(RequeuePausedForLimitStatement.SECTION)
                .ifPresent(statement -> effects.freeTags(statement.limitTags()));
        plan.written(HoldRunsStatement.SECTION).ifPresent(statement -> effects.freeTags(statement.claimable()));
        plan.written(ReopenRunsStatement.SECTION).ifPresent(statement -> effects.freeTags(statement.claimable()));
        plan.rows(ReopenRunsStatement.SECTION)
                .forEach(run -> run.timeout().ifPresent(_ -> plan.publish(new DueTimeSet())));
    }
}
