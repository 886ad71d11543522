package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.Graph;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A switch with its taken branch in progress, or a sub-flow in progress. */
public final class BranchState extends Frame implements StepState.Container {
    private final ScopeState around;
    private final int step;
    private final ScopeState inside;

    private BranchState(ScopeState around, int step, Graph graph, @Nullable SubFlowScope subFlow) {
        super(around, around.graph().node(step).isTolerant());
        this.around = around;
        this.step = step;
        this.inside = ScopeState.branch(around, step, this, graph, subFlow);
    }

    static BranchState ofSwitch(ScopeState around, int step, Graph branch) {
        return new BranchState(around, step, branch, null);
    }

    static BranchState ofSubFlow(ScopeState around, int step, Graph graph, SubFlowScope subFlow) {
        return new BranchState(around, step, graph, subFlow);
    }

    public Place place() {
        return new Place(around, step);
    }

    public ScopeState scope() {
        return inside;
    }

    @Override
    boolean isAttached() {
        return is(around.state(step));
    }

    @Override
    public long weight() {
        return inside.weight();
    }

    @Override
    public long storableWeight() {
        return inside.storableWeight();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BranchState that
                && live() == that.live()
                && Objects.equals(failure(), that.failure())
                && inside.equals(that.inside);
    }

    @Override
    public int hashCode() {
        return inside.hashCode();
    }

    @Override
    public String toString() {
        return "Branch[live " + live() + ", " + failure() + ", " + inside + "]";
    }
}
