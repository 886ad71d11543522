package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.database.DatabaseErrors;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Command to accept runs.
 *
 * @param models the compiled models of their flows, by hash
 * @param decides whether runs whose first decisions evaluate nothing begin with this command; all others are accepted
 *     as pending runs
 */
record SubmitRuns(
        Submission submission, Map<String, FlowModel> models, boolean decides, CompletableFuture<SubmitResult> answer)
        implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(first());
    }

    private List<RunId> ids() {
        return submission.runs().stream().map(NewRun::id).toList();
    }

    private RunId first() {
        return submission.runs().getFirst().id();
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        if (submission.requestId().isPresent()) {
            plan.add(RecordSubmissionStatement.SECTION, submission);
        }
        plan.addAll(CheckVersionsStatement.SECTION, submission.assumed());
        for (NewRun run : submission.runs()) {
            plan.submitted(run);
            switch (run.target()) {
                case RunTarget.Job(JobTarget target) ->
                    plan.jobs().place(root(run, JobKind.of(target), target.key()), run.input(), run.delay(), false);
                case RunTarget.FlowRun(String hash) ->
                    plan.flows()
                            .submit(
                                    plan.flows()
                                            .live()
                                            .fresh(
                                                    run.id(),
                                                    () -> newFlow(
                                                            run,
                                                            hash,
                                                            plan.context().ids())),
                                    run.input(),
                                    run.delay());
            }
        }
        plan.afterCommit(() -> answer.complete(new SubmitResult.Accepted(ids())));
    }

    /** The model of the run's flow, with the run's environment. */
    private FlowModel model(NewRun run, String flowHash) {
        FlowModel model = models.get(flowHash);
        if (model == null) {
            throw new IllegalStateException("flow " + flowHash + " was submitted without its model");
        }
        return model.in(run.kept().env(), run.kept().stepInput());
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return decides && models.values().stream().anyMatch(SubmitRuns::computesToBegin);
    }

    @Override
    public Optional<String> submitted() {
        return submission.runs().size() == 1
                        && submission.runs().getFirst().target() instanceof RunTarget.FlowRun(String hash)
                ? Optional.of(hash)
                : Optional.empty();
    }

    @Override
    public Optional<LaneCommand> undecided() {
        return decides ? Optional.of(new SubmitRuns(submission, models, false, answer)) : Optional.empty();
    }

    private static boolean computesToBegin(FlowModel model) {
        return model.computes() || !model.hasPlainKeys();
    }

    @Override
    public List<Preparation.Part> toBegin(LaneContext context) {
        List<Preparation.Part> parts = new ArrayList<>();
        for (NewRun run : submission.runs()) {
            if (run.target() instanceof RunTarget.FlowRun(String hash) && computesToBegin(model(run, hash))) {
                parts.add(new Preparation.Part(newFlow(run, hash, context.ids()), new Preparation.Moves.ToAccept()));
            }
        }
        return parts;
    }

    /** The flow of a run that is about to be accepted. */
    private LiveFlow newFlow(NewRun run, String hash, IdSource ids) {
        FlowModel model = model(run, hash);
        LiveFlow flow = new LiveFlow(
                root(run, JobKind.FLOW, hash), model, FlowState.fresh(model, run.id(), run.input()), 0, false, ids);
        if (!decides && computesToBegin(model)) {
            flow.leaveUndecided();
        }
        return flow;
    }

    /** Root job of a run. */
    private QueuedJob root(NewRun run, JobKind kind, String target) {
        return new QueuedJob(
                run.id().rootJob(),
                run.id(),
                submission.workspace(),
                kind,
                target,
                run.name(),
                run.options(),
                run.id().orderKey(),
                1,
                Losses.NONE,
                run.traceparent());
    }

    @Override
    public boolean isDone(LaneStore store) throws DatabaseLost {
        if (!store.isLive(first()) && !store.hasEnded(first())) {
            return false;
        }
        answer.complete(new SubmitResult.Accepted(
                submission.runs().stream().map(NewRun::id).toList()));
        return true;
    }

    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        if (refused.isBadValue()) {
            fail(DatabaseErrors.translate(refused));
            return Optional.empty();
        }
        Optional<SubmitResult> earlier =
                submission.requestId().isPresent() ? store.findEarlier(submission) : Optional.empty();
        if (earlier.isPresent()) {
            answer.complete(earlier.get());
            return Optional.empty();
        }
        if (!submission.assumed().isEmpty()) {
            answer.complete(new SubmitResult.Outdated());
            return Optional.empty();
        }
        return Optional.of(this);
    }

    @Override
    public void fail(Throwable cause) {
        answer.completeExceptionally(cause);
    }

    @Override
    public void tellUnavailable(MillraceException unavailable) {
        answer.completeExceptionally(unavailable);
    }
}
