package dev.millrace.scheduler.start;

import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.lane.DatabaseLost;
import dev.millrace.scheduler.lane.FlushPlan;
import dev.millrace.scheduler.lane.FlushRefused;
import dev.millrace.scheduler.lane.LaneCommand;
import dev.millrace.scheduler.lane.LaneContext;
import dev.millrace.scheduler.lane.LaneStore;
import dev.millrace.scheduler.lane.LiveFlow;
import dev.millrace.scheduler.lane.Preparation;
import dev.millrace.scheduler.lane.RunAccepted;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Command to begin a run that this scheduler has just accepted undecided. It reads nothing, as the run is in memory: if
 * the run has changed in the database, the flush is refused. Then the answer is false, and the run is to be begun like
 * any other pending run.
 */
record BeginAcceptedRun(RunAccepted accepted, CompletableFuture<Boolean> answer) implements LaneCommand {
    @Override
    public Optional<RunId> run(Leases leases) {
        return Optional.of(accepted.root().run());
    }

    @Override
    public void plan(FlushPlan plan) throws DatabaseLost {
        plan.feature(StartFeature.class).begin(this);
        plan.afterCommit(() -> answer.complete(true));
    }

    @Override
    public boolean mayCompute(Optional<LiveFlow> flow) {
        return true;
    }

    @Override
    public List<Preparation.Part> toBegin(LaneContext context) {
        return List.of(new Preparation.Part(newFlow(context.ids()), new Preparation.Moves.ToBegin()));
    }

    /** The flow of the run, which has made no move. */
    LiveFlow newFlow(IdSource ids) {
        QueuedJob root = accepted.root();
        return new LiveFlow(
                root,
                accepted.model(),
                FlowState.fresh(accepted.model(), root.run(), accepted.input()),
                WaitingRun.FIRST_VERSION,
                false,
                ids);
    }

    @Override
    public Optional<LaneCommand> afterCanceledPreparation() {
        answer.complete(false);
        return Optional.empty();
    }

    @Override
    public Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context) {
        answer.complete(false);
        return Optional.empty();
    }

    @Override
    public Optional<LaneCommand> afterBug(Throwable bug) {
        RunStart failed =
                new RunStart.Failed(accepted.root().run(), WaitingRun.FIRST_VERSION, LaneCommand.internalError(bug));
        CompletableFuture<Optional<Duration>> ended = new CompletableFuture<>();
        CompletableFuture<Boolean> _ = ended.handle((_, failure) -> answer.complete(failure == null));
        return Optional.of(new StartPendingRun(failed, ended, new CompletableFuture<>()));
    }

    @Override
    public void fail(Throwable cause) {
        answer.complete(false);
    }
}
